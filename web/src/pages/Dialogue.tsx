import { Alert, Avatar, Badge, Box, Button, Card, Group, Loader, Stack, Text, Textarea } from '@mantine/core'
import { IconSend, IconSparkles, IconStethoscope } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { api, got } from '../api/client'
import { dialogueQuery, jobsQuery, messagesQuery, objectiveQuery, peopleQuery, suggestionsQuery, teamsQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { failureCodes } from '../i18n/known'
import { SuggestionCard } from '../objective/Suggestion'
import { ended, useJob } from '../objective/useJob'
import { PersonName } from '../parts/Badges'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Said } from '../parts/Said'
import { Empty, Loading, Paged, Read } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

export default function Dialogue() {
  const { id = '' } = useParams()
  const query = useQuery(dialogueQuery(id))
  return <Read query={query} page>{(d) => <Loaded key={id} dialogue={d} />}</Read>
}

function Loaded({ dialogue: d }: { dialogue: Schemas['Dialogue'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const objective = useQuery(objectiveQuery(d.objective_id))
  const messages = useInfiniteQuery(messagesQuery(d.id))
  const suggestions = useInfiniteQuery(suggestionsQuery(d.id))
  const jobs = useQuery(jobsQuery(d.id))
  useQuery(teamsQuery)
  useQuery(peopleQuery)
  const [asked, setAsked] = useState<Schemas['Job']>()
  const latest = jobs.data?.items.toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0]
  const followed = useJob(asked && latest && latest.created_at > asked.created_at ? latest : (asked ?? latest))
  const proposals = suggestions.data?.pages.flatMap((p) => p.items) ?? []
  const o = objective.data
  const busy = followed.job !== undefined && !ended(followed.job)
  return (
    <Page title={d.title} lead={t('dialogue.opened', { name: d.opened_by.name, when: f.ago(d.created_at) })} back={{ to: `/objectives/${d.objective_id}?tab=coach`, label: o?.title ?? t('dialogue.toObjective') }} narrow>
      <Stack gap="md">
        <Paged query={messages} loading={<Loading rows={3} height={96} />} empty={busy ? null : <Card><Empty title={t('dialogue.none')} why={t('dialogue.noneWhy')} icon={<IconSparkles size={24} />} /></Card>}>
          {(items) => (
            <Stack gap="md">
              {items.toSorted((a, b) => a.created_at.localeCompare(b.created_at)).map((m) => (
                <Stack key={m.id} gap="sm">
                  <Message message={m} />
                  {o && proposals.filter((s) => s.message_id === m.id).map((s) => <SuggestionCard key={s.id} suggestion={s} objective={o} />)}
                </Stack>
              ))}
            </Stack>
          )}
        </Paged>
        <JobLine job={followed.job} text={followed.text} asked={asked !== undefined && asked.id === followed.job?.id} />
        {me.writes && o && !o.archived && (o.may_edit ? <Ask dialogue={d} busy={busy} asked={setAsked} /> : <Text size="sm" c="dimmed">{t('dialogue.readOnly')}</Text>)}
      </Stack>
    </Page>
  )
}

function Message({ message: m }: { message: Schemas['Message'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  if (m.author) {
    return (
      <Box pl={{ base: 0, sm: 48 }}>
        <Card padding="md" bg="var(--mantine-color-ai-light)" withBorder={false}>
          <Group justify="space-between" mb={6}>
            <PersonName person={m.author} bold />
            <Text size="xs" c="dimmed">{f.ago(m.created_at)}</Text>
          </Group>
          <Said>{m.body}</Said>
        </Card>
      </Box>
    )
  }
  return (
    <Box pr={{ base: 0, sm: 48 }}>
      <Card padding="md" component="article">
        <Group justify="space-between" mb={6}>
          <Group gap={8}>
            <Avatar size={24} color="fair" aria-hidden><IconSparkles size={16} /></Avatar>
            <Text size="sm" fw={600}>{t('dialogue.coach')}</Text>
          </Group>
          <Text size="xs" c="dimmed">{f.ago(m.created_at)}</Text>
        </Group>
        <Said>{m.body}</Said>
        {m.findings.length > 0 && (
          <Stack gap="sm" mt="md">
            {m.findings.map((finding, n) => (
              <Finding key={n} finding={finding} />
            ))}
          </Stack>
        )}
        {m.source && <Text size="xs" c="dimmed" mt="sm">{t('dialogue.source', { source: m.source === 'rules' ? t('dialogue.rules') : m.source, n: m.objective_revision ?? '–' })}</Text>}
      </Card>
    </Box>
  )
}

const findingColor = { problem: 'poor', advice: 'fair', praise: 'good' } as const

function Finding({ finding: x }: { finding: Schemas['Finding'] }) {
  const { t } = useTranslation()
  return (
    <Box style={{ borderInlineStart: `3px solid var(--kakeai-${findingColor[x.severity]})`, paddingInlineStart: 12 }}>
      <Group gap="xs" mb={2}>
        <Badge color={findingColor[x.severity]}>{t(`dialogue.${x.severity}`)}</Badge>
        <Text size="xs" c="dimmed" ff="monospace">{t('dialogue.why', { check: x.check })}</Text>
      </Group>
      <Text size="sm">{x.reason}</Text>
      {x.better && <Text size="sm" c="dimmed">{t('dialogue.better', { text: x.better })}</Text>}
    </Box>
  )
}

/** What the coach is at. It speaks to screen readers, and takes no focus. */
function JobLine({ job, text, asked }: { job?: Schemas['Job']; text: string; asked: boolean }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const cancelling = useSend({
    send: (id: string) => got(api.POST('/jobs/{job_id}/cancel', { params: { path: { job_id: id } } })),
    done: (j) => void client.invalidateQueries({ queryKey: ['dialogue', j.dialogue_id] }),
    refused: (_, __) => {
      if (job) void client.invalidateQueries({ queryKey: ['dialogue', job.dialogue_id] })
      return true
    },
  })
  const going = job && !ended(job)
  const why = job?.failure && failureCodes.has(job.failure) ? t(`failure.${job.failure as 'load-failed'}`) : t('failure.other', { code: job?.failure ?? '–' })
  return (
    <Box role="status">
      {going && (
        <Card padding="md">
          <Group justify="space-between">
            <Group gap="sm">
              <Loader size="sm" />
              <Text size="sm">{job.state === 'queued' ? t('dialogue.queued') : t('dialogue.running')}</Text>
            </Group>
            <Button size="xs" variant="default" loading={cancelling.busy} onClick={() => cancelling.send(job.id)}>{t('dialogue.cancel')}</Button>
          </Group>
          {text && <Box mt="sm" aria-live="off" aria-label={t('dialogue.live')}><Said>{text}</Said></Box>}
        </Card>
      )}
      {job?.state === 'failed' && <Alert color="poor">{t('dialogue.failed', { why })}</Alert>}
      {job?.state === 'superseded' && <Alert color="fair">{t('dialogue.supersededJob')}</Alert>}
      {asked && job?.state === 'cancelled' && <Text size="sm" c="dimmed">{t('dialogue.cancelled')}</Text>}
    </Box>
  )
}

function Ask({ dialogue: d, busy, asked }: { dialogue: Schemas['Dialogue']; busy: boolean; asked: (job: Schemas['Job']) => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const draft = useDraft(me.draftKey(`message:${d.id}`), '')
  const done = () => {
    draft.clear('')
    void client.invalidateQueries({ queryKey: ['dialogue', d.id] })
  }
  const asking = useSend({
    send: (kind: Schemas['JobKind']) => got(api.POST('/dialogues/{dialogue_id}/jobs', { params: { path: { dialogue_id: d.id } }, body: { kind, message: draft.value.trim() || undefined } })),
    done: (job) => {
      asked(job)
      done()
    },
  })
  const writing = useSend({
    send: () => got(api.POST('/dialogues/{dialogue_id}/messages', { params: { path: { dialogue_id: d.id } }, body: { body: draft.value.trim() } })),
    done,
  })
  const problem = asking.problem ?? writing.problem
  return (
    <Card padding="md">
      <Stack gap="sm">
        <Textarea label={t('dialogue.message')} description={t('dialogue.messageHint')} autosize minRows={3} maxLength={10000} value={draft.value} onChange={(e) => draft.set(e.currentTarget.value)} />
        {problem && <ProblemNote problem={problem} />}
        <Group gap="xs">
          <Button leftSection={<IconSparkles size={18} />} disabled={busy} loading={asking.busy} onClick={() => asking.send('draft')}>{t('dialogue.askDraft')}</Button>
          <Button variant="default" leftSection={<IconStethoscope size={18} />} disabled={busy || asking.busy} onClick={() => asking.send('feedback')}>{t('dialogue.askFeedback')}</Button>
          <Button variant="subtle" leftSection={<IconSend size={18} />} disabled={!draft.value.trim()} loading={writing.busy} onClick={() => writing.send(undefined)}>{t('dialogue.sendOnly')}</Button>
        </Group>
      </Stack>
    </Card>
  )
}
