import { describe, expect, it } from 'vitest'
import { nextCycle } from './next'

describe('the next cycle', () => {
  it('follows a quarter with a quarter, over the end of a year too', () => {
    expect(nextCycle([{ name: 'Q3 2026', starts_on: '2026-07-01', ends_on: '2026-09-30' }, { name: 'Q4 2026', starts_on: '2026-10-01', ends_on: '2026-12-31' }])).toEqual({ name: 'Q1 2027', starts_on: '2027-01-01', ends_on: '2027-03-31' })
  })
  it('ends on the last day of a leap February', () => {
    expect(nextCycle([{ name: '2027 H1', starts_on: '2027-06-01', ends_on: '2027-11-30' }])).toEqual({ name: '', starts_on: '2027-12-01', ends_on: '2028-05-31' })
    expect(nextCycle([{ name: 'December to January', starts_on: '2027-11-01', ends_on: '2028-01-31' }])?.ends_on).toBe('2028-04-30')
    expect(nextCycle([{ name: 'January', starts_on: '2028-01-01', ends_on: '2028-01-31' }])?.ends_on).toBe('2028-02-29')
  })
  it('counts days where months do not fit', () => {
    expect(nextCycle([{ name: 'Six weeks', starts_on: '2026-11-02', ends_on: '2026-12-13' }])).toEqual({ name: '', starts_on: '2026-12-14', ends_on: '2027-01-24' })
  })
  it('makes up no months in a name', () => {
    expect(nextCycle([{ name: '2026年 Q4（10〜12月）', starts_on: '2026-10-01', ends_on: '2026-12-31' }])?.name).toBe('2027 Q1')
  })
  it('knows nothing without a last one', () => {
    expect(nextCycle([])).toBeUndefined()
  })
})
