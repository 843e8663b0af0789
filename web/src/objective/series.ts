import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../api/client'

/** How an objective's key results have moved, and what is expected of them today. */
export const seriesQuery = (id: string) =>
  queryOptions({ queryKey: ['objective', id, 'series'], queryFn: ({ signal }) => got(api.GET('/objectives/{objective_id}/series', { params: { path: { objective_id: id } }, signal })) })
