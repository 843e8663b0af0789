/** How far a zone's clock is ahead of UTC at a moment, in milliseconds. */
function ahead(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' }).formatToParts(new Date(at))
  const n = (type: string) => Number(parts.find((p) => p.type === type)?.value ?? 0)
  return Date.UTC(n('year'), n('month') - 1, n('day'), n('hour'), n('minute'), n('second')) - Math.floor(at / 1000) * 1000
}

/** The last millisecond of a calendar day in a time zone. */
export function endOfDay(zone: string, day: string): Date {
  const wall = Date.parse(`${day}T00:00:00Z`) + 86_400_000
  let at = wall - ahead(zone, wall)
  at = wall - ahead(zone, at) // once more, where the clock was changed in between
  return new Date(at - 1)
}

const minute = 60_000

/** A moment by which the figures of a day have been recorded and those of the next one have not: they are recorded soon after the day has ended, or once the program runs again. By the minute, so that what is read is not another thing each time. */
export function recordedBy(zone: string, day: string, now = Date.now()): Date {
  return new Date(Math.min(endOfDay(zone, day).getTime() + 20 * 60 * minute, Math.floor(now / minute - 1) * minute))
}
