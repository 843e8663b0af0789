import { Box, Group, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

const steps = ['stepFile', 'stepColumns', 'stepCheck', 'stepDone'] as const

/** Where one is in bringing a file. */
export function Steps({ at }: { at: number }) {
  const { t } = useTranslation()
  return (
    <Group component="ol" gap="xs" p={0} m={0} aria-label={t('imports.steps')} style={{ listStyle: 'none' }}>
      {steps.map((s, n) => (
        <Group key={s} component="li" gap={6} wrap="nowrap" aria-current={n === at ? 'step' : undefined}>
          <Box className="step" data-state={n < at ? 'past' : n === at ? 'here' : undefined} aria-hidden>
            {n < at ? <IconCheck size={14} /> : n + 1}
          </Box>
          <Text size="sm" className={n === at ? undefined : 'step-other'} fw={n === at ? 650 : undefined} c={n === at ? undefined : 'dimmed'}>{t(`imports.${s}`)}</Text>
          {n < steps.length - 1 && <Text span c="dimmed" aria-hidden>›</Text>}
        </Group>
      ))}
    </Group>
  )
}
