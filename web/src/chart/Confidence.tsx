import { Box, Card, Group, Table, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { AxisBottom, AxisLeft } from '@visx/axis'
import { scaleLinear, scaleUtc } from '@visx/scale'
import { LinePath } from '@visx/shape'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/problem'
import { seriesQuery } from '../objective/series'
import { Loading, Read, SectionTitle } from '../parts/States'
import { useFormats } from '../time/format'
import { Chart } from './Chart'
import './chart.css'
import { marks, strokes, trend } from './trend'

const high = 200
const pad = { left: 30, right: 14, top: 12, bottom: 28 }

interface Line {
  title: string
  points: Schemas['SeriesPoint'][]
  color: string
  dash: string | undefined
  mark: string
}

/** How sure the owners of an objective's key results have been from check-in to check-in. */
export default function Confidence({ objective: o }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const query = useQuery(seriesQuery(o.id))
  return (
    <Card component="section" aria-labelledby="confidence">
      <SectionTitle id="confidence">{t('place.confidence')}</SectionTitle>
      <Read query={query} loading={<Loading rows={1} height={high} />}>{(s) => <Drawn objective={o} series={s} />}</Read>
    </Card>
  )
}

function Drawn({ objective: o, series: s }: { objective: Schemas['Objective']; series: Schemas['ObjectiveSeries'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const lines: Line[] = s.key_results
    .filter((k) => k.points.length > 0)
    .map((k, i) => ({ title: o.key_results.find((x) => x.id === k.key_result_id)?.title ?? '', points: k.points, color: `var(--series-${(i % 6) + 1})`, dash: strokes[i % strokes.length], mark: marks[i % marks.length]! }))
  if (lines.length === 0) return <Text size="sm" c="dimmed" className="phrase">{t('place.confidenceNone')}</Text>
  const { now, change } = trend(lines.map((l) => l.points.map((p) => p.confidence)))
  const says = change === 0 ? t('place.confidenceEven', { now: f.amount(String(now)) }) : t(change > 0 ? 'place.confidenceUp' : 'place.confidenceDown', { n: f.amount(String(Math.abs(change))), now: f.amount(String(now)) })
  const all = lines.flatMap((l) => l.points.map((p) => ({ title: l.title, p }))).sort((a, b) => b.p.at.localeCompare(a.p.at))
  return (
    <>
      <Chart
        name={t('place.confidence')}
        says={says}
        keys={lines.map((l, i) => (
          <Group key={i} gap={6} component="span" wrap="nowrap" style={{ minWidth: 0 }}>
            <svg width="26" height="12" style={{ flexShrink: 0 }}>
              <line x1="0" x2="26" y1="6" y2="6" stroke={l.color} strokeWidth="2" strokeDasharray={l.dash} />
              <path d={l.mark} transform="translate(13 6)" fill={l.color} />
            </svg>
            <Text span inherit truncate maw={260}>{l.title}</Text>
          </Group>
        ))}
        picture={<Lines lines={lines} series={s} label={`${t('place.confidence')}. ${says}`} />}
        table={
          <Table.ScrollContainer minWidth={320} mah={320} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('place.confidence') } }}>
            <Table fz="sm" verticalSpacing={4} className="tabular">
              <Table.Caption>{t('place.confidence')}</Table.Caption>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('place.when')}</Table.Th>
                  <Table.Th>{t('objective.krs')}</Table.Th>
                  <Table.Th ta="right">{t('place.confidenceOf')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {all.map(({ title, p }) => (
                  <Table.Tr key={p.check_in_id}>
                    <Table.Th scope="row" fw={400}>{f.moment(p.at)}</Table.Th>
                    <Table.Td>{title}</Table.Td>
                    <Table.Td ta="right">{p.confidence}/10</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        }
      />
      {s.key_results.some((k) => k.more) && <Text size="xs" c="dimmed" mt="xs">{t('place.earlier')}</Text>}
    </>
  )
}

function Lines({ lines, series: s, label }: { lines: Line[]; series: Schemas['ObjectiveSeries']; label: string }) {
  const f = useFormats()
  const { ref, width } = useElementSize()
  const wide = Math.max(240, width)
  const moments = lines.flatMap((l) => l.points.map((p) => Date.parse(p.at)))
  const x = scaleUtc({ domain: [new Date(Math.min(Date.parse(`${s.starts_on}T00:00:00Z`), ...moments)), new Date(Math.max(Date.parse(`${s.ends_on}T23:59:59Z`), ...moments))], range: [pad.left, wide - pad.right] })
  const y = scaleLinear({ domain: [0, 10], range: [high - pad.bottom, pad.top] })
  const px = (p: Schemas['SeriesPoint']) => x(new Date(p.at))
  const py = (p: Schemas['SeriesPoint']) => y(p.confidence)
  const words = { fill: 'var(--mantine-color-dimmed)', fontSize: 11, fontFamily: 'inherit' } as const
  return (
    <Box ref={ref} h={high}>
      <svg role="img" aria-label={label} width={wide} height={high} style={{ display: 'block', maxWidth: '100%', visibility: width > 0 ? undefined : 'hidden' }}>
        {[0, 5, 10].map((v) => (
          <line key={v} x1={pad.left} x2={wide - pad.right} y1={y(v)} y2={y(v)} stroke="var(--kakeai-line)" />
        ))}
        <AxisLeft left={pad.left} scale={y} tickValues={[0, 5, 10]} tickFormat={String} hideTicks hideAxisLine tickLabelProps={{ ...words, textAnchor: 'end', dx: -2, dy: 4 }} />
        <AxisBottom top={high - pad.bottom} scale={x} numTicks={Math.max(2, Math.floor(wide / 110))} tickFormat={(v) => f.shortDay(new Date(Number(v)).toISOString().slice(0, 10))} stroke="var(--kakeai-line)" tickStroke="var(--kakeai-line)" tickLength={4} tickLabelProps={{ ...words, textAnchor: 'middle' }} />
        {lines.map((l, i) => (
          <g key={i}>
            <LinePath data={l.points} x={px} y={py} stroke={l.color} strokeWidth={2} strokeDasharray={l.dash} strokeLinejoin="round" />
            {l.points.map((p) => (
              <path key={p.check_in_id} d={l.mark} transform={`translate(${px(p)} ${py(p)})`} fill={l.color} stroke="var(--mantine-color-body)" strokeWidth={0.75} />
            ))}
          </g>
        ))}
      </svg>
    </Box>
  )
}
