import { Badge, Box, Button, Card, Group, Stack, Text } from '@mantine/core'
import { IconCalendarEvent, IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { occurrencesQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { Page } from '../parts/Page'
import { Empty, Paged } from '../parts/States'
import { tongue } from '../parts/tongue'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

const weeks = 4

/** The Monday, here, of the week that a day is in. */
export function mondayOf(day: Date): Date {
  const d = new Date(day.getFullYear(), day.getMonth(), day.getDate())
  d.setDate(d.getDate() - ((d.getDay() + 6) % 7))
  return d
}

export default function Meetings() {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const [params, setParams] = useSearchParams()
  const asked = /^\d{4}-\d{2}-\d{2}$/.test(params.get('from') ?? '') ? new Date(`${params.get('from')!}T00:00:00`) : new Date()
  const from = mondayOf(asked)
  const before = new Date(from.getFullYear(), from.getMonth(), from.getDate() + weeks * 7)
  const query = useInfiniteQuery(occurrencesQuery(from.toISOString(), before.toISOString()))
  const go = (days: number) => {
    const d = new Date(from.getFullYear(), from.getMonth(), from.getDate() + days)
    setParams({ from: `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, '0')}-${String(d.getDate()).padStart(2, '0')}` }, { replace: true })
  }
  const last = new Date(before.getTime() - 1)
  return (
    <Page title={t('meetings.title')} narrow actions={me.writes && <Button component={Link} to="/meetings/new" leftSection={<IconPlus size={18} />}>{t('meetings.new')}</Button>}>
      <Stack>
        <Group justify="space-between" gap="xs">
          <Text fw={600} aria-live="polite">{f.weekday(from.toISOString())} – {f.weekday(last.toISOString())}</Text>
          <Group gap="xs">
            <Button variant="default" size="xs" leftSection={<IconChevronLeft size={16} />} onClick={() => go(-weeks * 7)}>{t('meetings.earlier')}</Button>
            <Button variant="default" size="xs" onClick={() => setParams({}, { replace: true })}>{t('meetings.today')}</Button>
            <Button variant="default" size="xs" rightSection={<IconChevronRight size={16} />} onClick={() => go(weeks * 7)}>{t('meetings.later')}</Button>
          </Group>
        </Group>
        <Paged query={query} empty={<Card><Empty icon={<IconCalendarEvent size={24} />} title={t('meetings.none')} why={t('meetings.noneWhy')} /></Card>}>
          {(items) => (
            <Stack gap="sm">
              {items.map((o) => (
                <Row key={o.id} occurrence={o} />
              ))}
            </Stack>
          )}
        </Paged>
      </Stack>
    </Page>
  )
}

function Row({ occurrence: o }: { occurrence: Schemas['OccurrenceSummary'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  return (
    <Card component={Link} to={`/occurrences/${o.id}`} className="card-link" padding="md">
      <Group wrap="nowrap" align="flex-start" gap="md">
        <Box w={{ base: 92, xs: 140 }} className="tabular" style={{ flexShrink: 0 }}>
          <Text size="sm" fw={600}>{f.weekday(o.starts_at)}</Text>
          <Text size="sm" c="dimmed">{f.hours(o.starts_at, o.ends_at)}</Text>
        </Box>
        <Stack gap={4} style={{ minWidth: 0, flex: 1 }}>
          <Text fw={600} lang={tongue(o.title)} className="phrase" td={o.cancelled ? 'line-through' : undefined}>{o.title}</Text>
          {o.place && <Text size="sm" c="dimmed">{o.place}</Text>}
          <Group gap="xs">
            {o.cancelled && <Badge color="poor">{t('meetings.cancelled')}</Badge>}
            {o.moved && <Badge color="fair">{t('meetings.moved')}</Badge>}
            {o.response && <Badge color={o.response === 'accepted' ? 'good' : 'gray'}>{t(`meetings.${o.response}`)}</Badge>}
          </Group>
        </Stack>
      </Group>
    </Card>
  )
}
