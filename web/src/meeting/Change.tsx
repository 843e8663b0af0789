import { Button } from '@mantine/core'
import { IconCalendarDown, IconCalendarTime, IconCalendarX, IconEdit } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { lazily } from '../parts/lazily'
import { MoreMenu, type MoreItem } from '../parts/MoreMenu'
import { useFormats } from '../time/format'

const MoveOccurrence = lazily(() => import('./MoveOccurrence'))
const SureDialog = lazily(() => import('../parts/SureDialog'))

/** What may be done with one time of a meeting, and with the meeting as a whole. */
export function ChangeMeeting({ occurrence: o }: { occurrence: Schemas['Occurrence'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const client = useQueryClient()
  const [doing, setDoing] = useState<'move' | 'cancelOne' | 'cancelAll' | null>(null)
  const m = o.meeting
  const [now] = useState(() => Date.now())
  const ahead = Date.parse(o.starts_at) > now && !o.cancelled && !m.cancelled
  const refresh = () => {
    for (const key of [['occurrence', o.id], ['occurrences'], ['meeting', m.id]]) void client.invalidateQueries({ queryKey: key })
  }
  const may = m.may_change && !m.cancelled
  const items: MoreItem[] = [
    ...(ahead ? [{ label: t('meetings.moveOne'), icon: <IconCalendarTime size={18} />, act: () => setDoing('move') }] : []),
    ...(ahead && m.recurrence ? [{ label: t('meetings.cancelOne'), icon: <IconCalendarX size={18} />, act: () => setDoing('cancelOne') }] : []),
    { label: m.recurrence ? t('meetings.cancelAll') : t('meetings.cancelIt'), icon: <IconCalendarX size={18} />, danger: true, act: () => setDoing('cancelAll') },
  ]
  return (
    <>
      <Button component="a" variant="default" href={`/api/v1/meetings/${m.id}/calendar.ics`} leftSection={<IconCalendarDown size={18} />}>{t('meetings.calendar')}</Button>
      {may && <Button component={Link} variant="default" to={`/meetings/${m.id}/edit`} leftSection={<IconEdit size={18} />}>{t('do.edit')}</Button>}
      {may && <MoreMenu label={t('meetings.more')} items={items} />}
      <Suspense fallback={null}>
        {doing === 'move' && <MoveOccurrence occurrence={o} close={() => setDoing(null)} />}
        {doing === 'cancelOne' && <SureDialog danger label={t('meetings.cancelOne')} question={t('meetings.cancelOneSure', { when: f.moment(o.starts_at) })} close={() => setDoing(null)} act={() => got(api.POST('/occurrences/{occurrence_id}/cancel', { params: { path: { occurrence_id: o.id } }, body: { revision: o.revision } })).finally(refresh)} />}
        {doing === 'cancelAll' && <SureDialog danger label={m.recurrence ? t('meetings.cancelAll') : t('meetings.cancelIt')} question={m.recurrence ? t('meetings.cancelAllSure', { title: m.title }) : t('meetings.cancelSure', { title: m.title })} close={() => setDoing(null)} act={() => got(api.POST('/meetings/{meeting_id}/cancel', { params: { path: { meeting_id: m.id } }, body: { revision: m.revision } })).finally(refresh)} />}
      </Suspense>
    </>
  )
}
