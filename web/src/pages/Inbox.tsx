import { Badge, Box, Button, Card, Group, Stack, Switch, Text } from '@mantine/core'
import { IconBell, IconChecks } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import { notificationsQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { noticeKinds } from '../i18n/known'
import { Page } from '../parts/Page'
import { Empty, Paged } from '../parts/States'
import { useFormats } from '../time/format'

export default function Inbox() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [params, setParams] = useSearchParams()
  const unread = params.get('unread') === 'true'
  const query = useInfiniteQuery(notificationsQuery(unread))
  const seen = query.data?.pages[0]?.seen
  const marking = useMutation({
    mutationFn: (body: Schemas['NotificationsRead']) => got(api.POST('/notifications/read', { body })),
    onSettled: () => client.invalidateQueries({ queryKey: ['notifications'] }),
  })
  return (
    <Page
      title={t('inbox.title')}
      narrow
      actions={
        <Button variant="default" leftSection={<IconChecks size={18} />} disabled={!seen} loading={marking.isPending && marking.variables.seen !== undefined} onClick={() => marking.mutate({ seen })}>
          {t('inbox.markAll')}
        </Button>
      }
    >
      <Stack>
        <Switch label={t('inbox.unreadOnly')} checked={unread} onChange={(e) => setParams(e.currentTarget.checked ? { unread: 'true' } : {}, { replace: true })} />
        <Card padding="xs">
          <Paged query={query} empty={<Empty icon={<IconBell size={24} />} title={unread ? t('inbox.none') : t('inbox.noneAll')} why={t('inbox.noneWhy')} />}>
            {(items) => (
              <div className="rows">
                {items.map((n) => (
                  <Row key={n.id} notification={n} read={() => marking.mutate({ items: [{ id: n.id, latest_id: n.latest_id }] })} />
                ))}
              </div>
            )}
          </Paged>
        </Card>
      </Stack>
    </Page>
  )
}

function Row({ notification: n, read }: { notification: Schemas['Notification']; read: () => void }) {
  const { t } = useTranslation()
  const f = useFormats()
  const who = n.actor?.name ?? t('notice.somebody')
  return (
    <Group wrap="nowrap" gap={0} align="stretch">
      <Link className="row" to={n.path === '/inbox' ? '/' : n.path} onClick={() => !n.read && read()} style={{ flex: 1, minWidth: 0 }}>
        <Group wrap="nowrap" align="flex-start" gap="sm" px="xs">
          <Box w={8} h={8} mt={7} style={{ borderRadius: 8, flexShrink: 0, background: n.read ? 'transparent' : 'var(--mantine-color-anchor)' }} aria-hidden />
          <Stack gap={2} style={{ minWidth: 0, flex: 1 }}>
            <Text size="sm" fw={n.read ? 400 : 650} className="phrase">
              {noticeKinds.has(n.kind) ? t(`notice.${n.kind}`, { who }) : n.title}
              {!n.read && <Badge size="xs" ml={6} color="ai">{t('inbox.unread')}</Badge>}
            </Text>
            <Text size="sm" className="phrase">{n.title}</Text>
            {n.excerpt && <Text size="sm" c="dimmed" lineClamp={2}>{n.excerpt}</Text>}
            <Text size="xs" c="dimmed">
              {f.ago(n.changed_at)}
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
