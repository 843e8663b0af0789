import { Alert, Button, Card, Group, Skeleton, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconMoodEmpty } from '@tabler/icons-react'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { problemOf } from '../api/problem'
import { Page } from './Page'
import { useProblemText } from './ProblemNote'

export function Empty({ title, why, action, icon }: { title: string; why?: string; action?: ReactNode; icon?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <ThemeIcon size={44} radius="xl" variant="light" color="gray" aria-hidden>
        {icon ?? <IconMoodEmpty size={24} />}
      </ThemeIcon>
      <Text fw={600} className="phrase">
        {title}
      </Text>
      {why && (
        <Text size="sm" c="dimmed" maw={440} className="phrase">
          {why}
        </Text>
      )}
      {action}
    </Stack>
  )
}

export function Failed({ error, again }: { error: unknown; again?: () => void }) {
  const { t } = useTranslation()
  const text = useProblemText()
  return (
    <Alert role="alert" color="poor" icon={<IconAlertTriangle />} title={t('state.failed')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{text(problemOf(error))}</Text>
        {again && (
          <Button size="xs" variant="default" onClick={again}>
            {t('do.again')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

export function Loading({ rows = 4, height = 56 }: { rows?: number; height?: number }) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm" aria-busy>
      <VisuallyHidden role="status">{t('app.loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, n) => (
        <Skeleton key={n} height={height} radius="md" />
      ))}
    </Stack>
  )
}

export function NotFound() {
  const { t } = useTranslation()
  return (
    <Page title={t('state.notFound')} narrow>
      <Card>
        <Empty title={t('state.notFoundWhy')} action={<Button component={Link} to="/">{t('state.toHome')}</Button>} />
      </Card>
    </Page>
  )
}

/** What a query is at: shows the skeleton or the problem, or hands over what was read. What was read once stays while it is read again. */
export function Read<T>({ query, children, loading, page }: { query: { data: T | undefined; error: unknown; isError: boolean; refetch: () => unknown }; children: (data: T) => ReactNode; loading?: ReactNode; page?: boolean }) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.isError) {
    if (page && problemOf(query.error).status === 404) return <NotFound />
    return <Failed error={query.error} again={() => void query.refetch()} />
  }
  return <>{loading ?? <Loading />}</>
}

type Paged<T> = UseInfiniteQueryResult<InfiniteData<{ items: T[]; next_cursor?: string }>>

/** A list with its empty, loading, error and more states. */
export function Paged<T>({ query, children, empty, loading }: { query: Paged<T>; children: (items: T[]) => ReactNode; empty: ReactNode; loading?: ReactNode }) {
  const { t } = useTranslation()
  if (!query.data) return query.isError ? <Failed error={query.error} again={() => void query.refetch()} /> : <>{loading ?? <Loading />}</>
  const items = query.data.pages.flatMap((p) => p.items)
  return (
    <Stack gap="sm" style={query.isPlaceholderData ? { opacity: 0.6 } : undefined}>
      {items.length === 0 && !query.hasNextPage ? empty : children(items)}
      {query.isFetchNextPageError && <Failed error={query.error} again={() => void query.fetchNextPage()} />}
      {query.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('do.more')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

export function SectionTitle({ children, right, id }: { children: ReactNode; right?: ReactNode; id?: string }) {
  return (
    <Group justify="space-between" mb="sm">
      <Title order={2} id={id}>
        {children}
      </Title>
      {right}
    </Group>
  )
}
