import { Alert, Badge, Button, Card, Divider, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconPlugConnected } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import { problemOf, type Schemas } from '../api/problem'
import { lazily } from '../parts/lazily'
import { Loading, Read, SectionTitle } from '../parts/States'
import { useFormats } from '../time/format'
import { useWayProblem } from './wayProblem'
import { Password } from './Password'

const ProveDialog = lazily(() => import('./ProveDialog'))

export const identitiesQuery = queryOptions({ queryKey: ['identities'], queryFn: ({ signal }) => got(api.GET('/account/identities', { signal })) })

/** What opens one's account: identities at providers, and the password. */
export function SignInWays({ account: a }: { account: Schemas['Account'] }) {
  const { t } = useTranslation()
  const query = useQuery(identitiesQuery)
  return (
    <section aria-labelledby="ways">
      <SectionTitle id="ways">{t('own.ways')}</SectionTitle>
      <Card>
        <Stack>
          <Read query={query} loading={<Loading rows={1} />}>{(ways) => <Identities ways={ways} email={a.email} />}</Read>
          {a.has_password ? <Password email={a.email} /> : <Text size="sm" c="dimmed">{t('own.noPassword')}</Text>}
        </Stack>
      </Card>
    </section>
  )
}

function Identities({ ways, email }: { ways: Schemas['Identities']; email: string }) {
  const { t } = useTranslation()
  const refresh = useRefresh()
  const wayProblem = useWayProblem()
  const [removing, setRemoving] = useState<Schemas['Identity'] | null>(null)
  const [proving, setProving] = useState(false)
  const provider = ways.linkable?.name ?? ''
  const add = () => got(api.POST('/account/identities')).then(({ location: to }) => location.assign(to))
  const adding = useMutation({
    mutationFn: add,
    onError: (e) => {
      if (problemOf(e).type === 'confirmation-needed') setProving(true)
      else refresh()
    },
  })
  const failed = adding.isError && problemOf(adding.error).type !== 'confirmation-needed' ? problemOf(adding.error) : null
  const remove = (i: Schemas['Identity']) =>
    got(api.DELETE('/account/identities/{identity_id}', { params: { path: { identity_id: i.id } } })).then(() => {
      notifications.show({ message: t('own.wayRemoved', { name: i.provider }), color: 'good' })
      refresh()
    })
  if (ways.items.length === 0 && !ways.linkable) return <CameBack ways={ways} />
  return (
    <>
      <CameBack ways={ways} />
      {ways.items.length > 0 && (
        <div className="rows flush">
          {ways.items.map((i) => <Row key={i.id} identity={i} remove={() => setRemoving(i)} />)}
        </div>
      )}
      {ways.linkable && (
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed" flex="1 1 240px" className="phrase">{t('own.addWhy', { name: provider })}</Text>
          <Button size="xs" variant="default" leftSection={<IconPlugConnected size={16} aria-hidden />} loading={adding.isPending || adding.isSuccess} onClick={() => adding.mutate()}>{t('own.add', { name: provider })}</Button>
        </Group>
      )}
      {failed && <Alert role="alert" color="poor" icon={<IconAlertTriangle />}>{wayProblem(failed, provider)}</Alert>}
      <Divider />
      <Suspense fallback={null}>
        {removing && (
          <ProveDialog title={t('own.removeTitle')} question={t('own.removeSure', { name: removing.provider, shown: removing.shown_as })} label={t('own.remove')} danger name={removing.provider} email={email} hasPassword={ways.has_password} act={() => remove(removing)} close={() => setRemoving(null)} />
        )}
        {proving && <ProveDialog title={t('own.add', { name: provider })} label={t('own.goOn')} name={provider} email={email} hasPassword={ways.has_password} needed act={add} close={() => setProving(false)} />}
      </Suspense>
    </>
  )
}

function useRefresh() {
  const client = useQueryClient()
  return () => {
    for (const key of ['identities', 'sessions', 'tokens']) void client.invalidateQueries({ queryKey: [key] })
  }
}

function Row({ identity: i, remove }: { identity: Schemas['Identity']; remove: () => void }) {
  const { t } = useTranslation()
  const f = useFormats()
  return (
    <Group className="row" style={{ display: 'flex' }} justify="space-between" gap="sm">
      <Stack gap={2} flex="1 1 240px" style={{ minWidth: 0 }}>
        <Group gap="xs">
          <Text size="sm" fw={600}>{i.provider}</Text>
          {!i.opens && <Badge color="gray">{t('own.former')}</Badge>}
        </Group>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>{i.shown_as}</Text>
        <Text size="xs" c="dimmed">
          {t('own.addedAt', { when: f.moment(i.linked_at) })}
          {' · '}
          {t('own.usedAt', { when: f.ago(i.last_used_at) })}
        </Text>
        {!i.opens && <Text size="xs" c="dimmed" className="phrase">{t('own.formerWhy')}</Text>}
      </Stack>
      <Button size="xs" variant="default" onClick={remove} aria-label={`${t('own.remove')}: ${i.provider}, ${i.shown_as}`}>{t('own.remove')}</Button>
    </Group>
  )
}

/** What has come of going to the provider, until the page is left. */
function CameBack({ ways }: { ways: Schemas['Identities'] }) {
  const { t } = useTranslation()
  const wayProblem = useWayProblem()
  const [params, setParams] = useSearchParams()
  const [came] = useState({ linked: params.has('linked'), problem: params.get('problem') })
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!params.has('linked') && !params.has('problem')) return
    const rest = new URLSearchParams(params)
    rest.delete('linked')
    rest.delete('problem')
    setParams(rest, { replace: true, preventScrollReset: true })
    note.current?.scrollIntoView({ block: 'center' })
  }, [params, setParams])
  const name = ways.items.find((i) => i.opens)?.provider ?? ways.linkable?.name ?? ''
  if (came.problem) return <Alert ref={note} role="alert" color="poor" icon={<IconAlertTriangle />} title={t('own.notAdded')}>{wayProblem({ type: came.problem }, name)}</Alert>
  if (came.linked) return <Alert ref={note} role="status" color="good" icon={<IconCheck />}>{t('own.wayAdded', { name })}</Alert>
  return null
}
