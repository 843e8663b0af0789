import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { deviceZone, onClock } from './typed'

/** Moves one time of a meeting, on the clock of the meeting's time zone. */
export default function MoveOccurrence({ occurrence: o, close }: { occurrence: Schemas['Occurrence']; close: () => void }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const client = useQueryClient()
  const zone = o.meeting.time_zone
  const [start] = useState(() => ({ ...onClock(o.starts_at, zone), minutes: String(Math.round((Date.parse(o.ends_at) - Date.parse(o.starts_at)) / 60_000)) }))
  const draft = useDraft(me.draftKey(`move:${o.id}`), start)
  const v = draft.value
  const sending = useSend({
    send: () => got(api.POST('/occurrences/{occurrence_id}/move', { params: { path: { occurrence_id: o.id } }, body: { revision: o.revision, starts_at_local: `${v.date}T${v.start}`, duration_minutes: Number(v.minutes) } })),
    done: (saved) => {
      draft.clear(start)
      client.setQueryData(['occurrence', o.id], saved)
      for (const key of [['occurrences'], ['meeting', o.meeting.id]]) void client.invalidateQueries({ queryKey: key })
      notifications.show({ message: t('meetings.movedNow'), color: 'good' })
      close()
    },
    refused: () => {
      void client.invalidateQueries({ queryKey: ['occurrence', o.id] }) // with what is there by now; the time that was typed stays
      return false
    },
  })
  return (
    <Modal opened onClose={close} title={t('meetings.moveOne')} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          sending.send(undefined)
        }}
      >
        <Stack>
          <Text size="sm">{t('meetings.moveWhy', { when: f.moment(o.starts_at) })}</Text>
          <Group grow align="flex-start">
            <TextInput type="date" label={t('meetings.date')} value={v.date} error={sending.error('/starts_at_local')} onChange={(e) => { sending.touch('/starts_at_local'); draft.set({ ...v, date: e.currentTarget.value }) }} />
            <TextInput type="time" label={t('meetings.start')} value={v.start} onChange={(e) => { sending.touch('/starts_at_local'); draft.set({ ...v, start: e.currentTarget.value }) }} />
            <TextInput inputMode="numeric" label={t('meetings.duration')} maxLength={4} value={v.minutes} error={sending.error('/duration_minutes')} onChange={(e) => draft.set({ ...v, minutes: e.currentTarget.value.normalize('NFKC').replace(/\D/g, '') })} />
          </Group>
          {zone !== deviceZone() && <Alert color="ai" py="xs">{t('meetings.zoneOther', { zone, yours: deviceZone() })}</Alert>}
          {sending.problem && <ProblemNote problem={sending.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
            <Button type="submit" loading={sending.busy} disabled={!v.date || !v.start}>{t('meetings.move')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
