import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../api/client'
import { pages } from '../api/queries'

// Under the objectives' key, so that whatever makes those be read again has the dashboard read again too.
export const dashboardQuery = queryOptions({ queryKey: ['objectives', 'dashboard'], queryFn: ({ signal }) => got(api.GET('/dashboard', { signal })) })

/** The dashboard as it stood at a moment, of the cycle of that day or another one. */
export const pastDashboardQuery = (asOf: string, cycle?: string) =>
  queryOptions({ queryKey: ['objectives', 'dashboard', 'as-of', asOf, cycle ?? ''], queryFn: ({ signal }) => got(api.GET('/dashboard', { params: { query: { as_of: asOf, cycle_id: cycle } }, signal })) })

export const withoutObjectiveQuery = (cycle: string) =>
  pages(['objectives', 'missing', cycle], (cursor, signal) => got(api.GET('/cycles/{cycle_id}/missing-objectives', { params: { path: { cycle_id: cycle }, query: { limit: 50, cursor } }, signal })))

export const silentQuery = (cycle: string) =>
  pages(['objectives', 'silent', cycle], (cursor, signal) => got(api.GET('/cycles/{cycle_id}/missing-check-ins', { params: { path: { cycle_id: cycle }, query: { limit: 50, cursor } }, signal })))

export const newsAtOnce = 8
