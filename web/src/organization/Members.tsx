import { Alert, Badge, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconUserPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import type { Problem, Schemas } from '../api/problem'
import { pages } from '../api/queries'
import { useSend } from '../forms/useSend'
import { PersonName } from '../parts/Badges'
import { Choice } from '../parts/Choice'
import { lazily } from '../parts/lazily'
import { useProblemText } from '../parts/ProblemNote'
import { Empty, Loading, Paged, SectionTitle } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useMe } from '../session/me'
import { Invitations } from './Invitations'
import { SearchField } from './SearchField'

const Invite = lazily(() => import('./Invite'))

const roles = ['owner', 'admin', 'member', 'viewer'] as const

const foundQuery = (text: string) =>
  pages(['members', 'list', text], (cursor, signal) => got(api.GET('/members', { params: { query: { limit: 50, cursor, text: text || undefined } }, signal })))

export function Members() {
  const { t } = useTranslation()
  const me = useMe()
  const [address, setAddress] = useSearchParams()
  const text = address.get('q') ?? ''
  const [inviting, { open, close }] = useDisclosure()
  const query = useInfiniteQuery(foundQuery(text))
  return (
    <Stack gap="xl">
      <section aria-labelledby="members">
        <SectionTitle id="members" right={me.administers && <Button leftSection={<IconUserPlus size={18} />} onClick={open}>{t('people.invite')}</Button>}>{t('org.members')}</SectionTitle>
        <Stack gap="sm">
          <SearchField value={text} label={t('people.search')} set={(q) => setAddress((now) => { const next = new URLSearchParams(now); if (q) next.set('q', q); else next.delete('q'); return next }, { replace: true })} />
          <Card padding="xs">
            <Paged query={query} loading={<Loading rows={8} height={56} />} empty={<Empty title={text ? t('people.noneFound') : t('state.empty')} why={text ? t('people.noneFoundWhy') : undefined} />}>
              {(items) => (
                <div className="rows">
                  {items.map((m) => (
                    <Member key={m.id} member={m} />
                  ))}
                </div>
              )}
            </Paged>
          </Card>
        </Stack>
      </section>
      {me.administers && !query.isPending && <Invitations />}
      <Suspense fallback={null}>{inviting && <Invite close={close} />}</Suspense>
    </Stack>
  )
}

function Member({ member: m }: { member: Schemas['Member'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const text = useProblemText()
  const refresh = () => client.invalidateQueries({ queryKey: ['members'] })
  const patch = (part: Partial<Schemas['MemberPatch']>) => got(api.PATCH('/members/{member_id}', { params: { path: { member_id: m.id } }, body: { revision: m.revision, ...part } }))
  const changing = useSend({
    send: (role: Schemas['Role']) => patch({ role }),
    done: () => {
      void refresh()
      if (m.id === me.user.id) void client.invalidateQueries({ queryKey: ['session'] })
      notifications.show({ message: t('state.saved'), color: 'good' })
    },
    refused: () => {
      void refresh()
      return false
    },
  })
  // Whoever steps down does so by the same choice; nobody suspends themself.
  const mayChange = me.administers && (me.role === 'owner' || m.role !== 'owner')
  const said = (p: Problem) => (p.type === 'wrong-state' && m.role === 'owner' ? t('people.lastOwner') : text(p))
  return (
    <Stack gap={4} className="row" px="xs">
      <Group justify="space-between" gap="sm">
        <Group gap="sm" style={{ minWidth: 0, flex: '1 1 240px' }}>
          <Stack gap={0} style={{ minWidth: 0 }}>
            <Group gap="xs">
              <PersonName person={m} size={32} icon={m.icon_url} bold />
              {m.id === me.user.id && <Badge color="gray">{t('org.you')}</Badge>}
              {m.suspended && <Badge color="poor">{t('org.suspended')}</Badge>}
            </Group>
            <Text size="xs" c="dimmed" pl={40}>{m.email}</Text>
          </Stack>
        </Group>
        <Group gap="xs">
          {mayChange ? (
            <Choice size="xs" w={130} aria-label={`${t('org.role')}: ${m.name}`} allowDeselect={false} disabled={changing.busy} value={m.role} onChange={(r) => r && r !== m.role && changing.send(r as Schemas['Role'])} data={roles.filter((r) => r !== 'owner' || me.role === 'owner').map((r) => ({ value: r, label: t(`role.${r}`) }))} />
          ) : (
            <Text size="sm" c="dimmed">{t(`role.${m.role}`)}</Text>
          )}
          {mayChange && m.id !== me.user.id && (
            <SureButton
              size="xs"
              variant="default"
              danger={!m.suspended}
              label={m.suspended ? t('org.unsuspend') : t('org.suspend')}
              question={m.suspended ? t('people.unsuspendSure', { name: m.name }) : t('org.suspendSure', { name: m.name })}
              act={() => patch({ suspended: !m.suspended }).finally(() => void refresh())}
              aria-label={`${m.suspended ? t('org.unsuspend') : t('org.suspend')}: ${m.name}`}
            />
          )}
        </Group>
      </Group>
      {changing.problem && <Alert color="poor" py="xs" role="alert">{said(changing.problem)}</Alert>}
    </Stack>
  )
}
