import { Box, Menu, Stack, Text } from '@mantine/core'
import { IconBook2, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api } from '../api/client'
import { useMe } from '../session/me'
import { PersonButton } from './PersonButton'
import { ColorSwitch, LanguageSwitch } from './Switches'

export default function PersonMenu() {
  const { t } = useTranslation()
  const me = useMe()
  return (
    <Menu position="bottom-end" width={264} defaultOpened>
      <Menu.Target>
        <PersonButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Box px="sm" py="xs">
          <Text fw={600} size="sm">
            {me.user.name}
          </Text>
          <Text size="xs" c="dimmed">
            {me.organization.name} · {t(`role.${me.role}`)}
          </Text>
        </Box>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<IconUserCircle size={18} />}>
          {t('nav.account')}
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<IconBook2 size={18} />}>
          {t('nav.api')}
        </Menu.Item>
        <Menu.Divider />
        <Stack gap="xs" px="sm" py="xs">
          <LanguageSwitch />
          <ColorSwitch />
        </Stack>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={18} />} onClick={() => void signOut()}>
          {t('nav.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

async function signOut() {
  await api.DELETE('/session')
  location.assign('/sign-in')
}
