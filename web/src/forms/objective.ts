import { randomID } from '../api/patience'
import type { Schemas } from '../api/problem'
import { decimalOf } from '../time/format'
import { same, type Fields } from './merge'

/** A key result as it stands in a form: every field a text, none missing. key is the server's id, or one of our own for what is new. */
export interface KeyResultForm {
  key: string
  id?: string
  owner_id?: string
  title: string
  description: string
  kind: Schemas['KeyResultKind']
  unit: string
  baseline: string
  target: string
  stretch: string
  at_least: string
  at_most: string
  tolerance: string
  weight: string
  steps: { key: string; id?: string; title: string; weight: string }[]
}

export interface ObjectiveForm {
  title: string
  description: string
  kind: Schemas['ObjectiveKind']
  visibility: Schemas['Visibility']
  team_id: string | null
  owner_id: string
  parent_objective_id: string | null
  parent_key_result_id?: string | null // drafts of an earlier release do not have it
  key_results: KeyResultForm[]
}

const objectiveFields = ['title', 'description', 'kind', 'visibility', 'team_id', 'owner_id'] as const
export const keyResultFields = ['title', 'description', 'kind', 'unit', 'baseline', 'target', 'stretch', 'at_least', 'at_most', 'tolerance', 'weight', 'steps'] as const

export function newKeyResult(): KeyResultForm {
  return { key: randomID(), title: '', description: '', kind: 'metric', unit: '', baseline: '', target: '', stretch: '', at_least: '', at_most: '', tolerance: '', weight: '1', steps: [] }
}

export function keyResultForm(k: Schemas['KeyResult']): KeyResultForm {
  return {
    key: k.id, id: k.id, owner_id: k.owner?.id, title: k.title, description: k.description ?? '', kind: k.kind, unit: k.unit, baseline: k.baseline ?? '', target: k.target ?? '', stretch: k.stretch ?? '',
    at_least: k.at_least ?? '', at_most: k.at_most ?? '', tolerance: k.tolerance ?? '', weight: k.weight, steps: (k.steps ?? []).map((s) => ({ key: s.id, id: s.id, title: s.title, weight: s.weight })),
  }
}

export function objectiveForm(o: Schemas['Objective']): ObjectiveForm {
  return {
    title: o.title, description: o.description ?? '', kind: o.kind, visibility: o.visibility, team_id: o.team_id ?? null, owner_id: o.owner.id,
    parent_objective_id: o.parent_objective_id ?? null, parent_key_result_id: o.parent_key_result_id ?? null, key_results: o.key_results.map(keyResultForm),
  }
}

/** What of the form its kind has; the rest stays typed, should somebody change the kind back, and is not sent. */
export function keyResultInput(k: KeyResultForm): Schemas['KeyResultInput'] {
  const amount = (s: string) => (s.trim() === '' ? undefined : decimalOf(s))
  const input: Schemas['KeyResultInput'] = { id: k.id, title: k.title.trim(), description: k.description.trim() || undefined, owner_id: k.owner_id, kind: k.kind, weight: amount(k.weight) ?? '1' }
  if (k.kind === 'metric') return { ...input, unit: k.unit.trim(), baseline: amount(k.baseline), target: amount(k.target), stretch: amount(k.stretch) }
  if (k.kind === 'threshold') return { ...input, unit: k.unit.trim(), at_least: amount(k.at_least), at_most: amount(k.at_most), tolerance: amount(k.tolerance) }
  return { ...input, steps: k.steps.map((s) => ({ id: s.id, title: s.title.trim(), weight: amount(s.weight) ?? '1' })) }
}

export function objectiveCreate(f: ObjectiveForm, cycle: string): Schemas['ObjectiveCreate'] {
  return {
    cycle_id: cycle, team_id: f.team_id ?? undefined, owner_id: f.owner_id, parent_objective_id: f.parent_objective_id ?? undefined, parent_key_result_id: f.parent_key_result_id ?? undefined, title: f.title.trim(), description: f.description.trim() || undefined,
    kind: f.kind, visibility: f.visibility, key_results: f.key_results.map(keyResultInput),
  }
}

/** Only what differs from what the edit began with, so that it is refused for nothing that was not touched. */
export function objectivePatch(base: ObjectiveForm, f: ObjectiveForm, revision: number): Schemas['ObjectivePatch'] {
  const patch: Schemas['ObjectivePatch'] = { revision }
  if (f.title !== base.title) patch.title = f.title.trim()
  if (f.description !== base.description) patch.description = f.description.trim() || null
  if (f.kind !== base.kind) patch.kind = f.kind
  if (f.visibility !== base.visibility) patch.visibility = f.visibility
  if (f.team_id !== base.team_id) patch.team_id = f.team_id
  if (f.owner_id !== base.owner_id) patch.owner_id = f.owner_id
  if (!same(parentOf(f), parentOf(base))) {
    patch.parent_objective_id = f.parent_objective_id
    patch.parent_key_result_id = f.parent_key_result_id ?? null
  }
  const list = f.key_results.map(keyResultInput)
  if (JSON.stringify(list) !== JSON.stringify(base.key_results.map(keyResultInput))) patch.key_results = list
  return patch
}

/** What an objective contributes to. */
export interface Parent {
  objective: string
  keyResult: string | null
}

const parentOf = (f: ObjectiveForm): Parent | null => (f.parent_objective_id === null ? null : { objective: f.parent_objective_id, keyResult: f.parent_key_result_id ?? null })

/** The form by field, for merging. A key result that all three have is merged field by field, any other as a whole; so is the parent, since a key result is one of its own objective. */
export function toFields(f: ObjectiveForm, shared: ReadonlySet<string>): Map<string, unknown> {
  const fields = new Map<string, unknown>([...objectiveFields.map((name): [string, unknown] => [name, f[name]]), ['parent', parentOf(f)]])
  for (const k of f.key_results) {
    if (shared.has(k.key)) for (const name of keyResultFields) fields.set(`kr/${k.key}/${name}`, name === 'steps' ? k.steps.map(({ id, title, weight }) => ({ id, title, weight })) : k[name])
    else fields.set(`kr/${k.key}`, k)
  }
  return fields
}

export function sharedKeys(...forms: ObjectiveForm[]): Set<string> {
  const keys = forms.map((f) => new Set(f.key_results.map((k) => k.key)))
  return new Set([...(keys[0] ?? [])].filter((key) => keys.every((of) => of.has(key))))
}

/** The form that merged fields make. Key results come in the order of theirs, and what I added behind them. */
export function fromFields(fields: Fields, theirs: ObjectiveForm, mine: ObjectiveForm): ObjectiveForm {
  const form = { ...theirs } as ObjectiveForm
  for (const name of objectiveFields) (form as unknown as Record<string, unknown>)[name] = fields.get(name)
  const parent = fields.get('parent') as Parent | null
  form.parent_objective_id = parent?.objective ?? null
  form.parent_key_result_id = parent?.keyResult ?? null
  const known = new Map([...mine.key_results, ...theirs.key_results].map((k) => [k.key, k]))
  form.key_results = []
  for (const [key, k] of new Map([...theirs.key_results, ...mine.key_results].map((x) => [x.key, x]))) {
    if (fields.has(`kr/${key}/title`)) {
      const merged = { ...known.get(key)! } as unknown as Record<string, unknown>
      for (const name of keyResultFields) {
        const value = fields.get(`kr/${key}/${name}`)
        merged[name] = name === 'steps' ? (value as { id?: string; title: string; weight: string }[]).map((s) => ({ ...s, key: s.id ?? randomID() })) : value
      }
      form.key_results.push(merged as unknown as KeyResultForm)
    } else if (fields.get(`kr/${key}`) !== undefined) {
      form.key_results.push((fields.get(`kr/${key}`) as KeyResultForm | undefined) ?? k)
    }
  }
  return form
}

/** What the coach proposes, put into the form: key results that it names by id are changed, those without one are new. */
export interface Proposal {
  title?: string
  description?: string
  key_results?: ProposedKeyResult[]
}

export type ProposedKeyResult = { id?: string; title: string; description?: string; kind: Schemas['KeyResultKind']; unit?: string; baseline?: string; target?: string; stretch?: string; at_least?: string; at_most?: string; tolerance?: string; weight?: string; steps?: { id?: string; title: string; weight?: string }[] }

export function proposedForm(p: ProposedKeyResult, present?: KeyResultForm): KeyResultForm {
  return {
    ...newKeyResult(), key: present?.key ?? randomID(), id: p.id, owner_id: present?.owner_id, title: p.title, description: p.description ?? '', kind: p.kind, unit: p.unit ?? '', baseline: p.baseline ?? '', target: p.target ?? '', stretch: p.stretch ?? '',
    at_least: p.at_least ?? '', at_most: p.at_most ?? '', tolerance: p.tolerance ?? '', weight: p.weight ?? '1', steps: (p.steps ?? []).map((s) => ({ key: s.id ?? randomID(), id: s.id, title: s.title, weight: s.weight ?? '1' })),
  }
}

export function withProposal(form: ObjectiveForm, p: Proposal): ObjectiveForm {
  const changed = new Map((p.key_results ?? []).filter((k) => k.id).map((k) => [k.id!, k]))
  return {
    ...form,
    title: p.title ?? form.title,
    description: p.description ?? form.description,
    key_results: [
      ...form.key_results.map((k) => (k.id && changed.has(k.id) ? proposedForm(changed.get(k.id)!, k) : k)),
      ...(p.key_results ?? []).filter((k) => !k.id).map((k) => proposedForm(k)),
    ],
  }
}
