import { Spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { IconClock, IconListSearch, IconPlus, IconTargetArrow, IconUser, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { folded, searchQuery } from '../search/queries'
import { useMe } from '../session/me'
import { recentOf } from './recent'

interface Way {
  id: string
  label: string
  to: string
  more?: string
  icon?: ReactNode
}

/** Goes anywhere by a few letters: pages and actions that this page knows, and objectives, people and teams that the server finds. */
export default function Palette({ close }: { close: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const go = (to: string) => {
    close() // which a Spotlight that is opened from outside does not do by itself
    void navigate(to)
  }
  const [typed, setTyped] = useState('')
  const words = typed.trim()
  const [q] = useDebouncedValue(words, 150)
  const found = useQuery(searchQuery(q, 6))
  const current = words === '' ? undefined : found.data
  const like = (label: string) => folded(label).includes(folded(words))
  const actions: Way[] = [
    ...(me.writes ? [{ id: 'new', label: t('nav.new'), to: '/objectives/new', icon: <IconPlus size={18} /> }] : []),
    { id: 'mine', label: t('home.mine'), to: `/objectives?owner=${me.user.id}`, icon: <IconTargetArrow size={18} /> },
    ...(me.administers ? [{ id: 'cycle', label: t('org.newCycle'), to: '/organization/cycles?new=true', icon: <IconPlus size={18} /> }, { id: 'team', label: t('org.newTeam'), to: '/organization/teams', icon: <IconPlus size={18} /> }] : []),
  ]
  const pages: Way[] = [
    { id: 'home', label: t('nav.home'), to: '/' },
    { id: 'objectives', label: t('nav.objectives'), to: '/objectives' },
    { id: 'progress', label: t('nav.progress'), to: '/cycles' },
    { id: 'meetings', label: t('nav.meetings'), to: '/meetings' },
    { id: 'broadcasts', label: t('nav.broadcasts'), to: '/broadcasts' },
    { id: 'inbox', label: t('nav.inbox'), to: '/inbox' },
    { id: 'organization', label: t('nav.organization'), to: '/organization' },
    { id: 'account', label: t('nav.account'), to: '/account' },
  ]
  const groups: [string, Way[]][] = [
    [t('find.recent'), words === '' ? recentOf(me.draftKey('')).map((r) => ({ id: r.path, label: r.title, to: r.path, icon: <IconClock size={18} /> })) : []],
    [t('find.objectives'), (current?.objectives?.items ?? []).map((o) => ({ id: o.id, label: o.title, to: `/objectives/${o.id}`, more: o.key_result ? t('find.byKeyResult', { title: o.key_result.title }) : o.owner.name, icon: <IconTargetArrow size={18} /> }))],
    [t('find.people'), (current?.people?.items ?? []).map((p) => ({ id: p.id, label: p.name, to: `/objectives?owner=${p.id}`, more: p.email, icon: <IconUser size={18} /> }))],
    [t('find.teams'), (current?.teams?.items ?? []).map((x) => ({ id: x.id, label: x.name, to: `/teams/${x.id}`, icon: <IconUsersGroup size={18} /> }))],
    [t('find.actions'), actions.filter((w) => like(w.label))],
    [t('find.pages'), pages.filter((w) => like(w.label))],
  ]
  const waits = words !== '' && (q !== words || found.isFetching)
  const shown = groups.filter(([, ways]) => ways.length > 0)
  return (
    <Spotlight.Root query={typed} onQueryChange={setTyped} forceOpened onSpotlightClose={close} shortcut={null} scrollable maxHeight={460} clearQueryOnClose={false} attributes={{ content: { 'aria-label': t('app.palette') } }}>
      <Spotlight.Search placeholder={t('find.hint')} aria-label={t('app.palette')} leftSection={<IconListSearch size={20} />} maxLength={200} />
      <Spotlight.ActionsList aria-busy={waits} {...{ viewportProps: { tabIndex: 0, 'aria-label': t('app.palette') } }}>
        {shown.map(([label, ways]) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {ways.map((w) => (
              <Spotlight.Action key={w.id} label={w.label} description={w.more} leftSection={w.icon} highlightQuery onClick={() => go(w.to)} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {words !== '' && !waits && <Spotlight.Action label={t('find.all', { q: words })} leftSection={<IconListSearch size={18} />} onClick={() => go(`/search?q=${encodeURIComponent(words)}`)} />}
        {shown.length === 0 && <Spotlight.Empty>{waits ? t('app.loading') : found.isError ? t('find.failed') : t('app.paletteNone')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
