import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, got, plain } from './client'
import { Problem, type Schemas } from './problem'
import type { operations } from './schema.gen'

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Schemas['Session'] | null> => {
    try {
      return await got(plain.GET('/session', { signal }))
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null
      throw error
    }
  },
})

interface Page<T> {
  items: T[]
  next_cursor?: string
}

const fewPages = 3

/** A list that goes on at its cursor. Reading it again is reading all its pages, one after the other: where there are many, that is done after a change, and not for coming back to it alone. */
export function pages<P extends Page<unknown>>(key: readonly unknown[], read: (cursor: string | undefined, signal: AbortSignal) => Promise<P>) {
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: P) => last.next_cursor,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: (query) => (query.state.data?.pages.length ?? 0) <= fewPages,
    refetchOnMount: (query) => query.state.isInvalidated || (query.state.data?.pages.length ?? 0) <= fewPages,
  })
}

/** Everything of a list that is small in any organisation, up to a bound; what lies beyond is not shown in choices. */
async function all<T>(read: (cursor: string | undefined) => Promise<Page<T>>, bound = 10): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  for (let n = 0; n < bound; n++) {
    const page = await read(cursor)
    items.push(...page.items)
    if (!(cursor = page.next_cursor)) break
  }
  return items
}

export const cyclesQuery = queryOptions({
  queryKey: ['cycles', 'all'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const cycles = await all((cursor) => got(api.GET('/cycles', { params: { query: { limit: 200, cursor } }, signal })))
    return cycles.sort((a, b) => b.starts_on.localeCompare(a.starts_on))
  },
})

export const objectiveQuery = (id: string) =>
  queryOptions({ queryKey: ['objective', id], queryFn: ({ signal }) => got(api.GET('/objectives/{objective_id}', { params: { path: { objective_id: id } }, signal })) })

export type ObjectiveFilter = Omit<NonNullable<operations['ListObjectives']['parameters']['query']>, 'cursor' | 'limit'>

export const objectivesQuery = (filter: ObjectiveFilter, limit = 50) =>
  pages(['objectives', filter, limit], (cursor, signal) => got(api.GET('/objectives', { params: { query: { ...filter, limit, cursor } }, signal })))

export const historyQuery = (id: string) =>
  pages(['objective', id, 'history'], (cursor, signal) => got(api.GET('/objectives/{objective_id}/history', { params: { path: { objective_id: id }, query: { limit: 20, cursor } }, signal })))

export const checkInsQuery = (id: string) =>
  pages(['check-ins', id], (cursor, signal) => got(api.GET('/key-results/{key_result_id}/check-ins', { params: { path: { key_result_id: id }, query: { limit: 50, cursor } }, signal })))

export const dialoguesQuery = (id: string) =>
  pages(['objective', id, 'dialogues'], (cursor, signal) => got(api.GET('/objectives/{objective_id}/dialogues', { params: { path: { objective_id: id }, query: { limit: 50, cursor } }, signal })))

export const dialogueQuery = (id: string) =>
  queryOptions({ queryKey: ['dialogue', id], queryFn: ({ signal }) => got(api.GET('/dialogues/{dialogue_id}', { params: { path: { dialogue_id: id } }, signal })) })

export const summaryQuery = queryOptions({ queryKey: ['notifications', 'summary'], queryFn: ({ signal }) => got(api.GET('/notifications/summary', { signal })) })
export const owedQuery = queryOptions({ queryKey: ['owed'], queryFn: ({ signal }) => got(api.GET('/owed', { signal })) })

export const feedQuery = (limit = 20) => pages(['feed', limit], (cursor, signal) => got(api.GET('/feed', { params: { query: { limit, cursor } }, signal })))

export const broadcastsQuery = (state?: Schemas['BroadcastState']) =>
  pages(['broadcasts', state ?? ''], (cursor, signal) => got(api.GET('/broadcasts', { params: { query: { state, limit: 30, cursor } }, signal })))
export const broadcastQuery = (id: string) =>
  queryOptions({ queryKey: ['broadcast', id], queryFn: ({ signal }) => got(api.GET('/broadcasts/{broadcast_id}', { params: { path: { broadcast_id: id } }, signal })) })
export const deliveryQuery = (id: string) =>
  queryOptions({ queryKey: ['broadcast', id, 'delivery'], queryFn: ({ signal }) => got(api.GET('/broadcasts/{broadcast_id}/delivery', { params: { path: { broadcast_id: id } }, signal })) })
export const recipientsQuery = (id: string, state?: Schemas['BroadcastDeliveryState']) =>
  pages(['broadcast', id, 'recipients', state ?? ''], (cursor, signal) => got(api.GET('/broadcasts/{broadcast_id}/deliveries', { params: { path: { broadcast_id: id }, query: { state, limit: 50, cursor } }, signal })))

export const occurrencesQuery = (from: string, before: string) =>
  pages(['occurrences', from, before], (cursor, signal) => got(api.GET('/occurrences', { params: { query: { from, before, limit: 50, cursor } }, signal })))
export const occurrenceQuery = (id: string) =>
  queryOptions({ queryKey: ['occurrence', id], queryFn: ({ signal }) => got(api.GET('/occurrences/{occurrence_id}', { params: { path: { occurrence_id: id } }, signal })) })
export const meetingQuery = (id: string) =>
  queryOptions({ queryKey: ['meeting', id], queryFn: ({ signal }) => got(api.GET('/meetings/{meeting_id}', { params: { path: { meeting_id: id } }, signal })) })

export const teamMembersQuery = (id: string) =>
  pages(['team', id, 'members'], (cursor, signal) => got(api.GET('/teams/{team_id}/members', { params: { path: { team_id: id }, query: { limit: 50, cursor } }, signal })))
export const sessionsQuery = pages(['sessions'], (cursor, signal) => got(api.GET('/sessions', { params: { query: { limit: 50, cursor } }, signal })))
export const preferencesQuery = queryOptions({ queryKey: ['preferences'], queryFn: ({ signal }) => got(api.GET('/notification-preferences', { signal })) })
export const mailQuery = queryOptions({ queryKey: ['mail-settings'], queryFn: ({ signal }) => got(api.GET('/mail-settings', { signal })) })
