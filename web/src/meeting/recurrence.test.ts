import { describe, expect, it } from 'vitest'
import { once, repetitionOf, ruleOf } from './recurrence'

describe('how often a meeting repeats', () => {
  it.each(['FREQ=DAILY', 'FREQ=WEEKLY', 'FREQ=WEEKLY;BYDAY=MO,TH', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', 'FREQ=MONTHLY', 'FREQ=WEEKLY;COUNT=12', 'FREQ=DAILY;UNTIL=20261224', 'FREQ=MONTHLY;BYDAY=2TU', 'FREQ=YEARLY', 'FREQ=WEEKLY;INTERVAL=3'])('comes through the form as it was: %s', (rule) => {
    expect(ruleOf(repetitionOf(rule, 'Asia/Tokyo'))).toBe(rule)
  })
  it('ends on a day of its own clock', () => {
    expect(repetitionOf('FREQ=WEEKLY;UNTIL=20261207T000000Z', 'America/Los_Angeles').until).toBe('2026-12-06')
    expect(repetitionOf('FREQ=WEEKLY;UNTIL=20261207T150000Z', 'Asia/Tokyo').until).toBe('2026-12-08')
  })
  it('is once without a rule, and keeps what it has no fields for', () => {
    expect(repetitionOf(undefined, 'UTC')).toEqual(once)
    expect(ruleOf(once)).toBeUndefined()
    expect(repetitionOf('FREQ=MONTHLY;BYMONTHDAY=-1', 'UTC').repeats).toBe('other')
  })
})
