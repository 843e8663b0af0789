import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { api, got } from '../api/client'
import { meetingQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { Conflict } from '../forms/Conflict'
import { useDraft } from '../forms/draft'
import { useFieldNames } from '../forms/fieldNames'
import { compare, merge } from '../forms/merge'
import { useSend } from '../forms/useSend'
import { MeetingForm } from '../meeting/MeetingForm'
import { meetingFields, meetingPatch, meetingTyped, mergedMeeting, type MeetingTyped } from '../meeting/typed'
import { Page } from '../parts/Page'
import { Read } from '../parts/States'
import { useMe } from '../session/me'

interface Edit {
  form: MeetingTyped
  base: MeetingTyped
  revision: number
}

const editOf = (m: Schemas['Meeting']): Edit => ({ form: meetingTyped(m), base: meetingTyped(m), revision: m.revision })

/** Changes a meeting, or a series from its next time on. */
export default function MeetingEdit() {
  const { id = '' } = useParams()
  const query = useQuery(meetingQuery(id))
  return <Read query={query} page>{(m) => <Loaded key={id} meeting={m} />}</Read>
}

function Loaded({ meeting: m }: { meeting: Schemas['Meeting'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const names = useFieldNames()
  const [first] = useState(() => editOf(m))
  const draft = useDraft<Edit>(me.draftKey(`meeting:${m.id}`), first)
  const [conflict, setConflict] = useState<{ theirs: Schemas['Meeting']; by?: Schemas['Person']; at?: string } | null>(null)
  const back = m.next ? `/occurrences/${m.next.id}` : `/meetings/${m.id}`
  const sending = useSend({
    send: (e: Edit) => got(api.PATCH('/meetings/{meeting_id}', { params: { path: { meeting_id: m.id } }, body: meetingPatch(e.base, e.form, e.revision) })),
    done: (saved) => {
      draft.clear(editOf(saved))
      for (const key of [['meeting', m.id], ['occurrences'], ['occurrence']]) void client.invalidateQueries({ queryKey: key })
      notifications.show({ message: t('meetings.saved'), color: 'good' })
      void navigate(saved.next ? `/occurrences/${saved.next.id}` : `/meetings/${saved.id}`)
    },
    refused: (p) => {
      const stale = p.stale<Schemas['Meeting']>()
      if (stale) setConflict({ theirs: stale.present, by: stale.by, at: stale.at })
      return stale !== undefined
    },
  })
  const e = draft.value
  const labels: Record<string, string> = { title: t('meetings.subject'), place: t('meetings.place'), description: t('meetings.description'), team_id: t('meetings.team'), when: t('meetings.date'), minutes: t('meetings.duration'), repetition: t('meetings.repeats'), remind: t('meetings.remindLabel'), agenda: t('meetings.agenda'), materials: t('meetings.materials'), survey: t('meetings.survey') }
  const show = (path: string, value: unknown): string => {
    if (path === 'team_id') return names.show(path, value)
    if (path === 'agenda') return (value as { title: string }[]).map((a) => a.title).join(' · ')
    if (path === 'materials') return (value as { url: string; title: string }[]).map((x) => x.title || x.url).join(' · ')
    if (path === 'survey') return (value as { questions: { title: string }[] }).questions.map((q) => q.title).join(' · ')
    return String(value)
  }
  return (
    <Page title={m.recurrence ? t('meetings.editSeries') : t('meetings.edit')} lead={m.title} narrow back={{ to: back, label: m.title }}>
      <MeetingForm value={e.form} set={(change) => draft.set((d) => ({ ...d, form: change(d.form) }))} sending={sending} submit={() => sending.send(e)} label={t('do.save')} back={back} restored={draft.restored} discard={() => draft.clear(editOf(m))} existing={{ repeats: m.recurrence !== undefined }} />
      {conflict && (
        <Conflict
          changes={compare(meetingFields(e.base), meetingFields(e.form), meetingFields(meetingTyped(conflict.theirs)))}
          label={(path) => labels[path] ?? path}
          show={show}
          by={conflict.by}
          at={conflict.at}
          busy={sending.busy}
          close={() => setConflict(null)}
          takeTheirs={() => {
            draft.clear(editOf(conflict.theirs))
            setConflict(null)
          }}
          apply={(choose) => {
            const theirs = meetingTyped(conflict.theirs)
            const form = mergedMeeting(merge(meetingFields(e.base), meetingFields(e.form), meetingFields(theirs), choose), e.form, theirs)
            const next = { form, base: theirs, revision: conflict.theirs.revision }
            draft.set(next)
            setConflict(null)
            sending.send(next)
          }}
        />
      )}
    </Page>
  )
}
