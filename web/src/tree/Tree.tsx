import { Alert, Button, Card, Group, Loader, Text } from '@mantine/core'
import { IconTargetArrow } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useNavigationType, useSearchParams } from 'react-router'
import { objectiveQuery } from '../api/queries'
import { Empty, Failed } from '../parts/States'
import { pathQuery } from './queries'
import { nodeOf, root, rowsOf, stepsInTree, stepTo, type Node, type Row } from './rows'
import './tree.css'
import { TreeRow } from './TreeRow'
import { useLevels } from './useLevels'
import { useUnfolded } from './useUnfolded'

const spare = 24 // rows beyond the window that are kept ready

/** A cycle's objectives by what they contribute to: a treegrid as WAI-ARIA has it. Levels are read when they are opened, and only the rows near the window are on the page. */
export default function Tree({ cycle }: { cycle: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const type = useNavigationType()
  const [params, setParams] = useSearchParams()
  const focus = params.get('focus') ?? undefined
  const [kept, change] = useUnfolded(cycle)
  const open = useMemo(() => new Set(kept.open), [kept.open])
  const pins = usePins(cycle, focus)
  const { levels, again } = useLevels(cycle, open, kept.pages, pins.ids)
  const rows = rowsOf(levels, open, pins.nodes)
  const found = rows.findIndex((r) => r.key === kept.current)
  const at = found < 0 ? 0 : found
  const grid = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const takeFocus = useRef<string | null>(null)
  useLayoutEffect(() => {
    const place = () => grid.current && setMargin(Math.round(grid.current.getBoundingClientRect().top + window.scrollY))
    place()
    window.addEventListener('resize', place)
    return () => window.removeEventListener('resize', place)
  }, [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 57,
    overscan: spare,
    scrollMargin: margin,
    scrollPaddingStart: 72,
    scrollPaddingEnd: 24,
    getItemKey: (i) => rows[i]?.key ?? i,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), at])].filter((i) => i < rows.length).sort((a, b) => a - b), // where one is stays there for the tab key
  })

  // Whoever comes by ?focus= finds the path open and the objective under the cursor.
  const arrived = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (!focus || !pins.ready || arrived.current === focus) return
    if (type === 'POP' && kept.arrived === focus) { // they have been here, and come back to where they went on to
      arrived.current = focus
      return
    }
    change((before) => ({ ...before, open: [...new Set([...before.open, ...pins.ids.slice(0, -1)])], current: pins.ids.length > 0 ? focus : before.current, arrived: focus }))
    if (rows.some((r) => r.key === focus)) {
      arrived.current = focus
      virtual.scrollToIndex(rows.findIndex((r) => r.key === focus), { align: 'center' })
    }
  }, [focus, pins, rows, change, virtual, type, kept.arrived])

  useEffect(() => {
    const key = takeFocus.current
    if (key === null) return
    const element = grid.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
    if (!element) return
    takeFocus.current = null
    element.focus({ preventScroll: true })
  })

  const goTo = (index: number) => {
    const row = rows[index]
    if (!row) return
    takeFocus.current = row.key
    change((before) => ({ ...before, current: row.key }))
    virtual.scrollToIndex(index, { align: 'auto' })
  }
  const fold = (id: string, isOpen: boolean) => change((before) => ({ ...before, open: isOpen ? [...before.open.filter((x) => x !== id), id] : before.open.filter((x) => x !== id) }))
  const act = (row: Row) => {
    if (row.kind === 'node' || row.kind === 'support') void navigate(`/objectives/${row.node.id}`)
    else if (row.kind === 'failed') again()
    else if (row.kind === 'more') {
      // This row goes away, or comes to stand further down: one goes on from the row above it.
      const above = rows[rows.findIndex((r) => r.key === row.key) - 1]?.key
      takeFocus.current = above ?? null
      change((before) => ({ ...before, current: above ?? before.current, pages: { ...before.pages, [row.of]: (before.pages[row.of] ?? 1) + 1 } }))
    }
  }
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return
    const row = rows[at]
    if (!row) return
    if (e.key === 'Enter' || (e.key === ' ' && row.kind !== 'node')) act(row)
    else if (e.key === ' ' && row.kind === 'node' && row.open !== undefined) fold(row.node.id, !row.open)
    else if (e.key === 'ArrowRight' && row.kind === 'node' && row.open === false) fold(row.node.id, true)
    else if (e.key === 'ArrowLeft' && row.kind === 'node' && row.open) fold(row.node.id, false)
    else {
      const to = stepTo(rows, at, e.key)
      if (to === undefined) return
      goTo(to)
    }
    e.preventDefault()
  }

  const only = rows.length === 1 ? rows[0] : undefined
  if (only?.kind === 'none') return <Card><Empty icon={<IconTargetArrow size={24} />} title={t('tree.none')} why={t('tree.noneWhy')} /></Card>
  if (only?.kind === 'failed') return <Failed error={undefined} again={again} />
  return (
    <>
      {focus && pins.failed && <Alert color="gray" mb="sm">{t('tree.notThere')}</Alert>}
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="xs" c="dimmed" className="phrase" visibleFrom="sm">{t('tree.keys')}</Text>
        {kept.open.length > 0 && <Button size="compact-xs" variant="subtle" onClick={() => { change((before) => ({ ...before, open: [], pages: {} })); setParams({ tab: 'tree' }, { replace: true, preventScrollReset: true }) }}>{t('tree.foldAll')}</Button>}
      </Group>
      <Card padding={0} style={{ overflow: 'visible' }}>
        <div role="treegrid" aria-label={t('tree.label')} aria-rowcount={rows.some((r) => r.kind === 'more') ? -1 : rows.length + 1} aria-colcount={4} onKeyDown={onKeyDown}>
          <div role="row" aria-rowindex={1} className="tree-head">
            {(['objective', 'owner', 'progress', 'health'] as const).map((c, i) => (
              <span key={c} role="columnheader" aria-colindex={i + 1}>{t(`tree.${c}`)}</span>
            ))}
          </div>
          <div ref={grid} role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index]
              if (!row) return null
              return (
                <div key={item.key} ref={virtual.measureElement} data-index={item.index} role="presentation" className="tree-place" style={{ transform: `translateY(${item.start - margin}px)` }}>
                  <TreeRow row={row} index={item.index + 2} here={item.index === at} cycle={cycle} fold={fold} act={() => act(row)} seen={() => row.key !== kept.current && change((before) => ({ ...before, current: row.key }))} />
                </div>
              )
            })}
          </div>
        </div>
        {only?.kind === 'loading' && <Group justify="center" p="md" aria-hidden><Loader /></Group>}
      </Card>
    </>
  )
}

/** The path to an objective, so that each level of it is open and has the step in it, on whichever page it stands. */
function usePins(cycle: string, focus: string | undefined) {
  const path = useQuery({ ...pathQuery(focus ?? ''), enabled: focus !== undefined })
  const ids = useMemo(() => stepsInTree(path.data?.steps ?? [], cycle), [path.data, cycle])
  const objectives = useQueries({ queries: ids.map((id) => objectiveQuery(id)) })
  const nodes = new Map<string, Node>()
  ids.forEach((id, i) => {
    const o = objectives[i]?.data
    if (o) nodes.set(i === 0 ? root : ids[i - 1]!, nodeOf(o, id === focus ? 0 : 1, path.data?.steps.find((s) => s.id === id)?.key_result))
  })
  return { ids, nodes, ready: path.isSuccess && objectives.every((o) => !o.isPending), failed: path.isError }
}
