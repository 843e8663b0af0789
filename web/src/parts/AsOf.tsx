import { Alert, Button, Group } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../time/format'
import { useAsOf } from './useAsOf'

/** Says that this is the past, and leads back. */
export default function AsOfBanner({ more }: { more?: string }) {
  const { t } = useTranslation()
  const f = useFormats()
  const [day, set] = useAsOf()
  if (!day) return null
  return (
    <Alert color="ai" icon={<IconHistory />} title={t('asOf.banner', { day: f.day(day) })} role="status">
      <Group justify="space-between" gap="sm">
        <span>{t('asOf.why')}{more && ` ${more}`}</span>
        <Button size="xs" onClick={() => set(undefined)}>{t('asOf.back')}</Button>
      </Group>
    </Alert>
  )
}
