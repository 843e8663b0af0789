import { describe, expect, it } from 'vitest'
import { compare, merge } from './merge'

const fields = (o: object) => new Map(Object.entries(o))
const base = fields({ title: 'A', description: 'd', kind: 'committed', gone: 'x' })

describe('merging', () => {
  it('keeps what each of the two changed', () => {
    const mine = fields({ title: 'B', description: 'd', kind: 'committed', gone: 'x' })
    const theirs = fields({ title: 'A', description: 'e', kind: 'committed', gone: 'x' })
    expect(compare(base, mine, theirs).map((c) => [c.path, c.kind])).toEqual([['title', 'mine'], ['description', 'theirs']])
    expect(Object.fromEntries(merge(base, mine, theirs, () => 'theirs'))).toEqual({ title: 'B', description: 'e', kind: 'committed', gone: 'x' })
  })
  it('asks only where both changed one field, differently', () => {
    const mine = fields({ title: 'B', description: 'same', kind: 'committed', gone: 'x' })
    const theirs = fields({ title: 'C', description: 'same', kind: 'committed', gone: 'x' })
    expect(compare(base, mine, theirs).map((c) => c.kind)).toEqual(['both'])
    expect(merge(base, mine, theirs, () => 'mine').get('title')).toBe('B')
    expect(merge(base, mine, theirs, () => 'theirs').get('title')).toBe('C')
  })
  it('treats what was added and removed like any change', () => {
    const mine = fields({ title: 'A', description: 'd', kind: 'committed', added: 1 })
    const theirs = fields({ title: 'A', description: 'd', kind: 'committed', gone: 'y' })
    expect(compare(base, mine, theirs).map((c) => [c.path, c.kind])).toEqual([['gone', 'both'], ['added', 'mine']])
  })
})
