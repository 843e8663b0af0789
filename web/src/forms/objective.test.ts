import { describe, expect, it } from 'vitest'
import type { Schemas } from '../api/problem'
import { contentForm } from './content'
import { merge } from './merge'
import { fromFields, keyResultInput, newKeyResult, objectiveCreate, objectiveForm, objectivePatch, sharedKeys, toFields, withProposal, type KeyResultForm, type ObjectiveForm } from './objective'

const kr = (id: string, change: Partial<KeyResultForm> = {}): KeyResultForm => ({ ...newKeyResult(), key: id, id, title: id, baseline: '62', target: '85', unit: '%', ...change })
const form = (change: Partial<ObjectiveForm> = {}): ObjectiveForm => ({ title: 'A', description: '', kind: 'committed', visibility: 'organization', team_id: null, owner_id: 'me', parent_objective_id: null, parent_key_result_id: null, key_results: [kr('a'), kr('b')], ...change })

function merged(base: ObjectiveForm, mine: ObjectiveForm, theirs: ObjectiveForm, choose: 'mine' | 'theirs' = 'mine') {
  const shared = sharedKeys(base, mine, theirs)
  return fromFields(merge(toFields(base, shared), toFields(mine, shared), toFields(theirs, shared), () => choose), theirs, mine)
}

describe('an objective in a form', () => {
  it('sends what its kind has, as decimals', () => {
    expect(keyResultInput(kr('a', { target: '１，２００', at_most: '3', stretch: ' ' }))).toMatchObject({ baseline: '62', target: '1200', unit: '%', stretch: undefined })
    expect(keyResultInput(kr('a', { at_most: '3' }))).not.toHaveProperty('at_most')
    expect(keyResultInput(kr('a', { kind: 'threshold', at_most: '8' }))).toMatchObject({ at_most: '8', at_least: undefined })
    expect(keyResultInput(kr('a', { kind: 'threshold' }))).not.toHaveProperty('target')
  })
  it('sends only what was changed', () => {
    expect(objectivePatch(form(), form(), 4)).toEqual({ revision: 4 })
    expect(objectivePatch(form({ description: 'x' }), form({ description: '' }), 4)).toEqual({ revision: 4, description: null })
    expect(objectivePatch(form(), form({ key_results: [kr('b')] }), 4).key_results).toHaveLength(1)
  })
  it('is merged by field within a key result', () => {
    const m = merged(form(), form({ key_results: [kr('a', { target: '90' }), kr('b')] }), form({ title: 'B', key_results: [kr('a', { unit: '人' }), kr('b')] }))
    expect(m.title).toBe('B')
    expect(m.key_results[0]).toMatchObject({ target: '90', unit: '人' })
  })
  it('keeps what I added and removed, beside what they added', () => {
    const m = merged(form(), form({ key_results: [kr('b'), kr('mine')] }), form({ key_results: [kr('a'), kr('b'), kr('theirs')] }))
    expect(m.key_results.map((k) => k.key)).toEqual(['b', 'theirs', 'mine'])
  })
  it('has a parent and which key result of it, which go together', () => {
    const at = (parent_objective_id: string | null, parent_key_result_id: string | null = null) => form({ parent_objective_id, parent_key_result_id })
    expect(objectivePatch(at('p'), at('p', 'k'), 4)).toEqual({ revision: 4, parent_objective_id: 'p', parent_key_result_id: 'k' })
    expect(objectivePatch(at('p', 'k'), at('q'), 4)).toEqual({ revision: 4, parent_objective_id: 'q', parent_key_result_id: null })
    expect(objectivePatch(at('p', 'k'), { ...at('p', 'k'), title: 'B' }, 4)).toEqual({ revision: 4, title: 'B' })
    expect(objectiveCreate(at('p', 'k'), 'c')).toMatchObject({ parent_objective_id: 'p', parent_key_result_id: 'k' })
    const parent = (f: ObjectiveForm) => [f.parent_objective_id, f.parent_key_result_id]
    expect(parent(merged(at('p', 'k'), { ...at('p', 'k'), title: 'B' }, at('p', 'k')))).toEqual(['p', 'k'])
    expect(parent(merged(at('p', 'k'), { ...at('p', 'k'), title: 'B' }, at('p', 'l')))).toEqual(['p', 'l'])
    expect(parent(merged(at('p', 'k'), at('q', 'm'), at('p', 'l'), 'mine'))).toEqual(['q', 'm'])
    expect(parent(merged(at('p', 'k'), at('q', 'm'), at('p', 'l'), 'theirs'))).toEqual(['p', 'l'])
    expect(parent(merged(at('p', 'k'), at(null), { ...at('p', 'k'), title: 'B' }))).toEqual([null, null])
  })
  it('is the same whether it was read or comes out of the history, and after a draft of an earlier release', () => {
    const content = { title: 'A', kind: 'committed', visibility: 'organization', owner_id: 'me', parent_objective_id: 'p', parent_key_result_id: 'k', key_results: [] } as const
    const read = { title: 'A', kind: 'committed', visibility: 'organization', owner: { id: 'me', name: 'Me' }, parent_objective_id: 'p', parent_key_result_id: 'k', key_results: [] } as unknown as Schemas['Objective']
    expect(JSON.stringify(contentForm({ ...content, key_results: [] }))).toBe(JSON.stringify(objectiveForm(read)))
    const old: ObjectiveForm = form({ parent_objective_id: 'p' })
    delete old.parent_key_result_id
    expect(objectivePatch(old, { ...old, title: 'B' }, 4)).toEqual({ revision: 4, title: 'B' })
    expect(merged(old, { ...old, title: 'B' }, form({ parent_objective_id: 'p', parent_key_result_id: 'k' })).parent_key_result_id).toBe('k')
  })
  it('asks when one removed what the other changed', () => {
    const mine = form({ key_results: [kr('b')] })
    const theirs = form({ key_results: [kr('a', { target: '99' }), kr('b')] })
    expect(merged(form(), mine, theirs, 'mine').key_results.map((k) => k.key)).toEqual(['b'])
    expect(merged(form(), mine, theirs, 'theirs').key_results.map((k) => k.target)).toEqual(['99', '85'])
  })
  it('takes over what the coach proposes', () => {
    const f = withProposal(form(), { key_results: [{ id: 'a', title: 'A!', kind: 'metric', target: '70', baseline: '62' }, { title: 'new', kind: 'threshold', at_most: '8' }] })
    expect(f.key_results.map((k) => k.title)).toEqual(['A!', 'b', 'new'])
    expect(f.title).toBe('A')
  })
})
