import { Badge, Card, Grid, Group, Stack, Tabs, Text } from '@mantine/core'
import { IconBinaryTree, IconChartLine } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useNavigate, useParams, useSearchParams } from 'react-router'
import { cyclesQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { cycleProgressQuery, dashboardQuery } from '../standing/queries'
import { dayOf, Standing } from '../standing/Standing'
import { AsOfButton } from '../parts/AsOfButton'
import { HealthBadge, ProgressBar, StateBadge } from '../parts/Badges'
import { Choice } from '../parts/Choice'
import { lazily } from '../parts/lazily'
import { ListOrTree } from '../parts/ListOrTree'
import { NoCycles } from '../parts/NoCycles'
import { Page } from '../parts/Page'
import { Empty, Loading, Read, SectionTitle } from '../parts/States'
import { tongue } from '../parts/tongue'
import { useAsOf } from '../parts/useAsOf'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { endOfDay, recordedBy } from '../time/zone'

const AsOfBanner = lazily(() => import('../parts/AsOf'))
const BurnUp = lazily(() => import('../chart/BurnUp'))
const TeamHealth = lazily(() => import('../chart/TeamHealth'))
const Tree = lazily(() => import('../tree/Tree'), 'tree')

export default function Cycle() {
  const { id } = useParams()
  const { t } = useTranslation()
  const cycles = useQuery({ ...cyclesQuery, enabled: id === undefined })
  const query = useQuery({ ...cycleProgressQuery(id ?? ''), enabled: id !== undefined })
  if (id === undefined) {
    const now = cycles.data?.find((c) => c.state === 'active') ?? cycles.data?.[0]
    if (now) return <Navigate to={`/cycles/${now.id}`} replace />
    return (
      <Page title={t('nav.progress')}>
        <Read query={cycles}>
          {() => <NoCycles />}
        </Read>
      </Page>
    )
  }
  return <Read query={query} page loading={<Loading rows={4} height={120} />}>{(p) => <Loaded key={id} progress={p} />}</Read>
}

function Loaded({ progress: p }: { progress: Schemas['CycleProgress'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  const [asOf] = useAsOf()
  const cycles = useQuery(cyclesQuery)
  const { cycle, days_left, days } = p.cycle
  const tab = params.get('tab') === 'tree' ? 'tree' : 'standing'
  const past = asOf ? dayOf(p, asOf) : undefined
  const others = cycles.data ?? [cycle]
  const listed = (filter: string) => `/objectives?cycle=${cycle.id}&${filter}`
  const dates = <Text size="sm" c="dimmed" component="span">{f.day(cycle.starts_on)} – {f.day(cycle.ends_on)}</Text>
  const left = days_left === 0 ? t('standing.over') : days_left === days ? t('standing.daysInAll', { count: days }) : t('home.cycleLeft', { count: days_left })
  return (
    <Page
      title={cycle.name}
      above={
        <Group gap="xs">
          <Badge color={cycle.state === 'active' ? 'good' : 'gray'}>{t(`cycleState.${cycle.state}`)}</Badge>
          {dates}
          {!asOf && <Text size="sm" fw={600}>{left}</Text>}
        </Group>
      }
      actions={
        <>
          {(cycles.isPending || others.length > 1) && <Choice w={200} aria-label={t('objectives.cycle')} allowDeselect={false} searchable={others.length > 8} value={cycle.id} data={others.map((c) => ({ value: c.id, label: c.name }))} onChange={(v) => v && void navigate(`/cycles/${v}${tab === 'tree' ? '?tab=tree' : ''}`)} />}
          {tab === 'standing' && <AsOfButton from={cycle.starts_on} />}
        </>
      }
    >
      <Tabs value={tab} onChange={(v) => setParams(v === 'tree' ? { tab: 'tree' } : {}, { preventScrollReset: true })} keepMounted={false}>
        <Group justify="space-between" align="flex-end" mb="md" gap="sm">
          <Tabs.List aria-label={t('standing.tabs')} style={{ flex: '1 1 auto' }}>
            <Tabs.Tab value="standing" leftSection={<IconChartLine size={18} />}>{t('standing.tabStanding')}</Tabs.Tab>
            <Tabs.Tab value="tree" leftSection={<IconBinaryTree size={18} />}>{t('nav.tree')}</Tabs.Tab>
          </Tabs.List>
          {tab === 'tree' && <ListOrTree cycle={cycle.id} here="tree" />}
        </Group>
        <Tabs.Panel value="standing">
          <Stack gap="lg">
            {asOf && <Suspense fallback={<Loading rows={1} height={72} />}><AsOfBanner more={past ? t('asOf.figuresOf', { day: f.day(past.day) }) : undefined} /></Suspense>}
            <Card component="section" aria-labelledby="standing">
              <SectionTitle id="standing" right={<Text component={Link} to={`/objectives?cycle=${cycle.id}`} size="sm" c="var(--mantine-color-anchor)">{t('standing.toList')}</Text>}>{t('standing.title')}</SectionTitle>
              <Standing figures={asOf ? past?.figures : p.now} expected={asOf ? (past?.expected ?? '0') : p.cycle.elapsed} listed={asOf ? undefined : listed} />
            </Card>
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, md: 7 }}>
                <Card component="section" aria-labelledby="burn-up" h="100%">
                  <SectionTitle id="burn-up">{t('burnUp.title')}</SectionTitle>
                  <Suspense fallback={<Loading rows={1} height={300} />}><BurnUp progress={p} name={t('burnUp.title')} until={asOf} /></Suspense>
                </Card>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 5 }}>
                <Mine cycle={cycle.id} day={asOf} />
              </Grid.Col>
            </Grid>
            <Card component="section" aria-labelledby="teams">
              <SectionTitle id="teams">{t('standing.teams')}</SectionTitle>
              <Suspense fallback={<Loading rows={12} height={28} />}><TeamHealth cycle={cycle.id} name={t('standing.teams')} asOf={asOf && recordedBy(me.organization.time_zone, asOf).toISOString()} /></Suspense>
            </Card>
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="tree"><Suspense fallback={<Loading rows={8} height={44} />}><Tree cycle={cycle.id} /></Suspense></Tabs.Panel>
      </Tabs>
    </Page>
  )
}

/** One's own objectives in the cycle, now or at the end of a day. */
function Mine({ cycle, day }: { cycle: string; day?: string }) {
  const { t } = useTranslation()
  const me = useMe()
  const query = useQuery(dashboardQuery(cycle, day && endOfDay(me.organization.time_zone, day).toISOString()))
  return (
    <Card component="section" aria-labelledby="mine" h="100%">
      <SectionTitle id="mine">{t('home.mine')}</SectionTitle>
      <Read query={query} loading={<Loading rows={2} />}>
        {(d) =>
          d.objectives.length === 0 ? (
            <Empty title={t(day ? 'standing.noneThen' : 'home.mineNone')} />
          ) : (
            <div className="rows flush">
              {d.objectives.map((o) => (
                <Link key={o.id} className="row" to={`/objectives/${o.id}${day ? `?as_of=${day}` : ''}`}>
                  <Stack gap={6}>
                    <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
                      <Text size="sm" fw={600} lang={tongue(o.title)} className="phrase" lineClamp={3} style={{ minWidth: 0 }}>{o.title}</Text>
                      <span style={{ flexShrink: 0 }}>{o.state === 'approved' || o.state === 'closed' ? <HealthBadge health={o.health} /> : <StateBadge state={o.state} />}</span>
                    </Group>
                    {(o.state === 'approved' || o.state === 'closed') && <ProgressBar size="sm" progress={o.progress} health={o.health} label={t('objectives.progress')} />}
                  </Stack>
                </Link>
              ))}
              {d.more_objectives && <Text component={Link} className="row" size="sm" to={`/objectives?cycle=${cycle}&owner=${me.user.id}`} c="var(--mantine-color-anchor)">{t('standing.allMine')}</Text>}
            </div>
          )
        }
      </Read>
    </Card>
  )
}
