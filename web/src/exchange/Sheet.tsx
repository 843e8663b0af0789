import { Alert, Loader, NativeSelect, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { problemOf } from '../api/problem'
import { useProblemText } from '../parts/ProblemNote'
import { fileKey, type Import } from './queries'
import { upload } from './upload'
import { useImportWords } from './words'

/** Which sheet of a workbook was read. Another one is brought in its place as long as the file is at hand. */
export function Sheet({ brought: i }: { brought: Import }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const text = useProblemText()
  const { refusedFile } = useImportWords()
  const file = client.getQueryData<File>(fileKey(i.id))
  const bringing = useMutation({
    mutationFn: (sheet: string) => upload(file!, { sheet }, new AbortController().signal, () => undefined),
    onSuccess: (made) => {
      client.setQueryData(fileKey(made.id), file)
      void client.invalidateQueries({ queryKey: ['imports'] })
      void navigate(`/organization/import/${made.id}`, { replace: true })
    },
  })
  const others = (i.sheets ?? []).filter((s) => s !== i.sheet)
  if (others.length === 0) return null
  if (!file) return <Text size="sm" c="dimmed">{t('imports.sheetRead', { name: i.sheet ?? '' })} {t('imports.sheetOthers', { names: others.join('、') })}</Text>
  const failed = bringing.error && problemOf(bringing.error)
  return (
    <>
      <NativeSelect maw={360} label={t('imports.sheet')} description={t('imports.sheetWhy')} disabled={bringing.isPending} rightSection={bringing.isPending ? <Loader size="xs" /> : undefined} value={bringing.isPending ? bringing.variables : i.sheet} data={i.sheets} onChange={(e) => bringing.mutate(e.currentTarget.value)} />
      {failed && <Alert role="alert" color="poor">{refusedFile(failed) ?? text(failed)}</Alert>}
    </>
  )
}
