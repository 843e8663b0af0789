import { Anchor, Box, Button, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api, got } from '../api/client'
import { pages } from '../api/queries'
import type { Schemas } from '../api/problem'
import { Empty, Failed, Loading } from '../parts/States'
import { useFormats } from '../time/format'
import { Chart } from './Chart'
import { byNeed, healths } from './figures'
import { HealthBar, HealthKey } from './HealthBar'

const firstTeams = 12
const moreTeams = 100
const mostPages = 10 // with two hundred teams each

const inOrder = new Intl.Collator()

const teamsOfCycle = (cycle: string, asOf?: string) =>
  pages(['objectives', 'figures', cycle, 'teams', asOf ?? ''], (cursor, signal) => got(api.GET('/cycles/{cycle_id}/teams', { params: { path: { cycle_id: cycle }, query: { limit: 200, cursor, as_of: asOf } }, signal })))

/** How healthy the objectives of each team are, those first that need somebody most, which only they know who have read them all. With many teams the first twelve; the others are counted, and shown when asked for. */
export default function TeamHealth({ cycle, asOf, name }: { cycle: string; asOf?: string; name: string }) {
  const { t } = useTranslation()
  const f = useFormats()
  const [room, setRoom] = useState(firstTeams)
  const query = useInfiniteQuery(teamsOfCycle(cycle, asOf))
  const { data, hasNextPage, isFetching, isError, isFetchNextPageError, fetchNextPage } = query
  const read = data?.pages.length ?? 0
  const goesOn = hasNextPage && read < mostPages && !isFetchNextPageError
  useEffect(() => {
    if (goesOn && !isFetching && !isError) void fetchNextPage()
  }, [goesOn, isFetching, isError, fetchNextPage])
  const teams = useMemo(() => (data?.pages ?? []).flatMap((p) => p.items).sort((a, b) => byNeed(a.figures, b.figures) || inOrder.compare(a.team.name, b.team.name)), [data])
  if (!data || goesOn) return isError && !data ? <Failed error={query.error} again={() => void query.refetch()} /> : <Loading rows={firstTeams} height={28} />
  if (teams.length === 0 && !hasNextPage) return <Empty title={t(asOf ? 'asOf.notRecorded' : 'standing.noTeams')} />
  const shown = teams.slice(0, room)
  const needing = teams.filter((x) => (x.figures.health?.off_track ?? 0) > 0)
  const says = needing.length === 0 ? t('standing.teamsFine') : t(needing.length === 1 ? 'standing.teamsNeedOnly' : 'standing.teamsNeed', { count: needing.length, name: needing[0]!.team.name, n: needing[0]!.figures.health!.off_track, all: needing[0]!.figures.objectives ?? 0 })
  return (
    <Stack gap="sm">
      <Chart
        name={name}
        says={says}
        keys={healths.map((h) => <HealthKey key={h} health={h} />)}
        picture={
          <Stack gap={10} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {shown.map((x) => (
              <SimpleGrid key={x.team.id} component="li" cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing={2} style={{ alignItems: 'center' }}>
                <Group justify="space-between" gap="xs" wrap="nowrap">
                  <Anchor component={Link} to={`/teams/${x.team.id}?cycle=${cycle}`} size="sm" truncate style={{ minWidth: 0 }}>{x.team.name}</Anchor>
                  <Text size="sm" c="dimmed" className="tabular" style={{ flexShrink: 0 }}>{inShort(x)}</Text>
                </Group>
                <Box><HealthBar figures={x.figures} /></Box>
              </SimpleGrid>
            ))}
          </Stack>
        }
        table={
          <Table.ScrollContainer minWidth={520} mah={480} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': name } }}>
            <Table fz="sm" verticalSpacing={4} className="tabular">
              <Table.Caption>{name}</Table.Caption>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('objectives.team')}</Table.Th>
                  <Table.Th ta="right">{t('objectives.title')}</Table.Th>
                  <Table.Th ta="right">{t('objectives.progress')}</Table.Th>
                  {healths.map((h) => <Table.Th key={h} ta="right">{t(`health.${h}`)}</Table.Th>)}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((x) => (
                  <Table.Tr key={x.team.id}>
                    <Table.Th scope="row" fw={400}>{x.team.name}</Table.Th>
                    {x.figures.withheld ? (
                      <Table.Td colSpan={6} ta="right">{t('standing.withheld')}</Table.Td>
                    ) : (
                      <>
                        <Table.Td ta="right">{x.figures.objectives}</Table.Td>
                        <Table.Td ta="right">{x.figures.objectives ? f.percent(x.figures.progress?.percent ?? 0) : '–'}</Table.Td>
                        {healths.map((h) => <Table.Td key={h} ta="right">{x.figures.health?.[h] ?? '–'}</Table.Td>)}
                      </>
                    )}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        }
      />
      {isFetchNextPageError && <Failed error={query.error} again={() => void fetchNextPage()} />}
      <Group gap="xs">
        {room < teams.length && <Button size="xs" variant="default" onClick={() => setRoom(room + moreTeams)}>{teams.length <= room + moreTeams ? t('standing.allTeams', { count: teams.length }) : t('standing.moreTeams', { count: moreTeams, all: teams.length })}</Button>}
        {room > firstTeams && teams.length > firstTeams && <Button size="xs" variant="default" onClick={() => setRoom(firstTeams)}>{t('standing.fewerTeams')}</Button>}
        {hasNextPage && room >= teams.length && !isFetchNextPageError && <Button size="xs" variant="default" loading={query.isFetchingNextPage} onClick={() => void fetchNextPage().then(() => setRoom(room + moreTeams))}>{t('do.more')}</Button>}
      </Group>
    </Stack>
  )

  function inShort({ figures: g }: Schemas['TeamFigures']) {
    if (g.withheld) return t('standing.withheld')
    if (!g.objectives) return t('standing.noObjectives')
    return `${f.percent(g.progress?.percent ?? 0)} · ${t('standing.objectives', { count: g.objectives })}`
  }
}
