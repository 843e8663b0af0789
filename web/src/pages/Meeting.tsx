import { Badge, Card, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useParams, useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import { meetingQuery, pages } from '../api/queries'
import type { Schemas } from '../api/problem'
import { deviceZone } from '../meeting/typed'
import { useRepeats } from '../meeting/useRepeats'
import { Page } from '../parts/Page'
import { Said } from '../parts/Said'
import { Empty, Paged, Read } from '../parts/States'
import { formats, useFormats } from '../time/format'

/** A meeting leads to when it takes place next; one that is over, or a series by its link, shows when it takes place. */
export default function Meeting() {
  const { id = '' } = useParams()
  const [params] = useSearchParams()
  const query = useQuery(meetingQuery(id))
  return <Read query={query} page>{(m) => (m.next && !params.has('all') ? <Navigate to={`/occurrences/${m.next.id}`} replace /> : <Times meeting={m} />)}</Read>
}

const day = 86_400_000

function Times({ meeting: m }: { meeting: Schemas['Meeting'] }) {
  const { t, i18n } = useTranslation()
  const f = useFormats()
  const repeats = useRepeats()
  const there = formats(i18n.language, m.time_zone)
  const elsewhere = m.time_zone !== deviceZone()
  // A year of it: from when it began, or from a month ago on.
  const [from] = useState(() => {
    const begins = Date.parse(`${m.starts_at_local.slice(0, 10)}T00:00:00Z`) - day
    return m.next ? Math.max(begins, Date.now() - 30 * day) : begins
  })
  const range = { from: new Date(from).toISOString(), before: new Date(from + 398 * day).toISOString() }
  const mine = m.response !== undefined || m.team_id === undefined
  const query = useInfiniteQuery(
    pages(['occurrences', 'of', m.id, range.from], (cursor, signal) => got(api.GET('/occurrences', { params: { query: { ...range, team_id: mine ? undefined : m.team_id, limit: 200, cursor } }, signal }))),
  )
  const [now] = useState(() => Date.now())
  return (
    <Page title={m.title} narrow back={{ to: '/meetings', label: t('meetings.title') }} above={m.cancelled && <Group><Badge color="poor">{t('meetings.cancelled')}</Badge></Group>} lead={m.recurrence ? repeats(m.recurrence, m.time_zone) : t('meetings.organizer', { name: m.organizer.name })}>
      <Stack>
        {m.description && <Card><Said>{m.description}</Said></Card>}
        {elsewhere && <Text size="sm" c="dimmed">{t('meetings.zoneOther', { zone: m.time_zone, yours: deviceZone() })}</Text>}
        <Card padding="xs">
          <Paged query={query} empty={<Empty title={t('meetings.noneYet')} />}>
            {(items) => {
              const its = items.filter((o) => o.meeting_id === m.id)
              return its.length === 0 ? (
                <Empty title={t('meetings.noneYet')} />
              ) : (
                <div className="rows">
                  {its.map((o) => (
                    <Link key={o.id} className="row" to={`/occurrences/${o.id}`}>
                      <Group gap="sm" justify="space-between">
                        <div>
                          <Text size="sm" className="tabular" td={o.cancelled ? 'line-through' : undefined} fw={o.id === m.next?.id ? 650 : undefined}>{f.weekday(o.starts_at)} {f.hours(o.starts_at, o.ends_at)}</Text>
                          {elsewhere && <Text size="xs" c="dimmed" className="tabular">{there.weekday(o.starts_at)} {there.clock(o.starts_at)} {m.time_zone}</Text>}
                        </div>
                        <Group gap="xs">
                          {o.id === m.next?.id && <Badge color="ai">{t('meetings.next')}</Badge>}
                          {Date.parse(o.ends_at) < now && !o.cancelled && <Badge color="gray">{t('meetings.over')}</Badge>}
                          {o.cancelled && <Badge color="poor">{t('meetings.cancelled')}</Badge>}
                          {o.moved && <Badge color="fair">{t('meetings.moved')}</Badge>}
                        </Group>
                      </Group>
                    </Link>
                  ))}
                </div>
              )
            }}
          </Paged>
        </Card>
      </Stack>
    </Page>
  )
}
