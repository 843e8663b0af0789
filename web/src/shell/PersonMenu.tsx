import { Box, Divider, NavLink, Popover, Stack, Text } from '@mantine/core'
import { IconBook2, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api } from '../api/client'
import { useMe } from '../session/me'
import { PersonButton } from './PersonButton'
import { ColorSwitch, LanguageSwitch } from './Switches'

/** Who is signed in, and what is theirs. It is no menu to a screen reader: it has switches in it. */
export default function PersonMenu() {
  const { t } = useTranslation()
  const me = useMe()
  const [opened, setOpened] = useState(true)
  const button = useRef<HTMLButtonElement>(null)
  const item = { style: { borderRadius: 'var(--mantine-radius-sm)' }, py: 6 } as const
  return (
    <Popover position="bottom-end" width={264} shadow="md" opened={opened} onChange={setOpened} onClose={() => button.current?.focus()} trapFocus>
      <Popover.Target>
        <PersonButton ref={button} onClick={() => setOpened(!opened)} />
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <Box px="sm" py="xs">
          <Text fw={600} size="sm">
            {me.user.name}
          </Text>
          <Text size="xs" c="dimmed">
            {me.organization.name} · {t(`role.${me.role}`)}
          </Text>
        </Box>
        <Divider my={4} />
        <NavLink component={Link} to="/account" label={t('nav.account')} leftSection={<IconUserCircle size={18} />} onClick={() => setOpened(false)} {...item} />
        <NavLink href="/docs" label={t('nav.api')} leftSection={<IconBook2 size={18} />} {...item} />
        <Divider my={4} />
        <Stack gap="xs" px="sm" py="xs">
          <LanguageSwitch />
          <ColorSwitch />
        </Stack>
        <Divider my={4} />
        <NavLink component="button" label={t('nav.signOut')} leftSection={<IconLogout size={18} />} onClick={() => void signOut()} {...item} />
      </Popover.Dropdown>
    </Popover>
  )
}

async function signOut() {
  await api.DELETE('/session')
  location.assign('/sign-in')
}
