import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../api/client'
import { pages } from '../api/queries'

// What stands where in the alignment hangs on other objectives too, so it is read again together with them.

export const pathQuery = (id: string) => queryOptions({ queryKey: ['objectives', 'path', id], queryFn: ({ signal }) => got(api.GET('/objectives/{objective_id}/path', { params: { path: { objective_id: id } }, signal })) })

/** What contributes to an objective, or to one of its key results alone. */
export const childrenQuery = (id: string, keyResult?: string) =>
  pages(['objectives', 'children', id, keyResult ?? ''], (cursor, signal) => got(api.GET('/objectives/{objective_id}/children', { params: { path: { objective_id: id }, query: { limit: 20, cursor, key_result_id: keyResult } }, signal })))

export const supportsQuery = (id: string, direction: 'supported' | 'supporters') =>
  pages(['objectives', 'supports', id, direction], (cursor, signal) => got(api.GET('/objectives/{objective_id}/supports', { params: { path: { objective_id: id }, query: { limit: 20, cursor, direction } }, signal })))
