import { Badge, Box, Button, Card, Chip, Group, Stack, Switch, Text, Title } from '@mantine/core'
import { IconBell, IconChecks } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import { pages } from '../api/queries'
import { problemOf, type Schemas } from '../api/problem'
import { noticeKinds } from '../i18n/known'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Empty, Paged } from '../parts/States'
import { useFormats } from '../time/format'

type Kind = Schemas['NotificationKind']

/** What people look for in their inbox: several kinds at once. */
const groups = {
  said: ['mentioned', 'commented'],
  reviews: ['review-requested', 'returned', 'approved', 'revised', 'objective-closed', 'reopened', 'assigned'],
  checkIns: ['check-in-due', 'outdated'],
  meetings: ['meeting-invited', 'meeting-changed', 'meeting-cancelled', 'meeting-soon', 'survey-open', 'follow-up-assigned'],
  broadcasts: ['broadcast'],
  others: ['team-joined', 'webhook-disabled'],
} as const satisfies Record<string, readonly Kind[]>

const names = Object.keys(groups) as (keyof typeof groups)[]

const inboxQuery = (unread: boolean, chosen: (keyof typeof groups)[]) => {
  const kind = chosen.flatMap((g) => [...groups[g]])
  return pages(['notifications', 'list', unread, kind], (cursor, signal) =>
    got(api.GET('/notifications', { params: { query: { unread: unread || undefined, kind: kind.length > 0 ? kind : undefined, limit: 30, cursor } }, signal })),
  )
}

export default function Inbox() {
  const { t, i18n } = useTranslation()
  const client = useQueryClient()
  const [params, setParams] = useSearchParams()
  const unread = params.get('unread') === 'true'
  const chosen = names.filter((g) => params.get('about')?.split(',').includes(g))
  const query = useInfiniteQuery(inboxQuery(unread, chosen))
  const seen = query.data?.pages[0]?.seen
  const marking = useMutation({
    mutationFn: (body: Schemas['NotificationsRead']) => got(api.POST('/notifications/read', { body })),
    onSettled: () => client.invalidateQueries({ queryKey: ['notifications'] }),
  })
  const filter = (part: { unread?: boolean; about?: string[] }) => {
    const next = new URLSearchParams(params)
    if (part.unread !== undefined) next[part.unread ? 'set' : 'delete']('unread', 'true')
    if (part.about) next[part.about.length > 0 ? 'set' : 'delete']('about', part.about.join(','))
    setParams(next, { replace: true, preventScrollReset: true })
  }
  const dayOf = new Intl.DateTimeFormat('sv-SE')
  const heading = new Intl.DateTimeFormat(i18n.language, { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' })
  const relative = new Intl.RelativeTimeFormat(i18n.language, { numeric: 'auto' })
  const dayName = (day: string): string => {
    const back = Math.round((Date.parse(dayOf.format(new Date())) - Date.parse(day)) / 86_400_000)
    const [y, m, d] = day.split('-').map(Number)
    return back <= 1 && back >= 0 ? relative.format(-back, 'day') : heading.format(new Date(y!, m! - 1, d))
  }
  return (
    <Page
      title={t('inbox.title')}
      narrow
      actions={
        <Button variant="default" leftSection={<IconChecks size={18} />} disabled={!seen || chosen.length > 0} title={chosen.length > 0 ? t('news.markAllWhy') : undefined} loading={marking.isPending && marking.variables.seen !== undefined} onClick={() => marking.mutate({ seen })}>
          {t('inbox.markAll')}
        </Button>
      }
    >
      <Stack>
        <Group justify="space-between" gap="sm">
          <Chip.Group multiple value={chosen} onChange={(about) => filter({ about })}>
            <Group gap={6} role="group" aria-label={t('news.filter')}>
              {names.map((g) => (
                <Chip key={g} value={g} size="xs">{t(`news.${g}`)}</Chip>
              ))}
            </Group>
          </Chip.Group>
          <Switch label={t('inbox.unreadOnly')} checked={unread} onChange={(e) => filter({ unread: e.currentTarget.checked })} />
        </Group>
        {marking.isError && <ProblemNote problem={problemOf(marking.error)} />}
        <Paged query={query} empty={<Card padding="xs"><Empty icon={<IconBell size={24} />} title={chosen.length > 0 ? t('news.noneOfThese') : unread ? t('inbox.none') : t('inbox.noneAll')} why={chosen.length > 0 ? undefined : t('inbox.noneWhy')} /></Card>}>
          {(items) => {
            const days = byDay(items, (n) => dayOf.format(new Date(n.changed_at)))
            return (
              <Stack gap="lg">
                {[...days].map(([day, list]) => {
                  const fresh = list.filter((n) => !n.read)
                  return (
                    <section key={day} aria-label={dayName(day)}>
                      <Group justify="space-between" mb={6} mih={26}>
                        <Title order={2} size="sm" c="dimmed" fw={600} style={{ fontSize: '0.875rem' }}>{dayName(day)}</Title>
                        {fresh.length > 1 && <Button size="compact-xs" variant="subtle" onClick={() => marking.mutate({ items: fresh.map((n) => ({ id: n.id, latest_id: n.latest_id })) })} aria-label={`${t('news.markDay')}: ${dayName(day)}`}>{t('news.markDay')}</Button>}
                      </Group>
                      <Card padding="xs">
                        <div className="rows">
                          {list.map((n) => (
                            <Row key={n.id} notification={n} read={() => marking.mutate({ items: [{ id: n.id, latest_id: n.latest_id }] })} />
                          ))}
                        </div>
                      </Card>
                    </section>
                  )
                })}
              </Stack>
            )
          }}
        </Paged>
      </Stack>
    </Page>
  )
}

function byDay<T>(items: T[], of: (item: T) => string): Map<string, T[]> {
  const days = new Map<string, T[]>()
  for (const item of items) {
    const day = of(item)
    days.set(day, [...(days.get(day) ?? []), item])
  }
  return days
}

/** The place itself, not only the page: what was said is under a tab. */
function placeOf(n: Schemas['Notification']): string {
  if (n.path === '/inbox') return '/'
  if ((n.kind === 'mentioned' || n.kind === 'commented') && /^\/objectives\/[0-9a-f-]{36}$/.test(n.path)) return `${n.path}?tab=comments`
  return n.path
}

function Row({ notification: n, read }: { notification: Schemas['Notification']; read: () => void }) {
  const { t } = useTranslation()
  const f = useFormats()
  const who = n.actor?.name ?? t('notice.somebody')
  return (
    <Group wrap="nowrap" gap={0} align="stretch">
      <Link className="row" to={placeOf(n)} onClick={() => !n.read && read()} style={{ flex: 1, minWidth: 0 }}>
        <Group wrap="nowrap" align="flex-start" gap="sm">
          <Box w={8} h={8} mt={7} style={{ borderRadius: 8, flexShrink: 0, background: n.read ? 'transparent' : 'var(--mantine-color-anchor)' }} aria-hidden />
          <Stack gap={2} style={{ minWidth: 0, flex: 1 }}>
            <Text size="sm" fw={n.read ? 400 : 650} className="phrase">
              {noticeKinds.has(n.kind) ? t(`notice.${n.kind}`, { who }) : n.title}
              {!n.read && <Badge size="xs" ml={6} color="ai">{t('inbox.unread')}</Badge>}
            </Text>
            <Text size="sm" className="phrase">{n.title}</Text>
            {n.excerpt && <Text size="sm" c="dimmed" lineClamp={2}>{n.excerpt}</Text>}
            <Text size="xs" c="dimmed" title={f.moment(n.changed_at)}>
              {f.clock(n.changed_at)}
              {n.occurrences > 1 && ` · ${t('inbox.times', { count: n.occurrences })}`}
            </Text>
          </Stack>
        </Group>
      </Link>
      {!n.read && (
        <Button size="compact-sm" variant="subtle" mt={12} onClick={read} px="xs" aria-label={`${t('inbox.markOne')}: ${n.title}`}>
          <IconChecks size={18} />
        </Button>
      )}
    </Group>
  )
}
