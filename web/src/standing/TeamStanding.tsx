import { Anchor, Box, Card, Grid, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Schemas } from '../api/problem'
import { HealthBadge, PersonName, StateBadge } from '../parts/Badges'
import { Choice } from '../parts/Choice'
import { lazily } from '../parts/lazily'
import { Empty, Loading, Read, SectionTitle } from '../parts/States'
import { useOnce } from '../parts/useOnce'
import { useFormats } from '../time/format'
import { cycleProgressQuery, teamOverviewQuery } from './queries'
import { Standing } from './Standing'

const BurnUp = lazily(() => import('../chart/BurnUp'))

interface Props {
  team: Schemas['Team']
  cycle?: string // the server chooses where none is named
  choose: (cycle: string) => void
  children: ReactNode // what stands beneath
}

/** Where a team stands in a cycle: its figures, how it came along, what each member is at, and who is missing. */
export default function TeamStanding({ team, cycle, choose, children }: Props) {
  const { t } = useTranslation()
  const query = useQuery(teamOverviewQuery(team.id, cycle))
  const read = useOnce(!query.isPending)
  return (
    <>
      <Read query={query} loading={<Loading rows={2} height={180} />}>
        {(v) =>
          v.cycle === undefined ? null : (
            <Stack gap="lg">
              <Card component="section" aria-labelledby="team-standing">
                <SectionTitle id="team-standing" right={<Choice size="xs" w={200} aria-label={t('objectives.cycle')} allowDeselect={false} value={v.cycle.cycle.id} data={chooseFrom(v).map((c) => ({ value: c.id, label: c.name }))} onChange={(x) => x && choose(x)} />}>{t('standing.title')}</SectionTitle>
                <Standing figures={v.figures} expected={v.cycle.elapsed} listed={(filter) => `/objectives?cycle=${v.cycle!.cycle.id}&team=${team.id}&${filter}`} />
              </Card>
              <Card component="section" aria-labelledby="team-burn-up">
                <SectionTitle id="team-burn-up">{t('burnUp.title')}</SectionTitle>
                <DayByDay cycle={v.cycle.cycle.id} team={team} />
              </Card>
              <Grid gap="lg">
                <Grid.Col span={{ base: 12, md: v.missing ? 7 : 12 }}>
                  <ByMember overview={v} />
                </Grid.Col>
                {v.missing && (
                  <Grid.Col span={{ base: 12, md: 5 }}>
                    <Missing missing={v.missing} />
                  </Grid.Col>
                )}
              </Grid>
            </Stack>
          )
        }
      </Read>
      {read && children}
    </>
  )
}

function chooseFrom(v: Schemas['TeamOverview']): Schemas['Cycle'][] {
  const now = v.cycle!.cycle
  const all = v.cycles ?? []
  return (all.some((c) => c.id === now.id) ? all : [now, ...all]).toSorted((a, b) => b.starts_on.localeCompare(a.starts_on))
}

function DayByDay({ cycle, team }: { cycle: string; team: Schemas['Team'] }) {
  const { t } = useTranslation()
  const query = useQuery(cycleProgressQuery(cycle, team.id))
  return <Read query={query} loading={<Loading rows={1} height={300} />}>{(p) => <Suspense fallback={<Loading rows={1} height={300} />}><BurnUp progress={p} name={t('standing.burnUpOf', { name: team.name })} /></Suspense>}</Read>
}

/** The team's objectives by who owns them, members without one too. */
function ByMember({ overview: v }: { overview: Schemas['TeamOverview'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const of = new Map<string, { person: Schemas['Person']; objectives: Schemas['ObjectiveSummary'][] }>()
  for (const m of v.members) of.set(m.member.id, { person: m.member, objectives: [] })
  for (const o of v.objectives) {
    if (!of.has(o.owner.id)) of.set(o.owner.id, { person: o.owner, objectives: [] })
    of.get(o.owner.id)!.objectives.push(o)
  }
  const shown = [...of.values()].sort((a, b) => b.objectives.length - a.objectives.length).filter((m, i) => m.objectives.length > 0 || i < 12)
  return (
    <Card component="section" aria-labelledby="by-member" h="100%">
      <SectionTitle id="by-member">{t('standing.byMember')}</SectionTitle>
      {shown.length === 0 && <Empty title={t('org.noMembers')} />}
      <div className="rows flush">
        {shown.map(({ person, objectives }) => (
          <Box key={person.id} className="row">
            <Group justify="space-between" gap="xs" mb={objectives.length > 0 ? 6 : 0}>
              <PersonName person={person} bold />
              <Text size="xs" c="dimmed">{objectives.length === 0 ? t('standing.noObjectives') : t('standing.ofMember', { count: objectives.length })}</Text>
            </Group>
            <Stack component="ul" gap={6} m={0} p={0} pl={32} style={{ listStyle: 'none' }}>
              {objectives.map((o) => (
                <Group key={o.id} component="li" justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
                  <Anchor component={Link} to={`/objectives/${o.id}`} size="sm" style={{ minWidth: 0 }}>{o.title}</Anchor>
                  <Group gap={6} wrap="nowrap" style={{ flexShrink: 0 }}>
                    {o.state === 'approved' || o.state === 'closed' ? (
                      <>
                        <Text size="sm" className="tabular">{f.percent(o.progress.percent)}</Text>
                        <HealthBadge health={o.health} />
                      </>
                    ) : (
                      <StateBadge state={o.state} archived={o.archived} />
                    )}
                  </Group>
                </Group>
              ))}
            </Stack>
          </Box>
        ))}
      </div>
      {(v.more_objectives || v.more_members) && <Text component={Link} to={`/objectives?cycle=${v.cycle!.cycle.id}&team=${v.team.id}`} size="sm" c="var(--mantine-color-anchor)">{t('standing.toList')}</Text>}
    </Card>
  )
}

function Missing({ missing: m }: { missing: Schemas['Missing'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  return (
    <Card component="section" aria-labelledby="missing" h="100%">
      <SectionTitle id="missing">{t('standing.missing')}</SectionTitle>
      {m.members.length === 0 && m.check_ins.length === 0 && <Text size="sm" c="dimmed" className="phrase">{t('standing.nobodyMissing')}</Text>}
      <Stack gap="md">
        {m.members.length > 0 && (
          <Part title={t('standing.noObjectiveYet')} more={m.more_members}>
            {m.members.map((p) => <li key={p.id}><PersonName person={p} /></li>)}
          </Part>
        )}
        {m.check_ins.length > 0 && (
          <Part title={t('standing.silent')} more={m.more_check_ins}>
            {m.check_ins.map((o) => (
              <li key={o.id}>
                <Anchor component={Link} to={`/objectives/${o.id}`} size="sm">{o.title}</Anchor>
                <Text size="xs" c="dimmed">{o.owner.name} · {t('standing.silentSince', { date: f.shortDay(o.outdated_since) })}</Text>
              </li>
            ))}
          </Part>
        )}
      </Stack>
    </Card>
  )
}

function Part({ title, more, children }: { title: string; more: boolean; children: ReactNode }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Title order={3} size="sm" fw={600} mb={6} id={id}>{title}</Title>
      <Stack component="ul" gap={8} m={0} p={0} style={{ listStyle: 'none' }}>{children}</Stack>
      {more && <Text size="xs" c="dimmed" mt={6}>{t('standing.moreMissing')}</Text>}
    </section>
  )
}
