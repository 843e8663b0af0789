import { Badge, Card, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useParams } from 'react-router'
import { meetingQuery, occurrencesQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { Page } from '../parts/Page'
import { Said } from '../parts/Said'
import { Empty, Paged, Read } from '../parts/States'
import { useFormats } from '../time/format'

/** A meeting leads to when it takes place next; one that is over shows when it took place. */
export default function Meeting() {
  const { id = '' } = useParams()
  const query = useQuery(meetingQuery(id))
  return <Read query={query} page>{(m) => (m.next ? <Navigate to={`/occurrences/${m.next.id}`} replace /> : <Past meeting={m} />)}</Read>
}

function Past({ meeting: m }: { meeting: Schemas['Meeting'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const day = Date.parse(`${m.starts_at_local.slice(0, 10)}T00:00:00Z`)
  const query = useInfiniteQuery(occurrencesQuery(new Date(day - 86_400_000).toISOString(), new Date(day + 398 * 86_400_000).toISOString()))
  return (
    <Page title={m.title} narrow back={{ to: '/meetings', label: t('meetings.title') }} above={m.cancelled && <Group><Badge color="poor">{t('meetings.cancelled')}</Badge></Group>} lead={t('meetings.organizer', { name: m.organizer.name })}>
      <Stack>
        {m.description && <Card><Said>{m.description}</Said></Card>}
        <Card padding="xs">
          <Paged query={query} empty={<Empty title={t('meetings.noneYet')} />}>
            {(items) => (
              <div className="rows">
                {items.filter((o) => o.meeting_id === m.id).map((o) => (
                  <Link key={o.id} className="row" to={`/occurrences/${o.id}`}><Text px="xs" size="sm">{f.moment(o.starts_at)}</Text></Link>
                ))}
              </div>
            )}
          </Paged>
        </Card>
      </Stack>
    </Page>
  )
}
