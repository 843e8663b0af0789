import { Alert, Anchor, Badge, Box, Button, Card, Checkbox, Group, List, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { IconCircleCheck, IconFlagCheck } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { api, got } from '../api/client'
import { problemOf, type Problem, type Schemas } from '../api/problem'
import { CloseDialog } from '../cycle/CloseDialog'
import { cycleQuery, toScoreQuery, touched } from '../cycle/queries'
import { band, noteNeeded, scoreChoices, scoreOf, scorePut, suggestedOf, type Entry } from '../cycle/scores'
import { DraftNote } from '../forms/DraftNote'
import { useDraft } from '../forms/draft'
import { PersonName, ProgressBar } from '../parts/Badges'
import { Page } from '../parts/Page'
import { ProblemNote, useFieldText } from '../parts/ProblemNote'
import { Empty, Paged, Read } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useMe } from '../session/me'

type ToScore = Schemas['ObjectiveToScore']
type Result = Schemas['ScoreResult']

interface Typed {
  entries: Record<string, Entry>
  common: string
}

const atOnce = 100 // of the 200 that a request may name: half a second each, and a stop soon counts

export default function CycleScores() {
  const { id = '' } = useParams()
  const query = useQuery(cycleQuery(id))
  return <Read query={query} page>{(c) => <Loaded key={id} cycle={c} />}</Read>
}

function Loaded({ cycle: c }: { cycle: Schemas['Cycle'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const query = useInfiniteQuery(toScoreQuery(c.id))
  const start: Typed = { entries: {}, common: '' }
  const draft = useDraft<Typed>(me.draftKey(`scores:${c.id}`), start)
  const { entries, common } = draft.value
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set()) // taken out by hand
  const [outcomes, setOutcomes] = useState<Record<string, Result & { title: string }>>({}) // of those that could not be closed, shown or not
  const [busy, setBusy] = useState(false)
  const [closed, setClosed] = useState(0)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [closing, setClosing] = useState(false)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const items = query.data?.pages.flatMap((p) => p.items) ?? []
  const ready = items.flatMap((o) => scorePut(o, entries[o.objective.id], common) ?? [])
  const chosen = ready.filter((p) => !left.has(p.objective_id))
  const failed = Object.keys(outcomes).length

  const setDraft = draft.set
  const change = useCallback(
    (id: string, entry: Entry) => {
      setDraft((d) => ({ ...d, entries: { ...d.entries, [id]: entry } }))
      setOutcomes(({ [id]: _, ...others }) => others)
    },
    [setDraft],
  )
  const take = useCallback((id: string, on: boolean) => setLeft((s) => new Set(on ? [...s].filter((x) => x !== id) : [...s, id])), [])

  /** Sends one part, and keeps what came of each. */
  const send = async (puts: Schemas['ScorePut'][], from: ToScore[], signal: AbortSignal) => {
    const { items: results } = await got(api.POST('/cycles/{cycle_id}/scores', { params: { path: { cycle_id: c.id } }, body: { items: puts }, signal }))
    const done = results.filter((r) => r.outcome === 'closed').map((r) => r.objective_id)
    setClosed((n) => n + done.length)
    setOutcomes((o) => ({ ...o, ...Object.fromEntries(results.filter((r) => r.outcome !== 'closed').map((r) => [r.objective_id, { ...r, title: from.find((o) => o.objective.id === r.objective_id)?.objective.title ?? '' }])) }))
    setDraft((d) => ({ ...d, entries: Object.fromEntries(Object.entries(d.entries).filter(([id]) => !done.includes(id))) }))
  }
  const working = async (work: (signal: AbortSignal) => Promise<void>) => {
    if (busy) return
    const abort = new AbortController()
    stop.current = abort
    setBusy(true)
    setProblem(null)
    setClosed(0)
    setOutcomes({})
    try {
      await work(abort.signal)
    } catch (e) {
      if (!abort.signal.aborted) setProblem(problemOf(e))
    } finally {
      setBusy(false)
      for (const key of touched) void client.invalidateQueries({ queryKey: key })
    }
  }
  const sendChosen = () =>
    working(async (signal) => {
      for (let n = 0; n < chosen.length && !signal.aborted; n += atOnce) await send(chosen.slice(n, n + atOnce), items, signal)
    })
  const sendAll = () =>
    working(async (signal) => {
      let cursor: string | undefined
      do {
        const page = await got(api.GET('/cycles/{cycle_id}/to-score', { params: { path: { cycle_id: c.id }, query: { limit: atOnce, cursor } }, signal }))
        const puts = page.items.flatMap((o) => {
          const entry = entries[o.objective.id]
          if (entry?.score !== undefined && entry.score !== suggestedOf(o)) return []
          return scorePut(o, entry, common) ?? []
        })
        if (puts.length > 0) await send(puts, page.items, signal)
        cursor = page.next_cursor
      } while (cursor && !signal.aborted)
    })

  return (
    <Page
      title={t('scoring.title', { name: c.name })}
      back={{ to: '/organization/cycles', label: t('cycles.all') }}
      lead={t('scoring.why')}
      actions={me.administers && c.state === 'active' && <Button variant="default" leftSection={<IconFlagCheck size={18} />} onClick={() => setClosing(true)}>{t('scoring.closeCycle')}</Button>}
    >
      <DraftNote restored={draft.restored && (Object.keys(entries).length > 0 || common !== '')} discard={() => draft.clear(start)} />
      {!busy && (closed > 0 || failed > 0) && (
        <Alert role="status" color={failed > 0 ? 'fair' : 'good'} icon={<IconCircleCheck />}>
          {t('scoring.closed', { count: closed })}
          {failed > 0 && (
            <>
              <Text size="sm" mt="xs">{t('scoring.left', { count: failed })}</Text>
              <List size="sm" mt={4}>
                {Object.values(outcomes).slice(0, 20).map((r) => (
                  <List.Item key={r.objective_id}>
                    <Anchor component={Link} to={`/objectives/${r.objective_id}`} size="sm">{r.title}</Anchor>: {r.outcome !== 'closed' && t(`scoring.${r.outcome}`)}
                  </List.Item>
                ))}
              </List>
            </>
          )}
        </Alert>
      )}
      {problem && <ProblemNote problem={problem} />}
      <Paged query={query} empty={<Card><Empty icon={<IconFlagCheck size={24} />} title={t('scoring.none')} why={t('scoring.noneWhy')} action={<Button component={Link} to={`/cycles/${c.id}/carry-over`} variant="default">{t('cycles.carryOver')}</Button>} /></Card>}>
        {(all) => (
          <Stack>
            <Card padding="md" component="section" aria-label={t('cycles.score')} className="bar">
              <Stack gap="sm">
                <Textarea label={t('scoring.common')} description={t('scoring.commonHint')} autosize minRows={1} maxRows={4} maxLength={2000} value={common} onChange={(e) => { const text = e.currentTarget.value; draft.set((d) => ({ ...d, common: text })) }} />
                <Group justify="space-between" gap="sm">
                  <Group gap="md">
                    <Checkbox
                      label={t('scoring.chooseAll')}
                      checked={ready.length > 0 && chosen.length === ready.length}
                      indeterminate={chosen.length > 0 && chosen.length < ready.length}
                      disabled={ready.length === 0}
                      onChange={(e) => setLeft(e.currentTarget.checked ? new Set() : new Set(ready.map((p) => p.objective_id)))}
                    />
                    <Text size="sm" c="dimmed" role="status">{query.hasNextPage ? t('scoring.loadedMore', { count: all.length }) : t('scoring.loaded', { count: all.length })} · {t('scoring.chosen', { count: chosen.length })}</Text>
                  </Group>
                  {busy ? (
                    <Group gap="sm">
                      <Text size="sm" role="status">{t('scoring.progress', { count: closed })}</Text>
                      <Button size="xs" variant="default" onClick={() => stop.current?.abort()}>{t('scoring.stop')}</Button>
                    </Group>
                  ) : (
                    <Group gap="sm">
                      <SureButton variant="default" label={t('scoring.all')} question={t('scoring.allWhy')} act={async () => void sendAll()} />
                      <Button disabled={chosen.length === 0} onClick={() => void sendChosen()}>{t('scoring.submit', { count: chosen.length })}</Button>
                    </Group>
                  )}
                </Group>
              </Stack>
            </Card>
            <Card padding="xs">
              <div className="rows">
                {all.map((o) => {
                  const id = o.objective.id
                  return <Row key={id} item={o} entry={entries[id]} common={common.trim() !== ''} taken={!left.has(id)} outcome={outcomes[id]} change={change} take={take} />
                })}
              </div>
            </Card>
          </Stack>
        )}
      </Paged>
      {closing && <CloseDialog cycle={c} close={() => setClosing(false)} />}
    </Page>
  )
}

const Row = memo(function Row({ item: o, entry, common, taken, outcome, change, take }: { item: ToScore; entry: Entry | undefined; common: boolean; taken: boolean; outcome: Result | undefined; change: (id: string, entry: Entry) => void; take: (id: string, on: boolean) => void }) {
  const { t } = useTranslation()
  const fieldText = useFieldText()
  const { id, title } = o.objective
  const suggested = suggestedOf(o)
  const score = scoreOf(o, entry)
  const needed = noteNeeded(o, entry)
  const lacks = needed && !entry?.note?.trim() && !common
  const [writing, setWriting] = useState(false)
  const refused = (field: string) => fieldText(outcome?.errors?.find((e) => e.pointer.endsWith(field))?.code)
  return (
    <Box component="article" aria-label={title} py="sm" px="xs">
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Checkbox mt={3} aria-label={t('scoring.choose', { title })} checked={o.may_close && taken && !lacks} disabled={!o.may_close || lacks} onChange={(e) => take(id, e.currentTarget.checked)} />
        <Stack gap="xs" style={{ flex: 1, minWidth: 0 }}>
          <Group justify="space-between" align="flex-start" gap="sm">
            <Stack gap={4} style={{ flex: '1 1 260px', minWidth: 0 }}>
              <Anchor component={Link} to={`/objectives/${id}`} c="inherit" fw={600} size="sm" className="phrase">{title}</Anchor>
              <Group gap="sm">
                <PersonName person={o.objective.owner} size={20} />
                <Badge color="gray">{t(`kind.${o.objective.kind}`)}</Badge>
              </Group>
            </Stack>
            <Box w={{ base: '100%', xs: 180 }} mt={4}><ProgressBar progress={o.objective.progress} health={o.objective.health} label={`${t('objectives.progress')}: ${title}`} size="sm" /></Box>
            {o.may_close ? (
              <Group gap={8} wrap="nowrap">
                <Box w={12} h={12} style={{ borderRadius: 12, background: `var(--kakeai-${band(score)})` }} aria-hidden />
                <NativeSelect
                  size="xs"
                  w={130}
                  aria-label={t('scoring.scoreOf', { title })}
                  value={score}
                  error={refused('/score')}
                  onChange={(e) => change(id, { ...entry, score: e.currentTarget.value })}
                  data={scoreChoices.map((s) => ({ value: s, label: s === suggested ? t('scoring.suggestedMark', { score: s }) : s }))}
                />
              </Group>
            ) : (
              <Text size="xs" c="dimmed">{t('scoring.notYours')}</Text>
            )}
          </Group>
          {o.may_close && (needed || writing || entry?.note) ? (
            <Textarea size="xs" autosize minRows={1} maxRows={8} maxLength={2000} aria-label={t('scoring.noteOf', { title })} placeholder={lacks ? `${t('scoring.noteNeeded')} ${t('scoring.note')}` : t('scoring.note')} value={entry?.note ?? ''} error={refused('/note')} onChange={(e) => change(id, { ...entry, note: e.currentTarget.value })} />
          ) : (
            o.may_close && <Group><Button size="compact-xs" variant="subtle" onClick={() => setWriting(true)} aria-label={`${t('move.noteOptional')}: ${title}`}>{t('move.noteOptional')}</Button></Group>
          )}
          {outcome && outcome.outcome !== 'closed' && <Text size="sm" role="alert" c="var(--mantine-color-error)">{t(`scoring.${outcome.outcome}`)}</Text>}
        </Stack>
      </Group>
    </Box>
  )
})
