import { describe, expect, it } from 'vitest'
import { diffWords } from './diff'

const side = (before: string, after: string, kind: 'removed' | 'added') => diffWords(before, after).filter((p) => p.kind !== kind).map((p) => p.text).join('')

describe('the difference of two texts', () => {
  it('is by words', () => {
    expect(diffWords('Churn falls to 3%', 'Churn falls below 3%')).toEqual([
      { text: 'Churn falls ', kind: 'same' },
      { text: 'to', kind: 'removed' },
      { text: 'below', kind: 'added' },
      { text: ' 3%', kind: 'same' },
    ])
  })
  it.each([['', 'new'], ['old', ''], ['', ''], ['解約率を下げる', '解約率を半分に下げる'], ['a b c', 'c b a'], ['x '.repeat(2000), 'y']])('keeps both texts whole: %s', (before, after) => {
    expect(side(before, after, 'added')).toBe(before)
    expect(side(before, after, 'removed')).toBe(after)
  })
})
