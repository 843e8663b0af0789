/** Strokes and marks by which lines are told apart without their colours; five and six of them, so that thirty lines differ. */
export const strokes = [undefined, '6 3', '2 3', '9 3 2 3', '12 4'] as const
export const marks = ['M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z', 'M-3.6-3.6h7.2v7.2h-7.2z', 'M0-4.6l4.4 7.8h-8.8z', 'M0-5l4.4 5l-4.4 5l-4.4-5z', 'M0 4.6l4.4-7.8h-8.8z', 'M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z'] as const

/** The average of the last values, and how far it lies from that of the first ones, both to a tenth. */
export function trend(series: number[][]): { now: number; change: number } {
  const filled = series.filter((s) => s.length > 0)
  const mean = (of: (s: number[]) => number) => filled.reduce((sum, s) => sum + of(s), 0) / filled.length
  const tenth = (n: number) => Math.round(n * 10) / 10
  const now = mean((s) => s[s.length - 1]!)
  return { now: tenth(now), change: tenth(now - mean((s) => s[0]!)) }
}
