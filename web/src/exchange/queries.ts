import { queryOptions } from '@tanstack/react-query'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { pages } from '../api/queries'

export type Import = Schemas['Import']
export type ImportRow = Schemas['ImportRow']
export type Result = Schemas['ImportResult']

export const results = ['create', 'update', 'same', 'refused'] as const
export const resultColor = { create: 'good', update: 'ai', same: 'gray', refused: 'poor' } as const
export const stateColor = { uploading: 'gray', uploaded: 'gray', checking: 'ai', checked: 'ai', running: 'ai', done: 'good', cancelled: 'gray', failed: 'poor' } as const

export const underWay = (state: Import['state']) => state === 'uploading' || state === 'checking' || state === 'running'

/** Under which a file that was just chosen is remembered for a while, in memory, so that another sheet of it can be brought. */
export const fileKey = (id: string) => ['import-file', id] as const

export const importsQuery = pages(['imports'], (cursor, signal) => got(api.GET('/imports', { params: { query: { limit: 20, cursor } }, signal })))

/** Asked again while somebody is at work on it. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['import', id],
    queryFn: ({ signal }) => got(api.GET('/imports/{import_id}', { params: { path: { import_id: id } }, signal })),
    refetchInterval: (q) => (q.state.data && underWay(q.state.data.state) ? 1000 : false),
  })

/** The rows of one check; another check is another list. */
export const rowsQuery = (i: Import, result: Result | undefined) =>
  pages(['import', i.id, 'rows', i.revision, result ?? ''], (cursor, signal) => got(api.GET('/imports/{import_id}/rows', { params: { path: { import_id: i.id }, query: { result, limit: 50, cursor } }, signal })))

/** The field that says what a row is about. */
export function titleColumn(i: Import): number {
  for (const field of ['objective', 'item', 'key_result', 'objective_id'] as const) {
    const n = i.columns.findIndex((c) => c.field === field)
    if (n >= 0) return n
  }
  return 0
}
