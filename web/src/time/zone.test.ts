import { expect, test } from 'vitest'
import { endOfDay } from './zone'

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
