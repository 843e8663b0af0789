import { Anchor, Badge, Card, Chip, Group, Stack, Text } from '@mantine/core'
import { IconMessageChatbot } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { pages } from '../api/queries'
import { failureCodes } from '../i18n/known'
import { Empty, Paged } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useFormats } from '../time/format'

type State = Schemas['JobState']

const states = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'superseded'] as const
const color = { queued: 'fair', running: 'ai', succeeded: 'good', failed: 'poor', cancelled: 'gray', superseded: 'gray' } as const

const jobsQuery = (state: State | undefined) => pages(['organization', 'jobs', state ?? ''], (cursor, signal) => got(api.GET('/jobs', { params: { query: { state, limit: 30, cursor } }, signal })))

const live = (j: Schemas['JobOverview']) => j.job.state === 'queued' || j.job.state === 'running'

/** What the coach was asked for, by whom and about what, and what became of it. */
export default function Jobs() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const state = states.find((s) => s === params.get('state'))
  const query = useInfiniteQuery({ ...jobsQuery(state), refetchInterval: (q) => (q.state.data?.pages.some((p) => p.items.some(live)) ? 5000 : false) })
  return (
    <Stack>
      <Text c="dimmed">{t('jobs.why')}</Text>
      <Chip.Group value={state ?? 'all'} onChange={(v) => setParams(v === 'all' ? {} : { state: String(v) }, { replace: true, preventScrollReset: true })}>
        <Group gap={6} role="group" aria-label={t('jobs.state')}>
          <Chip size="xs" value="all">{t('jobs.all')}</Chip>
          {states.map((s) => (
            <Chip key={s} size="xs" value={s}>{t(`jobs.${s}`)}</Chip>
          ))}
        </Group>
      </Chip.Group>
      <Card padding="xs">
        <Paged query={query} empty={state ? <Empty title={t('jobs.noneState')} /> : <Empty icon={<IconMessageChatbot size={24} />} title={t('jobs.none')} why={t('jobs.noneWhy')} />}>
          {(items) => (
            <div className="rows">
              {items.map((j) => (
                <Row key={j.job.id} overview={j} />
              ))}
            </div>
          )}
        </Paged>
      </Card>
    </Stack>
  )
}

function Row({ overview: j }: { overview: Schemas['JobOverview'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const client = useQueryClient()
  const { job } = j
  const facts = [
    t('jobs.by', { name: j.requested_by.name, when: f.ago(job.created_at) }),
    job.attempt > 0 && t('jobs.attempt', { n: job.attempt, all: j.max_attempts }),
    job.started_at && job.finished_at && t('jobs.took', { seconds: f.amount(((Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000).toFixed(1)) }),
    j.next_attempt_at && job.attempt > 0 && t('jobs.next', { when: f.moment(j.next_attempt_at) }),
  ].filter(Boolean)
  return (
    <Group component="article" aria-label={j.objective_title} justify="space-between" align="flex-start" gap="sm" py="sm" px="xs">
      <Stack gap={4} style={{ flex: '1 1 240px', minWidth: 0 }}>
        <Group gap={6}>
          <Badge color={color[job.state]}>{t(`jobs.${job.state}`)}</Badge>
          <Badge color="gray">{t(`jobs.${job.kind}`)}</Badge>
        </Group>
        <Anchor component={Link} to={`/objectives/${job.objective_id}?tab=coach`} c="inherit" fw={600} size="sm" className="phrase">{j.objective_title}</Anchor>
        <Text size="xs" c="dimmed">{facts.join(' · ')}</Text>
        {job.failure && job.state !== 'succeeded' && <Text size="sm" c="var(--mantine-color-error)">{t('jobs.why2', { why: failureCodes.has(job.failure) ? t(`failure.${job.failure as 'other'}`) : t('failure.other', { code: job.failure }) })}</Text>}
      </Stack>
      <Group gap="xs">
        <Anchor component={Link} to={`/dialogues/${job.dialogue_id}`} size="sm" aria-label={`${t('jobs.open')}: ${j.objective_title}`}>{t('jobs.open')}</Anchor>
        {live(j) && <SureButton size="xs" variant="default" danger aria-label={`${t('jobs.cancel')}: ${j.objective_title}`} label={t('jobs.cancel')} question={t('jobs.cancelSure')} act={() => got(api.POST('/jobs/{job_id}/cancel', { params: { path: { job_id: job.id } } })).finally(() => void client.invalidateQueries({ queryKey: ['organization', 'jobs'] }))} />}
      </Group>
    </Group>
  )
}
