import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useContext, useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { MeContext } from '../session/me'
import { noteRecent } from '../shell/recent'
import { tongue } from './tongue'

interface Props {
  title: string
  lead?: ReactNode
  above?: ReactNode
  actions?: ReactNode
  back?: { to: string; label: string }
  narrow?: boolean
  children: ReactNode
}

/** A page: its title in the window and as the heading, which takes the focus when somebody comes here from another page. */
export function Page({ title, lead, above, actions, back, narrow, children }: Props) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  const { pathname, key } = useLocation()
  useEffect(() => {
    document.title = t('app.title', { page: title })
  }, [t, title])
  const me = useContext(MeContext)
  const owner = me ? `${me.organization.id}:${me.user.id}:` : null
  useEffect(() => {
    if (owner) noteRecent(owner, pathname, title)
  }, [owner, pathname, title])
  useEffect(() => {
    if (key !== 'default') heading.current?.focus({ preventScroll: true })
  }, [pathname, key])
  return (
    <Box maw={narrow ? 760 : 1120} mx="auto" w="100%">
      <Stack gap="lg">
        <Stack gap={6}>
          {back && (
            <Anchor component={Link} to={back.to} size="sm">
              <Group gap={4} wrap="nowrap" component="span">
                <IconArrowLeft size={16} aria-hidden style={{ flexShrink: 0 }} />
                <span lang={tongue(back.label)}>{back.label}</span>
              </Group>
            </Anchor>
          )}
          {above}
          <Group justify="space-between" align="flex-start" gap="sm">
            <Stack gap={6} style={{ flex: '1 1 280px', minWidth: 0 }}>
              <Title order={1} size={title.length > 70 ? '1.3rem' : undefined} lang={tongue(title)} ref={heading} tabIndex={-1}>
                {title}
              </Title>
              {lead && (
                <Text c="dimmed" component="div">
                  {lead}
                </Text>
              )}
            </Stack>
            {actions && <Group gap="xs">{actions}</Group>}
          </Group>
        </Stack>
        {children}
      </Stack>
    </Box>
  )
}
