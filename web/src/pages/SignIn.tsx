import { Box, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconChecklist, IconHistory, IconMessages } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { sessionQuery } from '../api/queries'
import { SignInForm } from '../session/SignInForm'
import { LanguageSwitch } from '../shell/Switches'
import { Mark } from '../shell/Mark'

/** A path of this application and nothing else, whatever the address says. */
export function returnPath(to: string | null): string {
  return to && /^\/(?![/\\])/.test(to) ? to : '/'
}

export default function SignIn() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  const to = returnPath(query.get('to'))
  useEffect(() => {
    document.title = t('app.title', { page: t('signIn.title') })
  }, [t])
  return (
    <div className="sign-in">
      <div className="sign-in-side">
        <Stack gap="xl" maw={480}>
          <Mark light size={36} />
          <Text fz={{ base: 22, md: 32 }} fw={650} lh={1.35} className="phrase">
            {t('signIn.lead')}
          </Text>
          <Stack gap="md" visibleFrom="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {([[IconMessages, t('signIn.point1')], [IconChecklist, t('signIn.point2')], [IconHistory, t('signIn.point3')]] as const).map(([Icon, text]) => (
              <Group key={text} component="li" wrap="nowrap" gap="md">
                <ThemeIcon variant="white" color="ai" size={36} radius="xl">
                  <Icon size={20} aria-hidden />
                </ThemeIcon>
                <Text className="phrase">{text}</Text>
              </Group>
            ))}
          </Stack>
        </Stack>
      </div>
      <main className="sign-in-form">
        <Stack gap="xl" w="100%" maw={400} mx="auto">
          <Title order={1}>{t('signIn.title')}</Title>
          <SignInForm
            returnTo={to}
            done={() => {
              client.clear()
              void client.fetchQuery(sessionQuery).then(() => navigate(to, { replace: true }))
            }}
          />
          <Box w={200}>
            <LanguageSwitch />
          </Box>
        </Stack>
      </main>
    </div>
  )
}
