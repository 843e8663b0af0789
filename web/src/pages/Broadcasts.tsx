import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { broadcastsQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { PersonName } from '../parts/Badges'
import { Page } from '../parts/Page'
import { Empty, Paged } from '../parts/States'
import { tongue } from '../parts/tongue'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

export const broadcastColor = { draft: 'gray', scheduled: 'ai', sending: 'fair', sent: 'good', cancelled: 'gray' } as const

export default function Broadcasts() {
  const { t } = useTranslation()
  const me = useMe()
  const query = useInfiniteQuery(broadcastsQuery())
  const mayWrite = me.administers || me.lead_team_ids.length > 0
  return (
    <Page title={t('broadcasts.title')} narrow actions={mayWrite && <Button component={Link} to="/broadcasts/new" leftSection={<IconPlus size={18} />}>{t('broadcasts.new')}</Button>}>
      <Paged query={query} empty={<Card><Empty icon={<IconSpeakerphone size={24} />} title={t('broadcasts.none')} why={t('broadcasts.noneWhy')} /></Card>}>
        {(items) => (
          <Stack gap="sm">
            {items.map((b) => (
              <Row key={b.id} broadcast={b} />
            ))}
          </Stack>
        )}
      </Paged>
    </Page>
  )
}

function Row({ broadcast: b }: { broadcast: Schemas['Broadcast'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  return (
    <Card component={Link} to={`/broadcasts/${b.id}`} className="card-link" padding="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text fw={600} lang={tongue(b.title)} className="phrase">{b.title}</Text>
        <Badge color={broadcastColor[b.state]} style={{ flexShrink: 0 }}>{t(`broadcastState.${b.state}`)}</Badge>
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} mt={4}>{b.body}</Text>
      <Group gap="md" mt="xs" fz="xs" c="dimmed">
        <PersonName person={b.created_by} size={20} />
        <span>{b.sent_at ? t('broadcasts.sentAt', { when: f.moment(b.sent_at) }) : b.scheduled_at ? t('broadcasts.scheduledFor', { when: f.moment(b.scheduled_at) }) : f.ago(b.changed_at)}</span>
      </Group>
    </Card>
  )
}
