import { Alert, Anchor, Badge, Box, Button, Card, Collapse, Group, NativeSelect, Progress, SimpleGrid, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconDownload, IconFileImport, IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { problemOf } from '../api/problem'
import { line, save } from '../exchange/csv'
import { fileKey, importsQuery, stateColor, underWay, type Import } from '../exchange/queries'
import { refusedAtSight, upload, type Bringing } from '../exchange/upload'
import { useImportWords } from '../exchange/words'
import { useProblemText } from '../parts/ProblemNote'
import { Empty, Paged, SectionTitle } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

/** Where a file is brought, and those that were. */
export default function Imports() {
  const { t } = useTranslation()
  const me = useMe()
  const query = useInfiniteQuery({ ...importsQuery, refetchInterval: (q) => (q.state.data?.pages.some((p) => p.items.some((i) => underWay(i.state))) ? 3000 : false) })
  return (
    <Stack gap="xl">
      <Stack>
        <Text c="dimmed" maw={760}>{t('imports.lead')}</Text>
        {me.writes && <Bring />}
      </Stack>
      <section aria-labelledby="imports">
        <SectionTitle id="imports" right={<Button component={Link} to="/export" size="xs" variant="default" leftSection={<IconDownload size={16} />}>{t('imports.exportInstead')}</Button>}>{t('imports.before')}</SectionTitle>
        <Card padding="xs">
          <Paged query={query} empty={<Empty icon={<IconFileImport size={24} />} title={t('imports.none')} why={t('imports.noneWhy')} />}>
            {(items) => (
              <div className="rows">
                {items.map((i) => (
                  <Row key={i.id} brought={i} />
                ))}
              </div>
            )}
          </Paged>
        </Card>
      </section>
    </Stack>
  )
}

function Row({ brought: i }: { brought: Import }) {
  const { t } = useTranslation()
  const f = useFormats()
  return (
    <Link className="row" to={`/organization/import/${i.id}`}>
      <Group gap="sm" justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={2} style={{ minWidth: 0 }}>
          <Text size="sm" fw={600}>{i.file_name || t('imports.untitled')}</Text>
          <Text size="xs" c="dimmed">{[t('imports.rows', { count: i.row_count }), t('imports.by', { name: i.created_by.name, when: f.ago(i.created_at) })].join(' · ')}</Text>
        </Stack>
        <Group gap={6} style={{ flexShrink: 0 }}>
          {i.rows && i.rows.refused > 0 && <Badge color="poor" visibleFrom="xs">{t('importResult.refused')} {i.rows.refused}</Badge>}
          <Badge color={stateColor[i.state]}>{t(`importState.${i.state}`)}</Badge>
        </Group>
      </Group>
    </Link>
  )
}

const encodings = ['utf-8', 'utf-16', 'shift_jis', 'windows-1252'] as const
const separators = ['comma', 'semicolon', 'tab'] as const

function Bring() {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { failure, refusedFile } = useImportWords()
  const problemText = useProblemText()
  const [how, setHow] = useState<Bringing>({})
  const [more, { toggle, open }] = useDisclosure()
  const [over, setOver] = useState(false)
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null)
  const [mistake, setMistake] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const bring = async (files: FileList | null | undefined) => {
    setMistake('')
    const file = files?.[0]
    if (!file || sending) return
    if (files.length > 1) return setMistake(t('imports.several'))
    const sight = await refusedAtSight(file)
    if (sight) return setMistake(failure(sight))
    const abort = new AbortController()
    stop.current = abort
    setSending({ name: file.name, share: 0 })
    try {
      const made = await upload(file, how, abort.signal, (share) => setSending({ name: file.name, share }))
      client.setQueryData(['import', made.id], undefined)
      client.setQueryData(fileKey(made.id), file)
      await navigate(`/organization/import/${made.id}`)
    } catch (error) {
      if (!abort.signal.aborted) {
        const p = problemOf(error)
        if (p.body.errors?.some((e) => e.code === 'encoding')) open()
        setMistake(refusedFile(p) ?? problemText(p))
      }
    } finally {
      setSending(null)
      void client.invalidateQueries({ queryKey: ['imports'] })
    }
  }
  return (
    <Card>
      <Stack>
        {sending ? (
          <Stack gap="xs" role="status">
            <Text fw={600}>{sending.share < 1 ? t('imports.uploading', { name: sending.name }) : t('imports.reading')}</Text>
            <Group wrap="nowrap">
              <Progress.Root flex={1} size="lg"><Progress.Section value={Math.round(sending.share * 100)} aria-label={t('imports.uploading', { name: sending.name })} animated striped={sending.share === 1} /></Progress.Root>
              <Button size="xs" variant="default" onClick={() => stop.current?.abort()}>{t('imports.stop')}</Button>
            </Group>
          </Stack>
        ) : (
          <Box
            className="drop"
            data-over={over || undefined}
            onDragOver={(e) => {
              e.preventDefault()
              setOver(true)
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(e) => {
              e.preventDefault()
              setOver(false)
              void bring(e.dataTransfer.files)
            }}
          >
            <IconUpload size={28} aria-hidden />
            <Text fw={600} className="phrase">{over ? t('imports.dropNow') : t('imports.drop')}</Text>
            <Button onClick={() => input.current?.click()} leftSection={<IconFileImport size={18} />}>{t('imports.choose')}</Button>
            <VisuallyHidden>
              <input
                ref={input}
                type="file"
                tabIndex={-1}
                aria-label={t('imports.choose')}
                accept=".csv,.json,.tsv,.txt,.xlsx,.xlsm,text/csv,application/json,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
                onChange={(e) => {
                  void bring(e.currentTarget.files).finally(() => {
                    if (input.current) input.current.value = '' // the same file can be chosen once more
                  })
                }}
              />
            </VisuallyHidden>
            <Text size="sm" c="dimmed" className="phrase">{t('imports.kinds')}</Text>
          </Box>
        )}
        {mistake && <Alert role="alert" color="poor" icon={<IconAlertTriangle />}>{mistake}</Alert>}
        <Stack gap={4}>
          <Text size="sm" c="dimmed">{t('imports.understands')}</Text>
          {!me.administers && <Text size="sm" c="dimmed">{t('imports.ownOnly')}</Text>}
        </Stack>
        <Group gap="lg">
          <Anchor component="button" type="button" size="sm" onClick={() => example(`${t('imports.exampleName')}.csv`)}>{t('imports.template')}</Anchor>
          <Anchor component="button" type="button" size="sm" aria-expanded={more} onClick={toggle}>{t('imports.how')}</Anchor>
        </Group>
        <Collapse expanded={more}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} maw={520}>
            <NativeSelect label={t('imports.encoding')} value={how.encoding ?? ''} onChange={(e) => setHow({ ...how, encoding: (e.currentTarget.value || undefined) as Bringing['encoding'] })} data={[{ value: '', label: t('imports.auto') }, ...encodings.map((x) => ({ value: x, label: x }))]} />
            <NativeSelect label={t('imports.separator')} value={how.separator ?? ''} onChange={(e) => setHow({ ...how, separator: (e.currentTarget.value || undefined) as Bringing['separator'] })} data={[{ value: '', label: t('imports.auto') }, ...separators.map((x) => ({ value: x, label: t(`imports.${x}`) }))]} />
            <TextInput label={t('imports.sheet')} placeholder={t('imports.auto')} maxLength={100} value={how.sheet ?? ''} onChange={(e) => setHow({ ...how, sheet: e.currentTarget.value })} />
          </SimpleGrid>
        </Collapse>
      </Stack>
    </Card>
  )

  /** A file to begin from, with headers that are understood whatever the language. */
  function example(name: string) {
    const fields = ['objective', 'objective_description', 'owner', 'team', 'cycle', 'key_result', 'unit', 'baseline', 'target', 'value', 'confidence', 'note'] as const
    const rows = [fields.map((x) => t(`importField.${x}`).replace(/\s?[(（].*[)）]$/, '')), [t('form.titlePlaceholder'), '', '', '', '', t('form.krTitlePlaceholder'), '%', '5', '3', '', '', '']]
    save(['\uFEFF', ...rows.map(line)], name, 'text/csv;charset=utf-8')
  }
}
