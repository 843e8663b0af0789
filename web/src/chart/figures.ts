import type { Schemas } from '../api/problem'

export type Figures = Schemas['Figures']

export const healths = ['on_track', 'at_risk', 'off_track', 'pending'] as const

/** A share between 0 and 1 as percent, for placing dots and for nothing else. */
export const percentOf = (share: string) => Number(share) * 100

/** A point of the burn-up: how far it was, and how far one would have expected it to be. */
export interface Point {
  day: string
  percent: number | null // null where nothing may be told
  place: number | null // where the dot goes
  expected: number
}

/** The points of a cycle: its recorded days, and now where today is not recorded yet and lies in it. */
export function pointsOf(p: Schemas['CycleProgress'], today: string): Point[] {
  const point = (day: string, expected: string, f: Figures): Point => ({ day, percent: f.progress?.percent ?? null, place: f.progress ? percentOf(f.progress.value) : null, expected: percentOf(expected) })
  const points = p.days.map((d) => point(d.day, d.expected, d.figures))
  const { starts_on, ends_on } = p.cycle.cycle
  if (today >= starts_on && today <= ends_on && points.at(-1)?.day !== today) points.push(point(today, p.cycle.elapsed, p.now))
  return points
}

/** Whether progress keeps pace, to whole percents. */
export function pace(percent: number, expected: number): { kind: 'ahead' | 'behind' | 'even'; points: number } {
  const points = percent - Math.round(expected)
  return { kind: points > 0 ? 'ahead' : points < 0 ? 'behind' : 'even', points: Math.abs(points) }
}

/** Whom to look at first: the larger the share off track, then at risk, then pending; a group that tells nothing, or has nothing, comes last. */
export function byNeed(a: Figures, b: Figures): number {
  const shares = (f: Figures): number[] => {
    const n = f.objectives ?? 0
    if (f.withheld || n === 0 || !f.health) return [-1, -1, -1]
    return [f.health.off_track / n, f.health.at_risk / n, f.health.pending / n]
  }
  const [x, y] = [shares(a), shares(b)]
  for (const i of [0, 1, 2]) if (x[i] !== y[i]) return y[i]! - x[i]!
  return (b.objectives ?? 0) - (a.objectives ?? 0)
}
