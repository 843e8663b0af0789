import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useState } from 'react'
import { api, got } from './client'

export type Named = 'person' | 'team' | 'objective'

/** The name behind an id, read by itself: nobody reads ten thousand people to show one. null where there is none, or none that one may see. */
export const nameQuery = (kind: Named, id: string) =>
  queryOptions({
    queryKey: ['name', kind, id],
    staleTime: 300_000,
    queryFn: async ({ signal }): Promise<string | null> => {
      try {
        if (kind === 'person') return (await got(api.GET('/members/{member_id}', { params: { path: { member_id: id } }, signal }))).name
        if (kind === 'team') return (await got(api.GET('/teams/{team_id}', { params: { path: { team_id: id } }, signal }))).name
        return (await got(api.GET('/objectives/{objective_id}', { params: { path: { objective_id: id } }, signal }))).title
      } catch (error) {
        if ((error as { status?: number }).status === 404) return null
        throw error
      }
    },
  })

/** Names for texts that are put together while a page is drawn: what is not known yet is an ellipsis, and is read. */
export function useNames() {
  const client = useQueryClient()
  const [, again] = useReducer((n: number) => n + 1, 0)
  const [wanted] = useState(() => new Map<string, [Named, string]>())
  useEffect(() => {
    const missing = [...wanted.values()]
    wanted.clear()
    if (missing.length === 0) return
    let here = true
    void Promise.allSettled(missing.map(([kind, id]) => client.fetchQuery(nameQuery(kind, id)))).then(() => here && again())
    return () => {
      here = false
    }
  })
  return (kind: Named, id: string): string => {
    const state = client.getQueryState(nameQuery(kind, id).queryKey)
    if (state?.data !== undefined) return state.data ?? '–'
    if (state?.status === 'error') return '–'
    wanted.set(`${kind} ${id}`, [kind, id])
    return '…'
  }
}
