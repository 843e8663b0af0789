import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import '@mantine/spotlight/styles.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { cyclesQuery, objectivesQuery, teamsQuery } from '../api/queries'
import { useMe } from '../session/me'

/** Goes anywhere by a few letters: pages, teams, and the objectives of the present cycle. */
export default function Palette({ close }: { close: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const cycles = useQuery(cyclesQuery)
  const present = cycles.data?.find((c) => c.state === 'active') ?? cycles.data?.[0]
  const objectives = useInfiniteQuery({ ...objectivesQuery({ cycle_id: present?.id }, 200), enabled: present !== undefined })
  const teams = useQuery(teamsQuery)
  const go = (id: string, label: string, to: string): SpotlightActionData => ({
    id,
    label,
    onClick: () => void navigate(to),
  })
  const actions: SpotlightActionGroupData[] = [
    {
      group: t('app.nav'),
      actions: [
        go('home', t('nav.home'), '/'),
        ...(me.writes ? [go('new', t('nav.new'), '/objectives/new')] : []),
        go('objectives', t('nav.objectives'), '/objectives'),
        go('meetings', t('nav.meetings'), '/meetings'),
        go('broadcasts', t('nav.broadcasts'), '/broadcasts'),
        go('inbox', t('nav.inbox'), '/inbox'),
        go('organization', t('nav.organization'), '/organization'),
        go('account', t('nav.account'), '/account'),
      ],
    },
    { group: t('nav.objectives'), actions: (objectives.data?.pages.flatMap((p) => p.items) ?? []).map((o) => ({ ...go(o.id, o.title, `/objectives/${o.id}`), description: o.owner.name })) },
    { group: t('org.teams'), actions: (teams.data ?? []).filter((x) => !x.archived).map((x) => go(x.id, x.name, `/teams/${x.id}`)) },
  ]
  return (
    <Spotlight
      actions={actions.filter((g) => g.actions.length > 0)}
      forceOpened
      onSpotlightClose={close}
      shortcut={null}
      limit={12}
      scrollable
      maxHeight={420}
      highlightQuery
      nothingFound={t('app.paletteNone')}
      searchProps={{ placeholder: t('app.paletteHint'), 'aria-label': t('app.palette') }}
    />
  )
}
