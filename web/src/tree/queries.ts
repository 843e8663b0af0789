import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../api/client'
import { pages } from '../api/queries'

// What stands where in the alignment hangs on other objectives too, so it is read again together with them.

export const pathQuery = (id: string) => queryOptions({ queryKey: ['objectives', 'path', id], queryFn: ({ signal }) => got(api.GET('/objectives/{objective_id}/path', { params: { path: { objective_id: id } }, signal })) })

export const childrenQuery = (id: string) =>
  pages(['objectives', 'children', id], (cursor, signal) => got(api.GET('/objectives/{objective_id}/children', { params: { path: { objective_id: id }, query: { limit: 20, cursor } }, signal })))

export const supportsQuery = (id: string, direction: 'supported' | 'supporters') =>
  pages(['objectives', 'supports', id, direction], (cursor, signal) => got(api.GET('/objectives/{objective_id}/supports', { params: { path: { objective_id: id }, query: { limit: 20, cursor, direction } }, signal })))
