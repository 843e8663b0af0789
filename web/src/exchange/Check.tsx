import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft, IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { Counts } from './Counts'
import { Download } from './Download'
import type { Import } from './queries'
import { Rows } from './Rows'

/** What running a file would do, and the decision to do it. */
export function Check({ brought: i, said, toColumns }: { brought: Import; said: (i: Import) => void; toColumns: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const rows = i.rows!
  const good = rows.create + rows.update
  const [goodOnly, setGoodOnly] = useState(i.good_rows_only)
  const sending = useSend({
    send: async () => {
      let now = i
      if (i.good_rows_only !== (goodOnly && rows.refused > 0)) now = await got(api.PATCH('/imports/{import_id}', { params: { path: { import_id: i.id } }, body: { revision: i.revision, good_rows_only: goodOnly && rows.refused > 0 } }))
      return got(api.POST('/imports/{import_id}/run', { params: { path: { import_id: i.id } }, body: { revision: now.revision } }))
    },
    done: (now) => said({ ...now, sample: i.sample }),
    refused: () => {
      void client.invalidateQueries({ queryKey: ['import', i.id] })
      return false
    },
  })
  const may = good > 0 && (rows.refused === 0 || goodOnly)
  return (
    <Stack gap="xl">
      <Counts brought={i} title={t('imports.would')} />
      {rows.refused === 0 ? (
        <Alert color={good > 0 ? 'good' : 'gray'} icon={<IconCircleCheck />}>{good > 0 ? t('imports.allGood') : t('imports.allSame')}</Alert>
      ) : (
        <Alert color="fair" icon={<IconAlertTriangle />} title={t('imports.refusedTitle', { count: rows.refused })}>
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{good > 0 ? t('imports.refusedWhy') : t('imports.nothingGood')}</Text>
            <Download brought={i} />
            {good > 0 && <Checkbox label={t('imports.goodOnly', { count: good })} checked={goodOnly} onChange={(e) => setGoodOnly(e.currentTarget.checked)} />}
          </Stack>
        </Alert>
      )}
      {sending.problem && <ProblemNote problem={sending.problem} />}
      <Group justify="space-between">
        <Button variant="default" leftSection={<IconArrowLeft size={18} />} onClick={toColumns}>{t('imports.back')}</Button>
        {good > 0 && <Button disabled={!may} loading={sending.busy} onClick={() => sending.send(undefined)}>{t('imports.run', { count: good })}</Button>}
      </Group>
      <Rows brought={i} />
    </Stack>
  )
}
