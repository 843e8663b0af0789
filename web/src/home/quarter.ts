/** The calendar quarter that a day (YYYY-MM-DD) lies in. */
export function quarterOf(day: string): { n: number; year: number; starts_on: string; ends_on: string } {
  const year = Number(day.slice(0, 4))
  const n = Math.floor((Number(day.slice(5, 7)) - 1) / 3) + 1
  const month = (m: number) => String(m).padStart(2, '0')
  return { n, year, starts_on: `${year}-${month(n * 3 - 2)}-01`, ends_on: `${year}-${month(n * 3)}-${n === 1 || n === 4 ? 31 : 30}` }
}

/** The addresses in what somebody typed or pasted, each once. */
export function addresses(typed: string): string[] {
  return [...new Set(typed.normalize('NFKC').split(/[\s,;、，；]+/).filter((a) => a !== ''))]
}
