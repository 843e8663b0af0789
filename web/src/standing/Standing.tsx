import { Alert, Badge, Box, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Schemas } from '../api/problem'
import '../chart/chart.css'
import { HealthBar, HealthKey } from '../chart/HealthBar'
import { healths, pace, percentOf, type Figures } from '../chart/figures'
import { useFormats } from '../time/format'

/** Where a cycle or a team stands: progress beside the pace, and how many objectives are how healthy. */
export function Standing({ figures, expected, listed }: { figures: Figures | undefined; expected: string; listed?: (health: string) => string }) {
  const { t } = useTranslation()
  const f = useFormats()
  const mark = percentOf(expected)
  if (!figures) return <Text size="sm" c="dimmed">{t('asOf.notRecorded')}</Text>
  if (figures.withheld) return <Alert color="gray" py="xs">{t('standing.withheldWhy')}</Alert>
  if (!figures.objectives) return <Text size="sm" c="dimmed" className="phrase">{t('standing.nothingCounts')}</Text>
  const percent = figures.progress?.percent ?? 0
  const { kind, points } = pace(percent, mark)
  return (
    <Stack gap="md">
      <div>
        <Group justify="space-between" align="baseline" gap="xs" mb={8}>
          <Text fw={700} fz={30} lh={1} className="tabular">{f.percent(percent)}</Text>
          <Text size="sm" c="dimmed" ta="right">{t(`standing.${kind}`, { count: points, expected: f.percent(Math.round(mark)) })}</Text>
        </Group>
        <Box className="pace">
          <Progress.Root size="lg" radius="xl" style={{ background: 'var(--kakeai-line)' }}>
            <Progress.Section value={Math.max(0, Math.min(100, percent))} color="var(--kakeai-plain)" aria-label={t('objectives.progress')} aria-valuetext={f.percent(percent)} />
          </Progress.Root>
          <div className="pace-mark" style={{ left: `${mark}%` }} title={t('chart.expected')} />
        </Box>
      </div>
      {figures.health ? (
        <>
          <HealthBar figures={figures} high={14} />
          <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
            {healths.map((h) => <Tile key={h} to={listed?.(`health=${h}`)} count={figures.health![h]} label={<HealthKey health={h} />} />)}
          </SimpleGrid>
          <Group gap="xs">
            {figures.health.any_off_track > 0 && <Badge color="poor" variant="outline">{t('standing.anyOffTrack', { count: figures.health.any_off_track })}</Badge>}
            {figures.health.outdated > 0 && (listed ? <Badge component={Link} to={listed('outdated=true')} color="fair" variant="outline" style={{ cursor: 'pointer' }}>{t('standing.outdated', { count: figures.health.outdated })}</Badge> : <Badge color="fair" variant="outline">{t('standing.outdated', { count: figures.health.outdated })}</Badge>)}
          </Group>
        </>
      ) : (
        <Text size="sm" c="dimmed">{t('standing.coarse')}</Text>
      )}
    </Stack>
  )
}

function Tile({ to, count, label }: { to?: string; count: number; label: React.ReactNode }) {
  const inside = (
    <>
      <Text fw={700} fz="xl" lh={1.2} className="tabular">{count}</Text>
      <Text size="sm" component="div">{label}</Text>
    </>
  )
  return to ? <Link className="tile" to={to}>{inside}</Link> : <div className="tile">{inside}</div>
}

/** The figures of a day that was recorded, the last one before it where that one was not; undefined where there is none. */
export function dayOf(p: Schemas['CycleProgress'], day: string): Schemas['CycleDay'] | undefined {
  return p.days.findLast((d) => d.day <= day)
}
