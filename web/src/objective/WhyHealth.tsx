import { Alert, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/problem'
import { Read } from '../parts/States'
import { daysBetween, percentOf, useFormats } from '../time/format'
import { seriesQuery } from './series'

/** Says in words how an objective comes to its health: what is expected by today, what the word means, and which key results hold it back. */
export default function WhyHealth({ objective: o }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const query = useQuery(seriesQuery(o.id))
  return (
    <Alert color="gray" title={t('pace.title', { health: t(`health.${o.health}`) })}>
      <Read query={query}>
        {(s) => {
          const e = percentOf(s.elapsed)
          const behind = o.key_results.filter((k) => k.pending || k.percent < e).sort((a, b) => a.percent - b.percent)
          const all = daysBetween(s.starts_on, s.ends_on) + 1
          const day = Math.max(1, Math.min(all, Math.round((e / 100) * all) + 1))
          return (
            <Stack gap="xs" fz="sm">
              {o.health !== 'pending' && <span>{t('pace.expected', { day, all, e, p: o.progress.percent })}</span>}
              <span>{t(`pace.${o.health}`)}</span>
              {o.outdated && <span>{t('pace.outdated')}</span>}
              {behind.length > 0 && (
                <div>
                  <Text size="sm" fw={600}>{t('pace.drags')}</Text>
                  <Stack component="ul" gap={2} m={0} pl="md">
                    {behind.slice(0, 3).map((k) => (
                      <li key={k.id}>
                        <Group gap="xs" component="span" style={{ display: 'inline-flex' }}>
                          <span>{k.title}</span>
                          <Text span inherit c="dimmed">{k.pending ? t('pace.never') : t('pace.behind', { p: k.percent, e })}</Text>
                          {k.weight !== '1' && <Text span inherit c="dimmed">{t('objective.weight', { n: f.amount(k.weight) })}</Text>}
                        </Group>
                      </li>
                    ))}
                  </Stack>
                </div>
              )}
              <Text size="xs" c="dimmed">{t('pace.weights')}</Text>
            </Stack>
          )
        }}
      </Read>
    </Alert>
  )
}
