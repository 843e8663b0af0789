import { Box, Group, Table, Text, UnstyledButton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/problem'
import { useFormats } from '../time/format'

interface Props {
  keyResult: Schemas['KeyResult']
  cycle: { starts_on: string; ends_on: string } | undefined
  checkIns: Schemas['CheckIn'][] // those that stand, the oldest first
}

const high = 124
const pad = { left: 8, right: 12, top: 18, bottom: 24 }
const words = { fontSize: 11, fill: 'var(--mantine-color-dimmed)' } as const

/** The check-ins of a key result over its cycle, with its target and the pace one would expect; the same as a table for whoever would rather read. Numbers are made of decimals here to place dots, and for nothing else. */
export function CheckInChart({ keyResult: k, cycle, checkIns }: Props) {
  const { t } = useTranslation()
  const f = useFormats()
  const [table, setTable] = useState(false)
  const shown = (c: Schemas['CheckIn']) => (k.kind === 'milestone' ? f.percent(c.percent) : f.amount(c.value ?? '0', k.unit))
  const target = k.kind === 'milestone' ? '100%' : k.kind === 'metric' ? f.amount(k.target ?? '0', k.unit) : [k.at_least && t('objective.atLeast', { a: f.amount(k.at_least, k.unit) }), k.at_most && t('objective.atMost', { a: f.amount(k.at_most, k.unit) })].filter(Boolean).join(' · ')
  const last = checkIns.at(-1)
  return (
    <Box>
      {table ? (
        <Table.ScrollContainer minWidth={280}>
          <Table fz="sm" verticalSpacing={4} className="tabular">
            <Table.Caption>{t('chart.label', { title: k.title })}</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('chart.when')}</Table.Th>
                <Table.Th>{t('chart.value')}</Table.Th>
                <Table.Th>{t('objective.confidence')}</Table.Th>
                <Table.Th>{t('chart.who')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {checkIns.map((c) => (
                <Table.Tr key={c.id}>
                  <Table.Td>{f.moment(c.checked_at)}</Table.Td>
                  <Table.Td>{shown(c)}</Table.Td>
                  <Table.Td>{c.confidence}/10</Table.Td>
                  <Table.Td>{c.author.name}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : (
        <Picture k={k} cycle={cycle} checkIns={checkIns} label={`${t('chart.label', { title: k.title })}. ${last ? t('chart.summary', { count: checkIns.length, value: shown(last), target }) : t('objective.noCheckIn')}`} target={target} />
      )}
      <Group justify="space-between" mt={4} gap="xs">
        <Group gap="sm" fz="xs" c="dimmed" aria-hidden>
          {!table && <Key color="var(--mantine-color-anchor)">{t('chart.value')}</Key>}
          {!table && <Key color="var(--kakeai-good)" dashed>{t('chart.target')}</Key>}
          {!table && k.kind !== 'threshold' && <Key color="var(--kakeai-mute)" dashed>{t('chart.expected')}</Key>}
        </Group>
        <UnstyledButton fz="xs" c="var(--mantine-color-anchor)" onClick={() => setTable(!table)} aria-label={`${table ? t('chart.picture') : t('chart.table')}: ${k.title}`}>
          {table ? t('chart.picture') : t('chart.table')}
        </UnstyledButton>
      </Group>
    </Box>
  )
}

/** As much room as the picture takes. */
export function ChartToCome() {
  return <Box aria-busy h={high + 22} />
}

function Key({ color, dashed, children }: { color: string; dashed?: boolean; children: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <svg width="16" height="8" aria-hidden>
        <line x1="0" x2="16" y1="4" y2="4" stroke={color} strokeWidth="2" strokeDasharray={dashed ? '4 3' : undefined} />
      </svg>
      <Text span inherit>
        {children}
      </Text>
    </Group>
  )
}

function Picture({ k, cycle, checkIns, label, target }: Omit<Props, 'keyResult'> & { k: Schemas['KeyResult']; label: string; target: string }) {
  const f = useFormats()
  const { ref, width } = useElementSize()
  const wide = Math.max(220, width)
  const value = (c: Schemas['CheckIn']) => (k.kind === 'milestone' ? c.percent : Number(c.value ?? 0))
  const limits = k.kind === 'milestone' ? [{ at: 100, text: target }] : k.kind === 'metric' ? [{ at: Number(k.target), text: target }] : [k.at_most, k.at_least].filter((x) => x !== undefined).map((x) => ({ at: Number(x), text: f.amount(x, k.unit) }))
  const begin = k.kind === 'milestone' ? 0 : k.kind === 'metric' ? Number(k.baseline) : undefined
  const all = [...checkIns.map(value), ...limits.map((l) => l.at), ...(begin === undefined ? [] : [begin])]
  const low = Math.min(...all)
  const top = Math.max(...all)
  const span = top - low || Math.abs(top) || 1
  const from = cycle ? Date.parse(`${cycle.starts_on}T00:00:00Z`) : Date.parse(checkIns[0]?.checked_at ?? '1970-01-01T00:00:00Z')
  const to = cycle ? Date.parse(`${cycle.ends_on}T23:59:59Z`) : Date.parse(checkIns.at(-1)?.checked_at ?? '1970-01-02T00:00:00Z') + 1
  const x = (ms: number) => pad.left + Math.max(0, Math.min(1, (ms - from) / (to - from || 1))) * (wide - pad.left - pad.right)
  const y = (v: number) => pad.top + (1 - (v - low) / span) * (high - pad.top - pad.bottom)
  const points = checkIns.map((c) => [x(Date.parse(c.checked_at)), y(value(c))] as const)
  const line = [...(begin === undefined ? [] : [[x(from), y(begin)] as const]), ...points]
  return (
    <Box ref={ref} h={high} maw={560}>
      <svg role="img" aria-label={label} width={wide} height={high} style={{ display: 'block', maxWidth: '100%', visibility: width > 0 ? undefined : 'hidden' }}>
        <line x1={pad.left} x2={wide - pad.right} y1={high - pad.bottom + 6} y2={high - pad.bottom + 6} stroke="var(--kakeai-line)" />
        {begin !== undefined && limits[0] !== undefined && <line x1={x(from)} y1={y(begin)} x2={x(to)} y2={y(limits[0].at)} stroke="var(--kakeai-mute)" strokeWidth="1.5" strokeDasharray="3 4" />}
        {limits.map((l) => (
          <g key={l.at}>
            <line x1={pad.left} x2={wide - pad.right} y1={y(l.at)} y2={y(l.at)} stroke="var(--kakeai-good)" strokeWidth="1.5" strokeDasharray="6 4" />
            <text x={pad.left} y={y(l.at) - 5} {...words}>{l.text}</text>
          </g>
        ))}
        <polyline points={line.map((p) => p.join(',')).join(' ')} fill="none" stroke="var(--mantine-color-anchor)" strokeWidth="2" strokeLinejoin="round" />
        {points.map(([px, py], n) => (
          <circle key={n} cx={px} cy={py} r={n === points.length - 1 ? 4 : 2.5} fill="var(--mantine-color-anchor)" stroke="var(--mantine-color-body)" strokeWidth="1" />
        ))}
        {cycle && (
          <>
            <text x={pad.left} y={high - 4} {...words}>{f.shortDay(cycle.starts_on)}</text>
            <text x={wide - pad.right} y={high - 4} textAnchor="end" {...words}>{f.shortDay(cycle.ends_on)}</text>
          </>
        )}
      </svg>
    </Box>
  )
}
