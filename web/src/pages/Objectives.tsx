import { Badge, Button, Card, Chip, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks'
import { IconPlus, IconSearch, IconTargetArrow } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useNames } from '../api/names'
import { cyclesQuery, objectivesQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { PersonSelect, TeamSelect } from '../forms/choices'
import { Choice } from '../parts/Choice'
import { ListOrTree } from '../parts/ListOrTree'
import { NoCycles } from '../parts/NoCycles'
import { ObjectiveCard } from '../parts/ObjectiveRow'
import { ObjectiveTable } from '../parts/ObjectiveTable'
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
        {(all) => (all.length === 0 ? <NoCycles /> : <List cycles={all} />)}
      </Read>
    </Page>
  )
}

const states = ['draft', 'submitted', 'approved', 'closed'] as const
const healths = ['on_track', 'at_risk', 'off_track', 'pending'] as const
const orders = ['created', 'newest', 'title', 'least-progress', 'most-progress'] as const
const ofAll = new Set<string>(['title', 'least-progress', 'most-progress']) // only of all teams and owners
const enough = 20 // rows to begin with
const looksAtMost = 6 // pages that are looked through for them; each has at most 1000 objectives behind it

/** The filters live in the address, so that back, reload and a link keep them. */
function List({ cycles }: { cycles: Schemas['Cycle'][] }) {
  const { t } = useTranslation()
  const me = useMe()
  const f = useFormats()
  const [params, setParams] = useSearchParams()
  const cycle = cycles.find((c) => c.id === params.get('cycle')) ?? cycles.find((c) => c.state === 'active') ?? cycles[0]!
  const state = states.find((s) => s === params.get('state'))
  const health = healths.find((h) => h === params.get('health'))
  const team = params.get('team')
  const owner = params.get('owner')
  const archived = params.get('archived') === 'true'
  const outdated = params.get('outdated') === 'true'
  const text = params.get('text')?.trim().slice(0, 200) || undefined
  const all = team === null && owner === null
  const chosen = orders.find((o) => o === params.get('order')) ?? 'created'
  const order = ofAll.has(chosen) && !all ? 'created' : chosen
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
  const nameOf = useNames()
  const query = useInfiniteQuery(objectivesQuery({ cycle_id: cycle.id, team_id: team ?? undefined, owner_id: owner ?? undefined, state, archived: archived || undefined, health, outdated: outdated || undefined, text, order: order === 'created' ? undefined : order }))
  const filtered = team !== null || owner !== null || state !== undefined || archived || health !== undefined || outdated || text !== undefined
  const roomy = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [more, setMore] = useState(team !== null || owner !== null || state !== undefined || health !== undefined || order !== 'created') // on a small screen
  const wide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  // A page may hold few objectives, even none, and still lead on: the first screen is filled without asking.
  const { data, hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = query
  const found = data?.pages.reduce((n, p) => n + p.items.length, 0) ?? 0
  const looked = data?.pages.length ?? 0
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && !isPlaceholderData && found < enough && looked < looksAtMost) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, isPlaceholderData, found, looked, fetchNextPage])
  return (
    <Stack gap="md">
      <Card padding="md" component="section" aria-label={t('objectives.filters')}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
            <Choice label={t('objectives.cycle')} allowDeselect={false} searchable={cycles.length > 8} value={cycle.id} onChange={(v) => put('cycle', v)} data={cycles.map((c) => ({ value: c.id, label: c.name }))} />
            <TextFilter text={text ?? ''} put={(v) => put('text', v)} />
            {(roomy || more) && (
              <>
                <TeamSelect label={t('objectives.team')} clearable placeholder={t('objectives.anyTeam')} value={team} onChange={(v) => put('team', v)} />
                <PersonSelect label={t('objectives.owner')} clearable placeholder={t('objectives.anyOwner')} value={owner} known={owner === me.user.id ? me.user : undefined} onChange={(v) => put('owner', v)} />
                <Choice label={t('objectives.state')} clearable placeholder={t('objectives.anyState')} value={state ?? null} onChange={(v) => put('state', v)} data={states.map((s) => ({ value: s, label: t(`objectiveState.${s}`) }))} />
                <Choice label={t('list.health')} clearable placeholder={t('list.anyHealth')} value={health ?? null} onChange={(v) => put('health', v)} data={healths.map((h) => ({ value: h, label: t(`health.${h}`) }))} />
                <Choice label={t('list.order')} allowDeselect={false} value={order} onChange={(v) => put('order', v === 'created' ? null : v)} data={orders.map((o) => ({ value: o, label: t(`list.${o}`), disabled: ofAll.has(o) && !all }))} title={all ? undefined : t('list.titleNot')} />
              </>
            )}
          </SimpleGrid>
          {!roomy && <Group><Button size="compact-sm" variant="subtle" aria-expanded={more} onClick={() => setMore(!more)}>{more ? t('list.fewer') : t('list.more')}</Button></Group>}
          <Group justify="space-between">
            <Group gap="xs">
              <Chip size="xs" checked={owner === me.user.id} onChange={(on) => put('owner', on ? me.user.id : null)}>{t('objectives.mine')}</Chip>
              <Chip size="xs" checked={outdated} onChange={(on) => put('outdated', on ? 'true' : null)}>{t('list.outdated')}</Chip>
              <Chip size="xs" checked={archived} onChange={(on) => put('archived', on ? 'true' : null)}>{t('objectives.archived')}</Chip>
              {filtered && <Button size="compact-xs" variant="subtle" onClick={() => setParams(params.get('cycle') ? { cycle: cycle.id } : {}, { replace: true })}>{t('objectives.reset')}</Button>}
            </Group>
            <Group gap="xs">
              <ListOrTree cycle={cycle.id} here="list" />
              <Badge color={cycle.state === 'active' ? 'good' : 'gray'}>{t(`cycleState.${cycle.state}`)}</Badge>
              <Text size="sm" c="dimmed">{f.day(cycle.starts_on)} – {f.day(cycle.ends_on)}</Text>
            </Group>
          </Group>
        </Stack>
      </Card>
      <section aria-label={t('objectives.list')}>
        <Paged query={query} loading={<Loading rows={6} height={96} />} empty={<Card><Empty icon={<IconTargetArrow size={24} />} title={t('objectives.none')} why={t('objectives.noneWhy')} action={me.writes && !filtered ? <Button component={Link} to={`/objectives/new?cycle=${cycle.id}`}>{t('nav.new')}</Button> : undefined} /></Card>}>
          {(items) =>
            items.length === 0 ? (
              isFetching ? <Loading rows={3} height={96} /> : <Card><Empty icon={<IconTargetArrow size={24} />} title={t('list.looked')} /></Card>
            ) : (
              <Stack gap="sm">
                <Text size="sm" c="dimmed" role="status">{hasNextPage ? t('list.foundMore', { count: items.length }) : t('list.found', { count: items.length })}</Text>
                {wide ? (
                  <ObjectiveTable objectives={items} team={(id) => nameOf('team', id)} />
                ) : (
                  items.map((o) => <ObjectiveCard key={o.id} objective={o} team={o.team_id && nameOf('team', o.team_id)} />)
                )}
              </Stack>
            )
          }
        </Paged>
      </section>
    </Stack>
  )
}

/** What is typed goes into the address once the typing rests, so that a Japanese word is looked for when it is chosen and not while it is spelt. */
function TextFilter({ text, put }: { text: string; put: (text: string | null) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(text)
  const [shown, setShown] = useState(text)
  if (shown !== text) {
    setShown(text)
    if (text !== typed.trim()) setTyped(text)
  }
  const later = useDebouncedCallback((v: string) => put(v.trim() || null), 350)
  return (
    <TextInput
      type="search"
      label={t('list.text')}
      placeholder={t('list.textHint')}
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={(e) => {
        setTyped(e.currentTarget.value)
        if (!(e.nativeEvent as InputEvent).isComposing) later(e.currentTarget.value)
      }}
      onCompositionEnd={(e) => later(e.currentTarget.value)}
    />
  )
}
