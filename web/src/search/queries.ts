import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'

export const searchQuery = (q: string, limit: number, kind?: Schemas['SearchKind']) =>
  queryOptions({
    queryKey: ['search', kind ?? '', limit, q],
    enabled: q !== '',
    staleTime: 30_000,
    placeholderData: q === '' ? undefined : keepPreviousData,
    queryFn: ({ signal }) => got(api.GET('/search', { params: { query: { q, limit, kind } }, signal })),
  })

/** What of a title somebody looks for, as one compares it: width and case make no difference. */
export const folded = (s: string) => s.normalize('NFKC').toLowerCase()
