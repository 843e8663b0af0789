import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useRef, useState } from 'react'
import { api, got } from './client'
import { objectiveQuery } from './queries'
import { together } from './together'

export type Named = 'person' | 'team' | 'objective'

/** A key result is read with its objective, so its id here names both. */
export type Nameable = Named | 'key_result'

export const keyResultOf = (objective: string, id: string) => `${objective}/${id}`

const atOnce = 100 // ids that a request takes
const byID = (page: { items: { id: string; name: string }[] }) => new Map(page.items.map((x) => [x.id, x.name]))
const person = together(async (ids) => byID(await got(api.GET('/members', { params: { query: { ids, limit: atOnce } } }))), atOnce)
const team = together(async (ids) => byID(await got(api.GET('/teams', { params: { query: { ids, limit: atOnce } } }))), atOnce)

/** The name behind an id: nobody reads ten thousand people to show one. null where there is none, or none that one may see. */
export const nameQuery = (kind: Nameable, id: string) =>
  queryOptions({
    queryKey: ['name', kind, id],
    staleTime: 300_000,
    queryFn: async ({ signal, client }): Promise<string | null> => {
      if (kind === 'person') return person(id)
      if (kind === 'team') return team(id)
      try {
        if (kind === 'key_result') {
          const [objective = '', keyResult] = id.split('/')
          const whole = await client.fetchQuery({ ...objectiveQuery(objective), staleTime: 30_000 })
          return whole.key_results.find((k) => k.id === keyResult)?.title ?? null
        }
        return (await got(api.GET('/objectives/{objective_id}', { params: { path: { objective_id: id } }, signal }))).title
      } catch (error) {
        if ((error as { status?: number }).status === 404) return null
        throw error
      }
    },
  })

/** Names for texts that are put together while a page is drawn, by whichever part of it: what is not known yet is an ellipsis, and is read. */
export function useNames() {
  const client = useQueryClient()
  const [, again] = useReducer((n: number) => n + 1, 0)
  const [wanted] = useState(() => new Map<string, [Nameable, string]>())
  const here = useRef(false)
  useEffect(() => {
    here.current = true
    again() // what was read before the page was there
    return () => {
      here.current = false
    }
  }, [])
  // Not in an effect: a dialog that is drawn later asks through the page that opened it, which is not drawn again for that.
  const read = () => {
    const missing = [...wanted.values()]
    wanted.clear()
    void Promise.allSettled(missing.map(([kind, id]) => client.fetchQuery(nameQuery(kind, id)))).then(() => here.current && again())
  }
  return (kind: Nameable, id: string): string => {
    const state = client.getQueryState(nameQuery(kind, id).queryKey)
    if (state?.data !== undefined) return state.data ?? '–'
    if (state?.status === 'error') return '–'
    if (wanted.size === 0) queueMicrotask(read)
    wanted.set(`${kind} ${id}`, [kind, id])
    return '…'
  }
}
