import { Alert, Anchor, Badge, Button, Card, Checkbox, Group, List, NativeSelect, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowForwardUp, IconCircleCheck, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { problemOf, type Problem, type Schemas } from '../api/problem'
import { cyclesQuery } from '../api/queries'
import { carryOver, carryQuery, touched, type Carrying } from '../cycle/queries'
import { TeamSelect } from '../forms/choices'
import { useDraft } from '../forms/draft'
import { PersonName } from '../parts/Badges'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Empty, NotFound, Paged, Read, SectionTitle } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

type Cycle = Schemas['Cycle']
type Item = Schemas['CarryOverItem']

const scopes = ['mine', 'team', 'cycle'] as const

export default function CarryOver() {
  const { id = '' } = useParams()
  const cycles = useQuery(cyclesQuery)
  return (
    <Read query={cycles} page>
      {(all) => {
        const source = all.find((c) => c.id === id)
        return source ? <Loaded key={id} source={source} cycles={all} /> : <NotFound />
      }}
    </Read>
  )
}

/** From which cycle, into which, and whose: all of it in the address. */
function Loaded({ source, cycles }: { source: Cycle; cycles: Cycle[] }) {
  const { t } = useTranslation()
  const me = useMe()
  const [params, setParams] = useSearchParams()
  const targets = cycles.filter((c) => c.starts_on > source.starts_on && c.state !== 'closed').sort((a, b) => a.starts_on.localeCompare(b.starts_on))
  const target = targets.find((c) => c.id === params.get('to')) ?? targets[0]
  const scope = scopes.find((s) => s === params.get('scope')) ?? 'mine'
  const team = params.get('team') ?? (me.lead_team_ids[0] ?? me.team_ids[0] ?? null)
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
  const nothing =
    source.state === 'preparation' ? (
      <Card><Empty icon={<IconRefresh size={24} />} title={t('carry.notBegun')} why={t('carry.notBegunWhy')} /></Card>
    ) : !target ? (
      <Card><Empty icon={<IconRefresh size={24} />} title={t('carry.noTarget')} why={me.administers ? t('carry.noTargetWhy') : t('carry.noTargetAsk')} action={me.administers ? <Button component={Link} to="/organization/cycles?new=true">{t('org.newCycle')}</Button> : undefined} /></Card>
    ) : null
  return (
    <Page title={t('carry.title', { name: source.name })} back={{ to: '/organization/cycles', label: t('cycles.all') }} lead={t('carry.why')}>
      {nothing ?? (
        <>
          <Card padding="md">
            <Group align="flex-end" gap="md">
              <NativeSelect label={t('carry.target')} value={target!.id} onChange={(e) => put('to', e.currentTarget.value)} data={targets.map((c) => ({ value: c.id, label: `${c.name} (${t(`cycleState.${c.state}`)})` }))} />
              <NativeSelect label={t('carry.scope')} value={scope} onChange={(e) => put('scope', e.currentTarget.value === 'mine' ? null : e.currentTarget.value)} data={scopes.map((s) => ({ value: s, label: t(`carry.${s}`) }))} />
              {scope === 'team' && <TeamSelect label={t('carry.teamLabel')} value={team} onChange={(v) => put('team', v)} allowDeselect={false} />}
            </Group>
          </Card>
          {scope === 'team' && !team ? <Text c="dimmed">{t('carry.chooseTeam')}</Text> : <Preview key={`${target!.id} ${scope} ${team ?? ''}`} source={source} target={target!} carrying={{ target_cycle_id: target!.id, scope, ...(scope === 'team' ? { team_id: team! } : {}) }} />}
        </>
      )}
    </Page>
  )
}

interface Doing {
  made: number
  state: 'going' | 'done' | 'stopped'
}

function Preview({ source, target, carrying }: { source: Cycle; target: Cycle; carrying: Carrying }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const query = useInfiniteQuery({ ...carryQuery(source.id, carrying), staleTime: 60_000 })
  const draft = useDraft<string[]>(me.draftKey(`carry:${source.id}:${target.id}`), []) // what was taken out by hand
  const out = new Set(draft.value)
  const [doing, setDoing] = useState<Doing | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const items = query.data?.pages.flatMap((p) => p.items) ?? []
  const would = items.filter((i) => i.outcome === 'carried')
  const chosen = would.filter((i) => !out.has(i.objective_id))
  const setDraft = draft.set
  const take = useCallback((id: string, on: boolean) => setDraft((d) => (on ? d.filter((x) => x !== id) : [...d.filter((x) => x !== id), id])), [setDraft])
  /** Goes through all of the scope as it is now, page by page, and leaves out what was taken out. Each page is its own request, and doing it again makes nothing twice. */
  const carry = async () => {
    if (doing?.state === 'going') return
    const abort = new AbortController()
    stop.current = abort
    setProblem(null)
    setDoing({ made: 0, state: 'going' })
    let made = 0
    try {
      let cursor: string | undefined
      do {
        const page = await carryOver(source.id, { ...carrying, dry_run: out.size > 0, limit: 50, cursor }, abort.signal)
        let done = page.items
        if (out.size > 0) {
          const ids = page.items.filter((i) => i.outcome === 'carried' && !out.has(i.objective_id)).map((i) => i.objective_id)
          done = ids.length > 0 ? (await carryOver(source.id, { target_cycle_id: target.id, scope: 'selection', objective_ids: ids, dry_run: false }, abort.signal)).items : []
        }
        made += done.filter((i) => i.outcome === 'carried').length
        setDoing({ made, state: 'going' })
        cursor = page.next_cursor
      } while (cursor && !abort.signal.aborted)
      setDoing({ made, state: abort.signal.aborted ? 'stopped' : 'done' })
    } catch (e) {
      setDoing(made > 0 || abort.signal.aborted ? { made, state: 'stopped' } : null)
      if (!abort.signal.aborted) setProblem(problemOf(e))
    } finally {
      for (const key of [...touched, ['carry-over']]) void client.invalidateQueries({ queryKey: key })
    }
  }
  const going = doing?.state === 'going'
  return (
    <section aria-labelledby="preview">
      <Stack>
        {doing && !going && (
          <Alert role="status" color={doing.state === 'done' ? 'good' : 'fair'} icon={doing.state === 'done' ? <IconCircleCheck /> : <IconAlertTriangle />} title={doing.made > 0 || doing.state === 'stopped' ? t('carry.done', { count: doing.made, name: target.name }) : t('carry.doneNothing')}>
            <Stack gap="sm" align="flex-start">
              {doing.state === 'stopped' && <Text size="sm">{t('carry.stopped')}</Text>}
              <Button component={Link} to={`/objectives?cycle=${target.id}&state=draft`} size="xs" variant="default">{t('carry.see')}</Button>
            </Stack>
          </Alert>
        )}
        {problem && <ProblemNote problem={problem} />}
        <SectionTitle id="preview">{t('carry.preview')}</SectionTitle>
        <Paged query={query} empty={<Card><Empty icon={<IconArrowForwardUp size={24} />} title={t('carry.none')} why={t('carry.noneWhy')} /></Card>}>
          {(all) => (
            <Stack>
              <Card padding="md" className="bar">
                <Group justify="space-between" gap="sm">
                  <Group gap="md">
                    <Checkbox label={t('carry.takeAll')} disabled={would.length === 0 || going} checked={would.length > 0 && chosen.length === would.length} indeterminate={chosen.length > 0 && chosen.length < would.length} onChange={(e) => { const on = e.currentTarget.checked; draft.set((d) => [...d.filter((x) => !would.some((i) => i.objective_id === x)), ...(on ? [] : would.map((i) => i.objective_id))]) }} />
                    <Group gap={6}>
                      {(['carried', 'exists', 'skipped'] as const).map((o) => {
                        const n = all.filter((i) => i.outcome === o).length
                        return n > 0 && <Badge key={o} color={outcomeColor[o]}>{t(`carry.${o === 'carried' ? 'would' : o}`)} {n}{query.hasNextPage ? '+' : ''}</Badge>
                      })}
                    </Group>
                  </Group>
                  {going ? (
                    <Group gap="sm">
                      <Text size="sm" role="status">{t('carry.progress', { count: doing.made })}</Text>
                      <Button size="xs" variant="default" onClick={() => stop.current?.abort()}>{t('carry.stop')}</Button>
                    </Group>
                  ) : (
                    <Button leftSection={<IconArrowForwardUp size={18} />} disabled={chosen.length === 0 && !query.hasNextPage} onClick={() => void carry()}>{query.hasNextPage ? t('carry.submitMore') : t('carry.submit', { count: chosen.length })}</Button>
                  )}
                </Group>
                {query.hasNextPage && <Text size="sm" c="dimmed" mt="xs">{t('carry.more')}</Text>}
              </Card>
              <Card padding="xs">
                <div className="rows">
                  {all.map((i) => (
                    <Row key={i.objective_id} item={i} taken={!out.has(i.objective_id)} without={i.copy?.supports?.filter((l) => out.has(l.objective_id)).map((l) => l.objective_id).join(' ') ?? ''} take={take} />
                  ))}
                </div>
              </Card>
            </Stack>
          )}
        </Paged>
      </Stack>
    </section>
  )
}

const namedLinks = 3

const outcomeColor = { carried: 'good', exists: 'gray', skipped: 'gray' } as const

/** What is taken out by hand among what this one supports is in without, as one string, so that only rows are drawn again that it concerns. */
const Row = memo(function Row({ item: i, taken, without, take }: { item: Item; taken: boolean; without: string; take: (id: string, on: boolean) => void }) {
  const { t } = useTranslation()
  const title = i.title ?? t('carry.hidden')
  const c = i.copy
  const along = (l: Schemas['CarriedLink']) => l.leads_to === 'copy' && !without.split(' ').includes(l.objective_id)
  return (
    <Group component="article" aria-label={title} wrap="nowrap" align="flex-start" gap="sm" py="sm" px="xs">
      <Checkbox mt={3} aria-label={t('carry.take', { title })} checked={i.outcome === 'carried' && taken} disabled={i.outcome !== 'carried'} onChange={(e) => take(i.objective_id, e.currentTarget.checked)} />
      <Stack gap={6} style={{ flex: 1, minWidth: 0 }}>
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
          {i.title ? <Anchor component={Link} to={`/objectives/${i.objective_id}`} c="inherit" fw={600} size="sm" className="phrase">{title}</Anchor> : <Text size="sm" c="dimmed">{title}</Text>}
          <Badge color={outcomeColor[i.outcome]} style={{ flexShrink: 0 }}>{t(`carry.${i.outcome === 'carried' ? 'would' : i.outcome}`)}</Badge>
        </Group>
        {i.outcome === 'skipped' && i.reason && <Text size="sm" c="dimmed">{t(`carry.${i.reason}`)}</Text>}
        {i.outcome === 'exists' && i.copy_id && <Anchor component={Link} to={`/objectives/${i.copy_id}`} size="sm">{t('carry.copy')}</Anchor>}
        {i.outcome === 'carried' && c && (
          <>
            <Group gap="sm"><PersonName person={c.owner} size={20} /></Group>
            <List size="sm" spacing={2} withPadding={false}>
              {c.key_results.map((k) => (
                <List.Item key={k.from_id} c={k.skipped ? 'dimmed' : undefined}><KeyResultLine keyResult={k} /></List.Item>
              ))}
            </List>
            {c.weights_reset && <Text size="sm" c="dimmed">{t('carry.weightsReset')}</Text>}
            {c.alignment === 'kept' && <Text size="sm" c="dimmed">{t('carry.kept')}</Text>}
            <LinksLine kind="supports" titles={c.supports?.filter(along).map((l) => l.title)} />
            <LinksLine kind="supportsOld" titles={c.supports?.filter((l) => !along(l)).map((l) => l.title)} />
            <LinksLine kind="supported" titles={c.supporters?.map((l) => l.title)} />
            {(c.alignment === 'old-parent' || c.alignment === 'objective-only') && (
              <Group gap={6} wrap="nowrap" align="flex-start" c="var(--mantine-color-fair-light-color)">
                <IconAlertTriangle size={16} style={{ flexShrink: 0, marginTop: 2 }} aria-hidden />
                <Text size="sm">{t(`carry.${c.alignment}`)}</Text>
              </Group>
            )}
          </>
        )}
      </Stack>
    </Group>
  )
})

/** The first of them by name, and how many others there are. */
function LinksLine({ kind, titles = [] }: { kind: 'supports' | 'supportsOld' | 'supported'; titles?: string[] }) {
  const { t, i18n } = useTranslation()
  if (titles.length === 0) return null
  const shown = titles.length > namedLinks + 1 ? [...titles.slice(0, namedLinks), t('carry.others', { count: titles.length - namedLinks })] : titles
  return <Text size="sm" c="dimmed">{t(`carry.${kind}`, { titles: new Intl.ListFormat(i18n.language, { style: 'short' }).format(shown) })}</Text>
}

function KeyResultLine({ keyResult: k }: { keyResult: Schemas['CarriedKeyResult'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const amount = (d: string | undefined) => f.amount(d ?? '0', k.unit)
  if (k.skipped) return <>{k.title}: {t('carry.reached')}</>
  const what =
    k.kind === 'metric'
      ? t('objective.from', { a: amount(k.baseline), b: amount(k.target) })
      : k.kind === 'threshold'
        ? k.at_least && k.at_most
          ? t('objective.between', { a: amount(k.at_least), b: amount(k.at_most) })
          : k.at_least
            ? t('objective.atLeast', { a: amount(k.at_least) })
            : t('objective.atMost', { a: amount(k.at_most) })
        : t('carry.stepsLeft', { steps: (k.steps ?? []).join(' · ') })
  return <>{k.title}: {what}</>
}
