import { describe, expect, it } from 'vitest'
import { chosenProposal, everything, fieldAt, suggestedParts, taken, takesAll } from './choosing'
import { newKeyResult, type ObjectiveForm, type Proposal } from './objective'

const churn = { ...newKeyResult(), key: 'k1', id: 'k1', owner_id: 'aya', title: 'Churn', unit: '%', baseline: '5', target: '4', weight: '2' }
const launch = { ...newKeyResult(), key: 'k2', id: 'k2', kind: 'milestone' as const, title: 'Launch', steps: [{ key: 's1', id: 's1', title: 'Design', weight: '3' }, { key: 's2', id: 's2', title: 'Build', weight: '1' }] }
const base: ObjectiveForm = { title: 'Better', description: 'Because', kind: 'committed', visibility: 'organization', team_id: null, owner_id: 'aya', parent_objective_id: null, key_results: [churn, launch] }
const content: Proposal = {
  title: 'Customers stay',
  description: 'Because',
  key_results: [
    { id: 'k1', title: 'Monthly churn', kind: 'metric', unit: '%', baseline: '5', target: '3', weight: '2' },
    { title: 'Uptime', kind: 'threshold', unit: '%', at_least: '99.9' },
    { title: 'NPS', kind: 'metric', baseline: '30', target: '45' },
  ],
}
const parts = suggestedParts(content, base)

describe('what is suggested', () => {
  it('is what differs, by field', () => {
    expect(parts.map((p) => [p.id, p.isNew, p.fields.map((f) => f.field)])).toEqual([
      ['title', false, ['title']],
      ['k1', false, ['title', 'target']],
      ['new-1', true, ['title', 'unit', 'at_least']],
      ['new-2', true, ['title', 'baseline', 'target']],
    ])
  })
  it('is taken as a whole where it is to be measured in another way', () => {
    const [part] = suggestedParts({ key_results: [{ id: 'k1', title: 'Churn', kind: 'threshold', unit: '%', at_most: '3', weight: '2' }] }, base)
    expect(part!.whole).toBe(true)
    expect(taken([part!], { left: ['k1'], edited: {} })).toBeUndefined()
  })
})

describe('what is taken', () => {
  it('is everything at first', () => {
    expect(takesAll(parts, everything)).toBe(true)
    expect(taken(parts, everything)).toEqual({
      title: 'Customers stay',
      key_results: [
        { id: 'k1', owner_id: 'aya', title: 'Monthly churn', description: undefined, kind: 'metric', weight: '2', unit: '%', baseline: '5', target: '3', stretch: undefined },
        { id: undefined, owner_id: undefined, title: 'Uptime', description: undefined, kind: 'threshold', weight: '1', unit: '%', at_least: '99.9', at_most: undefined, tolerance: undefined },
        { id: undefined, owner_id: undefined, title: 'NPS', description: undefined, kind: 'metric', weight: '1', unit: '', baseline: '30', target: '45', stretch: undefined },
      ],
    })
  })
  it('leaves a field as it is, and takes another as it was edited', () => {
    const choice = { left: ['title', 'k1/title', 'new-1'], edited: { 'k1/target': '３.５' } }
    expect(takesAll(parts, choice)).toBe(false)
    const take = taken(parts, choice)!
    expect(take.title).toBeUndefined()
    expect(take.key_results?.map((k) => [k.title, k.target])).toEqual([['Churn', '3.5'], ['NPS', '45']])
    expect(chosenProposal(parts, choice).key_results).toHaveLength(2)
  })
  it('can be nothing', () => {
    expect(taken(parts, { left: ['title', 'k1/title', 'k1/target', 'new-1', 'new-2'], edited: {} })).toBeUndefined()
  })
  it('keeps the steps that stay, with their weights', () => {
    const [part] = suggestedParts({ key_results: [{ id: 'k2', title: 'Launch', kind: 'milestone', steps: [{ id: 's1', title: 'Design', weight: '3' }, { title: 'Test' }] }] }, base)
    const take = taken([part!], { left: [], edited: { 'k2/steps': 'Design\n\n Build \nTell everybody' } })
    expect(take!.key_results![0]!.steps).toEqual([{ id: 's1', title: 'Design', weight: '3' }, { id: 's2', title: 'Build', weight: '1' }, { id: undefined, title: 'Tell everybody', weight: '1' }])
  })
  it('is refused by its place', () => {
    const choice = { left: ['new-1'], edited: {} }
    expect(fieldAt('/title', base, parts, choice)).toBe('title')
    expect(fieldAt('/key_results/0/target', base, parts, choice)).toBe('k1/target')
    expect(fieldAt('/key_results/2/baseline', base, parts, choice)).toBe('new-2/baseline')
    expect(fieldAt('/key_results/9/baseline', base, parts, choice)).toBeUndefined()
  })
})
