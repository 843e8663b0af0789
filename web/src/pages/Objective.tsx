import { Alert, Anchor, Box, Button, Card, Group, SimpleGrid, Stack, Tabs, Text } from '@mantine/core'
import { IconEdit, IconHistory, IconListDetails, IconMessageCircle, IconSparkles, IconTargetArrow } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { nameQuery } from '../api/names'
import { cyclesQuery, objectiveQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { KeyResultCard } from '../objective/KeyResult'
import { MoveHint, Moves } from '../objective/Moves'
import { AsOfButton } from '../parts/AsOfButton'
import { Fact, HealthBadge, OutdatedBadge, PersonName, ProgressBar, StateBadge } from '../parts/Badges'
import { Page } from '../parts/Page'
import { Said } from '../parts/Said'
import { Empty, Loading, Read } from '../parts/States'
import { tongue } from '../parts/tongue'
import { useAsOf } from '../parts/useAsOf'
import { useMe } from '../session/me'
import { daysBetween, today, useFormats } from '../time/format'
import { lazily } from '../parts/lazily'

const Comments = lazily(() => import('../objective/Comments'), 'talk')
const Dialogues = lazily(() => import('../objective/Dialogues'), 'budget')
const History = lazily(() => import('../objective/History'), 'versions')
const WhyHealth = lazily(() => import('../objective/WhyHealth'), 'pace')
const Origin = lazily(() => import('../objective/Origin'), 'pace')

const Confidence = lazily(() => import('../chart/Confidence'), 'tree')
const Place = lazily(() => import('../objective/Place'), 'tree')
const Past = lazily(() => import('../objective/Past'), 'progress')

const tabs = ['key-results', 'coach', 'comments', 'history'] as const

export default function Objective() {
  const { id = '' } = useParams()
  const [asOf] = useAsOf()
  const query = useQuery(objectiveQuery(id))
  return (
    <Read query={query} page loading={<Loading rows={5} height={90} />}>
      {(o) => (asOf ? <Suspense fallback={<Loading rows={3} height={90} />}><Past key={id} objective={o} day={asOf} /></Suspense> : <Loaded key={id} objective={o} />)}
    </Read>
  )
}

/** What an objective contributes to. A key result that has been taken out since is named further down, where the path is read. */
function Parent({ objective: o, parent }: { objective: Schemas['Objective']; parent: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const through = parent.key_results.find((k) => k.id === o.parent_key_result_id)
  return (
    <>
      <Anchor component={Link} to={`/objectives/${parent.id}`} size="sm" lang={tongue(parent.title)}>{parent.title}</Anchor>
      {through && <Text size="xs" c="dimmed">{t('objective.through', { title: through.title })}</Text>}
    </>
  )
}

function Loaded({ objective: o }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const [params, setParams] = useSearchParams()
  const tab = tabs.find((x) => x === params.get('tab')) ?? 'key-results'
  const cycles = useQuery(cyclesQuery)
  const team = useQuery({ ...nameQuery('team', o.team_id ?? ''), enabled: o.team_id !== undefined })
  const parent = useQuery({ ...objectiveQuery(o.parent_objective_id ?? ''), enabled: o.parent_objective_id !== undefined })
  const cycle = cycles.data?.find((c) => c.id === o.cycle_id)
  const follows = (o.state === 'approved' || o.state === 'closed') && !o.archived
  const all = cycle ? daysBetween(cycle.starts_on, cycle.ends_on) + 1 : 1
  const gone = cycle ? Math.max(0, Math.min(all, daysBetween(cycle.starts_on, today(me.organization.time_zone)))) : 0
  const [why, { toggle: toggleWhy }] = useDisclosure()
  const mayCheckIn = me.writes && o.state === 'approved' && !o.archived && (o.may_edit || o.owner.id === me.user.id || o.key_results.some((k) => k.owner?.id === me.user.id))
  return (
    <Page
      title={o.title}
      back={{ to: `/objectives?cycle=${o.cycle_id}`, label: cycle?.name ?? t('objectives.title') }}
      above={
        <Group gap="xs">
          <StateBadge state={o.state} archived={o.archived} />
          {follows && <HealthBadge health={o.health} />}
          {o.outdated && o.state === 'approved' && <OutdatedBadge />}
        </Group>
      }
      actions={
        <>
          {o.may_edit && <Button component={Link} to={`/objectives/${o.id}/edit`} variant="default" leftSection={<IconEdit size={18} />}>{t('objective.edit')}</Button>}
          <Moves objective={o} />
          <AsOfButton />
        </>
      }
    >
      <Stack gap="lg">
        <MoveHint objective={o} />
        <Card>
          <Stack gap="md">
            {follows && (
              <div>
                <ProgressBar progress={o.progress} health={o.health} label={t('objective.progress')} size="lg" />
                <Group gap="md" fz="sm" c="dimmed" mt={6}>
                  {cycle?.state === 'active' && o.state === 'approved' && <span>{t('objective.expected', { n: Math.round((gone / all) * 100) })}</span>}
                  {o.progress.children !== undefined && <span>{t('objective.meanOf', { count: o.progress.children })}</span>}
                  {o.progress.overshoot !== '0' && !/^0?\.?0*$/.test(o.progress.overshoot) && <span>{t('objective.overshoot', { value: f.amount(o.progress.overshoot) })}</span>}
                  {o.score !== undefined && <Text span inherit fw={650} c="var(--mantine-color-text)">{t('objective.score')}: {o.score}</Text>}
                </Group>
                {o.state === 'approved' && (
                  <>
                    <Button size="compact-sm" variant="subtle" mt={6} ml={-8} aria-expanded={why} onClick={toggleWhy}>{t('health.why', { health: t(`health.${o.health}`) })}</Button>
                    {why && <Suspense fallback={<Loading rows={1} height={110} />}><WhyHealth objective={o} /></Suspense>}
                  </>
                )}
                {o.any_off_track && o.health !== 'off_track' && <Alert color="poor" mt="sm" py="xs">{t('health.anyOff')}</Alert>}
              </div>
            )}
            <SimpleGrid cols={{ base: 2, sm: 3, md: 5 }} spacing="md">
              <Fact label={t('objective.owner')}><PersonName person={o.owner} /></Fact>
              <Fact label={t('objective.team')}>{o.team_id ? <Anchor component={Link} to={`/teams/${o.team_id}`} size="sm">{team.data ?? '…'}</Anchor> : t('form.noTeam')}</Fact>
              <Fact label={t('form.kind')}>{t(`kind.${o.kind}`)}</Fact>
              <Fact label={t('visibility.label')}>{t(`visibility.${o.visibility}`)}</Fact>
              {o.parent_objective_id && <Fact wide label={t('objective.parent')}>{parent.data ? <Parent objective={o} parent={parent.data} /> : '…'}</Fact>}
            </SimpleGrid>
            {(o.parent_hidden || o.carried_from_id || o.alignment_flagged) && <Suspense fallback={<Box h={o.alignment_flagged ? 80 : 22} />}><Origin objective={o} /></Suspense>}
            {o.description && (
              <div>
                <Text size="xs" c="dimmed" mb={2}>{t('objective.description')}</Text>
                <Said>{o.description}</Said>
              </div>
            )}
            <Text size="xs" c="dimmed">
              {t('objective.revision', { n: o.revision })} · {t('objective.changed', { when: f.ago(o.changed_at), name: o.changed_by.name })}
            </Text>
          </Stack>
        </Card>
        <Tabs value={tab} onChange={(v) => setParams(v === 'key-results' || !v ? {} : { tab: v }, { replace: true, preventScrollReset: true })} keepMounted={false}>
          <Tabs.List aria-label={t('objective.tabs')} mb="md">
            <Tabs.Tab value="key-results" leftSection={<IconListDetails size={18} />}>{t('objective.tabOverview')} ({o.key_results.length})</Tabs.Tab>
            <Tabs.Tab value="coach" leftSection={<IconSparkles size={18} />}>{t('objective.tabDialogue')}</Tabs.Tab>
            <Tabs.Tab value="comments" leftSection={<IconMessageCircle size={18} />}>{t('objective.tabComments')}</Tabs.Tab>
            <Tabs.Tab value="history" leftSection={<IconHistory size={18} />}>{t('objective.tabHistory')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="key-results">
            {o.key_results.length === 0 ? (
              <Card>
                <Empty
                  icon={<IconTargetArrow size={24} />}
                  title={t('objective.noKrs')}
                  why={t('objective.noKrsWhy')}
                  action={
                    o.may_edit && (
                      <Group mt="xs">
                        <Button component={Link} to={`/objectives/${o.id}/edit`}>{t('form.addKr')}</Button>
                        <Button variant="default" leftSection={<IconSparkles size={18} />} onClick={() => setParams({ tab: 'coach' })}>{t('dialogue.askDraft')}</Button>
                      </Group>
                    )
                  }
                />
              </Card>
            ) : (
              <Stack gap="md">
                {o.key_results.map((k) => (
                  <KeyResultCard key={k.id} keyResult={k} objective={o} cycle={cycle} mayCheckIn={mayCheckIn} />
                ))}
              </Stack>
            )}
            <Suspense fallback={<Loading rows={2} height={160} />}>
              <Stack gap="md" mt="md">
                {o.key_results.some((k) => !k.pending) && <Confidence objective={o} />}
                <Place objective={o} />
              </Stack>
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="coach"><Suspense fallback={<Loading />}><Dialogues objective={o} /></Suspense></Tabs.Panel>
          <Tabs.Panel value="comments"><Suspense fallback={<Loading />}><Comments objective={o.id} /></Suspense></Tabs.Panel>
          <Tabs.Panel value="history"><Suspense fallback={<Loading />}><History objective={o} /></Suspense></Tabs.Panel>
        </Tabs>
      </Stack>
    </Page>
  )
}
