import { Badge, Button, Card, Grid, Group, Progress, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconClipboardCheck, IconCornerUpLeft, IconEdit, IconMessageQuestion, IconPlus, IconProgressCheck, IconTargetArrow, IconZoomCheck } from '@tabler/icons-react'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api, got } from '../api/client'
import { cyclesQuery, feedQuery, objectivesQuery, owedQuery, teamsQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { eventKinds } from '../i18n/known'
import { ObjectiveCard } from '../parts/ObjectiveRow'
import { Page } from '../parts/Page'
import { Empty, Loading, Paged, Read, SectionTitle } from '../parts/States'
import { useMe } from '../session/me'
import { daysBetween, today, useFormats } from '../time/format'

export default function Home() {
  const { t } = useTranslation()
  const me = useMe()
  const cycles = useQuery(cyclesQuery)
  const cycle = cycles.data?.find((c) => c.state === 'active') ?? cycles.data?.find((c) => c.state === 'preparation')
  return (
    <Page title={t('home.hello', { name: me.user.name })} lead={cycle && <CycleLine cycle={cycle} />}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="xl">
            <Owed />
            <Read query={cycles}>{() => (cycle ? <Mine cycle={cycle} /> : <Card><Empty title={t('home.noCycle')} why={t('home.noCycleWhy')} action={me.administers ? <Button component={Link} to="/organization/cycles">{t('org.newCycle')}</Button> : undefined} /></Card>)}</Read>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="xl">
            {cycle && me.team_ids.length > 0 && <TeamsObjectives cycle={cycle} />}
            <News />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function CycleLine({ cycle }: { cycle: Schemas['Cycle'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const f = useFormats()
  const now = today(me.organization.time_zone)
  const all = daysBetween(cycle.starts_on, cycle.ends_on) + 1
  const day = Math.max(0, Math.min(all, daysBetween(cycle.starts_on, now) + 1))
  return (
    <Group gap="sm" mt={4}>
      <Text span fw={600} c="var(--mantine-color-text)" size="sm">{cycle.name}</Text>
      <Text span size="sm">{f.shortDay(cycle.starts_on)} – {f.shortDay(cycle.ends_on)}</Text>
      <Progress.Root w={120} size="sm" style={{ background: 'var(--kakeai-line)' }}>
        <Progress.Section value={(day / all) * 100} aria-label={t('home.cycleDay', { day, count: all })} />
      </Progress.Root>
      <Text span size="sm">{t('home.cycleLeft', { count: all - day })}</Text>
    </Group>
  )
}

const owedIcon = { draft: IconEdit, 'returned-draft': IconCornerUpLeft, review: IconZoomCheck, 'check-in': IconProgressCheck, survey: IconMessageQuestion, 'follow-up': IconClipboardCheck } as const

function Owed() {
  const { t } = useTranslation()
  const query = useQuery(owedQuery)
  return (
    <section aria-labelledby="owed">
      <SectionTitle id="owed" right={query.data && query.data.count > 0 ? <Badge color="poor" size="lg">{query.data.more ? `${query.data.count}+` : query.data.count}</Badge> : undefined}>
        {t('home.owed')}
      </SectionTitle>
      <Card padding="xs">
        <Read query={query} loading={<Loading rows={3} />}>
          {(owed) =>
            owed.items.length === 0 ? (
              <Empty title={t('home.owedNone')} icon={<IconCircleCheck size={24} />} />
            ) : (
              <div className="rows">
                {owed.items.map((o) => (
                  <OwedRow key={o.kind + o.id} owed={o} />
                ))}
              </div>
            )
          }
        </Read>
      </Card>
    </section>
  )
}

function OwedRow({ owed: o }: { owed: Schemas['Owed'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const Icon = owedIcon[o.kind]
  const waits = o.kind === 'review' || o.kind === 'returned-draft' // somebody has waited since that day; the others are to be done by it
  const late = !waits && o.due_on !== undefined && o.due_on < today(me.organization.time_zone)
  return (
    <Link className="row" to={o.path}>
      <Group wrap="nowrap" gap="sm" align="flex-start" px="xs">
        <Icon size={20} aria-hidden style={{ flexShrink: 0, marginTop: 2, color: 'var(--mantine-color-anchor)' }} />
        <Stack gap={2} style={{ flex: 1, minWidth: 0 }}>
          <Text size="sm" fw={600} className="phrase">{o.title}</Text>
          <Text size="xs" c="dimmed">
            {t(`owed.${o.kind}`)}
            {o.objective_title && ` · ${o.objective_title}`}
          </Text>
        </Stack>
        {o.due_on && (
          <Text size="xs" c={late ? 'var(--mantine-color-error)' : 'dimmed'} fw={late ? 600 : undefined} style={{ flexShrink: 0 }}>
            {t(waits ? 'home.since' : late ? 'home.overdue' : 'home.due', { date: f.shortDay(o.due_on) })}
          </Text>
        )}
      </Group>
    </Link>
  )
}

function Mine({ cycle }: { cycle: Schemas['Cycle'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const query = useInfiniteQuery(objectivesQuery({ cycle_id: cycle.id, owner_id: me.user.id }, 10))
  const teams = useQuery(teamsQuery)
  const teamName = (id?: string) => teams.data?.find((x) => x.id === id)?.name
  return (
    <section aria-labelledby="mine">
      <SectionTitle id="mine" right={me.writes && <Button size="xs" variant="light" component={Link} to="/objectives/new" leftSection={<IconPlus size={16} />}>{t('nav.new')}</Button>}>
        {t('home.mine')}
      </SectionTitle>
      <Paged
        query={query}
        empty={
          <Card>
            <Empty title={me.writes ? t('home.firstTitle') : t('home.mineNone')} why={me.writes ? t('home.first') : undefined} icon={<IconTargetArrow size={24} />} action={me.writes ? <Button component={Link} to="/objectives/new" mt="xs">{t('nav.new')}</Button> : undefined} />
          </Card>
        }
      >
        {(items) => (
          <Stack gap="sm">
            {items.map((o) => (
              <ObjectiveCard key={o.id} objective={o} team={teamName(o.team_id)} icon={me.icon_url} />
            ))}
          </Stack>
        )}
      </Paged>
    </section>
  )
}

function TeamsObjectives({ cycle }: { cycle: Schemas['Cycle'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const teams = useQuery(teamsQuery)
  const lists = useQueries({ queries: me.team_ids.slice(0, 5).map((id) => ({ queryKey: ['objectives', 'team', cycle.id, id], queryFn: () => firstOfTeam(cycle.id, id) })) })
  const items = lists.flatMap((l) => l.data ?? []).filter((o) => o.owner.id !== me.user.id)
  if (lists.some((l) => l.isPending)) return <Loading rows={2} height={88} />
  if (items.length === 0) return null
  return (
    <section aria-labelledby="teams-objectives">
      <SectionTitle id="teams-objectives">{t('home.team')}</SectionTitle>
      <Stack gap="sm">
        {items.slice(0, 6).map((o) => (
          <ObjectiveCard key={o.id} objective={o} team={teams.data?.find((x) => x.id === o.team_id)?.name} />
        ))}
      </Stack>
    </section>
  )
}

async function firstOfTeam(cycle: string, team: string) {
  return (await got(api.GET('/objectives', { params: { query: { cycle_id: cycle, team_id: team, limit: 10 } } }))).items
}

function News() {
  const { t } = useTranslation()
  const f = useFormats()
  const query = useInfiniteQuery(feedQuery(12))
  return (
    <section aria-labelledby="news">
      <SectionTitle id="news">{t('home.news')}</SectionTitle>
      <Card padding="xs">
        <Paged query={query} empty={<Empty title={t('home.newsNone')} />}>
          {(items) => (
            <div className="rows">
              {items.map((e) => {
                const action = e.action.replaceAll('.', '_')
                return (
                  <Link key={e.id} className="row" to={`/objectives/${e.objective_id}`}>
                    <Stack gap={2} px="xs">
                      <Text size="sm" className="phrase">{e.title}</Text>
                      <Text size="xs" c="dimmed">
                        {e.actor?.name ?? t('event.coach')} · {eventKinds.has(action) ? t(`event.${action as 'objective_created'}`) : t('event.other', { action: e.action })} · {f.ago(e.happened_at)}
                      </Text>
                    </Stack>
                  </Link>
                )
              })}
            </div>
          )}
        </Paged>
      </Card>
    </section>
  )
}
