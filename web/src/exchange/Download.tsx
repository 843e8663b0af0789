import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { problemOf } from '../api/problem'
import { ProblemNote } from '../parts/ProblemNote'
import { line, save } from './csv'
import type { Import } from './queries'
import { useImportWords } from './words'

/** The rows that are refused as a file, with the reasons behind the file's own columns. It is made here, page by page, so that the reasons are in the reader's language. */
export function Download({ brought: i }: { brought: Import }) {
  const { t } = useTranslation()
  const { problem } = useImportWords()
  const [count, setCount] = useState(0)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const work = useMutation({
    mutationFn: async () => {
      const abort = new AbortController()
      stop.current = abort
      setCount(0)
      const parts: BlobPart[] = ['\uFEFF', line([...i.columns.map((c) => c.header), t('imports.reasons')])]
      let cursor: string | undefined
      let n = 0
      do {
        const page = await got(api.GET('/imports/{import_id}/rows', { params: { path: { import_id: i.id }, query: { result: 'refused', limit: 200, cursor } }, signal: abort.signal }))
        parts.push(page.items.map((r) => line([...i.columns.map((_, at) => r.cells[at] ?? ''), r.problems.map((p) => problem(p, r)).join('\n')])).join(''))
        n += page.items.length
        setCount(n)
        cursor = page.next_cursor
      } while (cursor)
      save(parts, `${i.file_name.replace(/\.\w{1,5}$/, '') || 'kakeai'}-refused.csv`, 'text/csv;charset=utf-8')
    },
  })
  return (
    <Group gap="sm">
      <Button size="xs" variant="default" leftSection={<IconDownload size={16} />} loading={work.isPending} onClick={() => work.mutate()}>{t('imports.download')}</Button>
      <Text size="sm" c="dimmed" role="status">{work.isPending ? t('imports.downloading', { count }) : t('imports.downloadWhy')}</Text>
      {work.isError && <ProblemNote problem={problemOf(work.error)} />}
    </Group>
  )
}
