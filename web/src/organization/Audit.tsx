import { Badge, Button, Card, Code, Group, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import { problemOf, type Problem, type Schemas } from '../api/problem'
import { pages } from '../api/queries'
import { PersonSelect } from '../forms/choices'
import { Choice } from '../parts/Choice'
import { ProblemNote } from '../parts/ProblemNote'
import { deeds, deedsOf } from '../i18n/known'
import { Empty, Paged } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { auditCSV, startOfDay } from './audit'

const kinds = ['objective', 'key_result', 'check_in', 'comment', 'cycle', 'team', 'member', 'invitation', 'dialogue', 'job', 'suggestion', 'meeting', 'occurrence', 'follow_up', 'broadcast', 'import', 'organization', 'webhook', 'session', 'token'] as const
const names = ['who', 'kind', 'action', 'target', 'from', 'to'] as const
const most = 10_000 // rows of one file

type Filter = Partial<Record<(typeof names)[number], string>>

function asAsked(filter: Filter, zone: string) {
  const target = filter.target?.trim()
  return {
    actor_id: filter.who || undefined, target_kind: filter.kind || undefined, action: filter.action?.trim() || undefined, target_id: target && /^[0-9a-f-]{36}$/i.test(target) ? target : undefined,
    from: filter.from ? startOfDay(filter.from, zone) : undefined, before: filter.to ? startOfDay(filter.to, zone, 1) : undefined,
  }
}

const auditQuery = (asked: ReturnType<typeof asAsked>) => pages(['audit', asked], (cursor, signal) => got(api.GET('/audit-events', { params: { query: { ...asked, limit: 50, cursor } }, signal })))

/** Who did what, when and from where. Actions stand with their technical names, too, which are what one searches other logs for. */
export function Audit() {
  const { t } = useTranslation()
  const me = useMe()
  const [address, setAddress] = useSearchParams()
  const filter = Object.fromEntries(names.flatMap((n) => (address.get(n) ? [[n, address.get(n)!]] : []))) as Filter
  const asked = asAsked(filter, me.organization.time_zone)
  const query = useInfiniteQuery(auditQuery(asked))
  const put = (name: (typeof names)[number], value: string | null) => {
    // What the address has now: two changes in quick succession are both kept, though neither is shown yet.
    const next = new URLSearchParams(window.location.search)
    if ((next.get(name) ?? '') === (value ?? '')) return
    if (value) next.set(name, value)
    else next.delete(name)
    setAddress(next, { replace: true })
  }
  const filtered = names.some((n) => filter[n])
  return (
    <Stack>
      <Card padding="md" component="section" aria-label={t('objectives.filters')}>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
          <PersonSelect label={t('org.who')} placeholder={t('trail.anybody')} clearable value={filter.who ?? null} onChange={(v) => put('who', v)} />
          <Choice label={t('trail.about')} value={filter.kind ?? ''} allowDeselect={false} onChange={(v) => put('kind', v)} data={[{ value: '', label: t('trail.anything') }, ...kinds.map((k) => ({ value: k, label: t(`thing.${k}`) }))]} />
          <Typed label={t('org.what')} placeholder="objective.approved" value={filter.action ?? ''} set={(v) => put('action', v)} />
          <TextInput type="date" label={t('trail.from')} value={filter.from ?? ''} onChange={(e) => put('from', e.currentTarget.value)} />
          <TextInput type="date" label={t('trail.to')} value={filter.to ?? ''} onChange={(e) => put('to', e.currentTarget.value)} />
          <Typed label={t('trail.target')} placeholder="0193f0a1-…" value={filter.target ?? ''} set={(v) => put('target', v)} error={filter.target && !asked.target_id ? t('field.pattern') : undefined} />
        </SimpleGrid>
        <Group justify="space-between" mt="sm" gap="xs">
          <Text size="xs" c="dimmed">{t('trail.zone', { zone: me.organization.time_zone })}</Text>
          <Group gap="xs">
            {filtered && <Button size="xs" variant="subtle" onClick={() => setAddress({}, { replace: true })}>{t('objectives.reset')}</Button>}
            <Download asked={asked} />
          </Group>
        </Group>
      </Card>
      <Card padding="xs">
        <Paged query={query} empty={<Empty title={filtered ? t('trail.none') : t('org.noAudit')} />}>
          {(items) => (
            <>
              {items.length === 0 && <Text p="sm" size="sm" c="dimmed">{t('trail.noneYet')}</Text>}
              <div className="rows">
                {items.map((e) => (
                  <Event key={e.id} event={e} />
                ))}
              </div>
            </>
          )}
        </Paged>
      </Card>
    </Stack>
  )
}

/** Typed in peace, and looked for with Enter or when one leaves it. */
function Typed({ value, set, ...props }: { label: string; placeholder: string; value: string; set: (text: string) => void; error?: string }) {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  if (value !== shown) {
    setShown(value)
    setTyped(value)
  }
  return <TextInput {...props} maxLength={60} value={typed} onChange={(e) => setTyped(e.currentTarget.value)} onBlur={() => set(typed.trim())} onKeyDown={(e) => { if (e.key === 'Enter') set(typed.trim()) }} />
}

/** What is filtered, as a file: read page by page, so that nobody waits in vain. */
function Download({ asked }: { asked: ReturnType<typeof asAsked> }) {
  const { t } = useTranslation()
  const [rows, setRows] = useState<number | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [more, setMore] = useState(false)
  const download = async () => {
    setRows(0)
    setProblem(null)
    const all: Schemas['AuditEvent'][] = []
    let cursor: string | undefined
    try {
      do {
        const page = await got(api.GET('/audit-events', { params: { query: { ...asked, limit: 200, cursor } } }))
        all.push(...page.items)
        cursor = page.next_cursor
        setRows(all.length)
      } while (cursor && all.length < most)
      setMore(cursor !== undefined)
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([auditCSV(all)], { type: 'text/csv;charset=utf-8' }))
      link.download = 'audit.csv'
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setRows(null)
    }
  }
  return (
    <Stack gap={4} align="flex-end">
      <Button size="xs" variant="default" leftSection={<IconDownload size={16} />} loading={rows !== null} onClick={() => void download()}>{t('trail.download')}</Button>
      <Text size="xs" c="dimmed" role="status">{rows !== null ? t('trail.reading', { count: rows }) : more ? t('trail.more', { count: most }) : ''}</Text>
      {problem && <ProblemNote problem={problem} />}
    </Stack>
  )
}

const pageOf = (e: Schemas['AuditEvent']): string | undefined => {
  const paths: Record<string, string> = { objective: '/objectives/', team: '/teams/', dialogue: '/dialogues/', meeting: '/meetings/', occurrence: '/occurrences/', broadcast: '/broadcasts/', webhook: '/organization/webhooks/' }
  return paths[e.target_kind] && paths[e.target_kind] + e.target_id
}

/** What was done, in words; the action's technical name where there are none. */
function useDeed() {
  const { t } = useTranslation()
  return (action: string): string => {
    const at = action.indexOf('.')
    const of = action.slice(0, at)
    const done = action.slice(at + 1)
    return deedsOf.has(of) && deeds.has(done) ? t('trail.deed', { of: t(`deedOf.${of as 'objective'}`), done: t(`deed.${done as 'created'}`) }) : action
  }
}

function Event({ event: e }: { event: Schemas['AuditEvent'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const deed = useDeed()
  const [opened, { toggle }] = useDisclosure()
  return (
    <Stack gap="xs" className="row" px="xs">
      <Group justify="space-between" gap="xs" align="flex-start">
        <Stack gap={2} style={{ minWidth: 0, flex: '1 1 220px' }}>
          <Group gap="xs">
            <Text size="sm" fw={600}>{deed(e.action)}</Text>
            <Text size="sm">{e.actor?.name ?? t('trail.program')}</Text>
            {e.target_revision !== undefined && <Text size="xs" c="dimmed">{t('objective.revision', { n: e.target_revision })}</Text>}
          </Group>
          <Text size="xs" c="dimmed" ff="monospace">{e.action} {e.target_id}</Text>
        </Stack>
        <Group gap="sm" align="flex-start">
          <Text size="xs" c="dimmed" className="tabular">{f.moment(e.happened_at)}{e.address && <span title={t('org.where')}> · {e.address}</span>}</Text>
          <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={opened} aria-label={`${t('trail.details')}: ${deed(e.action)}, ${f.moment(e.happened_at)}`}>{t('trail.details')}</Button>
        </Group>
      </Group>
      {opened && <Details event={e} />}
    </Stack>
  )
}

interface FieldChange {
  field: string
  before: unknown
  after: unknown
}

const shown = (v: unknown) => (v === null || v === undefined || v === '' ? '–' : typeof v === 'object' ? JSON.stringify(v) : String(v))

/** What an event says of itself, with what it changed where that is known: by itself, or by the objective's history. */
function Details({ event: e }: { event: Schemas['AuditEvent'] }) {
  const { t } = useTranslation()
  const history = useQuery({
    queryKey: ['audit', 'history', e.target_id, e.target_revision],
    enabled: e.target_kind === 'objective' && e.target_revision !== undefined,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      // The page that holds this revision: histories are read from the newest on.
      let cursor: string | undefined
      for (let n = 0; n < 20; n++) {
        const page = await got(api.GET('/objectives/{objective_id}/history', { params: { path: { objective_id: e.target_id }, query: { limit: 200, cursor } }, signal }))
        const found = page.items.find((h) => h.revision === e.target_revision)
        if (found) return (found.changes ?? []).map((c) => ({ field: c.pointer, before: c.before, after: c.after }))
        if (!(cursor = page.next_cursor)) break
      }
      return []
    },
  })
  const detail = e.detail as Record<string, unknown>
  const changes = [...((detail.changes as FieldChange[] | undefined) ?? []), ...(history.data ?? [])]
  const others = Object.entries(detail).filter(([name]) => name !== 'changes')
  const path = pageOf(e)
  return (
    <Stack gap="xs" pl="sm">
      {changes.length > 0 && (
        <Table.ScrollContainer minWidth={280}>
          <Table verticalSpacing={4} fz="sm" aria-label={t('history.changes')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('conflict.field')}</Table.Th>
                <Table.Th>{t('history.before')}</Table.Th>
                <Table.Th>{t('history.after')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map((c, n) => (
                <Table.Tr key={n}>
                  <Table.Td><Code>{c.field}</Code></Table.Td>
                  <Table.Td>{shown(c.before)}</Table.Td>
                  <Table.Td>{shown(c.after)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {others.length > 0 && (
        <Group gap="xs">
          {others.map(([name, value]) => (
            <Badge key={name} color="gray" tt="none" h="auto" styles={{ label: { whiteSpace: 'normal' } }}>{name}: {shown(value)}</Badge>
          ))}
        </Group>
      )}
      <Group gap="md">
        {path && <Link to={path}>{t('do.open')}</Link>}
        {e.request_id && <Text size="xs" c="dimmed" ff="monospace">{t('trail.request')} {e.request_id}</Text>}
      </Group>
    </Stack>
  )
}
