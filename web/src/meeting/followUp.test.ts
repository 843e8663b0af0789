import { expect, test } from 'vitest'
import { merge } from '../forms/merge'
import { fieldsOf, followUpPatch, typed, type Typed } from './followUp'

const base: Typed = { title: 'Call them', assignee: 'aya', due: '2026-12-14' }

test('a follow-up sends only what was changed', () => {
  expect(followUpPatch(base, base, 3)).toEqual({ revision: 3 })
  expect(followUpPatch(base, { ...base, title: ' Write to them ' }, 3)).toEqual({ revision: 3, title: 'Write to them' })
  expect(followUpPatch(base, { ...base, due: '' }, 3)).toEqual({ revision: 3, due_on: null })
  expect(followUpPatch(base, { ...base, assignee: 'shota' }, 3)).toEqual({ revision: 3, assignee_id: 'shota' })
})

test('two who change different things of it both have their way', () => {
  const theirs = typed({ title: 'Call them', assignee: { id: 'shota', name: 'Shota' } } as Parameters<typeof typed>[0])
  const merged = Object.fromEntries(merge(fieldsOf(base), fieldsOf({ ...base, title: 'Write to them' }), fieldsOf(theirs), () => 'theirs'))
  expect(merged).toEqual({ title: 'Write to them', assignee: 'shota', due: '' })
})
