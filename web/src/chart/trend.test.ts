import { expect, test } from 'vitest'
import { trend } from './trend'

test('the trend goes from the first check-ins to the last', () => {
  expect(trend([[5, 7], [6, 6, 4]])).toEqual({ now: 5.5, change: 0 })
  expect(trend([[5, 8], [6], []])).toEqual({ now: 7, change: 1.5 })
  expect(trend([[9, 2]])).toEqual({ now: 2, change: -7 })
})
