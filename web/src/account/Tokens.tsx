import { Badge, Button, Card, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { pages } from '../api/queries'
import { PersonName } from '../parts/Badges'
import { lazily } from '../parts/lazily'
import { Empty, Paged, SectionTitle } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

const TokenDialog = lazily(() => import('./TokenDialog'))

const tokensQuery = (whose: 'own' | 'all') => pages(['tokens', whose], (cursor, signal) => got(api.GET('/tokens', { params: { query: { whose, limit: 20, cursor } }, signal })))

/** The tokens that other programs have of a member, or of everybody. */
export default function Tokens() {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const [whose, setWhose] = useState<'own' | 'all'>('own')
  const [making, { open, close }] = useDisclosure()
  const query = useInfiniteQuery(tokensQuery(whose))
  const refresh = () => client.invalidateQueries({ queryKey: ['tokens'] })
  return (
    <section aria-labelledby="tokens">
      <SectionTitle id="tokens" right={<Button size="xs" variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>{t('tokens.make')}</Button>}>{t('tokens.title')}</SectionTitle>
      <Card padding="xs">
        <Stack gap="xs">
          <Group justify="space-between" gap="xs" px="xs" pt={4}>
            <Text size="sm" c="dimmed" flex="1 1 260px" className="phrase">{t('tokens.lead')}</Text>
            {me.administers && <SegmentedControl size="xs" aria-label={t('tokens.whose')} value={whose} onChange={(v) => setWhose(v as 'own')} data={[{ value: 'own', label: t('tokens.own') }, { value: 'all', label: t('tokens.all') }]} />}
          </Group>
          <Paged query={query} empty={whose === 'all' ? <Empty icon={<IconKey size={24} />} title={t('tokens.noneAll')} /> : <Empty icon={<IconKey size={24} />} title={t('tokens.none')} why={t('tokens.noneWhy')} />}>
            {(items) => (
              <div className="rows">
                {items.map((token) => <Row key={token.id} token={token} named={whose === 'all'} refresh={refresh} />)}
              </div>
            )}
          </Paged>
        </Stack>
      </Card>
      <Suspense fallback={null}>{making && <TokenDialog made={() => void refresh()} close={close} />}</Suspense>
    </section>
  )
}

const soon = 7 * 86_400_000

function Row({ token, named, refresh }: { token: Schemas['Token']; named: boolean; refresh: () => Promise<void> }) {
  const { t } = useTranslation()
  const me = useMe()
  const f = useFormats()
  const [now] = useState(Date.now)
  const revoke = () =>
    got(api.DELETE('/tokens/{token_id}', { params: { path: { token_id: token.id } } })).then(() => {
      notifications.show({ message: t('tokens.revoked'), color: 'good' })
      void refresh()
    })
  return (
    <Group className="row" style={{ display: 'flex' }} px="xs" justify="space-between" gap="sm">
      <Stack gap={2} flex="1 1 240px" style={{ minWidth: 0 }}>
        {named && <PersonName person={token.member} bold={token.member.id === me.user.id} />}
        <Group gap="xs">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>{token.name}</Text>
          <Badge color={token.scope === 'write' ? 'fair' : 'gray'}>{t(`tokens.${token.scope}`)}</Badge>
          {Date.parse(token.expires_at) - now < soon && <Badge color="poor">{t('tokens.soon')}</Badge>}
        </Group>
        <Text size="xs" c="dimmed">
          {token.last_used_at ? t('tokens.used', { when: f.ago(token.last_used_at), address: token.last_used_from ?? '–' }) : t('tokens.unused')}
          {' · '}
          {t('tokens.created', { when: f.moment(token.created_at) })}
          {' · '}
          {t('tokens.until', { when: f.moment(token.expires_at) })}
        </Text>
      </Stack>
      <SureButton size="xs" variant="default" danger label={t('tokens.revoke')} question={t('tokens.revokeSure', { name: token.name })} act={revoke} aria-label={`${t('tokens.revoke')}: ${token.name}`} />
    </Group>
  )
}
