import { Box, Table, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { AxisBottom, AxisLeft } from '@visx/axis'
import { scaleLinear, scaleUtc } from '@visx/scale'
import { Area, LinePath } from '@visx/shape'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/problem'
import { useMe } from '../session/me'
import { today, useFormats } from '../time/format'
import { Chart, LineKey } from './Chart'
import { pace, pointsOf, type Point } from './figures'

const high = 260
const pad = { left: 44, right: 16, top: 14, bottom: 28 }
const at = (day: string) => new Date(`${day}T00:00:00Z`)

interface Props {
  progress: Schemas['CycleProgress']
  name: string
  until?: string // shows nothing that came after this day
}

/** How a cycle, or a team in it, has come along against the pace that was expected. */
export default function BurnUp({ progress: p, name, until }: Props) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const points = pointsOf(p, today(me.organization.time_zone)).filter((x) => until === undefined || x.day <= until)
  const [picked, setPicked] = useState<number | null>(null)
  const last = points.at(-1)
  const chosen = points[Math.min(picked ?? points.length - 1, points.length - 1)]
  const line = (x: Point) => (x.percent === null ? t('standing.withheld') : t('burnUp.point', { day: f.day(x.day), percent: f.percent(x.percent), expected: f.percent(Math.round(x.expected)) }))
  let says: string = t('burnUp.none')
  if (last?.percent === null) says = t('standing.withheldWhy')
  else if (last) {
    const { kind, points: n } = pace(last.percent, last.expected)
    says = t(`burnUp.${kind}`, { day: f.day(last.day), percent: f.percent(last.percent), expected: f.percent(Math.round(last.expected)), count: n })
  }
  if (points.length === 0) return <Text size="sm" c="dimmed" className="phrase">{says}</Text>
  return (
    <Chart
      name={name}
      says={says}
      keys={
        <>
          <LineKey color="var(--kakeai-plain)">{t('burnUp.progress')}</LineKey>
          <LineKey color="var(--mantine-color-dimmed)" dash="5 4">{t('burnUp.expected')}</LineKey>
        </>
      }
      picture={
        <Box>
          <Lines points={points} cycle={p.cycle.cycle} label={`${name}. ${says}`} chosen={chosen} />
          {points.length > 1 && chosen && (
            <Box pl={pad.left} pr={pad.right}>
              <input style={under(points, p.cycle.cycle)} type="range" className="scrub" min={0} max={points.length - 1} value={points.indexOf(chosen)} onChange={(e) => setPicked(Number(e.currentTarget.value))} aria-label={t('burnUp.day')} aria-valuetext={line(chosen)} />
            </Box>
          )}
          {chosen && <Text size="sm" c="dimmed" pl={pad.left} className="tabular" aria-hidden>{line(chosen)}</Text>}
        </Box>
      }
      table={
        <Table.ScrollContainer minWidth={280} mah={320} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': name } }}>
          <Table fz="sm" verticalSpacing={4} className="tabular" stickyHeader>
            <Table.Caption>{name}</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('burnUp.day')}</Table.Th>
                <Table.Th ta="right">{t('burnUp.progress')}</Table.Th>
                <Table.Th ta="right">{t('burnUp.expected')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {points.toReversed().map((x) => (
                <Table.Tr key={x.day}>
                  <Table.Th scope="row" fw={400}>{f.day(x.day)}</Table.Th>
                  <Table.Td ta="right">{x.percent === null ? t('standing.withheld') : f.percent(x.percent)}</Table.Td>
                  <Table.Td ta="right">{f.percent(Math.round(x.expected))}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      }
    />
  )
}

/** Puts the slider under the days that it goes through. */
function under(points: Point[], cycle: Schemas['Cycle']) {
  const share = (day: string) => Math.max(0, Math.min(1, (at(day).getTime() - at(cycle.starts_on).getTime()) / (at(cycle.ends_on).getTime() + 86_400_000 - at(cycle.starts_on).getTime()))) * 100
  const [first, last] = [share(points[0]!.day), share(points.at(-1)!.day)]
  return { marginInlineStart: `calc(${first}% - 8px)`, width: `calc(${last - first}% + 16px)`, minWidth: 80 }
}

function Lines({ points, cycle, label, chosen }: { points: Point[]; cycle: Schemas['Cycle']; label: string; chosen?: Point }) {
  const f = useFormats()
  const { ref, width } = useElementSize()
  const wide = Math.max(240, width)
  const x = scaleUtc({ domain: [at(cycle.starts_on), new Date(at(cycle.ends_on).getTime() + 86_400_000)], range: [pad.left, wide - pad.right], clamp: true })
  const y = scaleLinear({ domain: [0, 100], range: [high - pad.bottom, pad.top], clamp: true })
  const px = (p: Point) => x(at(p.day))
  const py = (p: Point) => y(p.place ?? 0)
  const told = (p: Point) => p.place !== null
  const axis = { stroke: 'var(--kakeai-line)', tickStroke: 'var(--kakeai-line)' }
  const words = { fill: 'var(--mantine-color-dimmed)', fontSize: 11, fontFamily: 'inherit' } as const
  return (
    <Box ref={ref} h={high}>
      <svg role="img" aria-label={label} width={wide} height={high} style={{ display: 'block', maxWidth: '100%', visibility: width > 0 ? undefined : 'hidden' }}>
        {[25, 50, 75, 100].map((v) => (
          <line key={v} x1={pad.left} x2={wide - pad.right} y1={y(v)} y2={y(v)} stroke="var(--kakeai-line)" />
        ))}
        <AxisLeft left={pad.left} scale={y} tickValues={[0, 50, 100]} tickFormat={(v) => f.percent(Number(v))} hideTicks hideAxisLine tickLabelProps={{ ...words, textAnchor: 'end', dx: -2, dy: 4 }} />
        <AxisBottom top={high - pad.bottom} scale={x} numTicks={Math.max(2, Math.floor(wide / 110))} tickFormat={(v) => f.shortDay(new Date(Number(v)).toISOString().slice(0, 10))} {...axis} tickLength={4} tickLabelProps={{ ...words, textAnchor: 'middle' }} />
        <line x1={x(at(cycle.starts_on))} y1={y(0)} x2={wide - pad.right} y2={y(100)} stroke="var(--mantine-color-dimmed)" strokeWidth={1.75} strokeDasharray="5 4" />
        <Area data={points} x={px} y0={y(0)} y1={py} defined={told} fill="var(--kakeai-plain)" fillOpacity={0.12} />
        <LinePath data={points} x={px} y={py} defined={told} stroke="var(--kakeai-plain)" strokeWidth={2.5} strokeLinejoin="round" />
        {chosen && (
          <>
            <line x1={px(chosen)} x2={px(chosen)} y1={pad.top} y2={high - pad.bottom} stroke="var(--kakeai-mute)" strokeDasharray="2 3" />
            <path d={`M${px(chosen)} ${y(chosen.expected) - 5}l5 5l-5 5l-5-5z`} fill="var(--mantine-color-body)" stroke="var(--mantine-color-dimmed)" strokeWidth={1.5} />
            {told(chosen) && <circle cx={px(chosen)} cy={py(chosen)} r={5} fill="var(--kakeai-plain)" stroke="var(--mantine-color-body)" strokeWidth={1.5} />}
          </>
        )}
      </svg>
    </Box>
  )
}
