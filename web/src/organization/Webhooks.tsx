import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api, got } from '../api/client'
import { pages } from '../api/queries'
import type { Schemas } from '../api/problem'
import { lazily } from '../parts/lazily'
import { Empty, Paged } from '../parts/States'
import { useFormats } from '../time/format'

const WebhookDialog = lazily(() => import('./WebhookDialog'))

const webhooksQuery = pages(['webhooks', 'list'], (cursor, signal) => got(api.GET('/webhooks', { params: { query: { limit: 50, cursor } }, signal })))

export default function Webhooks() {
  const { t } = useTranslation()
  const f = useFormats()
  const query = useInfiniteQuery(webhooksQuery)
  const kindName = useKindName()
  const [opened, { open, close }] = useDisclosure()
  const add = <Button leftSection={<IconPlus size={18} />} onClick={open}>{t('hooks.new')}</Button>
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" maw={620}>{t('hooks.lead')}</Text>
        {add}
      </Group>
      <Paged query={query} empty={<Card><Empty title={t('hooks.none')} why={t('hooks.noneWhy')} icon={<IconWebhook size={24} />} /></Card>}>
        {(items) => (
          <Stack gap="sm">
            {items.map((w) => (
              <Card key={w.id} component={Link} to={`/organization/webhooks/${w.id}`} className="card-link" padding="md">
                <Group justify="space-between" gap="xs">
                  <Text fw={600} style={{ minWidth: 0 }}>{w.url}</Text>
                  <HookState webhook={w} />
                </Group>
                <Text size="sm" c="dimmed">{w.kinds.length > 4 ? t('hooks.kindsCount', { count: w.kinds.length }) : w.kinds.map(kindName).join(' · ')}</Text>
                <Text size="xs" c="dimmed">{t('hooks.changed', { name: w.changed_by.name, when: f.moment(w.changed_at) })}</Text>
              </Card>
            ))}
          </Stack>
        )}
      </Paged>
      <Suspense fallback={null}>{opened && <WebhookDialog close={close} />}</Suspense>
    </Stack>
  )
}

/** What a webhook is told of: everything, all events of a thing, or one kind of event, which has its technical name. */
export function useKindName() {
  const { t } = useTranslation()
  return (kind: string): string => (kind === '*' ? t('hooks.everything') : kind.endsWith('.') ? t(`thing.${kind.slice(0, -1) as 'objective'}`, { defaultValue: kind }) : kind)
}

export function HookState({ webhook: w }: { webhook: Schemas['Webhook'] }) {
  const { t } = useTranslation()
  if (!w.enabled) return <Badge color={w.disabled_because === 'person' ? 'gray' : 'poor'}>{t(`hooks.off_${w.disabled_because ?? 'person'}`)}</Badge>
  return w.failures > 0 ? <Badge color="fair">{t('hooks.failing', { count: w.failures })}</Badge> : <Badge color="good">{t('hooks.on')}</Badge>
}
