import { ActionIcon, AppShell, Badge, Box, Burger, Button, Group, Kbd, Loader, NavLink, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys, useNetwork } from '@mantine/hooks'
import { IconBell, IconBuilding, IconCalendarEvent, IconChartLine, IconHome, IconPlus, IconSearch, IconSpeakerphone, IconTargetArrow } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, Outlet, useLocation } from 'react-router'
import { quiet } from '../api/client'
import { followNews, refresh } from '../api/news'
import { sessionQuery, summaryQuery } from '../api/queries'
import { chosenLanguage, setLanguage } from '../i18n'
import { Failed } from '../parts/States'
import { MeContext, useMe } from '../session/me'
import { SignInAgain } from '../session/SignInAgain'
import { Mark } from './Mark'
import { PersonButton } from './PersonButton'
import { Mistakes } from './Mistakes'
import { useScroll } from './useScroll'
import { lazily } from '../parts/lazily'

const Palette = lazily(() => import('./Palette'), 'find')
const PersonMenu = lazily(() => import('./PersonMenu'))

/** Everything but the sign-in stands in here. */
export default function Frame() {
  const session = useQuery(sessionQuery)
  const location = useLocation()
  const { t } = useTranslation()
  if (session.data) {
    return (
      <MeContext.Provider value={session.data}>
        <Shell />
        <SignInAgain me={session.data} />
      </MeContext.Provider>
    )
  }
  if (session.isError) {
    return (
      <Box p="xl" maw={560} mx="auto">
        <Failed error={session.error} again={() => void session.refetch()} />
      </Box>
    )
  }
  if (session.data === null) {
    const to = location.pathname + location.search
    return <Navigate to={to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`} replace />
  }
  return (
    <Box style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }} role="status" aria-label={t('app.loading')}>
      <Loader />
    </Box>
  )
}

function Shell() {
  const { t, i18n } = useTranslation()
  const me = useMe()
  const [opened, { toggle, close }] = useDisclosure()
  const [palette, setPalette] = useState(false)
  const [menu, setMenu] = useState(false)
  const { pathname } = useLocation()
  const client = useQueryClient()
  useScroll()
  useEffect(() => close(), [pathname, close])
  useEffect(() => followNews((news) => refresh(client, news)), [client])
  useEffect(() => {
    if (!chosenLanguage() && i18n.language !== me.organization.locale && !navigator.languages.some((l) => /^(ja|en)\b/.test(l))) void setLanguage(me.organization.locale)
  }, [i18n.language, me.organization.locale])
  useHotkeys([['mod+K', () => setPalette(true)]], [])
  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }} padding={{ base: 'md', md: 'xl' }}>
      <a className="skip" href="#content">
        {t('app.skip')}
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('app.menu')} aria-expanded={opened} />
            <UnstyledButton component={Link} to="/" aria-label={`${t('app.name')}: ${t('nav.home')}`}>
              <Mark />
            </UnstyledButton>
            <Text c="dimmed" visibleFrom="xs" aria-hidden>
              /
            </Text>
            <Text fw={600} size="sm" truncate visibleFrom="xs">
              {me.organization.name}
            </Text>
          </Group>
          <Group gap={6} wrap="nowrap">
            <Button variant="default" size="sm" c="dimmed" fw={400} visibleFrom="md" miw={240} justify="space-between" styles={{ label: { flex: 1, textAlign: 'start' } }} leftSection={<IconSearch size={16} />} rightSection={<Kbd size="xs">{t('app.paletteKeys')}</Kbd>} onClick={() => setPalette(true)}>
              {t('app.palette')}
            </Button>
            <ActionIcon variant="subtle" color="gray" size="lg" hiddenFrom="md" aria-label={t('app.palette')} onClick={() => setPalette(true)}>
              <IconSearch size={20} />
            </ActionIcon>
            <Bell />
            <Suspense fallback={<PersonButton />}>{menu ? <PersonMenu /> : <PersonButton onClick={() => setMenu(true)} />}</Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" component="nav" aria-label={t('app.nav')}>
        <Stack gap="sm" style={{ flex: 1 }}>
          {me.writes && (
            <Button component={Link} to="/objectives/new" leftSection={<IconPlus size={18} />} fullWidth>
              {t('nav.new')}
            </Button>
          )}
          <Stack gap={2}>
            <Place to="/" label={t('nav.home')} icon={<IconHome size={20} />} exact />
            <Place to="/objectives" label={t('nav.objectives')} icon={<IconTargetArrow size={20} />} />
            <Place to="/cycles" label={t('nav.progress')} icon={<IconChartLine size={20} />} />
            <Place to="/meetings" also="/occurrences" label={t('nav.meetings')} icon={<IconCalendarEvent size={20} />} />
            <Place to="/broadcasts" label={t('nav.broadcasts')} icon={<IconSpeakerphone size={20} />} />
            <Place to="/inbox" label={t('nav.inbox')} icon={<IconBell size={20} />} />
            <Place to="/organization" also="/teams" label={t('nav.organization')} icon={<IconBuilding size={20} />} />
          </Stack>
        </Stack>
        <Text size="xs" c="dimmed" hiddenFrom="xs" px="sm">
          {me.organization.name}
        </Text>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Mistakes key={pathname}>
          <Suspense fallback={<Box h={240} />}>
            <Outlet />
          </Suspense>
        </Mistakes>
      </AppShell.Main>
      <Connection />
      <Suspense fallback={null}>{palette && <Palette close={() => setPalette(false)} />}</Suspense>
    </AppShell>
  )
}

function Place({ to, also, label, icon, exact }: { to: string; also?: string; label: string; icon: React.ReactNode; exact?: boolean }) {
  const { pathname } = useLocation()
  const here = exact ? pathname === to : pathname === to || pathname.startsWith(`${to}/`) || (also !== undefined && pathname.startsWith(`${also}/`))
  return <NavLink component={Link} to={to} label={label} leftSection={icon} active={here} aria-current={here ? 'page' : undefined} style={{ borderRadius: 'var(--mantine-radius-md)' }} fw={here ? 600 : undefined} />
}

function Bell() {
  const { t } = useTranslation()
  const { data } = useQuery(summaryQuery)
  const count = data?.unread.count ?? 0
  const shown = count === 0 ? '' : data?.unread.more ? `${count}+` : String(count)
  return (
      <ActionIcon component={Link} to="/inbox" variant="subtle" color="gray" size="lg" title={t('nav.inbox')} pos="relative" style={{ overflow: 'visible' }} aria-label={shown ? `${t('nav.inbox')}: ${t('inbox.unread')} ${shown}` : t('nav.inbox')}>
        <IconBell size={20} />
        {shown && (
          <Badge size="xs" circle={shown.length < 2} variant="filled" color="poor.7" pos="absolute" top={-2} right={-4} aria-hidden style={{ pointerEvents: 'none' }}>
            {shown}
          </Badge>
        )}
      </ActionIcon>
  )
}

/** Says, at the foot of the page and without taking the focus, that something waits. */
function Connection() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  const waiting = useSyncExternalStore(quiet.subscribe, quiet.current)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!waiting) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [waiting])
  const left = waiting ? Math.max(0, Math.ceil((waiting.until - now) / 1000)) : 0
  const text = !online ? t('quiet.offline') : !waiting ? '' : waiting.reason === 'unreachable' ? t('quiet.unreachable') : left > 0 ? t('quiet.busy', { count: left }) : t('quiet.now')
  return (
    <Box role="status" style={{ position: 'fixed', insetInline: 12, bottom: 12, zIndex: 400, display: 'flex', justifyContent: 'center', pointerEvents: 'none' }}>
      {text && (
        <Group gap="sm" px="md" py="xs" wrap="nowrap" bg="var(--mantine-color-ai-9)" c="white" style={{ borderRadius: 999, boxShadow: 'var(--mantine-shadow-lg)' }}>
          {online && <Loader size="xs" color="white" />}
          <Text size="sm">{text}</Text>
        </Group>
      )}
    </Box>
  )
}
