import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { nameQuery, useNames, type Named } from '../api/names'
import { useMe } from '../session/me'

export interface Scope {
  cycle?: string
  without?: string
  /** Only these: then there is nothing for the server to look for. */
  among?: string[]
}

export interface Item {
  value: string
  label: string
  more?: string
  disabled?: boolean
}

interface Found {
  items: Item[]
  more: boolean
}

const atOnce = 30

/** What there is to choose from, once it is asked for: what the words find, or without any the first of a kind, those of one's own team where there are many. */
export function useFound(kind: Named, words: string, scope: Scope = {}, asked = true) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const nameOf = useNames()
  const [settled] = useDebouncedValue(words.trim(), 200)
  const query = useQuery({
    queryKey: ['choices', kind, settled, scope.cycle ?? '', scope.without ?? ''],
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    enabled: asked && scope.among === undefined,
    queryFn: async ({ signal }) => {
      const found = settled === '' ? await first(kind, scope, me.team_ids[0], signal) : await search(kind, settled, scope, signal)
      for (const item of found.items) client.setQueryData(nameQuery(kind, item.value).queryKey, item.label)
      return found
    },
  })
  if (scope.among) {
    const like = words.trim().normalize('NFKC').toLowerCase()
    const items = scope.among.map((id): Item => ({ value: id, label: nameOf(kind, id) })).filter((i) => i.label.normalize('NFKC').toLowerCase().includes(like))
    return { items, nothing: t('app.paletteNone') }
  }
  const items: Item[] = query.data?.items ?? []
  return {
    items: query.data?.more ? [...items, { value: ' more', label: t('choice.more'), disabled: true }] : items,
    nothing: query.isPending || settled !== words.trim() ? t('app.loading') : query.isError ? t('state.failed') : t('app.paletteNone'),
  }
}

async function search(kind: Named, q: string, { cycle, without }: Scope, signal: AbortSignal): Promise<Found> {
  const result = await got(api.GET('/search', { params: { query: { q, kind, limit: atOnce, cycle_id: cycle, without_id: without } }, signal }))
  if (kind === 'person') return { items: (result.people?.items ?? []).map((p) => ({ value: p.id, label: p.name, more: p.email })), more: result.people?.more ?? false }
  if (kind === 'team') return { items: (result.teams?.items ?? []).map((x) => ({ value: x.id, label: x.name })), more: result.teams?.more ?? false }
  return { items: (result.objectives?.items ?? []).map((o) => ({ value: o.id, label: o.title, more: [o.owner.name, o.key_result?.title].filter(Boolean).join(' · ') })), more: result.objectives?.more ?? false }
}

async function first(kind: Named, { cycle, without }: Scope, team: string | undefined, signal: AbortSignal): Promise<Found> {
  if (kind === 'person') {
    const read = (team_id?: string) => got(api.GET('/members', { params: { query: { limit: atOnce, team_id } }, signal }))
    let page = await read()
    const more = page.next_cursor !== undefined
    if (more && team) page = await read(team)
    return { items: page.items.filter((p) => !p.suspended && p.id !== without).map((p) => ({ value: p.id, label: p.name, more: p.email })), more }
  }
  if (kind === 'team') {
    const page = await got(api.GET('/teams', { params: { query: { limit: 100, archived: false } }, signal }))
    return { items: page.items.map((x) => ({ value: x.id, label: x.name })), more: page.next_cursor !== undefined }
  }
  const page = await got(api.GET('/objectives', { params: { query: { limit: atOnce, cycle_id: cycle } }, signal }))
  return { items: page.items.filter((o) => o.id !== without).map((o) => ({ value: o.id, label: o.title, more: o.owner.name })), more: page.next_cursor !== undefined }
}
