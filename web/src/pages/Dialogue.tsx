import { Alert, Anchor, Avatar, Badge, Box, Button, Card, Group, Loader, Stack, Text } from '@mantine/core'
import { IconPlayerStop, IconRefresh, IconSend, IconSparkles, IconStethoscope } from '@tabler/icons-react'
import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { api, got } from '../api/client'
import { dialogueQuery, objectiveQuery, pages } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { failureCodes } from '../i18n/known'
import { SuggestionCard } from '../objective/Suggestion'
import { ended, useJob } from '../objective/useJob'
import { AiBudget, aiBudgetQuery, onlyRules } from '../parts/AiBudget'
import { Backwards } from '../parts/Backwards'
import { PersonName } from '../parts/Badges'
import { MentionArea } from '../parts/MentionArea'
import { withMentions, type Mentioned } from '../parts/mentions'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Said } from '../parts/Said'
import { Empty, Loading, Read } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { useFinding } from '../objective/useFinding'

type Job = Schemas['Job']

// Somebody else may be in the dialogue, too: what they say and ask is looked for every so often, while the page is in sight.
const lookAgain = 8000

const newest = { newest: true, limit: 50 } as const
const messagesQuery = (id: string) =>
  pages(['dialogue', id, 'messages'], (cursor, signal) => got(api.GET('/dialogues/{dialogue_id}/messages', { params: { path: { dialogue_id: id }, query: { ...newest, cursor } }, signal })))
const suggestionsQuery = (id: string) =>
  pages(['dialogue', id, 'suggestions'], (cursor, signal) => got(api.GET('/dialogues/{dialogue_id}/suggestions', { params: { path: { dialogue_id: id }, query: { ...newest, cursor } }, signal })))
const jobsQuery = (id: string) =>
  queryOptions({ queryKey: ['dialogue', id, 'jobs'], queryFn: ({ signal }) => got(api.GET('/dialogues/{dialogue_id}/jobs', { params: { path: { dialogue_id: id }, query: newest }, signal })) })

export default function Dialogue() {
  const { id = '' } = useParams()
  const query = useQuery(dialogueQuery(id))
  return <Read query={query} page>{(d) => <Loaded key={id} dialogue={d} />}</Read>
}

/** A turn of the conversation: something said, or a question to the coach that came to nothing. */
type Turn = { at: string; message: Schemas['Message'] } | { at: string; job: Job }

function Loaded({ dialogue: d }: { dialogue: Schemas['Dialogue'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const client = useQueryClient()
  const objective = useQuery({ ...objectiveQuery(d.objective_id), refetchInterval: lookAgain * 4 })
  const messages = useInfiniteQuery({ ...messagesQuery(d.id), refetchInterval: lookAgain })
  const suggestions = useInfiniteQuery(suggestionsQuery(d.id))
  const jobs = useQuery({ ...jobsQuery(d.id), refetchInterval: lookAgain })
  const said = messages.data?.pages[0]?.items[0]?.id
  useEffect(() => {
    // What was just said may carry a suggestion.
    void client.invalidateQueries({ queryKey: ['dialogue', d.id, 'suggestions'] })
  }, [client, d.id, said])
  const hasOlder = suggestions.hasNextPage
  const fetchOlder = suggestions.fetchNextPage
  useEffect(() => {
    if (hasOlder && (messages.data?.pages.length ?? 0) > (suggestions.data?.pages.length ?? 0)) void fetchOlder()
  }, [hasOlder, fetchOlder, messages.data?.pages.length, suggestions.data?.pages.length])
  const budget = useQuery(aiBudgetQuery)
  const coach = onlyRules(budget.data) ? ('rules' as const) : undefined // the way on where no model may be asked
  const all = jobs.data?.items ?? []
  const live = all.filter((j) => !ended(j))
  const proposals = suggestions.data?.pages.flatMap((p) => p.items) ?? []
  const o = objective.data
  const mayAsk = me.writes && o !== undefined && !o.archived && o.may_edit
  const asking = useSend({
    send: (ask: { kind: Schemas['JobKind']; message?: string }) => got(api.POST('/dialogues/{dialogue_id}/jobs', { params: { path: { dialogue_id: d.id } }, body: { ...ask, coach } })),
    refused: () => {
      void client.invalidateQueries({ queryKey: aiBudgetQuery.queryKey })
      return false
    },
    done: (job) => {
      void client.invalidateQueries({ queryKey: aiBudgetQuery.queryKey })
      client.setQueryData(jobsQuery(d.id).queryKey, (page) => (page && page.items.some((j) => j.id === job.id) ? page : { ...page, items: [job, ...(page?.items ?? [])] }))
      void client.invalidateQueries({ queryKey: ['dialogue', d.id] })
    },
  })
  const waits = (kind: Schemas['JobKind']) => live.some((j) => j.kind === kind)
  const answered = new Set((messages.data?.pages ?? []).flatMap((p) => p.items).map((m) => m.job_id))
  const latestOf = (kind: Schemas['JobKind']) => all.find((j) => j.kind === kind)?.id // the newest comes first
  const lastSource = (messages.data?.pages ?? []).flatMap((p) => p.items).find((m) => m.source !== undefined)?.source
  return (
    <Page title={d.title} lead={t('dialogue.opened', { name: d.opened_by.name, when: f.ago(d.created_at) })} back={{ to: `/objectives/${d.objective_id}?tab=coach`, label: o?.title ?? t('dialogue.toObjective') }} narrow>
      <Stack gap="md">
        <Backwards query={messages} loading={<Loading rows={3} height={96} />} empty={live.length > 0 ? null : <Card><Empty title={t('dialogue.none')} why={t('dialogue.noneWhy')} icon={<IconSparkles size={24} />} /></Card>}>
          {(items) => {
            const from = messages.hasNextPage ? (items[0]?.created_at ?? '') : ''
            const turns: Turn[] = [
              ...items.map((message) => ({ at: message.created_at, message })),
              ...all.filter((j) => ended(j) && j.state !== 'succeeded' && !answered.has(j.id) && j.created_at >= from).map((job) => ({ at: job.finished_at ?? job.created_at, job })),
            ].toSorted((a, b) => a.at.localeCompare(b.at))
            return (
              <Stack gap="md">
                {turns.map((turn) =>
                  'job' in turn ? (
                    <Ended key={turn.job.id} job={turn.job} again={mayAsk && latestOf(turn.job.kind) === turn.job.id && !waits(turn.job.kind) ? () => asking.send({ kind: turn.job.kind }) : undefined} asking={asking.busy} />
                  ) : (
                    <Stack key={turn.message.id} gap="sm">
                      <Message message={turn.message} objective={d.objective_id} />
                      {o && proposals.filter((s) => s.message_id === turn.message.id).map((s) => <SuggestionCard key={s.id} suggestion={s} objective={o} again={mayAsk && !waits('draft') ? () => asking.send({ kind: 'draft' }) : undefined} asking={asking.busy} />)}
                    </Stack>
                  ),
                )}
              </Stack>
            )
          }}
        </Backwards>
        <Box role="status">
          <Stack gap="sm">
            {live.toReversed().map((j) => (
              <Live key={j.id} job={j} />
            ))}
          </Stack>
        </Box>
        {(budget.data ? budget.data.enabled && budget.data.model === null && lastSource === 'rules' : lastSource === 'rules') && <Text size="xs" c="dimmed">{t('coach.rulesOnly')}</Text>}
        {me.writes && o && !o.archived && (o.may_edit ? <><AiBudget /><Ask dialogue={d} waits={waits} asking={asking} /></> : <Text size="sm" c="dimmed">{t('dialogue.readOnly')}</Text>)}
      </Stack>
    </Page>
  )
}

function Message({ message: m, objective }: { message: Schemas['Message']; objective: string }) {
  const { t } = useTranslation()
  const f = useFormats()
  if (m.author) {
    return (
      <Box pl={{ base: 0, sm: 48 }}>
        <Card padding="md" bg="var(--mantine-color-ai-light)" withBorder={false} component="article">
          <Group justify="space-between" mb={6}>
            <PersonName person={m.author} bold />
            <Text size="xs" c="dimmed" title={f.moment(m.created_at)}>{f.ago(m.created_at)}</Text>
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
            <Badge color="gray">{m.source === 'rules' ? t('coach.byRules') : t('coach.byModel', { name: m.source ?? '–' })}</Badge>
          </Group>
          <Text size="xs" c="dimmed" title={f.moment(m.created_at)}>{f.ago(m.created_at)}</Text>
        </Group>
        <Said>{m.body}</Said>
        {m.findings.length > 0 && (
          <Stack gap="sm" mt="md">
            {m.findings.map((finding, n) => (
              <Finding key={n} finding={finding} />
            ))}
          </Stack>
        )}
        <Text size="xs" c="dimmed" mt="sm">
          {m.source === 'rules' ? t('coach.sourceRules') : t('coach.sourceModel', { name: m.source ?? '–' })} ·{' '}
          {m.objective_revision !== undefined && <Anchor component={Link} to={`/objectives/${objective}?tab=history`} inherit underline="always">{t('coach.onRevision', { n: m.objective_revision })}</Anchor>} · {f.moment(m.created_at)}
        </Text>
      </Card>
    </Box>
  )
}

const findingColor = { problem: 'poor', advice: 'fair', praise: 'good' } as const

function Finding({ finding: x }: { finding: Schemas['Finding'] }) {
  const { t } = useTranslation()
  const { rule, about } = useFinding()
  const place = about(x.pointer)
  return (
    <Box style={{ borderInlineStart: `3px solid var(--kakeai-${findingColor[x.severity]})`, paddingInlineStart: 12 }}>
      <Group gap="xs" mb={2}>
        <Badge color={findingColor[x.severity]}>{t(`dialogue.${x.severity}`)}</Badge>
        {place && <Text size="xs" fw={600}>{place}</Text>}
        <Text size="xs" c="dimmed" title={x.check}>{t('coach.rule', { name: rule(x.check) })}</Text>
      </Group>
      <Text size="sm">{x.reason}</Text>
      {x.better && <Text size="sm" c="dimmed">{t('dialogue.better', { text: x.better })}</Text>}
    </Box>
  )
}

/** A question that the coach is at: how far it is, and the answer as far as it is written. It takes no focus, and goes on when one leaves. */
function Live({ job: first }: { job: Job }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { job = first, text } = useJob(first)
  const seconds = useSeconds(job.started_at ?? job.created_at)
  const refresh = () => void client.invalidateQueries({ queryKey: ['dialogue', first.dialogue_id] })
  const cancelling = useSend({
    send: (id: string) => got(api.POST('/jobs/{job_id}/cancel', { params: { path: { job_id: id } } })),
    done: refresh,
    refused: (p) => {
      refresh()
      return p.status === 409 // it has ended meanwhile, which shows
    },
  })
  return (
    <Card padding="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group gap="sm" wrap="nowrap">
          <Loader size="sm" />
          <div>
            <Text size="sm" fw={600}>{t(`coach.doing.${job.kind}`)}</Text>
            <Text size="xs" c="dimmed">
              {job.state === 'queued' ? (job.attempt > 0 ? t('coach.waitsAgain', { n: job.attempt + 1 }) : t('dialogue.queued')) : t('coach.thinks')}
              <span aria-hidden> · {t('coach.seconds', { count: seconds })}</span>
            </Text>
          </div>
        </Group>
        <Button size="xs" variant="default" leftSection={<IconPlayerStop size={16} />} loading={cancelling.busy} onClick={() => cancelling.send(job.id)}>{t('dialogue.cancel')}</Button>
      </Group>
      {text && <Box mt="sm" aria-live="off" aria-label={t('dialogue.live')} fz="sm" style={{ borderInlineStart: '3px solid var(--kakeai-line)', paddingInlineStart: 12 }}><Said>{text}</Said></Box>}
      <Text size="xs" c="dimmed" mt="sm">{t('coach.mayLeave')}</Text>
      {cancelling.problem && <ProblemNote problem={cancelling.problem} />}
    </Card>
  )
}

/** Whole seconds since a moment, counting on. */
function useSeconds(since: string): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - Date.parse(since)) / 1000))
}

/** A question that came to nothing, why, and the way on. */
function Ended({ job, again, asking }: { job: Job; again?: () => void; asking: boolean }) {
  const { t } = useTranslation()
  const f = useFormats()
  const why = job.failure && failureCodes.has(job.failure) ? t(`failure.${job.failure as 'load-failed'}`) : t('failure.other', { code: job.failure ?? '–' })
  const said = job.state === 'failed' ? t('dialogue.failed', { why }) : job.state === 'superseded' ? t('dialogue.supersededJob') : t('coach.stopped')
  return (
    <Alert color={job.state === 'failed' ? 'poor' : job.state === 'superseded' ? 'fair' : 'gray'} py="xs">
      <Group justify="space-between" gap="xs">
        <Box flex="1 1 220px">
          <Text size="sm">{said}</Text>
          <Text size="xs" c="dimmed">{t(`coach.asked.${job.kind}`)} · {f.ago(job.finished_at ?? job.created_at)}</Text>
        </Box>
        {again && <Button size="xs" variant="default" leftSection={<IconRefresh size={16} />} loading={asking} onClick={again}>{t('coach.again')}</Button>}
      </Group>
    </Alert>
  )
}

interface Typed {
  body: string
  picked: Mentioned[]
}

const nothing: Typed = { body: '', picked: [] }

interface AskProps {
  dialogue: Schemas['Dialogue']
  waits: (kind: Schemas['JobKind']) => boolean
  asking: ReturnType<typeof useSend<{ kind: Schemas['JobKind']; message?: string }, Job>>
}

function Ask({ dialogue: d, waits, asking }: AskProps) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const draft = useDraft<Typed>(me.draftKey(`message:${d.id}`), nothing)
  const text = typeof draft.value === 'string' ? { body: draft.value as string, picked: [] } : draft.value // one that was kept as a plain text
  const message = withMentions(text.body.trim(), text.picked) || undefined
  const writing = useSend({
    send: (body: string) => got(api.POST('/dialogues/{dialogue_id}/messages', { params: { path: { dialogue_id: d.id } }, body: { body } })),
    done: () => {
      draft.clear(nothing)
      void client.invalidateQueries({ queryKey: ['dialogue', d.id] })
    },
  })
  const [asked, setAsked] = useState(false)
  const { busy, problem } = asking
  useEffect(() => {
    if (!asked || busy) return
    setAsked(false)
    if (!problem) draft.clear(nothing)
  }, [asked, busy, problem, draft])
  const ask = (kind: Schemas['JobKind']) => {
    asking.send({ kind, message })
    setAsked(true)
  }
  const wrong = problem ?? writing.problem
  return (
    <Card padding="md">
      <Stack gap="sm">
        <MentionArea label={t('dialogue.message')} description={t('dialogue.messageHint')} autosize minRows={3} maxLength={9000} value={text.body} picked={text.picked} onChange={(body, picked) => draft.set({ body, picked })} />
        {wrong && <ProblemNote problem={wrong} />}
        <Group gap="xs">
          <Button leftSection={<IconSparkles size={18} />} disabled={waits('draft')} loading={busy} onClick={() => ask('draft')}>{t('dialogue.askDraft')}</Button>
          <Button variant="default" leftSection={<IconStethoscope size={18} />} disabled={waits('feedback') || busy} onClick={() => ask('feedback')}>{t('dialogue.askFeedback')}</Button>
          <Button variant="subtle" leftSection={<IconSend size={18} />} disabled={!message || busy} loading={writing.busy} onClick={() => message && writing.send(message)}>{t('dialogue.sendOnly')}</Button>
        </Group>
      </Stack>
    </Card>
  )
}
