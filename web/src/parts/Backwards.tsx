import { Button, Group, Stack } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed, Loading } from './States'

type Paged<T> = UseInfiniteQueryResult<InfiniteData<{ items: T[]; next_cursor?: string }>>

/** A conversation: a list that is read from the latest back and shown in the order of time, with what is earlier above. */
export function Backwards<T>({ query, children, empty, loading }: { query: Paged<T>; children: (items: T[]) => ReactNode; empty: ReactNode; loading?: ReactNode }) {
  const { t } = useTranslation()
  if (!query.data) return query.isError ? <Failed error={query.error} again={() => void query.refetch()} /> : <>{loading ?? <Loading />}</>
  const items = query.data.pages.flatMap((p) => p.items).reverse()
  return (
    <Stack gap="sm">
      {query.hasNextPage && (
        <Group justify="center">
          <Button variant="default" size="xs" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('talk.earlier')}
          </Button>
        </Group>
      )}
      {query.isFetchNextPageError && <Failed error={query.error} again={() => void query.fetchNextPage()} />}
      {items.length === 0 && !query.hasNextPage ? empty : children(items)}
    </Stack>
  )
}
