import { Badge, Card, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useParams, useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import { meetingQuery, pages } from '../api/queries'
import type { Schemas } from '../api/problem'
import { deviceZone } from '../meeting/typed'
import { useRepeats } from '../meeting/useRepeats'
import { Page } from '../parts/Page'
import { Said } from '../parts/Said'
import { Empty, Loading, Paged, Read, SectionTitle } from '../parts/States'
import { formats, useFormats } from '../time/format'

/** A meeting leads to when it takes place next; one that is over, or a series by its link, shows when it takes place. */
export default function Meeting() {
  const { id = '' } = useParams()
  const [params] = useSearchParams()
  const query = useQuery(meetingQuery(id))
  return <Read query={query} page>{(m) => (m.next && !params.has('all') ? <Navigate to={`/occurrences/${m.next.id}`} replace /> : <Times meeting={m} />)}</Read>
}

/** The times of a meeting from a moment on, or before it from the latest back; all of them without a moment. */
const timesQuery = (meeting: string, side?: { from: string } | { before: string }) =>
  pages(['occurrences', 'of', meeting, side ?? ''], (cursor, signal) =>
    got(api.GET('/occurrences', { params: { query: { meeting_id: meeting, ...side, newest: side !== undefined && 'before' in side, limit: side && 'from' in side ? 8 : 30, cursor } }, signal })),
  )

function Times({ meeting: m }: { meeting: Schemas['Meeting'] }) {
  const { t } = useTranslation()
  const repeats = useRepeats()
  // Since this page was opened, and what goes on just now with what is to come.
  const [now] = useState(() => new Date(Date.now() - m.duration_minutes * 60_000).toISOString())
  return (
    <Page title={m.title} narrow back={{ to: '/meetings', label: t('meetings.title') }} above={m.cancelled && <Group><Badge color="poor">{t('meetings.cancelled')}</Badge></Group>} lead={m.recurrence ? repeats(m.recurrence, m.time_zone) : t('meetings.organizer', { name: m.organizer.name })}>
      <Stack gap="lg">
        {m.description && <Card><Said>{m.description}</Said></Card>}
        {m.time_zone !== deviceZone() && <Text size="sm" c="dimmed">{t('meetings.zoneOther', { zone: m.time_zone, yours: deviceZone() })}</Text>}
        {m.recurrence ? (
          <>
            <Part id="coming" title={t('meetings.coming')}><TimesList meeting={m} side={{ from: now }} none={t('meetings.comingNone')} /></Part>
            <Part id="gone" title={t('meetings.gone')}><TimesList meeting={m} side={{ before: now }} none={t('meetings.goneNone')} /></Part>
          </>
        ) : (
          <Card padding="xs"><TimesList meeting={m} none={t('meetings.noneYet')} /></Card>
        )}
      </Stack>
    </Page>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <SectionTitle id={id}>{title}</SectionTitle>
      <Card padding="xs">{children}</Card>
    </section>
  )
}

function TimesList({ meeting: m, side, none }: { meeting: Schemas['Meeting']; side?: { from: string } | { before: string }; none: string }) {
  const { t, i18n } = useTranslation()
  const f = useFormats()
  const there = formats(i18n.language, m.time_zone)
  const elsewhere = m.time_zone !== deviceZone()
  const query = useInfiniteQuery(timesQuery(m.id, side))
  const [now] = useState(() => Date.now())
  return (
    <Paged query={query} loading={<Loading rows={3} height={36} />} empty={<Empty title={none} />}>
      {(items) => (
        <div className="rows">
          {items.map((o) => (
            <Link key={o.id} className="row" to={`/occurrences/${o.id}`}>
              <Group gap="sm" justify="space-between">
                <div>
                  <Text size="sm" className="tabular" td={o.cancelled ? 'line-through' : undefined} fw={o.id === m.next?.id ? 650 : undefined}>{side && 'before' in side ? f.wholeDay(o.starts_at) : f.weekday(o.starts_at)} {f.hours(o.starts_at, o.ends_at)}</Text>
                  {elsewhere && <Text size="xs" c="dimmed" className="tabular">{there.weekday(o.starts_at)} {there.clock(o.starts_at)} {m.time_zone}</Text>}
                </div>
                <Group gap="xs">
                  {o.id === m.next?.id && <Badge color="ai">{t('meetings.next')}</Badge>}
                  {!side && Date.parse(o.ends_at) < now && !o.cancelled && <Badge color="gray">{t('meetings.over')}</Badge>}
                  {o.cancelled && <Badge color="poor">{t('meetings.cancelled')}</Badge>}
                  {o.moved && <Badge color="fair">{t('meetings.moved')}</Badge>}
                </Group>
              </Group>
            </Link>
          ))}
        </div>
      )}
    </Paged>
  )
}
