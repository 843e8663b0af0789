import { Alert, Button, Group, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Says that what stands in a form was typed before, and lets it go. */
export function DraftNote({ restored, discard }: { restored: boolean; discard: () => void }) {
  const { t } = useTranslation()
  if (!restored) return null
  return (
    <Alert color="ai" icon={<IconHistory />} py="xs">
      <Group justify="space-between">
        <Text size="sm">{t('form.restored')}</Text>
        <Button size="xs" variant="subtle" onClick={discard}>
          {t('form.restoredDiscard')}
        </Button>
      </Group>
    </Alert>
  )
}
