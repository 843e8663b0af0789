import { useTranslation } from 'react-i18next'
import { useFormats } from '../time/format'
import { repetitionOf, weekdays } from './recurrence'

/** How often a meeting repeats, in words. */
export function useRepeats() {
  const { t, i18n } = useTranslation()
  const f = useFormats()
  const dayName = new Intl.DateTimeFormat(i18n.language, { weekday: 'short', timeZone: 'UTC' })
  return (rule: string, zone: string): string => {
    const r = repetitionOf(rule, zone)
    if (r.repeats === 'other') return t('meetings.other', { rule })
    const days = weekdays.flatMap((d, n) => (r.days.includes(d) ? [dayName.format(new Date(Date.UTC(2024, 0, 1 + n)))] : [])) // 1 January 2024 was a Monday
    const often = days.length > 0 ? t('meetings.onDays', { often: t(`meetings.${r.repeats}`), days: new Intl.ListFormat(i18n.language, { type: 'unit' }).format(days) }) : t(`meetings.${r.repeats}`)
    return r.ends === 'on' && r.until ? `${often} · ${t('meetings.untilDay', { day: f.day(r.until) })}` : r.ends === 'after' ? `${often} · ${t('meetings.times', { count: Number(r.count) })}` : often
  }
}
