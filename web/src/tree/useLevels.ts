import { queryOptions, useQueries, useQueryClient } from '@tanstack/react-query'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { hasChildren, root, supportsOf, type Level } from './rows'

const firstPage = 50
const nextPages = 200

/** A page of a level: of the roots, of what contributes to an objective, or of what it supports. */
const pageQuery = (cycle: string, of: string, cursor?: string) =>
  queryOptions({
    queryKey: ['objectives', 'alignment', of === root ? cycle : '', of, cursor ?? ''],
    staleTime: 30_000,
    refetchOnWindowFocus: cursor === undefined, // there may be fifty of the others
    queryFn: ({ signal }): Promise<Schemas['AlignmentPage']> => {
      const query = { limit: cursor === undefined ? firstPage : nextPages, cursor }
      if (of === root) return got(api.GET('/cycles/{cycle_id}/alignment', { params: { path: { cycle_id: cycle }, query }, signal }))
      if (of.endsWith('>')) return got(api.GET('/objectives/{objective_id}/supports', { params: { path: { objective_id: of.slice(0, -1) }, query }, signal }))
      return got(api.GET('/objectives/{objective_id}/children', { params: { path: { objective_id: of }, query }, signal }))
    },
  })

/** Reads the levels that are open and can be seen, each as far as has been asked for. Also returns how to read again what failed. */
export function useLevels(cycle: string, open: ReadonlySet<string>, pages: Readonly<Record<string, number>>, pinned: readonly string[]): { levels: Map<string, Level>; again: () => void } {
  const client = useQueryClient()
  const wanted: { of: string; options: ReturnType<typeof pageQuery> }[] = []
  const begun = new Set<string>()
  const want = (of: string) => {
    if (begun.has(of)) return
    begun.add(of)
    let cursor: string | undefined
    const mayWant = Math.max(1, pages[of] ?? 1)
    for (let n = 0; n < mayWant; n++) {
      const options = pageQuery(cycle, of, cursor)
      wanted.push({ of, options })
      const page = client.getQueryData(options.queryKey)
      if (!of.endsWith('>')) {
        for (const node of page?.items ?? []) {
          if (!open.has(node.id)) continue
          if (hasChildren(node)) want(node.id)
          if (node.supported_count > 0) want(supportsOf(node.id))
        }
      }
      // A page may hold nothing and lead on.
      cursor = page?.next_cursor
      if (cursor === undefined) break
    }
  }
  want(root)
  for (const id of pinned) if (open.has(id)) want(id)
  const results = useQueries({ queries: wanted.map((w) => w.options) })
  const levels = new Map<string, Level>()
  wanted.forEach(({ of }, i) => {
    const result = results[i]!
    const level = levels.get(of) ?? { nodes: [], more: false, loading: false, failed: false }
    if (result.data) level.nodes.push(...result.data.items)
    level.more = result.data?.next_cursor !== undefined
    level.loading = result.isPending && result.fetchStatus !== 'paused'
    level.failed = result.isError && !result.data
    levels.set(of, level)
  })
  const again = () => {
    for (const r of results) if (r.isError) void r.refetch()
  }
  return { levels, again }
}
