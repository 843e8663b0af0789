import type { Schemas } from '../api/problem'

/** The moment at which a calendar day begins in a time zone, some days later, in UTC. */
export function startOfDay(day: string, zone: string, later = 0): string {
  const wanted = new Date(Date.parse(`${day}T00:00:00Z`) + later * 86_400_000)
  if (Number.isNaN(wanted.getTime())) return day
  // What a clock there shows at a moment, as if it were UTC; twice, since the first guess may lie on the other side of a change of clocks.
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const shownAt = (at: number) => {
    const p = Object.fromEntries(clock.formatToParts(at).map((x) => [x.type, x.value]))
    return Date.parse(`${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}Z`)
  }
  let at = wanted.getTime()
  for (let n = 0; n < 2; n++) at -= shownAt(at) - wanted.getTime()
  return new Date(at).toISOString()
}

/** A cell of a CSV file. What a spreadsheet would take for a formula begins with an apostrophe. */
export function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function auditCSV(events: readonly Schemas['AuditEvent'][]): string {
  const head = ['happened_at', 'action', 'actor_name', 'actor_id', 'target_kind', 'target_id', 'target_revision', 'address', 'request_id', 'detail']
  const rows = events.map((e) => [e.happened_at, e.action, e.actor?.name ?? '', e.actor?.id ?? '', e.target_kind, e.target_id, String(e.target_revision ?? ''), e.address ?? '', e.request_id ?? '', JSON.stringify(e.detail)])
  return '\ufeff' + [head, ...rows].map((r) => r.map(cell).join(',') + '\r\n').join('')
}
