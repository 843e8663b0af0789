import { Badge, Button, Card, Chip, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconPlus, IconTargetArrow } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { cyclesQuery, objectivesQuery, teamsQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { PersonSelect, TeamSelect } from '../forms/choices'
import { ObjectiveCard } from '../parts/ObjectiveRow'
import { Page } from '../parts/Page'
import { Empty, Loading, Paged, Read } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

export default function Objectives() {
  const { t } = useTranslation()
  const me = useMe()
  const cycles = useQuery(cyclesQuery)
  return (
    <Page title={t('objectives.title')} actions={me.writes && <Button component={Link} to="/objectives/new" leftSection={<IconPlus size={18} />}>{t('nav.new')}</Button>}>
      <Read query={cycles}>
        {(all) => (all.length === 0 ? <Card><Empty icon={<IconTargetArrow size={24} />} title={t('objectives.noCycles')} why={t('objectives.noCyclesWhy')} action={me.administers ? <Button component={Link} to="/organization/cycles">{t('org.newCycle')}</Button> : undefined} /></Card> : <List cycles={all} />)}
      </Read>
    </Page>
  )
}

const states = ['draft', 'submitted', 'approved', 'closed'] as const

/** The filters live in the address, so that back, reload and a link keep them. */
function List({ cycles }: { cycles: Schemas['Cycle'][] }) {
  const { t } = useTranslation()
  const me = useMe()
  const f = useFormats()
  const [params, setParams] = useSearchParams()
  const cycle = cycles.find((c) => c.id === params.get('cycle')) ?? cycles.find((c) => c.state === 'active') ?? cycles[0]!
  const state = states.find((s) => s === params.get('state'))
  const team = params.get('team')
  const owner = params.get('owner')
  const archived = params.get('archived') === 'true'
  const put = (name: string, value: string | null) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  const teams = useQuery(teamsQuery)
  const query = useInfiniteQuery(objectivesQuery({ cycle_id: cycle.id, team_id: team ?? undefined, owner_id: owner ?? undefined, state, archived: archived || undefined }))
  const filtered = team !== null || owner !== null || state !== undefined || archived
  return (
    <Stack gap="md">
      <Card padding="md" component="section" aria-label={t('objectives.filters')}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
            <Select label={t('objectives.cycle')} allowDeselect={false} searchable={cycles.length > 8} value={cycle.id} onChange={(v) => put('cycle', v)} data={cycles.map((c) => ({ value: c.id, label: c.name }))} />
            <TeamSelect label={t('objectives.team')} clearable placeholder={t('objectives.anyTeam')} value={team} onChange={(v) => put('team', v)} />
            <PersonSelect label={t('objectives.owner')} clearable placeholder={t('objectives.anyOwner')} value={owner} known={owner === me.user.id ? me.user : undefined} onChange={(v) => put('owner', v)} />
            <Select label={t('objectives.state')} clearable placeholder={t('objectives.anyState')} value={state ?? null} onChange={(v) => put('state', v)} data={states.map((s) => ({ value: s, label: t(`objectiveState.${s}`) }))} />
          </SimpleGrid>
          <Group justify="space-between">
            <Group gap="xs">
              <Chip size="xs" checked={owner === me.user.id} onChange={(on) => put('owner', on ? me.user.id : null)}>{t('objectives.mine')}</Chip>
              <Chip size="xs" checked={archived} onChange={(on) => put('archived', on ? 'true' : null)}>{t('objectives.archived')}</Chip>
              {filtered && <Button size="compact-xs" variant="subtle" onClick={() => setParams(params.get('cycle') ? { cycle: cycle.id } : {}, { replace: true })}>{t('objectives.reset')}</Button>}
            </Group>
            <Group gap="xs">
              <Badge color={cycle.state === 'active' ? 'good' : 'gray'}>{t(`cycleState.${cycle.state}`)}</Badge>
              <Text size="sm" c="dimmed">{f.day(cycle.starts_on)} – {f.day(cycle.ends_on)}</Text>
            </Group>
          </Group>
        </Stack>
      </Card>
      <section aria-label={t('objectives.list')}>
        <Paged query={query} loading={<Loading rows={6} height={96} />} empty={<Card><Empty icon={<IconTargetArrow size={24} />} title={t('objectives.none')} why={t('objectives.noneWhy')} action={me.writes && !filtered ? <Button component={Link} to={`/objectives/new?cycle=${cycle.id}`}>{t('nav.new')}</Button> : undefined} /></Card>}>
          {(items) => (
            <Stack gap="sm">
              {items.map((o) => (
                <ObjectiveCard key={o.id} objective={o} team={teams.data?.find((x) => x.id === o.team_id)?.name} />
              ))}
            </Stack>
          )}
        </Paged>
      </section>
    </Stack>
  )
}
