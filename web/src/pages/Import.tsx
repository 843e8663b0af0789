import { Alert, Anchor, Badge, Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconPlayerPause } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import { Check } from '../exchange/Check'
import { Columns } from '../exchange/Columns'
import { Counts } from '../exchange/Counts'
import { importQuery, stateColor, underWay, type Import } from '../exchange/queries'
import { Rows } from '../exchange/Rows'
import { Sheet } from '../exchange/Sheet'
import { Steps } from '../exchange/Steps'
import { useImportWords } from '../exchange/words'
import { Page } from '../parts/Page'
import { Read } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useFormats } from '../time/format'

export default function ImportPage() {
  const { id = '' } = useParams()
  const query = useQuery(importQuery(id))
  return <Read query={query} page>{(i) => <Loaded key={id} brought={i} />}</Read>
}

const products: Record<string, string> = { kakeai: 'Kakeai', peoplebox: 'Peoplebox', betterworks: 'Betterworks', peoplecues: 'PeopleCues', engagedly: 'Engagedly', 'viva-goals': 'Viva Goals' }

/** One file, at the step that its state and the address say. Whatever it is at can be left and come back to. */
function Loaded({ brought: i }: { brought: Import }) {
  const { t } = useTranslation()
  const f = useFormats()
  const client = useQueryClient()
  const { failure } = useImportWords()
  const [params, setParams] = useSearchParams()
  const before = useRef(i.state)
  useEffect(() => {
    if (before.current === i.state) return
    const was = before.current
    before.current = i.state
    void client.invalidateQueries({ queryKey: ['imports'] })
    if (i.state === 'done' || was === 'running') for (const key of [['objectives'], ['objective'], ['owed'], ['cycles']]) void client.invalidateQueries({ queryKey: key })
    if (i.state === 'checked' || i.state === 'done') setParams({}, { replace: true })
  }, [i.state, client, setParams])
  const readable = i.columns.length > 0
  const working = underWay(i.state)
  const checked = i.rows !== undefined && (i.state === 'checked' || i.state === 'done')
  const columns = readable && !working && i.state !== 'done' && (!checked || params.get('step') === 'columns')
  const at = i.state === 'done' ? 3 : working ? 2 : columns ? 1 : checked ? 2 : 0
  const say = (next: Import) => {
    client.setQueryData(['import', i.id], next)
    void client.invalidateQueries({ queryKey: ['import', i.id] })
  }
  return (
    <Page
      title={i.file_name || t('imports.untitled')}
      back={{ to: '/organization/import', label: t('imports.toAll') }}
      above={<Steps at={at} />}
      lead={
        <Group gap="xs" mt={4} fz="sm">
          <Badge color={stateColor[i.state]}>{t(`importState.${i.state}`)}</Badge>
          <span>{[t('imports.rows', { count: i.row_count }), i.encoding, t('imports.by', { name: i.created_by.name, when: f.ago(i.created_at) })].filter(Boolean).join(' · ')}</span>
        </Group>
      }
    >
      {i.failure && (
        <Alert role="alert" color="poor" icon={<IconAlertTriangle />}>
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{failure(i.failure)}</Text>
            {!readable && <Button component={Link} to="/organization/import" size="xs" variant="default">{t('imports.again')}</Button>}
          </Stack>
        </Alert>
      )}
      {i.state === 'cancelled' && <Alert color="gray" icon={<IconPlayerPause />}>{t('imports.cancelled')}</Alert>}
      {working && <Working brought={i} said={say} />}
      {columns && (
        <>
          <Text size="sm">
            {i.layout === 'other' ? t('imports.layoutOther') : t('imports.layout', { name: products[i.layout] ?? i.layout })}
            {i.layout_source && <> (<Anchor href={i.layout_source} target="_blank" rel="noreferrer" size="sm">{t('imports.layoutSource')}</Anchor>)</>}
          </Text>
          {i.format === 'xlsx' && <Sheet brought={i} />}
          <Columns brought={i} said={say} />
        </>
      )}
      {!columns && checked && i.state === 'checked' && <Check brought={i} said={say} toColumns={() => setParams({ step: 'columns' })} />}
      {i.state === 'done' && (
        <Stack gap="xl">
          <Alert color="good" icon={<IconCircleCheck />} title={t('imports.ran')}>
            <Stack gap="sm" align="flex-start">
              <Text size="sm">{t('imports.ranWhy')}</Text>
              <Group>
                <Button component={Link} to={`/objectives?order=newest${i.cycle_id ? `&cycle=${i.cycle_id}` : ''}`}>{t('imports.see')}</Button>
                <Button component={Link} to="/organization/import" variant="default">{t('imports.again')}</Button>
              </Group>
            </Stack>
          </Alert>
          <Counts brought={i} title={t('imports.did')} />
          <Rows brought={i} />
        </Stack>
      )}
    </Page>
  )
}

function Working({ brought: i, said }: { brought: Import; said: (i: Import) => void }) {
  const { t } = useTranslation()
  const title = i.state === 'uploading' ? t('imports.uploadingState') : i.state === 'checking' ? t('imports.working') : t('imports.writing')
  const f = useFormats()
  const done = i.phase_done ?? 0
  const all = i.phase_total ?? 0
  const gone = i.phase === 'reading' || i.phase === 'results' ? t('imports.ofRows', { done: f.amount(String(done)), all: f.amount(String(all)) }) : `${f.amount(String(done))} / ${f.amount(String(all))}`
  return (
    <Card>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600} role="status">{title}</Text>
          {i.state !== 'uploading' && (
            <Text size="sm" c="dimmed" className="tabular">
              {i.phase ? t(`importPhase.${i.phase as 'reading'}`) : t('imports.waiting')}
              {done > 0 && ` · ${gone}`}
            </Text>
          )}
        </Group>
        <Progress.Root size="lg"><Progress.Section value={Math.max(4, i.percent ?? 0)} striped animated aria-label={title} aria-valuetext={`${i.percent ?? 0}%`} /></Progress.Root>
        <Group justify="space-between">
          <Text size="sm" c="dimmed">{t('imports.leave')}</Text>
          {i.state !== 'uploading' && (
            <SureButton size="xs" variant="default" danger label={t('imports.cancel')} question={t('imports.cancelSure')} act={() => got(api.POST('/imports/{import_id}/cancel', { params: { path: { import_id: i.id } } })).then(said)} />
          )}
        </Group>
      </Stack>
    </Card>
  )
}
