import { Badge, Button, Card, Code, Group, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconEdit, IconSend } from '@tabler/icons-react'
import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { api, got } from '../api/client'
import { pages } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useSend } from '../forms/useSend'
import { HookState, useKindName } from '../organization/Webhooks'
import { Choice } from '../parts/Choice'
import { lazily } from '../parts/lazily'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Empty, Paged, Read, SectionTitle } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useFormats } from '../time/format'

const WebhookDialog = lazily(() => import('../organization/WebhookDialog'))
const SecretDialog = lazily(async () => ({ default: (await import('../organization/WebhookDialog')).SecretDialog }))

const webhookQuery = (id: string) => queryOptions({ queryKey: ['webhooks', id, 'one'], queryFn: ({ signal }) => got(api.GET('/webhooks/{webhook_id}', { params: { path: { webhook_id: id } }, signal })) })
const deliveriesQuery = (id: string, state?: Schemas['WebhookDeliveryState']) => ({
  ...pages(['webhooks', id, 'deliveries', state ?? ''], (cursor, signal) => got(api.GET('/webhooks/{webhook_id}/deliveries', { params: { path: { webhook_id: id }, query: { limit: 30, cursor, state } }, signal }))),
  // What is on its way is looked at until something came of it.
  refetchInterval: (query: { state: { data?: { pages: { items: { state: string }[] }[] } } }) => (query.state.data?.pages.some((p) => p.items.some((d) => d.state === 'waiting')) ? 3000 : false) as number | false,
})

export default function Webhook() {
  const { id = '' } = useParams()
  const query = useQuery(webhookQuery(id))
  return <Read query={query} page>{(w) => <Loaded key={id} webhook={w} />}</Read>
}

function Loaded({ webhook: w }: { webhook: Schemas['Webhook'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const kindName = useKindName()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [editing, { open, close }] = useDisclosure()
  const [secret, setSecret] = useState<string | null>(null)
  const path = { params: { path: { webhook_id: w.id } } }
  const refresh = () => client.invalidateQueries({ queryKey: ['webhooks'] })
  const switching = useSend({
    send: (enabled: boolean) => got(api.PATCH('/webhooks/{webhook_id}', { ...path, body: { revision: w.revision, enabled } })),
    done: () => void refresh(),
    refused: () => {
      void refresh()
      return false
    },
  })
  const testing = useSend({
    send: () => got(api.POST('/webhooks/{webhook_id}/test', path)),
    done: () => {
      notifications.show({ message: t('hooks.testSent'), color: 'good' })
      void refresh()
    },
  })
  return (
    <Page
      title={t('hooks.one')}
      back={{ to: '/organization/webhooks', label: t('people.webhooksTab') }}
      above={<HookState webhook={w} />}
      lead={w.url}
      actions={
        <>
          <Button variant="default" leftSection={<IconSend size={18} />} loading={testing.busy} onClick={() => testing.send(undefined)}>{t('hooks.test')}</Button>
          <Button variant="default" leftSection={<IconEdit size={18} />} onClick={open}>{t('do.edit')}</Button>
        </>
      }
    >
      <Stack gap="xl">
        {(testing.problem ?? switching.problem) && <ProblemNote problem={(testing.problem ?? switching.problem)!} />}
        <Card>
          <Stack>
            <Switch label={t('hooks.enabled')} description={w.disabled_because && w.disabled_because !== 'person' ? t(`hooks.why_${w.disabled_because}`) : undefined} checked={w.enabled} disabled={switching.busy} onChange={(e) => switching.send(e.currentTarget.checked)} />
            <div>
              <Text size="sm" fw={600} mb={4}>{t('hooks.about')}</Text>
              <Group gap={6}>{w.kinds.map((k) => (k === '*' || k.endsWith('.') ? <Badge key={k} color="ai">{kindName(k)}</Badge> : <Code key={k}>{k}</Code>))}</Group>
            </div>
            <Text size="xs" c="dimmed">{t('hooks.changed', { name: w.changed_by.name, when: f.moment(w.changed_at) })}{w.previous_secret_until && ` · ${t('hooks.bothUntil', { when: f.moment(w.previous_secret_until) })}`}</Text>
            <Group gap="xs">
              <SureButton size="xs" variant="default" label={t('hooks.rotate')} question={t('hooks.rotateSure')} act={() => got(api.POST('/webhooks/{webhook_id}/rotate-secret', { ...path, body: { revision: w.revision } })).then((x) => setSecret(x.secret)).finally(() => void refresh())} />
              <SureButton size="xs" variant="subtle" danger label={t('hooks.delete')} question={t('hooks.deleteSure')} act={() => got(api.DELETE('/webhooks/{webhook_id}', path)).then(() => { client.removeQueries({ queryKey: ['webhooks', w.id] }); void client.invalidateQueries({ queryKey: ['webhooks', 'list'] }); void navigate('/organization/webhooks', { replace: true }) })} />
            </Group>
          </Stack>
        </Card>
        <Deliveries id={w.id} />
      </Stack>
      <Suspense fallback={null}>
        {editing && <WebhookDialog webhook={w} close={close} />}
        {secret && <SecretDialog secret={secret} close={() => setSecret(null)} />}
      </Suspense>
    </Page>
  )
}

const states = ['waiting', 'delivered', 'failed'] as const
const stateColor = { waiting: 'ai', delivered: 'good', failed: 'poor' } as const

function Deliveries({ id }: { id: string }) {
  const { t } = useTranslation()
  const [state, setState] = useState<string>('')
  const query = useInfiniteQuery(deliveriesQuery(id, (state || undefined) as Schemas['WebhookDeliveryState'] | undefined))
  return (
    <section aria-labelledby="deliveries">
      <SectionTitle id="deliveries" right={<Choice w={160} size="xs" aria-label={t('hooks.show')} allowDeselect={false} value={state} onChange={(s) => setState(s ?? '')} data={[{ value: '', label: t('do.all') }, ...states.map((s) => ({ value: s, label: t(`hookDelivery.${s}`) }))]} />}>{t('hooks.deliveries')}</SectionTitle>
      <Card padding="xs">
        <Paged query={query} empty={<Empty title={t('hooks.noDeliveries')} why={t('hooks.noDeliveriesWhy')} />}>
          {(items) => (
            <div className="rows">
              {items.map((d) => (
                <Delivery key={d.id} webhook={id} delivery={d} />
              ))}
            </div>
          )}
        </Paged>
      </Card>
    </section>
  )
}

function Delivery({ webhook, delivery: d }: { webhook: string; delivery: Schemas['WebhookDelivery'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const client = useQueryClient()
  const [shown, { toggle }] = useDisclosure()
  const refresh = () => client.invalidateQueries({ queryKey: ['webhooks', webhook] })
  const sending = useSend({
    send: () => got(api.POST('/webhooks/{webhook_id}/deliveries/{delivery_id}/resend', { params: { path: { webhook_id: webhook, delivery_id: d.id } } })),
    done: () => void refresh(),
    refused: () => {
      void refresh()
      return false
    },
  })
  return (
    <Stack gap={6} className="row" px="xs">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Code>{d.kind}</Code>
            <Badge color={stateColor[d.state]}>{t(`hookDelivery.${d.state}`)}</Badge>
          </Group>
          <Text size="xs" c="dimmed">
            {f.moment(d.created_at)} · {t('hooks.attempts', { count: d.attempt })}
            {d.status !== undefined && ` · HTTP ${d.status}`}
          </Text>
          {d.failure && d.state !== 'delivered' && <Text size="xs" c="var(--mantine-color-poor-light-color)" lang="en">{d.failure}</Text>}
        </Stack>
        <Group gap="xs">
          <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={shown} aria-label={`${t('hooks.payload')}: ${d.kind}, ${f.moment(d.created_at)}`}>{t('hooks.payload')}</Button>
          {d.state !== 'waiting' && <Button size="compact-xs" variant="default" loading={sending.busy} onClick={() => sending.send(undefined)} aria-label={`${t('hooks.resend')}: ${d.kind}, ${f.moment(d.created_at)}`}>{t('hooks.resend')}</Button>}
        </Group>
      </Group>
      {shown && <Code block style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}>{JSON.stringify(d.payload, null, 2)}</Code>}
      {sending.problem && <ProblemNote problem={sending.problem} />}
    </Stack>
  )
}
