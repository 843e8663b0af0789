import { expect, test } from 'vitest'
import type { Schemas } from '../api/problem'
import { byNeed, pace, pointsOf, type Figures } from './figures'

const progress = (value: string): Figures => ({ withheld: false, objectives: 4, progress: { value, percent: Math.round(Number(value) * 100), pending: false, empty: false, overshoot: '0' } })
const cycle = { cycle: { starts_on: '2026-10-01', ends_on: '2026-12-31' }, elapsed: '0.5', days: 92, days_left: 46 } as Schemas['CycleNow']

test('today is a point as long as it is not recorded', () => {
  const p = { cycle, days: [{ day: '2026-11-14', expected: '0.48', figures: progress('0.3') }], now: progress('0.35') }
  expect(pointsOf(p, '2026-11-15').map((x) => [x.day, x.percent, x.expected])).toEqual([['2026-11-14', 30, 48], ['2026-11-15', 35, 50]])
  expect(pointsOf(p, '2026-11-14')).toHaveLength(1)
  expect(pointsOf(p, '2027-01-01')).toHaveLength(1)
})

test('what is withheld is a gap', () => {
  expect(pointsOf({ cycle, days: [{ day: '2026-11-14', expected: '0.48', figures: { withheld: true } }], now: progress('0.35') }, '2026-11-14')[0]).toMatchObject({ percent: null, place: null })
})

test('pace is told in whole percents', () => {
  expect(pace(42, 51.2)).toEqual({ kind: 'behind', points: 9 })
  expect(pace(51, 50.6)).toEqual({ kind: 'even', points: 0 })
  expect(pace(60, 51)).toEqual({ kind: 'ahead', points: 9 })
})

test('whoever is off track comes first, and who has nothing last', () => {
  const f = (on_track: number, at_risk: number, off_track: number, pending = 0): Figures => ({ withheld: false, objectives: on_track + at_risk + off_track + pending, health: { on_track, at_risk, off_track, pending, any_off_track: 0, outdated: 0 } })
  const all: [string, Figures][] = [['fine', f(4, 0, 0)], ['withheld', { withheld: true }], ['risky', f(1, 3, 0)], ['none', f(0, 0, 0)], ['bad', f(1, 0, 3)]]
  expect(all.sort((a, b) => byNeed(a[1], b[1])).map((x) => x[0]).slice(0, 3)).toEqual(['bad', 'risky', 'fine'])
})
