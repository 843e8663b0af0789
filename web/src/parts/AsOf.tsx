import { Alert, Button, Group, Popover, Stack, TextInput } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../session/me'
import { today, useFormats } from '../time/format'
import { useAsOf } from './useAsOf'

/** Asks for a day of the past. */
export function AsOfButton({ from }: { from?: string }) {
  const { t } = useTranslation()
  const me = useMe()
  const [day, set] = useAsOf()
  const [opened, setOpened] = useState(false)
  const yesterday = new Date(Date.parse(today(me.organization.time_zone)) - 86_400_000).toISOString().slice(0, 10)
  const [wanted, setWanted] = useState(day ?? yesterday)
  const show = (e: FormEvent) => {
    e.preventDefault()
    setOpened(false)
    set(wanted)
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus withinPortal shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconHistory size={18} />} onClick={() => setOpened(!opened)}>{t('asOf.open')}</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={show}>
          <Stack gap="sm">
            <TextInput type="date" label={t('asOf.day')} description={t('asOf.hint')} required min={from} max={yesterday} value={wanted} onChange={(e) => setWanted(e.currentTarget.value)} data-autofocus />
            <Group justify="flex-end">
              <Button type="submit" size="xs">{t('do.show')}</Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Says that this is the past, and leads back. */
export function AsOfBanner({ more }: { more?: string }) {
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
