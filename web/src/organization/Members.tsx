import { Alert, Badge, Card, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { membersQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useSend } from '../forms/useSend'
import { PersonName } from '../parts/Badges'
import { Choice } from '../parts/Choice'
import { useProblemText } from '../parts/ProblemNote'
import { Empty, Paged } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useMe } from '../session/me'

const roles = ['owner', 'admin', 'member', 'viewer'] as const

export function Members() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(membersQuery)
  return (
    <Card padding="xs">
      <Paged query={query} empty={<Empty title={t('state.empty')} />}>
        {(items) => (
          <div className="rows">
            {items.map((m) => (
              <Member key={m.id} member={m} />
            ))}
          </div>
        )}
      </Paged>
    </Card>
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
      notifications.show({ message: t('state.saved'), color: 'good' })
    },
    refused: () => {
      void refresh()
      return false
    },
  })
  const mayChange = me.administers && m.id !== me.user.id && (me.role === 'owner' || m.role !== 'owner')
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
          {mayChange && (
            <SureButton
              size="xs"
              variant="default"
              danger={!m.suspended}
              label={m.suspended ? t('org.unsuspend') : t('org.suspend')}
              question={m.suspended ? m.name : t('org.suspendSure', { name: m.name })}
              act={() => patch({ suspended: !m.suspended }).finally(() => void refresh())}
              aria-label={`${m.suspended ? t('org.unsuspend') : t('org.suspend')}: ${m.name}`}
            />
          )}
        </Group>
      </Group>
      {changing.problem && <Alert color="poor" py="xs" role="alert">{text(changing.problem)}</Alert>}
    </Stack>
  )
}
