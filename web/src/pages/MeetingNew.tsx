import { ActionIcon, Button, Card, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { api, got } from '../api/client'
import { randomID } from '../api/patience'
import type { Schemas } from '../api/problem'
import { PeopleSelect, TeamSelect } from '../forms/choices'
import { useDraft } from '../forms/draft'
import { DraftNote } from '../forms/DraftNote'
import { useSend } from '../forms/useSend'
import { Choice } from '../parts/Choice'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'

interface Typed {
  title: string
  place: string
  description: string
  team_id: string | null
  date: string
  start: string
  minutes: string
  repeats: 'never' | 'weekly' | 'biweekly' | 'monthly'
  attendees: string[]
  agenda: { key: string; title: string }[]
  questions: { key: string; kind: 'scale' | 'text'; title: string }[]
}

const rules = { never: undefined, weekly: 'FREQ=WEEKLY', biweekly: 'FREQ=WEEKLY;INTERVAL=2', monthly: 'FREQ=MONTHLY' } as const

export default function MeetingNew() {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const start: Typed = { title: '', place: '', description: '', team_id: me.team_ids[0] ?? null, date: '', start: '10:00', minutes: '30', repeats: 'never', attendees: [], agenda: [], questions: [] }
  const draft = useDraft<Typed>(me.draftKey('meeting:new'), start)
  const v = draft.value
  const sending = useSend({
    send: (m: Typed) => {
      const body: Schemas['MeetingCreate'] = {
        title: m.title.trim(), place: m.place.trim() || undefined, description: m.description.trim() || undefined, team_id: m.team_id ?? undefined, time_zone: zone, starts_at_local: `${m.date}T${m.start}`, duration_minutes: Number(m.minutes),
        recurrence: rules[m.repeats], attendee_ids: m.attendees, agenda: m.agenda.filter((a) => a.title.trim()).map((a) => ({ title: a.title.trim() })),
        survey: m.questions.length > 0 ? { questions: m.questions.filter((q) => q.title.trim()).map((q) => ({ kind: q.kind, title: q.title.trim() })) } : undefined,
      }
      return got(api.POST('/meetings', { body }))
    },
    done: (m) => {
      draft.clear(start)
      void client.invalidateQueries({ queryKey: ['occurrences'] })
      notifications.show({ message: t('meetings.created'), color: 'good' })
      void navigate(m.next ? `/occurrences/${m.next.id}` : `/meetings/${m.id}`)
    },
  })
  const put = (part: Partial<Typed>) => {
    for (const name of Object.keys(part)) sending.touch(name === 'date' || name === 'start' ? '/starts_at_local' : `/${name}`)
    draft.set((d) => ({ ...d, ...part }))
  }
  return (
    <Page title={t('meetings.new')} narrow back={{ to: '/meetings', label: t('meetings.title') }}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          sending.send(v)
        }}
      >
        <Stack gap="lg">
          <DraftNote restored={draft.restored} discard={() => draft.clear(start)} />
          <Card>
            <Stack>
              <TextInput label={t('meetings.subject')} size="md" required withAsterisk={false} maxLength={200} value={v.title} error={sending.error('/title')} onChange={(e) => put({ title: e.currentTarget.value })} />
              <SimpleGrid cols={{ base: 2, sm: 4 }}>
                <TextInput type="date" label={t('meetings.date')} required withAsterisk={false} value={v.date} error={sending.error('/starts_at_local')} onChange={(e) => put({ date: e.currentTarget.value })} />
                <TextInput type="time" label={t('meetings.start')} required withAsterisk={false} value={v.start} onChange={(e) => put({ start: e.currentTarget.value })} />
                <TextInput inputMode="numeric" label={t('meetings.duration')} maxLength={4} value={v.minutes} error={sending.error('/duration_minutes')} onChange={(e) => put({ minutes: e.currentTarget.value.normalize('NFKC').replace(/\D/g, '') })} />
                <Choice label={t('meetings.repeats')} allowDeselect={false} value={v.repeats} error={sending.error('/recurrence')} onChange={(r) => r && put({ repeats: r as Typed['repeats'] })} data={(['never', 'weekly', 'biweekly', 'monthly'] as const).map((r) => ({ value: r, label: t(`meetings.${r}`) }))} />
              </SimpleGrid>
              <Text size="xs" c="dimmed">{t('account.zoneHint', { zone })}</Text>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <TeamSelect label={t('meetings.team')} placeholder={t('meetings.noTeam')} clearable value={v.team_id} error={sending.error('/team_id')} onChange={(team_id) => put({ team_id })} />
                <TextInput label={t('meetings.place')} maxLength={500} value={v.place} error={sending.error('/place')} onChange={(e) => put({ place: e.currentTarget.value })} />
              </SimpleGrid>
              <PeopleSelect label={t('meetings.attendees')} without={me.user.id} value={v.attendees} error={sending.error('/attendee_ids')} onChange={(attendees) => put({ attendees })} />
              <Textarea label={t('meetings.description')} autosize minRows={2} maxLength={10000} value={v.description} onChange={(e) => put({ description: e.currentTarget.value })} />
            </Stack>
          </Card>
          <Card>
            <Stack gap="sm">
              <Text fw={600} component="h2" m={0}>{t('meetings.agenda')}</Text>
              {v.agenda.map((a, n) => (
                <Group key={a.key} gap="xs" wrap="nowrap" align="flex-end">
                  <TextInput flex={1} label={t('meetings.agendaItem', { n: n + 1 })} maxLength={300} autoFocus={a.title === '' && n > 0} value={a.title} error={sending.error(`/agenda/${n}/title`)} onChange={(e) => put({ agenda: v.agenda.map((x) => (x.key === a.key ? { ...x, title: e.currentTarget.value } : x)) })} />
                  <ActionIcon size="lg" variant="subtle" color="poor" aria-label={`${t('do.remove')}: ${t('meetings.agendaItem', { n: n + 1 })}`} onClick={() => put({ agenda: v.agenda.filter((x) => x.key !== a.key) })}><IconTrash size={18} /></ActionIcon>
                </Group>
              ))}
              <Button variant="subtle" size="xs" style={{ alignSelf: 'flex-start' }} leftSection={<IconPlus size={16} />} onClick={() => put({ agenda: [...v.agenda, { key: randomID(), title: '' }] })}>{t('meetings.addAgenda')}</Button>
            </Stack>
          </Card>
          <Card>
            <Stack gap="sm">
              <Text fw={600} component="h2" m={0}>{t('meetings.survey')}</Text>
              {v.questions.map((q, n) => (
                <Group key={q.key} gap="xs" align="flex-end">
                  <TextInput flex="1 1 200px" label={t('meetings.question', { n: n + 1 })} maxLength={300} value={q.title} error={sending.error(`/survey/questions/${n}/title`)} onChange={(e) => put({ questions: v.questions.map((x) => (x.key === q.key ? { ...x, title: e.currentTarget.value } : x)) })} />
                  <Choice w={130} aria-label={t('form.krKind')} allowDeselect={false} value={q.kind} onChange={(kind) => kind && put({ questions: v.questions.map((x) => (x.key === q.key ? { ...x, kind: kind as 'scale' | 'text' } : x)) })} data={(['scale', 'text'] as const).map((k) => ({ value: k, label: t(`meetings.${k}`) }))} />
                  <ActionIcon size="lg" variant="subtle" color="poor" aria-label={`${t('do.remove')}: ${t('meetings.question', { n: n + 1 })}`} onClick={() => put({ questions: v.questions.filter((x) => x.key !== q.key) })}><IconTrash size={18} /></ActionIcon>
                </Group>
              ))}
              <Button variant="subtle" size="xs" style={{ alignSelf: 'flex-start' }} leftSection={<IconPlus size={16} />} onClick={() => put({ questions: [...v.questions, { key: randomID(), kind: 'scale', title: '' }] })}>{t('meetings.addQuestion')}</Button>
            </Stack>
          </Card>
          {sending.problem && <ProblemNote problem={sending.problem} />}
          <Group justify="flex-end">
            <Button variant="default" component={Link} to="/meetings">{t('do.cancel')}</Button>
            <Button type="submit" loading={sending.busy}>{t('meetings.create')}</Button>
          </Group>
        </Stack>
      </form>
    </Page>
  )
}
