import { Avatar, Badge, Group, Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconArchive, IconCircleCheck, IconCircleDashed, IconCircleX, IconClockExclamation, IconFlagCheck, IconHourglass, IconPencil, IconRosetteDiscountCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/problem'
import { useFormats } from '../time/format'

type Health = Schemas['Health']
const healthColor = { on_track: 'good', at_risk: 'fair', off_track: 'poor', pending: 'gray' } as const
const healthIcon = { on_track: IconCircleCheck, at_risk: IconAlertTriangle, off_track: IconCircleX, pending: IconCircleDashed } as const

export function HealthBadge({ health }: { health: Health }) {
  const { t } = useTranslation()
  const Icon = healthIcon[health]
  return (
    <Badge color={healthColor[health]} leftSection={<Icon size={14} aria-hidden />}>
      {t(`health.${health}`)}
    </Badge>
  )
}

export function OutdatedBadge() {
  const { t } = useTranslation()
  return (
    <Badge color="fair" variant="outline" title={t('health.outdatedWhy')} leftSection={<IconClockExclamation size={14} aria-hidden />}>
      {t('health.outdated')}
    </Badge>
  )
}

const stateIcon = { draft: IconPencil, submitted: IconHourglass, approved: IconRosetteDiscountCheck, closed: IconFlagCheck, archived: IconArchive } as const

export function StateBadge({ state, archived }: { state: Schemas['ObjectiveState']; archived?: boolean }) {
  const { t } = useTranslation()
  const shown = archived ? 'archived' : state
  const Icon = stateIcon[shown]
  return (
    <Badge color={shown === 'submitted' ? 'fair' : shown === 'approved' ? 'ai' : 'gray'} leftSection={<Icon size={14} aria-hidden />}>
      {t(`objectiveState.${shown}`)}
    </Badge>
  )
}

export function ProgressBar({ progress, health, label, size = 'md' }: { progress: Schemas['Progress']; health?: Health; label: string; size?: 'sm' | 'md' | 'lg' }) {
  const { t } = useTranslation()
  const f = useFormats()
  const color = health ? healthColor[health] : 'primary'
  if (progress.withheld) return <Text size="sm" c="dimmed" title={t('objective.withheldWhy')}>{t('objective.withheld')}</Text>
  return (
    <Group gap="sm" wrap="nowrap">
      <Progress.Root size={size} radius="xl" flex={1} style={{ background: 'var(--kakeai-line)' }}>
        <Progress.Section value={Math.max(0, Math.min(100, progress.percent))} color={color === 'gray' ? 'var(--kakeai-mute)' : color === 'primary' ? 'var(--kakeai-plain)' : `var(--kakeai-${color})`} aria-label={label} aria-valuetext={f.percent(progress.percent)} />
      </Progress.Root>
      <Text fw={650} className="tabular" miw={44} ta="right" size={size === 'lg' ? 'lg' : 'sm'}>
        {progress.pending && progress.percent === 0 ? <span title={t('objective.pending')}>–</span> : f.percent(progress.percent)}
      </Text>
    </Group>
  )
}

const colors = ['ai', 'good', 'fair', 'poor', 'grape', 'indigo'] as const

/** A person: their picture or initials, and their name. */
export function PersonName({ person, size = 24, icon, bold }: { person: Schemas['Person']; size?: number; icon?: string | null; bold?: boolean }) {
  const color = colors[[...person.id].reduce((n, c) => n + c.charCodeAt(0), 0) % colors.length]!
  return (
    <Group gap={8} wrap="nowrap" component="span" style={{ display: 'inline-flex', minWidth: 0 }}>
      <Avatar size={size} src={icon} name={icon ? person.name : undefined} alt="" color={color} aria-hidden>
        {initials(person.name)}
      </Avatar>
      <Text span size="sm" fw={bold ? 600 : undefined} style={{ minWidth: 0 }}>
        {person.name}
      </Text>
    </Group>
  )
}

/** Japanese names are known by the family's first character, others by their initials. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = [...(words[0] ?? '')][0] ?? '?'
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(first)) return first
  return (first + ([...(words.length > 1 ? words[words.length - 1]! : '')][0] ?? '')).toUpperCase()
}

export function Fact({ label, wide, children }: { label: string; wide?: boolean; children: React.ReactNode }) {
  return (
    <Stack gap={2} className={wide ? 'wide-fact' : undefined} style={{ minWidth: 0 }}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </Stack>
  )
}
