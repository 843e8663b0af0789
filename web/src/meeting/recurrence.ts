// How often a meeting repeats, between a form and a rule of RFC 5545. A rule that the form has no fields for stays as it is.

export type Repeats = 'never' | 'daily' | 'weekly' | 'biweekly' | 'monthly' | 'other'
export type Ends = 'never' | 'on' | 'after'

export interface Repetition {
  repeats: Repeats
  days: string[] // of weekly and biweekly: MO to SU
  ends: Ends
  until: string // a day
  count: string
  rule: string // of other: the rule as it is
}

export const once: Repetition = { repeats: 'never', days: [], ends: 'never', until: '', count: '', rule: '' }
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

const starts = { daily: 'FREQ=DAILY', weekly: 'FREQ=WEEKLY', biweekly: 'FREQ=WEEKLY;INTERVAL=2', monthly: 'FREQ=MONTHLY' } as const

export function ruleOf(r: Repetition): string | undefined {
  if (r.repeats === 'never') return undefined
  if (r.repeats === 'other') return r.rule
  const parts: string[] = [starts[r.repeats]]
  if ((r.repeats === 'weekly' || r.repeats === 'biweekly') && r.days.length > 0) parts.push(`BYDAY=${weekdays.filter((d) => r.days.includes(d)).join(',')}`)
  if (r.ends === 'after' && r.count) parts.push(`COUNT=${r.count}`)
  if (r.ends === 'on' && r.until) parts.push(`UNTIL=${r.until.replaceAll('-', '')}`)
  return parts.join(';')
}

/** The day, in a time zone, of an end as a rule has it. */
function dayOf(until: string, zone: string): string {
  const m = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})Z)?$/.exec(until)
  if (!m) return ''
  if (m[4] === undefined) return `${m[1]}-${m[2]}-${m[3]}`
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date(`${m[1]}-${m[2]}-${m[3]}T${m[4]}:${m[5]}:${m[6]}Z`))
}

export function repetitionOf(rule: string | undefined, zone: string): Repetition {
  if (!rule) return once
  const parts = new Map(rule.split(';').map((p) => p.split('=') as [string, string]))
  const other: Repetition = { ...once, repeats: 'other', rule }
  for (const name of parts.keys()) if (!['FREQ', 'INTERVAL', 'BYDAY', 'COUNT', 'UNTIL', 'WKST'].includes(name)) return other
  const every = Number(parts.get('INTERVAL') ?? '1')
  const days = parts.get('BYDAY')?.split(',') ?? []
  if (days.some((d) => !(weekdays as readonly string[]).includes(d))) return other
  const freq = parts.get('FREQ')
  const repeats: Repeats | undefined = freq === 'DAILY' && every === 1 && days.length === 0 ? 'daily' : freq === 'WEEKLY' && every === 1 ? 'weekly' : freq === 'WEEKLY' && every === 2 ? 'biweekly' : freq === 'MONTHLY' && every === 1 && days.length === 0 ? 'monthly' : undefined
  if (!repeats) return other
  const until = parts.get('UNTIL')
  const count = parts.get('COUNT')
  return { repeats, days, ends: until ? 'on' : count ? 'after' : 'never', until: until ? dayOf(until, zone) : '', count: count ?? '', rule: '' }
}
