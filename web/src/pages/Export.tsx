import { Alert, Button, Card, Group, NativeSelect, Progress, Radio, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconDownload, IconFileImport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { api } from '../api/client'
import { Problem, problemOf, type ProblemBody } from '../api/problem'
import { cyclesQuery } from '../api/queries'
import { save } from '../exchange/csv'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Read } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

const encodings = ['utf-8-bom', 'utf-8', 'shift_jis'] as const

interface Progressing {
  bytes: number
  state: 'going' | 'done' | 'stopped' | 'broke'
}

/** What one may see, as a file. The choice is in the address; the file comes piece by piece, and is offered only when it is whole. */
export default function Export() {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const cycles = useQuery(cyclesQuery)
  const [params, setParams] = useSearchParams()
  const format = params.get('format') === 'json' ? 'json' : 'csv'
  const encoding = encodings.find((e) => e === params.get('encoding')) ?? 'utf-8-bom'
  const cycle = params.get('cycle') ?? ''
  const [at, setAt] = useState<Progressing | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const put = (name: string, value: string) => {
    setAt(null)
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  }
  const size = (bytes: number) => (bytes < 1_000_000 ? `${f.amount(String(Math.max(1, Math.round(bytes / 1000))))} KB` : `${f.amount((bytes / 1_000_000).toFixed(1))} MB`)
  const download = async () => {
    const abort = new AbortController()
    stop.current = abort
    setProblem(null)
    setAt({ bytes: 0, state: 'going' })
    let bytes = 0
    try {
      const { response, error } = await api.GET('/export', { params: { query: { format, cycle_id: cycle || undefined, encoding: format === 'csv' ? encoding : undefined } }, parseAs: 'stream', signal: abort.signal })
      if (!response.ok || !response.body) throw new Problem(response.status, (typeof error === 'object' && error ? error : {}) as Partial<ProblemBody>)
      const parts: BlobPart[] = []
      const reader = response.body.getReader()
      let told = 0
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        parts.push(value as BlobPart)
        bytes += value.byteLength
        if (bytes - told > 100_000) setAt({ bytes: (told = bytes), state: 'going' })
      }
      const name = `kakeai-${cycles.data?.find((c) => c.id === cycle)?.name.replaceAll(/[\\/:*?"<>|\s]+/g, '-') ?? 'okr'}`
      save(parts, `${name}.${format}`, response.headers.get('Content-Type') ?? 'application/octet-stream')
      setAt({ bytes, state: 'done' })
    } catch (e) {
      if (abort.signal.aborted) setAt({ bytes, state: 'stopped' })
      else if (bytes > 0) setAt({ bytes, state: 'broke' })
      else {
        setAt(null)
        setProblem(problemOf(e))
      }
    }
  }
  return (
    <Page title={t('exports.title')} narrow lead={t('exports.lead')} actions={me.writes && <Button component={Link} to="/organization/import" variant="default" leftSection={<IconFileImport size={18} />}>{t('exports.toImport')}</Button>}>
      <Card>
        <Read query={cycles}>
          {(all) => (
            <form
              onSubmit={(e) => {
                e.preventDefault()
                if (at?.state !== 'going') void download()
              }}
            >
              <Stack>
                <NativeSelect label={t('exports.what')} value={cycle} onChange={(e) => put('cycle', e.currentTarget.value)} data={[{ value: '', label: t('exports.everyCycle') }, ...all.map((c) => ({ value: c.id, label: c.name }))]} />
                <Radio.Group label={t('exports.format')} value={format} onChange={(v) => put('format', v === 'json' ? 'json' : '')}>
                  <Stack gap="xs" mt={6}>
                    <Radio value="csv" label={t('exports.csv')} />
                    <Radio value="json" label={t('exports.json')} />
                  </Stack>
                </Radio.Group>
                {format === 'csv' && <NativeSelect label={t('exports.encoding')} description={encoding === 'shift_jis' ? t('exports.sjisWhy') : undefined} value={encoding} onChange={(e) => put('encoding', e.currentTarget.value === 'utf-8-bom' ? '' : e.currentTarget.value)} data={[{ value: 'utf-8-bom', label: t('exports.bom') }, { value: 'utf-8', label: t('exports.utf8') }, { value: 'shift_jis', label: t('exports.sjis') }]} />}
                <Text size="sm" c="dimmed">{t('exports.again')}</Text>
                {problem && <ProblemNote problem={problem} />}
                {at?.state === 'done' && <Alert role="status" color="good" icon={<IconCircleCheck />}>{t('exports.done', { size: size(at.bytes) })}</Alert>}
                {at?.state === 'stopped' && <Alert role="status" color="gray">{t('exports.stopped')}</Alert>}
                {at?.state === 'broke' && <Alert role="alert" color="poor" icon={<IconAlertTriangle />}>{t('exports.broke')}</Alert>}
                {at?.state === 'going' && (
                  <Group wrap="nowrap" role="status">
                    <Progress.Root flex={1} size="lg"><Progress.Section value={100} striped animated aria-label={t('exports.title')} /></Progress.Root>
                    <Text size="sm" c="dimmed" style={{ flexShrink: 0 }}>{t('exports.going', { size: size(at.bytes) })}</Text>
                    <Button size="xs" variant="default" onClick={() => stop.current?.abort()}>{t('imports.stop')}</Button>
                  </Group>
                )}
                <Group justify="flex-end"><Button type="submit" leftSection={<IconDownload size={18} />} loading={at?.state === 'going'}>{t('exports.go')}</Button></Group>
              </Stack>
            </form>
          )}
        </Read>
      </Card>
    </Page>
  )
}
