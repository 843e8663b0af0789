import { describe, expect, it } from 'vitest'
import { addresses, quarterOf } from './quarter'

describe('the first run', () => {
  it.each([
    ['2026-01-01', 1, '2026-01-01', '2026-03-31'],
    ['2028-02-29', 1, '2028-01-01', '2028-03-31'],
    ['2026-06-30', 2, '2026-04-01', '2026-06-30'],
    ['2026-07-01', 3, '2026-07-01', '2026-09-30'],
    ['2026-12-31', 4, '2026-10-01', '2026-12-31'],
  ])('knows the quarter of %s', (day, n, starts_on, ends_on) => {
    expect(quarterOf(day)).toEqual({ n, year: Number(day.slice(0, 4)), starts_on, ends_on })
  })
  it('reads addresses however they are separated, each once', () => {
    expect(addresses(' aoi@example.com,ren@example.com;\nmei@example.com、ａｏｉ@example.com ')).toEqual(['aoi@example.com', 'ren@example.com', 'mei@example.com'])
    expect(addresses(' , ')).toEqual([])
  })
})
