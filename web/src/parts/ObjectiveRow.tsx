import { Card, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Schemas } from '../api/problem'
import { HealthBadge, OutdatedBadge, PersonName, ProgressBar, StateBadge } from './Badges'
import { tongue } from './tongue'

export function ObjectiveCard({ objective: o, team, icon }: { objective: Schemas['ObjectiveSummary']; team?: string; icon?: string | null }) {
  const { t } = useTranslation()
  const follows = o.state === 'approved' || o.state === 'closed'
  return (
    <Card component={Link} to={`/objectives/${o.id}`} className="card-link" padding="md">
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
          <Text fw={600} lang={tongue(o.title)} className="phrase" lineClamp={3} style={{ flex: 1, minWidth: 0 }} lh={1.45}>
            {o.title}
          </Text>
          <Group gap={6} justify="flex-end" style={{ flexShrink: 0, maxWidth: '45%' }}>
            {follows && !o.archived ? <HealthBadge health={o.health} /> : <StateBadge state={o.state} archived={o.archived} />}
          </Group>
        </Group>
        {follows && <ProgressBar progress={o.progress} health={o.health} label={t('objectives.progress')} size="sm" />}
        <Group gap="4px 16px" c="dimmed" fz="sm">
          <PersonName person={o.owner} size={20} icon={icon} />
          {team && <span>{team}</span>}
          <span>{t('objectives.krs', { count: o.key_result_count })}</span>
          {o.state === 'closed' && o.score !== undefined && <span>{t('objective.score')}: {o.score}</span>}
          {o.outdated && o.state === 'approved' && <OutdatedBadge />}
        </Group>
      </Stack>
    </Card>
  )
}
