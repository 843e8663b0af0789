import { expect, test } from 'vitest'
import { endOfDay, recordedBy } from './zone'

test('a day ends when the clock of its zone says so', () => {
  expect(endOfDay('Asia/Tokyo', '2026-11-30').toISOString()).toBe('2026-11-30T14:59:59.999Z')
  expect(endOfDay('Asia/Kathmandu', '2026-02-28').toISOString()).toBe('2026-02-28T18:14:59.999Z')
  expect(endOfDay('UTC', '2026-12-31').toISOString()).toBe('2026-12-31T23:59:59.999Z')
})

test('also on days on which clocks are changed', () => {
  expect(endOfDay('America/New_York', '2026-03-08').toISOString()).toBe('2026-03-09T03:59:59.999Z')
  expect(endOfDay('America/New_York', '2026-11-01').toISOString()).toBe('2026-11-02T04:59:59.999Z')
  expect(endOfDay('Europe/Berlin', '2026-10-24').toISOString()).toBe('2026-10-24T21:59:59.999Z')
})

test('figures are asked for as they were recorded after the day, and never for a moment to come', () => {
  const by = (now: string) => recordedBy('Asia/Tokyo', '2026-11-30', Date.parse(now)).toISOString()
  expect(by('2026-12-24T00:00:00Z')).toBe('2026-12-01T10:59:59.999Z')
  expect(by('2026-11-30T16:00:30Z')).toBe('2026-11-30T15:59:00.000Z')
  expect(by('2026-11-30T16:00:59Z')).toBe(by('2026-11-30T16:00:01Z'))
})
