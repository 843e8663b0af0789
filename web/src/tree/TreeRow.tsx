import { Badge, Group, Loader, Text, UnstyledButton } from '@mantine/core'
import { IconArrowRampRight, IconChevronRight, IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { cyclesQuery } from '../api/queries'
import { HealthBadge, PersonName, ProgressBar, StateBadge } from '../parts/Badges'
import { tongue } from '../parts/tongue'
import type { Row } from './rows'

interface Props {
  row: Row
  index: number
  here: boolean
  cycle: string
  fold: (id: string, open: boolean) => void
  act: () => void
  seen: () => void
}

/** A row has one thing to act on, so the tab key stops at the row, and Enter opens it. */
export function TreeRow({ row: r, index, here, cycle, fold, act, seen }: Props) {
  const { t } = useTranslation()
  const deep = { '--deep': Math.min(r.level - 1, 9) } as CSSProperties
  const common = { role: 'row', 'aria-rowindex': index, 'aria-level': r.level, tabIndex: here ? 0 : -1, 'data-key': r.key, onFocus: seen, className: 'tree-row', style: deep } as const
  if (r.kind !== 'node' && r.kind !== 'support') {
    return (
      <div {...common}>
        <div role="gridcell" aria-colindex={1} aria-colspan={4} className="tree-whole">
          {r.kind === 'loading' && <Group gap="xs"><Loader size="xs" /><Text size="sm" c="dimmed">{t('app.loading')}</Text></Group>}
          {r.kind === 'none' && <Text size="sm" c="dimmed">{t('tree.nothingBeneath')}</Text>}
          {r.kind === 'more' && <UnstyledButton tabIndex={-1} onClick={act} fz="sm" c="var(--mantine-color-anchor)">{t('do.more')}</UnstyledButton>}
          {r.kind === 'failed' && <UnstyledButton tabIndex={-1} onClick={act} fz="sm" c="var(--mantine-color-error)">{t('state.failed')} · {t('do.again')}</UnstyledButton>}
        </div>
      </div>
    )
  }
  const n = r.node
  const follows = (n.state === 'approved' || n.state === 'closed') && !n.archived
  return (
    <div {...common} {...(r.kind === 'node' ? { 'aria-expanded': r.open, 'aria-posinset': r.place, 'aria-setsize': r.size } : {})}>
      <div role="gridcell" aria-colindex={1} className="tree-title">
        {r.kind === 'support' ? (
          <IconArrowRampRight size={16} aria-hidden className="tree-mark" />
        ) : r.open === undefined ? (
          <span className="tree-mark" />
        ) : (
          <UnstyledButton tabIndex={-1} className="tree-mark tree-fold" data-open={r.open || undefined} onClick={() => fold(n.id, !r.open)} aria-label={t(r.open ? 'tree.fold' : 'tree.unfold', { title: n.title })}>
            <IconChevronRight size={16} aria-hidden />
          </UnstyledButton>
        )}
        <div style={{ minWidth: 0 }}>
          {r.kind === 'support' && <Text size="xs" c="dimmed">{t('tree.supports')}</Text>}
          <Link to={`/objectives/${n.id}`} tabIndex={-1} lang={tongue(n.title)} className="tree-link">{n.title}</Link>
          <Group gap={8} fz="xs" c="dimmed">
            {r.kind === 'node' && r.level > 1 && n.parent_key_result && <span>{t('objective.through', { title: n.parent_key_result.title })}</span>}
            {r.kind === 'node' && (n.child_count > 0 || n.more_children) && <span>{n.more_children ? t('tree.manyBeneath', { count: n.child_count }) : t('tree.beneath', { count: n.child_count })}</span>}
            {n.supporter_count > 0 && <span>{t('tree.supportedBy', { count: n.supporter_count })}</span>}
            {r.kind === 'node' && n.supported_count > 0 && <span>{t('tree.supportsSome', { count: n.supported_count })}</span>}
            {r.level === 1 && n.parent_hidden && <Group gap={4} component="span" wrap="nowrap"><IconEyeOff size={13} aria-hidden />{t('tree.parentHidden')}</Group>}
            {r.level === 1 && !n.parent_hidden && n.parent_objective_id && <span>{t('tree.parentElsewhere')}</span>}
            {n.cycle_id !== cycle && <OtherCycle id={n.cycle_id} />}
          </Group>
        </div>
      </div>
      <div role="gridcell" aria-colindex={2} className="tree-owner"><PersonName person={n.owner} size={20} /></div>
      <div role="gridcell" aria-colindex={3} className="tree-progress">{follows && <ProgressBar size="sm" progress={n.progress} health={n.health} label={t('objectives.progress')} />}</div>
      <div role="gridcell" aria-colindex={4} className="tree-health">{follows ? <HealthBadge health={n.health} /> : <StateBadge state={n.state} archived={n.archived} />}</div>
    </div>
  )
}

function OtherCycle({ id }: { id: string }) {
  const { data } = useQuery(cyclesQuery)
  const name = data?.find((c) => c.id === id)?.name
  return name ? <Badge color="gray" size="xs">{name}</Badge> : null
}
