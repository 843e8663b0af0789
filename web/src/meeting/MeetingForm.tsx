import { ActionIcon, Alert, Box, Button, Card, Checkbox, Chip, Group, SimpleGrid, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { randomID } from '../api/patience'
import { ObjectiveSelect, PeopleSelect, TeamSelect } from '../forms/choices'
import { DraftNote } from '../forms/DraftNote'
import type { useSend } from '../forms/useSend'
import { Choice } from '../parts/Choice'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { weekdays, type Ends, type Repeats } from './recurrence'
import { deviceZone, newQuestion, type MeetingTyped } from './typed'

interface Props {
  value: MeetingTyped
  set: (change: (v: MeetingTyped) => MeetingTyped) => void
  sending: Pick<ReturnType<typeof useSend<unknown, unknown>>, 'busy' | 'problem' | 'error' | 'touch'>
  submit: () => void
  label: string
  back: string
  restored: boolean
  discard: () => void
  existing?: { repeats: boolean }
}

const digits = (s: string) => s.normalize('NFKC').replace(/\D/g, '')
const moved = <T,>(list: T[], from: number, to: number): T[] => list.map((x, i) => (i === from ? list[to]! : i === to ? list[from]! : x))

/** The day of the week that a weekly meeting has where none is named. */
function dayOf(date: string): string[] {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay()
  return Number.isNaN(day) ? [] : [weekdays[(day + 6) % 7]!]
}

/** The form of a meeting, a new one or one that is there. */
export function MeetingForm({ value: v, set, sending, submit, label, back, restored, discard, existing }: Props) {
  const { t, i18n } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const zones = useMemo(() => {
    const all = typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : []
    return [...new Set([v.zone, deviceZone(), me.organization.time_zone, 'UTC', ...all])]
  }, [v.zone, me.organization.time_zone])
  const dayName = (n: number) => new Intl.DateTimeFormat(i18n.language, { weekday: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, 1 + n))) // 1 January 2024 was a Monday
  const put = (part: Partial<MeetingTyped>) => {
    for (const name of Object.keys(part)) sending.touch({ date: '/starts_at_local', start: '/starts_at_local', zone: '/time_zone', minutes: '/duration_minutes', repetition: '/recurrence', attendees: '/attendee_ids', remind: '/remind_minutes' }[name] ?? `/${name}`)
    set((m) => ({ ...m, ...part }))
  }
  const repeat = (part: Partial<MeetingTyped['repetition']>) => put({ repetition: { ...v.repetition, ...part } })
  const r = v.repetition
  const list = <K extends 'agenda' | 'materials' | 'questions'>(name: K) => ({
    change: (key: string, part: Partial<MeetingTyped[K][number]>) => put({ [name]: v[name].map((x) => (x.key === key ? { ...x, ...part } : x)) } as Partial<MeetingTyped>),
    remove: (key: string) => put({ [name]: v[name].filter((x) => x.key !== key) } as Partial<MeetingTyped>),
    move: (from: number, to: number) => put({ [name]: moved(v[name] as MeetingTyped[K][number][], from, to) } as Partial<MeetingTyped>),
  })
  const agenda = list('agenda')
  const materials = list('materials')
  const questions = list('questions')
  const surveyError = sending.error('/survey') ?? sending.error('/survey/questions') ?? sending.error('/survey/results')
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        submit()
      }}
    >
      <Stack gap="lg">
        <DraftNote restored={restored} discard={discard} />
        <Card>
          <Stack>
            <TextInput label={t('meetings.subject')} size="md" required withAsterisk={false} maxLength={200} value={v.title} error={sending.error('/title')} onChange={(e) => put({ title: e.currentTarget.value })} />
            {existing?.repeats && <Alert color="ai" py="xs">{t('meetings.seriesWhy')}</Alert>}
            <SimpleGrid cols={{ base: 2, sm: 4 }}>
              <TextInput type="date" label={t('meetings.date')} required withAsterisk={false} value={v.date} error={sending.error('/starts_at_local')} onChange={(e) => put({ date: e.currentTarget.value })} />
              <TextInput type="time" label={t('meetings.start')} required withAsterisk={false} value={v.start} onChange={(e) => put({ start: e.currentTarget.value })} />
              <TextInput inputMode="numeric" label={t('meetings.duration')} maxLength={4} value={v.minutes} error={sending.error('/duration_minutes')} onChange={(e) => put({ minutes: digits(e.currentTarget.value) })} />
              <Choice label={t('meetings.repeats')} allowDeselect={false} value={r.repeats} error={sending.error('/recurrence')} onChange={(x) => x && repeat({ repeats: x as Repeats })} data={(['never', 'daily', 'weekly', 'biweekly', 'monthly', ...(r.rule ? (['other'] as const) : [])] as const).map((x) => ({ value: x, label: x === 'other' ? t('meetings.other', { rule: r.rule }) : t(`meetings.${x}`) }))} />
            </SimpleGrid>
            {(r.repeats === 'weekly' || r.repeats === 'biweekly') && (
              <Chip.Group multiple value={r.days.length > 0 ? r.days : dayOf(v.date)} onChange={(days) => repeat({ days })}>
                <Group gap={6} role="group" aria-label={t('meetings.days')}>
                  {weekdays.map((d, n) => (
                    <Chip key={d} value={d} size="xs">{dayName(n)}</Chip>
                  ))}
                </Group>
              </Chip.Group>
            )}
            {r.repeats !== 'never' && r.repeats !== 'other' && (
              <Group align="flex-end">
                <Choice w={180} label={t('meetings.ends')} allowDeselect={false} value={r.ends} onChange={(x) => x && repeat({ ends: x as Ends })} data={(['never', 'on', 'after'] as const).map((x) => ({ value: x, label: t(`meetings.ends_${x}`) }))} />
                {r.ends === 'on' && <TextInput type="date" label={t('meetings.lastDay')} value={r.until} onChange={(e) => repeat({ until: e.currentTarget.value })} />}
                {r.ends === 'after' && <TextInput w={100} inputMode="numeric" label={t('meetings.howOften')} maxLength={4} value={r.count} onChange={(e) => repeat({ count: digits(e.currentTarget.value) })} />}
              </Group>
            )}
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Choice label={t('meetings.zone')} description={v.zone === deviceZone() ? t('meetings.zoneYours') : t('meetings.zoneOther', { zone: v.zone, yours: deviceZone() })} searchable limit={50} allowDeselect={false} value={v.zone} error={sending.error('/time_zone')} onChange={(zone) => zone && put({ zone })} data={zones.map((z) => ({ value: z, label: z }))} nothingFoundMessage={t('app.paletteNone')} />
              <Choice label={t('meetings.remindLabel')} description={t('meetings.remindWhy')} allowDeselect={false} value={v.remind} error={sending.error('/remind_minutes')} onChange={(remind) => remind && put({ remind })} data={[...new Set(['0', '10', '30', '60', '1440', v.remind])].map((n) => ({ value: n, label: n === '0' ? t('meetings.noRemind') : n === '1440' ? t('meetings.dayBefore') : t('meetings.minutesBefore', { count: Number(n) }) }))} />
              <TeamSelect label={t('meetings.team')} placeholder={t('meetings.noTeam')} clearable value={v.team_id} error={sending.error('/team_id')} onChange={(team_id) => put({ team_id })} />
              <TextInput label={t('meetings.place')} maxLength={500} value={v.place} error={sending.error('/place')} onChange={(e) => put({ place: e.currentTarget.value })} />
            </SimpleGrid>
            {!existing && <PeopleSelect label={t('meetings.attendees')} without={me.user.id} max={499} value={v.attendees} error={sending.error('/attendee_ids')} onChange={(attendees) => put({ attendees })} />}
            <Textarea label={t('meetings.description')} autosize minRows={2} maxLength={10000} value={v.description} error={sending.error('/description')} onChange={(e) => put({ description: e.currentTarget.value })} />
          </Stack>
        </Card>
        <Card>
          <Stack gap="sm">
            <Title order={2}>{t('meetings.agenda')}</Title>
            {v.agenda.map((a, n) => (
              <Box key={a.key} style={{ borderTop: n > 0 ? '1px solid var(--kakeai-line)' : undefined, paddingTop: n > 0 ? 12 : 0 }}>
                <Group gap="xs" wrap="nowrap" align="flex-end">
                  <TextInput flex={1} label={t('meetings.agendaItem', { n: n + 1 })} maxLength={300} autoFocus={a.title === '' && n > 0} value={a.title} error={sending.error(`/agenda/${n}/title`)} onChange={(e) => agenda.change(a.key, { title: e.currentTarget.value })} />
                  <TextInput w={72} label={t('meetings.itemMinutes')} inputMode="numeric" maxLength={4} value={a.minutes} error={sending.error(`/agenda/${n}/minutes`)} onChange={(e) => agenda.change(a.key, { minutes: digits(e.currentTarget.value) })} />
                </Group>
                <Group gap="xs" mt="xs" wrap="nowrap">
                  <ObjectiveSelect flex={1} size="xs" clearable aria-label={t('meetings.about', { n: n + 1 })} placeholder={t('meetings.aboutPlaceholder')} value={a.objective} error={sending.error(`/agenda/${n}/objective_id`)} onChange={(objective) => agenda.change(a.key, { objective })} />
                  <ActionIcon variant="subtle" color="gray" disabled={n === 0} aria-label={`${t('do.up')}: ${t('meetings.agendaItem', { n: n + 1 })}`} onClick={() => agenda.move(n, n - 1)}><IconArrowUp size={18} /></ActionIcon>
                  <ActionIcon variant="subtle" color="gray" disabled={n === v.agenda.length - 1} aria-label={`${t('do.down')}: ${t('meetings.agendaItem', { n: n + 1 })}`} onClick={() => agenda.move(n, n + 1)}><IconArrowDown size={18} /></ActionIcon>
                  <ActionIcon variant="subtle" color="poor" aria-label={`${t('do.remove')}: ${t('meetings.agendaItem', { n: n + 1 })}`} onClick={() => agenda.remove(a.key)}><IconTrash size={18} /></ActionIcon>
                </Group>
              </Box>
            ))}
            <Button variant="subtle" size="xs" style={{ alignSelf: 'flex-start' }} leftSection={<IconPlus size={16} />} onClick={() => put({ agenda: [...v.agenda, { key: randomID(), title: '', minutes: '', objective: null }] })}>{t('meetings.addAgenda')}</Button>
          </Stack>
        </Card>
        <Card>
          <Stack gap="sm">
            <Title order={2}>{t('meetings.materials')}</Title>
            {v.materials.map((x, n) => (
              <Group key={x.key} gap="xs" align="flex-end">
                <TextInput flex="2 1 220px" type="url" inputMode="url" label={t('meetings.materialURL', { n: n + 1 })} placeholder="https://" maxLength={2000} autoFocus={x.url === ''} value={x.url} error={sending.error(`/materials/${n}/url`)} onChange={(e) => materials.change(x.key, { url: e.currentTarget.value })} />
                <TextInput flex="1 1 140px" label={t('meetings.materialTitle')} maxLength={300} value={x.title} error={sending.error(`/materials/${n}/title`)} onChange={(e) => materials.change(x.key, { title: e.currentTarget.value })} />
                <ActionIcon size="lg" variant="subtle" color="poor" aria-label={`${t('do.remove')}: ${t('meetings.materialURL', { n: n + 1 })}`} onClick={() => materials.remove(x.key)}><IconTrash size={18} /></ActionIcon>
              </Group>
            ))}
            <Button variant="subtle" size="xs" style={{ alignSelf: 'flex-start' }} leftSection={<IconPlus size={16} />} onClick={() => put({ materials: [...v.materials, { key: randomID(), url: '', title: '' }] })}>{t('meetings.addMaterial')}</Button>
          </Stack>
        </Card>
        <Card>
          <Stack gap="sm">
            <Title order={2}>{t('meetings.survey')}</Title>
            <Text size="sm" c="dimmed">{t('meetings.surveyWhy')}</Text>
            {v.questions.map((q, n) => (
              <Box key={q.key} style={{ borderTop: n > 0 ? '1px solid var(--kakeai-line)' : undefined, paddingTop: n > 0 ? 12 : 0 }}>
                <Group gap="xs" align="flex-end">
                  <TextInput flex="1 1 220px" label={t('meetings.question', { n: n + 1 })} maxLength={300} value={q.title} error={sending.error(`/survey/questions/${n}/title`)} onChange={(e) => questions.change(q.key, { title: e.currentTarget.value })} />
                  <Choice w={140} aria-label={t('meetings.questionKind', { n: n + 1 })} disabled={q.id !== undefined} allowDeselect={false} value={q.kind} error={sending.error(`/survey/questions/${n}/kind`)} onChange={(kind) => kind && questions.change(q.key, { kind: kind as 'scale' })} data={(['scale', 'choice', 'text'] as const).map((k) => ({ value: k, label: t(`meetings.${k}`) }))} />
                  <ActionIcon size="lg" variant="subtle" color="poor" aria-label={`${t('do.remove')}: ${t('meetings.question', { n: n + 1 })}`} onClick={() => questions.remove(q.key)}><IconTrash size={18} /></ActionIcon>
                </Group>
                {q.kind === 'choice' && <Textarea mt="xs" label={t('meetings.choices')} description={t('meetings.choicesWhy')} autosize minRows={2} disabled={q.id !== undefined} value={q.choices} error={sending.error(`/survey/questions/${n}/choices`)} onChange={(e) => questions.change(q.key, { choices: e.currentTarget.value })} />}
                <Checkbox mt="xs" size="xs" label={t('meetings.mustAnswer')} checked={q.required} onChange={(e) => questions.change(q.key, { required: e.currentTarget.checked })} />
              </Box>
            ))}
            <Button variant="subtle" size="xs" style={{ alignSelf: 'flex-start' }} leftSection={<IconPlus size={16} />} disabled={v.questions.length >= 10} onClick={() => put({ questions: [...v.questions, newQuestion()] })}>{t('meetings.addQuestion')}</Button>
            {v.questions.length > 0 && (
              <>
                <Switch label={t('meetings.anonymousLabel')} description={t('meetings.anonymousWhy')} checked={v.anonymous} onChange={(e) => put({ anonymous: e.currentTarget.checked, ...(e.currentTarget.checked && v.results === 'when_answered' ? { results: 'at_start' } : {}) })} />
                <Choice maw={420} label={t('meetings.resultsLabel')} allowDeselect={false} value={v.results} error={surveyError} onChange={(x) => x && put({ results: x as MeetingTyped['results'] })} data={(['at_start', ...(v.anonymous ? [] : (['when_answered'] as const)), 'organizer'] as const).map((x) => ({ value: x, label: t(`meetings.results_${x}`) }))} />
              </>
            )}
          </Stack>
        </Card>
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <Group justify="space-between">
          <Text size="sm" c="dimmed">{v.date && v.start && /^\d{4}-\d{2}-\d{2}$/.test(v.date) ? `${f.day(v.date)} ${v.start} (${v.zone})` : ''}</Text>
          <Group>
            <Button variant="default" component={Link} to={back}>{t('do.cancel')}</Button>
            <Button type="submit" loading={sending.busy}>{label}</Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}
