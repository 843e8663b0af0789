import { Anchor, Box, Card, Group, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Schemas } from '../api/problem'
import { useFormats } from '../time/format'
import { HealthBadge, OutdatedBadge, PersonName, ProgressBar, StateBadge } from './Badges'
import { tongue } from './tongue'

/** Objectives in columns, for wide screens. */
export function ObjectiveTable({ objectives, team }: { objectives: Schemas['ObjectiveSummary'][]; team: (id: string) => string | undefined }) {
  const { t } = useTranslation()
  const f = useFormats()
  return (
    <Card padding={0} style={{ overflow: 'hidden' }}>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="36%">{t('list.objective')}</Table.Th>
            <Table.Th w="17%">{t('objectives.owner')}</Table.Th>
            <Table.Th w="15%">{t('list.health')}</Table.Th>
            <Table.Th w="19%">{t('objectives.progress')}</Table.Th>
            <Table.Th w="13%">{t('list.changed')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {objectives.map((o) => {
            const follows = o.state === 'approved' || o.state === 'closed'
            const name = o.team_id && team(o.team_id)
            return (
              <Table.Tr key={o.id}>
                <Table.Td>
                  <Anchor component={Link} to={`/objectives/${o.id}`} c="inherit" fw={600} size="sm" lang={tongue(o.title)} className="phrase" lineClamp={3}>{o.title}</Anchor>
                  <Text size="xs" c="dimmed" mt={2}>
                    {[name, t('objectives.krs', { count: o.key_result_count })].filter(Boolean).join(' · ')}
                  </Text>
                </Table.Td>
                <Table.Td><PersonName person={o.owner} size={22} /></Table.Td>
                <Table.Td>
                  <Stack gap={4} align="flex-start">
                    {follows && !o.archived ? <HealthBadge health={o.health} /> : <StateBadge state={o.state} archived={o.archived} />}
                    {o.outdated && o.state === 'approved' && <OutdatedBadge />}
                    {o.state === 'closed' && <Group gap={4}><StateBadge state="closed" />{o.score !== undefined && <Text size="xs" c="dimmed">{t('list.score', { score: o.score })}</Text>}</Group>}
                  </Stack>
                </Table.Td>
                <Table.Td>{follows ? <ProgressBar progress={o.progress} health={o.health} label={`${t('objectives.progress')}: ${o.title}`} size="sm" /> : <Box c="dimmed">–</Box>}</Table.Td>
                <Table.Td><Text size="xs" c="dimmed" title={f.moment(o.changed_at)}>{f.since(o.changed_at)}</Text></Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Card>
  )
}
