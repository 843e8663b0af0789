import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { pages } from '../api/queries'

export const cycleQuery = (id: string) => queryOptions({ queryKey: ['cycles', id], queryFn: ({ signal }) => got(api.GET('/cycles/{cycle_id}', { params: { path: { cycle_id: id } }, signal })) })

export const toScoreQuery = (id: string, limit = 50) => pages(['to-score', id, limit], (cursor, signal) => got(api.GET('/cycles/{cycle_id}/to-score', { params: { path: { cycle_id: id }, query: { limit, cursor } }, signal })))

export type Carrying = Omit<Schemas['CarryOverCreate'], 'dry_run' | 'cursor' | 'limit'>

export const carryOver = (source: string, body: Schemas['CarryOverCreate'], signal?: AbortSignal) => got(api.POST('/cycles/{cycle_id}/carry-over', { params: { path: { cycle_id: source } }, body, signal }))

/** What carrying over would make. It is a POST that changes nothing. */
export const carryQuery = (source: string, carrying: Carrying) => pages(['carry-over', source, carrying], (cursor, signal) => carryOver(source, { ...carrying, dry_run: true, limit: 50, cursor }, signal))

/** What is read again when a cycle has changed. */
export const touched = [['cycles'], ['objectives'], ['objective'], ['owed'], ['to-score'], ['dashboard']]
