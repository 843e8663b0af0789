import { Alert, Group, Progress, Stack, Text } from '@mantine/core'
import { IconCoins } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { useFormats } from '../time/format'

/** Which coach answers, and what is left of the month. Those who show it need the area `budget`. */
export const aiBudgetQuery = queryOptions({ queryKey: ['ai-budget'], staleTime: 15_000, queryFn: ({ signal }) => got(api.GET('/organization/ai', { signal })) })

/** Whether a question to a model would be refused, so that the rules coach is the one to ask. */
export function onlyRules(b: Schemas['AIBudget'] | undefined): boolean {
  return b !== undefined && (!b.enabled || b.exhausted)
}

/** What is left of the month's tokens, in a line; nothing where there is no bound and a model may be asked. */
export function AiBudget({ always }: { always?: boolean }) {
  const { t } = useTranslation()
  const f = useFormats()
  const { data: b } = useQuery(aiBudgetQuery)
  if (!b) return null
  if (!b.enabled) return <Text size="xs" c="dimmed">{t('budget.off')}</Text>
  const day = f.day(b.begins_anew_on)
  if (b.monthly_tokens === null) return always ? <Text size="sm" c="dimmed">{t('budget.unbounded', { used: f.amount(String(b.used_tokens)) })}</Text> : null
  const share = b.monthly_tokens > 0 ? Math.min(100, ((b.used_tokens + b.held_tokens) / b.monthly_tokens) * 100) : 100
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">{t('budget.month')}</Text>
        <Text size="xs" c="dimmed" className="tabular">{t('budget.usedOf', { used: f.amount(String(b.used_tokens)), all: f.amount(String(b.monthly_tokens)) })}</Text>
      </Group>
      <Progress.Root size="sm" radius="xl" style={{ background: 'var(--kakeai-line)' }}>
        <Progress.Section value={share} color={b.exhausted ? 'var(--kakeai-poor)' : share > 80 ? 'var(--kakeai-fair)' : 'var(--kakeai-plain)'} aria-label={t('budget.month')} aria-valuetext={t('budget.usedOf', { used: f.amount(String(b.used_tokens)), all: f.amount(String(b.monthly_tokens)) })} />
      </Progress.Root>
      {b.held_tokens > 0 && <Text size="xs" c="dimmed">{t('budget.held', { held: f.amount(String(b.held_tokens)) })}</Text>}
      {b.exhausted && <Alert color="fair" py="xs" icon={<IconCoins size={18} />}>{t('budget.exhausted', { day })}</Alert>}
      {!b.exhausted && always && <Text size="xs" c="dimmed">{t('budget.anew', { day })}</Text>}
    </Stack>
  )
}
