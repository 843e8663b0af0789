import { Badge, Box, Button, Card, Group, Modal, Progress, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconCalendarTime, IconEdit, IconRefresh, IconSend } from '@tabler/icons-react'
import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { api, got } from '../api/client'
import { broadcastQuery, deliveryQuery, recipientsQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { PersonName } from '../parts/Badges'
import { lazily } from '../parts/lazily'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Said } from '../parts/Said'
import { Loading, Paged, Read, SectionTitle } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { broadcastColor } from './Broadcasts'

const Resend = lazily(() => import('../broadcast/Resend'))

const reachQuery = (id: string) => queryOptions({ queryKey: ['broadcast', id, 'reach'], queryFn: ({ signal }) => got(api.GET('/broadcasts/{broadcast_id}/audience', { params: { path: { broadcast_id: id } }, signal })) })

export default function Broadcast() {
  const { id = '' } = useParams()
  const query = useQuery({ ...broadcastQuery(id), refetchInterval: (q) => (q.state.data?.state === 'sending' ? 3000 : false) })
  return <Read query={query} page>{(b) => <Loaded key={id} broadcast={b} />}</Read>
}

function Loaded({ broadcast: b }: { broadcast: Schemas['Broadcast'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const client = useQueryClient()
  const [scheduling, { open, close }] = useDisclosure()
  // Whoever may see to whom it goes may change it, too.
  const mine = b.audience !== undefined && me.writes && (me.administers || b.created_by.id === me.user.id)
  const waiting = b.state === 'draft' || b.state === 'scheduled'
  const reach = useQuery({ ...reachQuery(b.id), enabled: mine && waiting })
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['broadcast', b.id] })
    void client.invalidateQueries({ queryKey: ['broadcasts'] })
  }
  const path = { path: { broadcast_id: b.id } }
  return (
    <Page
      title={b.title}
      narrow
      back={{ to: '/broadcasts', label: t('broadcasts.title') }}
      above={<Group><Badge color={broadcastColor[b.state]}>{t(`broadcastState.${b.state}`)}</Badge></Group>}
      actions={
        mine && (
          <>
            {b.state === 'draft' && <Button variant="default" component={Link} to={`/broadcasts/${b.id}/edit`} leftSection={<IconEdit size={18} />}>{t('do.edit')}</Button>}
            {waiting && <Button variant="default" leftSection={<IconCalendarTime size={18} />} onClick={open}>{t('broadcasts.schedule')}</Button>}
            {(b.state === 'scheduled' || b.state === 'sending') && <SureButton variant="default" danger label={t('broadcasts.cancel')} question={b.state === 'sending' ? t('broadcasts.cancelSending', { title: b.title }) : t('broadcasts.cancelSure', { title: b.title })} act={() => got(api.POST('/broadcasts/{broadcast_id}/cancel', { params: path, body: { revision: b.revision } })).finally(refresh)} />}
            {waiting && (
              <SureButton
                leftSection={<IconSend size={18} />}
                label={t('broadcasts.send')}
                question={<>{t('broadcasts.sendSure', { count: reach.data?.recipients ?? 0 })}{reach.data && <Text size="sm" c="dimmed" mt={6}>{firstNames(reach.data, t('broadcasts.andOthers', { count: reach.data.recipients - Math.min(5, reach.data.first.length) }))}</Text>}{b.by_mail && <Text size="sm" c="dimmed" mt={6}>{t('broadcasts.byMailWhy')}</Text>}</>}
                act={() =>
                  got(api.POST('/broadcasts/{broadcast_id}/send', { params: path, body: { revision: b.revision } }))
                    .then(() => notifications.show({ message: t('broadcasts.sending'), color: 'good' }))
                    .finally(refresh)
                }
              />
            )}
          </>
        )
      }
    >
      <Stack gap="xl">
        <Card>
          <Stack>
            <Group gap="md" fz="sm" c="dimmed">
              <PersonName person={b.created_by} />
              <span>{b.sent_at ? t('broadcasts.sentAt', { when: f.moment(b.sent_at) }) : b.scheduled_at ? t('broadcasts.scheduledFor', { when: f.moment(b.scheduled_at) }) : f.ago(b.changed_at)}</span>
              {b.by_mail && <Badge color="gray">{t('broadcasts.byMail')}</Badge>}
            </Group>
            <Said>{b.body}</Said>
          </Stack>
        </Card>
        {mine && waiting && (
          <section aria-labelledby="audience">
            <SectionTitle id="audience">{t('broadcasts.audience')}</SectionTitle>
            <Card>
              <Read query={reach} loading={<Loading rows={1} height={40} />}>
                {(r) => (
                  <Stack gap="xs">
                    <Text fw={600}>{t('broadcasts.reach', { count: r.recipients })}</Text>
                    <Group gap="md">
                      {r.first.map((p) => (
                        <PersonName key={p.id} person={p} size={20} />
                      ))}
                      {r.recipients > r.first.length && <Text size="sm" c="dimmed">{t('broadcasts.andOthers', { count: r.recipients - r.first.length })}</Text>}
                    </Group>
                    <Text size="xs" c="dimmed">{t('broadcasts.reachWhy')}</Text>
                  </Stack>
                )}
              </Read>
            </Card>
          </section>
        )}
        {mine && !waiting && <Delivery broadcast={b} refresh={refresh} />}
      </Stack>
      {scheduling && <Schedule broadcast={b} close={close} done={refresh} />}
    </Page>
  )
}

const firstNames = (r: Schemas['BroadcastReach'], others: string) => [...r.first.slice(0, 5).map((p) => p.name), ...(r.recipients > 5 ? [others] : [])].join(' · ')

const deliveryColor = { waiting: 'gray', delivered: 'good', failed: 'poor', uncertain: 'fair' } as const
const states = ['delivered', 'failed', 'uncertain', 'waiting'] as const

/** While it is being sent, nobody may have it yet, and nobody's mail be on its way. */
const isOnItsWay = (d: Schemas['BroadcastDelivery'] | undefined) => d !== undefined && (d.state === 'sending' || (d.waiting > 0 && d.state !== 'cancelled'))

function Delivery({ broadcast: b, refresh }: { broadcast: Schemas['Broadcast']; refresh: () => void }) {
  const { t } = useTranslation()
  const [state, setState] = useState<Schemas['BroadcastDeliveryState'] | ''>('')
  const [resending, setResending] = useState(false)
  const [follow, setFollow] = useState(0) // what is sent again begins a little later
  const query = useQuery({ ...deliveryQuery(b.id), refetchInterval: (q) => (isOnItsWay(q.state.data) || Date.now() < follow ? 3000 : false) })
  const recipients = useInfiniteQuery(recipientsQuery(b.id, state || undefined))
  const client = useQueryClient()
  const counts = query.data && [query.data.waiting, query.data.delivered, query.data.failed, query.data.uncertain].join(' ')
  useEffect(() => {
    // Who is in which state goes with how many are.
    void client.invalidateQueries({ queryKey: ['broadcast', b.id, 'recipients'] })
  }, [client, b.id, counts])
  return (
    <section aria-labelledby="delivery">
      <SectionTitle id="delivery">{t('broadcasts.delivery')}</SectionTitle>
      <Card>
        <Read query={query}>
          {(d) => {
            const all = Math.max(1, d.waiting + d.delivered + d.failed + d.uncertain)
            return (
              <Stack>
                <Progress.Root size="lg" style={{ background: 'var(--kakeai-line)' }}>
                  {states.filter((s) => s !== 'waiting' && d[s] > 0).map((s) => (
                    <Progress.Section key={s} value={(d[s] / all) * 100} color={`var(--kakeai-${deliveryColor[s]})`} aria-label={t(`deliveryState.${s}`)} aria-valuetext={`${d[s]} / ${all}`} />
                  ))}
                </Progress.Root>
                <Group gap="md">
                  {states.map((s) => (
                    <Badge key={s} color={d[s] > 0 ? deliveryColor[s] : 'gray'} size="lg">{t(`deliveryState.${s}`)} {d[s]}</Badge>
                  ))}
                </Group>
                {d.waiting > 0 && d.state !== 'cancelled' && <Text size="sm" c="dimmed" aria-live="polite">{t('broadcasts.progress', { done: d.delivered + d.failed + d.uncertain, all })}</Text>}
                {(d.failed > 0 || d.uncertain > 0) && b.state === 'sent' && (
                  <Group>
                    <Button leftSection={<IconRefresh size={18} />} onClick={() => setResending(true)}>{d.failed > 0 ? t('broadcasts.resend') : t('broadcasts.resendUncertain')}</Button>
                    <Suspense fallback={null}>{resending && <Resend broadcast={b} delivery={d} close={() => setResending(false)} done={() => { setFollow(Date.now() + 60_000); refresh() }} />}</Suspense>
                  </Group>
                )}
                <div>
                  <Text size="sm" fw={600} mb="xs">{t('broadcasts.recipients')}</Text>
                  <SegmentedControl size="xs" mb="sm" style={{ maxWidth: '100%', overflowX: 'auto' }} aria-label={t('broadcasts.filter')} value={state} onChange={(v) => setState(v as typeof state)} data={[{ value: '', label: t('do.all') }, ...states.map((s) => ({ value: s, label: t(`deliveryState.${s}`) }))]} />
                  <Paged query={recipients} empty={<Text size="sm" c="dimmed">{t('broadcasts.noRecipients')}</Text>}>
                    {(items) => (
                      <div className="rows flush">
                        {items.map((r) => (
                          <Group key={r.member.id} className="row" style={{ display: 'flex' }} justify="space-between">
                            <Box miw={0} flex="1 1 200px">
                              <PersonName person={r.member} />
                              {r.failure && r.state !== 'delivered' && <Text size="xs" c="dimmed" ff="monospace" pl={32}>{r.failure}</Text>}
                            </Box>
                            <Group gap="xs">
                              <Text size="xs" c="dimmed">{r.by_mail ? t('broadcasts.mailAndInbox') : t('broadcasts.inboxOnly')}</Text>
                              {r.round > 1 && <Text size="xs" c="dimmed">{t('broadcasts.round', { n: r.round })}</Text>}
                              <Badge color={deliveryColor[r.state]}>{t(`deliveryState.${r.state}`)}</Badge>
                            </Group>
                          </Group>
                        ))}
                      </div>
                    )}
                  </Paged>
                </div>
              </Stack>
            )
          }}
        </Read>
      </Card>
    </section>
  )
}

function Schedule({ broadcast: b, close, done }: { broadcast: Schemas['Broadcast']; close: () => void; done: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const typed = useDraft(me.draftKey(`schedule:${b.id}`), '')
  const when = typed.value
  const sending = useSend({
    send: () => got(api.POST('/broadcasts/{broadcast_id}/schedule', { params: { path: { broadcast_id: b.id } }, body: { revision: b.revision, scheduled_at: new Date(when).toISOString() } })),
    done: () => {
      typed.clear('')
      done()
      close()
    },
    refused: () => {
      done()
      return false
    },
  })
  return (
    <Modal opened onClose={close} title={t('broadcasts.schedule')} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        onSubmit={(e) => {
          e.preventDefault()
          sending.send(undefined)
        }}
      >
        <Stack>
          <TextInput type="datetime-local" label={t('broadcasts.when')} description={t('account.zoneHint', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })} required withAsterisk={false} data-autofocus value={when} error={sending.error('/scheduled_at')} onChange={(e) => { sending.touch('/scheduled_at'); typed.set(e.currentTarget.value) }} />
          {sending.problem && <ProblemNote problem={sending.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
            <Button type="submit" loading={sending.busy} disabled={!when}>{t('broadcasts.schedule')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
