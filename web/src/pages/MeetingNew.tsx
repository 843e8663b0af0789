import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { api, got } from '../api/client'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { MeetingForm } from '../meeting/MeetingForm'
import { meetingCreate, newMeeting, type MeetingTyped } from '../meeting/typed'
import { Page } from '../parts/Page'
import { useMe } from '../session/me'

export default function MeetingNew() {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const start = newMeeting(me.team_ids[0] ?? null)
  const draft = useDraft<MeetingTyped>(me.draftKey('meeting:new:2'), start)
  const sending = useSend({
    send: (v: MeetingTyped) => got(api.POST('/meetings', { body: meetingCreate(v) })),
    done: (m) => {
      draft.clear(start)
      void client.invalidateQueries({ queryKey: ['occurrences'] })
      notifications.show({ message: t('meetings.created'), color: 'good' })
      void navigate(m.next ? `/occurrences/${m.next.id}` : `/meetings/${m.id}`)
    },
  })
  return (
    <Page title={t('meetings.new')} narrow back={{ to: '/meetings', label: t('meetings.title') }}>
      <MeetingForm value={draft.value} set={draft.set} sending={sending} submit={() => sending.send(draft.value)} label={t('meetings.create')} back="/meetings" restored={draft.restored} discard={() => draft.clear(start)} />
    </Page>
  )
}
