import { Button, Group, Popover, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../session/me'
import { today } from '../time/format'
import { PastButton } from './AsOfButton'
import { useAsOf } from './useAsOf'

/** Asks for a day of the past. It is loaded when it is asked for, and so opens by itself. */
export default function AskAsOf({ from }: { from?: string }) {
  const { t } = useTranslation()
  const me = useMe()
  const [day, set] = useAsOf()
  const [opened, setOpened] = useState(true)
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
        <PastButton onClick={() => setOpened(!opened)} />
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
