import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../api/client'

// Figures follow what is done to objectives, so they are read again together with those.

export const cycleProgressQuery = (cycle: string, team?: string) =>
  queryOptions({ queryKey: ['objectives', 'figures', cycle, 'progress', team ?? ''], queryFn: ({ signal }) => got(api.GET('/cycles/{cycle_id}/progress', { params: { path: { cycle_id: cycle }, query: { team_id: team } }, signal })) })

export const dashboardQuery = (cycle: string, asOf?: string) =>
  queryOptions({ queryKey: ['objectives', 'figures', cycle, 'dashboard', asOf ?? ''], queryFn: ({ signal }) => got(api.GET('/dashboard', { params: { query: { cycle_id: cycle, as_of: asOf } }, signal })) })

export const teamOverviewQuery = (team: string, cycle?: string) =>
  queryOptions({ queryKey: ['objectives', 'figures', 'team', team, cycle ?? ''], queryFn: ({ signal }) => got(api.GET('/teams/{team_id}/overview', { params: { path: { team_id: team }, query: { cycle_id: cycle } }, signal })) })
