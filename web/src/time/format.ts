import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** A decimal as it travels: digits, maybe a sign and a point. */
export type Decimal = string

/** How things are written in a language and a time zone. Amounts stay decimal strings to the last digit. */
export function formats(language: string, zone?: string) {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 6 })
  const day = new Intl.DateTimeFormat(language, { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' })
  const shortDay = new Intl.DateTimeFormat(language, { timeZone: 'UTC', month: 'short', day: 'numeric' })
  const date = new Intl.DateTimeFormat(language, { timeZone: zone, year: 'numeric', month: 'short', day: 'numeric' })
  const hour = language === 'ja' ? '2-digit' : 'numeric' // 09:05, but 9:05 AM
  const moment = new Intl.DateTimeFormat(language, { timeZone: zone, year: 'numeric', month: 'short', day: 'numeric', hour, minute: '2-digit' })
  const clock = new Intl.DateTimeFormat(language, { timeZone: zone, hour, minute: '2-digit' })
  const weekday = new Intl.DateTimeFormat(language, { timeZone: zone, weekday: 'short', month: 'short', day: 'numeric' })
  const wholeDay = new Intl.DateTimeFormat(language, { timeZone: zone, weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return {
    amount: (d: Decimal, unit = '') => {
      const digits = number.format(d as Intl.StringNumericLiteral)
      if (!unit) return digits
      return /^[%％‰°]/.test(unit) || /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(unit) ? digits + unit : `${digits} ${unit}`
    },
    percent: (n: number) => (language === 'ja' ? `${n}%` : `${n}%`),
    day: (isoDay: string) => day.format(new Date(`${isoDay}T00:00:00Z`)),
    shortDay: (isoDay: string) => shortDay.format(new Date(`${isoDay}T00:00:00Z`)),
    moment: (iso: string) => moment.format(new Date(iso)),
    clock: (iso: string) => clock.format(new Date(iso)),
    /** From when to when on a day: what both have in common is said once. */
    hours: (from: string, to: string) => clock.formatRange(new Date(from), new Date(to)),
    weekday: (iso: string) => weekday.format(new Date(iso)),
    /** As weekday, with the year, for what may be years ago. */
    wholeDay: (iso: string) => wholeDay.format(new Date(iso)),
    ago: (iso: string, now = Date.now()) => {
      const seconds = (new Date(iso).getTime() - now) / 1000
      const size = Math.abs(seconds)
      if (size < 60) return relative.format(0, 'minute')
      if (size < 3600) return relative.format(Math.trunc(seconds / 60), 'minute')
      if (size < 86_400) return relative.format(Math.trunc(seconds / 3600), 'hour')
      if (size < 14 * 86_400) return relative.format(Math.trunc(seconds / 86_400), 'day')
      return moment.format(new Date(iso))
    },
    /** As ago, in few characters: what lies far back is told by the day. */
    since: (iso: string, now = Date.now()) => {
      const days = (now - new Date(iso).getTime()) / 86_400_000
      return days < 1 ? relative.format(-Math.trunc(days * 24), 'hour') : days < 14 ? relative.format(-Math.trunc(days), 'day') : date.format(new Date(iso))
    },
  }
}

export function useFormats() {
  const { i18n } = useTranslation()
  return useMemo(() => formats(i18n.language), [i18n.language])
}

/** The calendar day that it is now in a time zone, as YYYY-MM-DD. */
export function today(zone: string, now = new Date()): string {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(now)
  } catch {
    return now.toISOString().slice(0, 10)
  }
}

/** Whole days from one calendar day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)
}

/** What somebody typed as an amount, as a decimal string: full-width digits, and the language's grouping, are forgiven. Anything else comes back as it is, for the server to refuse. */
export function decimalOf(typed: string): Decimal {
  return typed.normalize('NFKC').trim().replace(/,(?=\d{3}(\D|$))/g, '').replace(/[−ー]/g, '-')
}

/** A share between 0 and 1 in tenths, rounded half up digit by digit, as a score is: "0.6500" is "0.7". */
export function tenths(share: Decimal): Decimal {
  const m = /^(-?)(\d+)(?:\.(\d)(\d?)\d*)?$/.exec(share)
  if (!m || m[1]) return '0.0'
  const n = Number(m[2]) * 10 + Number(m[3] ?? 0) + (Number(m[4] || 0) >= 5 ? 1 : 0)
  return n >= 10 ? '1.0' : `0.${n}`
}

/** A share between 0 and 1 in whole percent, rounded half up digit by digit: "0.5217" is 52. */
export function percentOf(share: Decimal): number {
  const m = /^(\d+)(?:\.(\d{0,2})(\d?)\d*)?$/.exec(share)
  if (!m) return 0
  return Number(m[1]) * 100 + Number((m[2] ?? '').padEnd(2, '0')) + (Number(m[3] || 0) >= 5 ? 1 : 0)
}
