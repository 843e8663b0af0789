import { Badge, Card, Chip, Group, List, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Paged } from '../parts/States'
import { useFormats } from '../time/format'
import { resultColor, results, rowsQuery, titleColumn, type Import, type ImportRow } from './queries'
import { useImportWords } from './words'

/** A file's rows with what becomes of each and why, fifty at a time. */
export function Rows({ brought: i }: { brought: Import }) {
  const { t } = useTranslation()
  const f = useFormats()
  const [params, setParams] = useSearchParams()
  const asked = params.get('rows')
  const result = results.find((r) => r === asked) ?? (asked !== 'all' && i.rows && i.rows.refused > 0 ? 'refused' : undefined)
  const query = useInfiniteQuery(rowsQuery(i, result))
  const title = titleColumn(i)
  const put = (rows: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.set('rows', rows)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <section aria-labelledby="rows">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="rows">{t('imports.rowsLabel')}</Title>
        <Chip.Group value={result ?? 'all'} onChange={(v) => put(String(v))}>
          <Group gap={6} role="group" aria-label={t('imports.filter')}>
            <Chip size="xs" value="all">{t('imports.showAll')}</Chip>
            {results.map((r) => (
              <Chip key={r} size="xs" value={r}>{t(`importResult.${r}`)} {f.amount(String(i.rows?.[r] ?? 0))}</Chip>
            ))}
          </Group>
        </Chip.Group>
      </Group>
      <Card padding="xs">
        <Paged query={query} empty={<Text size="sm" c="dimmed" p="sm">{t('imports.noRows')}</Text>}>
          {(items) => (
            <div className="rows">
              {items.map((r) => (
                <Row key={r.row} row={r} brought={i} title={title} />
              ))}
            </div>
          )}
        </Paged>
      </Card>
    </section>
  )
}

function Row({ row: r, brought: i, title }: { row: ImportRow; brought: Import; title: number }) {
  const { t } = useTranslation()
  const { problem } = useImportWords()
  const about = (r.cells[title] ?? '') || r.cells.find(Boolean) || '–'
  return (
    <Stack gap={6} py="sm" px="xs">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Stack gap={0} style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} lineClamp={2}>{about}</Text>
          <Text size="xs" c="dimmed">{t('imports.row', { n: r.row })} · {t('imports.line', { n: r.line })}</Text>
        </Stack>
        {r.result && <Badge color={resultColor[r.result]} style={{ flexShrink: 0 }}>{t(`importResult.${r.result}`)}</Badge>}
      </Group>
      {r.problems.length > 0 && (
        <List size="sm" aria-label={t('imports.reasons')} c="var(--mantine-color-error)" spacing={2}>
          {r.problems.map((p, n) => (
            <List.Item key={n}>{problem(p, r)}</List.Item>
          ))}
        </List>
      )}
      <details>
        <Text component="summary" size="xs" c="var(--mantine-color-anchor)" style={{ cursor: 'pointer' }} aria-label={`${t('imports.wholeRow')}: ${t('imports.row', { n: r.row })}`}>{t('imports.wholeRow')}</Text>
        <dl className="cells">
          {i.columns.map((c, n) => (
            <div key={n}>
              <Text component="dt" size="xs" c="dimmed">{c.header || t('imports.noHeader', { n: n + 1 })}</Text>
              <Text component="dd" size="xs" m={0} style={{ whiteSpace: 'pre-wrap' }}>{r.cells[n] || '–'}</Text>
            </div>
          ))}
        </dl>
      </details>
    </Stack>
  )
}
