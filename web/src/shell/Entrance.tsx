import { Box, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconChecklist, IconHistory, IconMessages } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Mark } from './Mark'
import { LanguageSwitch } from './Switches'

/** What somebody sees who is not inside yet: what Kakeai is, and beside it what they came for. */
export function Entrance({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
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
          {children}
          <Box w={200}>
            <LanguageSwitch />
          </Box>
        </Stack>
      </main>
    </div>
  )
}
