import { daysBetween } from '../time/format'

interface Span {
  name: string
  starts_on: string
  ends_on: string
}

/** The cycle that would follow: as many months as the last one has, or as many days, right behind it. No name, where the last one's does not tell. */
export function nextCycle(cycles: Span[]): Span | undefined {
  const last = [...cycles].sort((a, b) => b.ends_on.localeCompare(a.ends_on))[0]
  if (!last) return undefined
  const start = day(last.ends_on, 1)
  const months = wholeMonths(last.starts_on, start)
  const end = months > 0 ? day(month(start, months), -1) : day(start, daysBetween(last.starts_on, last.ends_on))
  return { name: nextName(last, start, months), starts_on: start, ends_on: end }
}

function day(iso: string, plus: number): string {
  return new Date(Date.parse(`${iso}T00:00:00Z`) + plus * 86_400_000).toISOString().slice(0, 10)
}

/** The same day so many months later; only asked of days that every month has. */
function month(iso: string, plus: number): string {
  const [y, m] = iso.split('-').map(Number) as [number, number]
  const n = y * 12 + m - 1 + plus
  return `${String(Math.floor(n / 12)).padStart(4, '0')}-${String((n % 12) + 1).padStart(2, '0')}${iso.slice(7)}`
}

function wholeMonths(from: string, to: string): number {
  if (from.slice(7) !== to.slice(7) || Number(from.slice(8)) > 28) return 0
  const [y1, m1] = from.split('-').map(Number) as [number, number]
  const [y2, m2] = to.split('-').map(Number) as [number, number]
  return (y2 - y1) * 12 + m2 - m1
}

/** Names of quarters count up: “2026 Q4” is followed by “2027 Q1”. Other names say nothing of the next. */
function nextName(last: Span, start: string, months: number): string {
  const m = /Q([1-4])/.exec(last.name)
  const years = last.name.match(/(?<!\d)(?:19|20|21)\d\d(?!\d)/g)
  if (!m || years?.length !== 1 || months !== 3) return ''
  const q = (Number(m[1]) % 4) + 1
  const year = Number(years[0]) + (q === 1 ? 1 : 0)
  const rest = last.name.replace(m[0], '').replace(years[0], '')
  if (/\d/.test(rest)) return start && `${year} Q${q}` // months, say, would be those of the last one
  return last.name.replace(m[0], `Q${q}`).replace(years[0], String(year))
}
