// What somebody takes of a suggestion: field by field, as it was suggested or as they have edited it.

import type { Schemas } from '../api/problem'
import { randomID } from '../api/patience'
import { same } from './merge'
import { keyResultFields, keyResultInput, proposedForm, type KeyResultForm, type ObjectiveForm, type Proposal } from './objective'

export type KeyResultField = (typeof keyResultFields)[number]

/** One field that is suggested. Its values are texts as they stand in a form; steps are lines. */
export interface SuggestedField {
  id: string
  field: 'title' | 'description' | KeyResultField
  now: string
  suggested: string
}

/** One thing that is suggested: the title, the description, or a key result. */
export interface SuggestedPart {
  id: string
  keyResult?: { present?: KeyResultForm; suggested: KeyResultForm }
  isNew: boolean
  whole: boolean // is taken or left as one: what is new, and what is to be measured in another way
  fields: SuggestedField[]
}

export interface Choice {
  left: string[] // ids of fields, or of parts that are taken as one
  edited: Record<string, string> // by the ids of fields
}

export const everything: Choice = { left: [], edited: {} }

function textOf(form: KeyResultForm | undefined, field: KeyResultField): string {
  if (!form) return ''
  return field === 'steps' ? form.steps.map((s) => s.title).join('\n') : form[field]
}

/** What a suggestion would change of an objective as it stood when it was made. */
export function suggestedParts(content: Proposal, base: ObjectiveForm): SuggestedPart[] {
  const parts: SuggestedPart[] = []
  for (const field of ['title', 'description'] as const) {
    const suggested = content[field]
    if (suggested !== undefined && suggested !== base[field]) parts.push({ id: field, isNew: false, whole: false, fields: [{ id: field, field, now: base[field], suggested }] })
  }
  for (const [n, p] of (content.key_results ?? []).entries()) {
    const present = p.id ? base.key_results.find((k) => k.id === p.id) : undefined
    const suggested = proposedForm(p, present)
    const id = p.id ?? `new-${n}`
    const fields = keyResultFields
      .map((field) => ({ id: `${id}/${field}`, field, now: textOf(present, field), suggested: textOf(suggested, field) }))
      .filter((f) => (present ? f.now !== f.suggested || (f.field === 'steps' && !same(weights(present), weights(suggested))) : f.suggested !== '' && f.field !== 'kind' && !(f.field === 'weight' && f.suggested === '1')))
    if (fields.length > 0) parts.push({ id, keyResult: { present, suggested }, isNew: !present, whole: !present || present.kind !== suggested.kind, fields })
  }
  return parts
}

const weights = (k: KeyResultForm) => k.steps.map((s) => s.weight)

export const isLeft = (part: SuggestedPart, field: SuggestedField, choice: Choice) => choice.left.includes(part.whole ? part.id : field.id)

/** Nothing of the part is taken. */
export const isLeftWhole = (part: SuggestedPart, choice: Choice) => part.fields.every((f) => isLeft(part, f, choice))

/** Everything is taken, as it was suggested. */
export const takesAll = (parts: SuggestedPart[], choice: Choice) => parts.every((p) => p.fields.every((f) => !isLeft(p, f, choice) && valueOf(f, choice) === f.suggested))

export const valueOf = (field: SuggestedField, choice: Choice) => choice.edited[field.id] ?? field.suggested

/** Lines as steps; those that were there keep who they are and what they weigh. */
function stepsOf(lines: string, known: KeyResultForm['steps']): KeyResultForm['steps'] {
  const left = [...known]
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((title) => {
      const at = left.findIndex((s) => s.title === title)
      return at >= 0 ? left.splice(at, 1)[0]! : { key: randomID(), title, weight: '1' }
    })
}

function chosenForm(part: SuggestedPart, choice: Choice): KeyResultForm {
  const { present, suggested } = part.keyResult!
  const form = { ...(present && !part.whole ? present : suggested) }
  for (const f of part.fields) {
    if (isLeft(part, f, choice)) continue
    const value = valueOf(f, choice)
    if (f.field === 'steps') form.steps = value === f.suggested ? suggested.steps : stepsOf(value, [...suggested.steps, ...(present?.steps ?? [])])
    else (form as unknown as Record<string, string>)[f.field] = value
  }
  return form
}

/** What is taken over, as the server wants it; undefined where nothing is. */
export function taken(parts: SuggestedPart[], choice: Choice): Schemas['SuggestionTaken'] | undefined {
  const take: Schemas['SuggestionTaken'] = {}
  const list: Schemas['KeyResultInput'][] = []
  for (const part of parts) {
    if (isLeftWhole(part, choice)) continue
    if (part.id === 'title') take.title = valueOf(part.fields[0]!, choice).trim()
    else if (part.id === 'description') take.description = valueOf(part.fields[0]!, choice).trim()
    else list.push(keyResultInput(chosenForm(part, choice)))
  }
  if (list.length > 0) take.key_results = list
  return Object.keys(take).length > 0 ? take : undefined
}

/** The id of the field that the server speaks of by its place in the objective as it would be. */
export function fieldAt(pointer: string, base: ObjectiveForm, parts: SuggestedPart[], choice: Choice): string | undefined {
  const [, head, place, field] = pointer.split('/')
  if (head !== 'key_results') return head
  const n = Number(place)
  const id = n < base.key_results.length ? base.key_results[n]!.id : parts.filter((p) => p.isNew && !isLeftWhole(p, choice))[n - base.key_results.length]?.id
  return id && `${id}/${field}`
}

/** The same as a proposal for the editor, where an objective has moved on and somebody puts it in by hand. */
export function chosenProposal(parts: SuggestedPart[], choice: Choice): Proposal {
  const { title, description, key_results } = taken(parts, choice) ?? {}
  return { title, description, key_results: key_results as Proposal['key_results'] }
}
