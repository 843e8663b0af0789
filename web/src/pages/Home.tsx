import { Anchor, Box, Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { feedQuery, owedQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { Mine } from '../home/Mine'
import { Missing } from '../home/Missing'
import { News } from '../home/News'
import { Owed } from '../home/Owed'
import { dashboardQuery, newsAtOnce } from '../home/queries'
import { remember, remembered } from '../home/remembered'
import { CycleCard, TeamsCard } from '../home/Standing'
import { AsOfButton } from '../parts/AsOfButton'
import { lazily } from '../parts/lazily'
import { Page } from '../parts/Page'
import { Empty, Loading, Read } from '../parts/States'
import { useAsOf } from '../parts/useAsOf'
import { useMe } from '../session/me'
import { Apart } from '../shell/Mistakes'
import { useFormats } from '../time/format'

const FirstRun = lazily(() => import('../home/FirstRun'), 'firstRun')
const Past = lazily(() => import('../home/Past'), 'progress')

export default function Home() {
  const [asOf] = useAsOf()
  return asOf ? <Suspense fallback={<Loading rows={3} height={120} />}><Past day={asOf} /></Suspense> : <Now />
}

function Now() {
  const { t } = useTranslation()
  const me = useMe()
  const query = useQuery(dashboardQuery)
  const owed = useQuery(owedQuery)
  usePrefetchInfiniteQuery(feedQuery(newsAtOnce))
  const d = query.data
  const now = d?.cycle
  // Nothing has ever happened here: whoever may set it up is shown the way.
  const memory = `kakeai:first-run:${me.draftKey('')}`
  const [dismissed, setDismissed] = useState(() => remembered(memory))
  const fresh = !dismissed && me.administers && d !== undefined && d.recent.length === 0 && d.objectives.length === 0
  const waiting = <Loading rows={3} height={120} />
  const home = (
    <div className="home">
      <Stack gap="xl">
        <Apart><Owed /></Apart>
        {/* Nothing stands beneath what may still grow. */}
        {!owed.isPending && <Apart>
          <Read query={query} loading={<Loading rows={3} height={120} />}>
            {(all) => (all.cycle ? <Mine dashboard={all} cycle={all.cycle.cycle} /> : <NoCycle hidden={fresh} />)}
          </Read>
        </Apart>}
        {!owed.isPending && d?.missing && now && <Apart><Missing missing={d.missing} cycle={now.cycle} /></Apart>}
      </Stack>
      <Stack gap="xl">
        {query.isPending && <Loading rows={2} height={96} />}
        {d && now && <Apart><CycleCard dashboard={d} now={now} /></Apart>}
        {d && <Apart><TeamsCard dashboard={d} /></Apart>}
        {!query.isPending && <Apart><News /></Apart>}
      </Stack>
    </div>
  )
  return (
    <Page title={t('home.hello', { name: me.user.name })} lead={now ? <CycleLine now={now} /> : query.isPending && <Box h={26} />} actions={!fresh && <AsOfButton />}>
      {/* Whoever may be shown the way waits until it is known whether they are: it stands above all else. */}
      {me.administers && !dismissed && query.isPending ? (
        waiting
      ) : fresh ? (
        <Suspense fallback={waiting}>
          <FirstRun dashboard={d} memory={memory} dismiss={() => { remember(memory); setDismissed(true) }}>{home}</FirstRun>
        </Suspense>
      ) : (
        home
      )}
    </Page>
  )
}

function NoCycle({ hidden }: { hidden: boolean }) {
  const { t } = useTranslation()
  const me = useMe()
  if (hidden) return null
  return (
    <Card>
      <Empty title={t('home.noCycle')} why={t('home.noCycleWhy')} action={me.administers ? <Button component={Link} to="/organization/cycles">{t('org.newCycle')}</Button> : undefined} />
    </Card>
  )
}

/** Where the cycle is in time, and the way to its page. */
function CycleLine({ now }: { now: Schemas['CycleNow'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const day = now.days - now.days_left + (now.days_left > 0 ? 1 : 0)
  return (
    <Group gap="sm" mt={4}>
      <Anchor component={Link} to={`/cycles/${now.cycle.id}`} fw={600} size="sm">{now.cycle.name}</Anchor>
      <Text span size="sm">{f.shortDay(now.cycle.starts_on)} – {f.shortDay(now.cycle.ends_on)}</Text>
      <Progress.Root w={120} size="sm" style={{ background: 'var(--kakeai-line)' }}>
        <Progress.Section value={Number(now.elapsed) * 100} aria-label={t('home.cycleDay', { day: Math.max(0, day), count: now.days })} />
      </Progress.Root>
      <Text span size="sm">{t('home.cycleLeft', { count: now.days_left })}</Text>
    </Group>
  )
}
