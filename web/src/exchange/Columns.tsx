import { Alert, Badge, Button, Card, Checkbox, Collapse, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { cyclesQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { DraftNote } from '../forms/DraftNote'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'
import type { Import } from './queries'

type Field = Schemas['ImportField']

const groups = {
  objective: ['objective', 'objective_id', 'objective_description', 'kind', 'visibility', 'state', 'score', 'archived', 'owner', 'team', 'cycle', 'parent_objective', 'parent_key_result'],
  keyResult: ['key_result', 'key_result_id', 'key_result_description', 'key_result_owner', 'key_result_kind', 'unit', 'baseline', 'target', 'stretch', 'at_least', 'at_most', 'tolerance', 'weight', 'steps'],
  checkIn: ['value', 'check_in_id', 'done_steps', 'confidence', 'note', 'checked_at', 'checked_by'],
  item: ['item', 'item_type', 'item_id', 'item_description', 'item_owner', 'item_parent', 'progress'],
} as const

interface Form {
  mapping: Field[]
  decimal_mark: Import['decimal_mark']
  date_order: Import['date_order']
  source: string
  cycle_id: string
  default_state: Import['default_state']
}

/** What each column means, and how cells are read. What is chosen stays in this browser until the file is checked. */
export function Columns({ brought: i, said }: { brought: Import; said: (i: Import) => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const cycles = useQuery(cyclesQuery)
  const start: Form = { mapping: i.columns.map((c) => c.field), decimal_mark: i.decimal_mark, date_order: i.date_order, source: i.source, cycle_id: i.cycle_id ?? '', default_state: i.default_state }
  const draft = useDraft(me.draftKey(`import:${i.id}`), start)
  const v = draft.value.mapping.length === i.columns.length ? draft.value : start
  const [more, { toggle }] = useDisclosure(i.decimal_mark !== 'auto' || i.date_order !== 'auto')
  const [onlyUnused, setOnlyUnused] = useState(false)
  const [shownUnused, setShownUnused] = useState<ReadonlySet<number>>(new Set())
  const sending = useSend({
    send: async () => {
      let now = i
      const changed = { mapping: v.mapping, decimal_mark: v.decimal_mark, date_order: v.date_order, source: v.source.trim(), cycle_id: v.cycle_id || null, default_state: v.default_state }
      if (JSON.stringify({ ...changed, cycle_id: v.cycle_id, source: v.source }) !== JSON.stringify(start)) {
        now = await got(api.PATCH('/imports/{import_id}', { params: { path: { import_id: i.id } }, body: { revision: i.revision, ...changed } }))
        client.setQueryData(['import', i.id], { ...now, sample: i.sample })
      }
      return got(api.POST('/imports/{import_id}/check', { params: { path: { import_id: i.id } }, body: { revision: now.revision } }))
    },
    done: (now) => {
      draft.clear(v)
      said({ ...now, sample: i.sample })
    },
    refused: (p) => {
      if (p.status === 409 || p.status === 412) void client.invalidateQueries({ queryKey: ['import', i.id] })
      return false
    },
  })
  const codes = sending.problem?.fields() ?? {}
  const touched = (pointer: string) => {
    sending.touch(pointer)
    sending.touch('/mapping')
  }
  const set = (change: Partial<Form>) => draft.set({ ...v, ...change })
  const choices = useMemo(
    () => [
      { value: '', label: t('imports.nothing') },
      ...(Object.keys(groups) as (keyof typeof groups)[]).map((g) => ({ group: t(`importGroup.${g}`), items: groups[g].map((x) => ({ value: x, label: t(`importField.${x}`) })) })),
    ],
    [t],
  )
  const twice = (n: number) => v.mapping[n] !== '' && v.mapping.indexOf(v.mapping[n]!) !== n
  const lacking = !v.mapping.some((x) => x === 'objective' || x === 'item' || x === 'objective_id')
  const unused = v.mapping.filter((x) => x === '').length
  const filter = (on: boolean) => {
    setOnlyUnused(on)
    setShownUnused(new Set(v.mapping.flatMap((x, n) => (x === '' ? [n] : []))))
  }
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (!v.mapping.some((_, n) => twice(n)) && !lacking) sending.send(undefined)
      }}
    >
      <Stack gap="xl">
        <DraftNote restored={draft.restored} discard={() => draft.clear(start)} />
        <section aria-labelledby="columns">
          <Group justify="space-between" mb="sm" gap="xs">
            <Stack gap={2}>
              <Title order={2} id="columns">{t('imports.columns')}</Title>
              <Text size="sm" c="dimmed">{t('imports.columnsWhy')}{i.format !== 'xlsx' && ` ${t('imports.garbled')}`}</Text>
            </Stack>
            {unused > 0 && (
              <Group gap="sm">
                <Badge color="fair">{t('imports.unused', { count: unused })}</Badge>
                {i.columns.length > 8 && <Checkbox size="xs" label={t('imports.onlyUnused')} checked={onlyUnused} onChange={(e) => filter(e.currentTarget.checked)} />}
              </Group>
            )}
          </Group>
          {lacking && <Alert role="alert" color="poor" icon={<IconAlertTriangle />} mb="sm">{t('imports.needed')}</Alert>}
          <Card padding="xs">
            <div className="rows">
              {i.columns.map((c, n) => {
                if (onlyUnused && !shownUnused.has(n) && !twice(n)) return null
                const header = c.header || t('imports.noHeader', { n: n + 1 })
                const samples = [...new Set((i.sample ?? []).map((r) => (r[n] ?? '').trim()).filter(Boolean))].slice(0, 3)
                return (
                  <SimpleGrid key={n} cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing={6} py="sm" px="xs">
                    <Stack gap={2} style={{ minWidth: 0 }}>
                      <Text size="sm" fw={600} c={v.mapping[n] === '' ? 'dimmed' : undefined}>{header}</Text>
                      <Text size="xs" c="dimmed" lineClamp={2}>{samples.length > 0 ? samples.map((s) => `“${s.length > 60 ? `${s.slice(0, 60)}…` : s}”`).join(' ') : t('imports.emptyColumn')}</Text>
                    </Stack>
                    <NativeSelect
                      aria-label={t('imports.meaning', { header })}
                      value={v.mapping[n]}
                      data={choices}
                      error={twice(n) || codes[`/mapping/${n}`] === 'repeated' ? t('imports.repeated') : undefined}
                      onChange={(e) => {
                        touched(`/mapping/${n}`)
                        set({ mapping: v.mapping.map((x, m) => (m === n ? (e.currentTarget.value as Field) : x)) })
                      }}
                    />
                  </SimpleGrid>
                )
              })}
            </div>
          </Card>
        </section>
        <section aria-labelledby="cells">
          <Title order={2} id="cells" mb="sm">{t('imports.cells')}</Title>
          <Card>
            <Stack>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <NativeSelect
                  label={t('imports.cycle')}
                  description={t('imports.cycleHint')}
                  value={v.cycle_id}
                  error={sending.error('/cycle_id')}
                  onChange={(e) => {
                    sending.touch('/cycle_id')
                    set({ cycle_id: e.currentTarget.value })
                  }}
                  data={[{ value: '', label: t('imports.noCycle') }, ...(cycles.data ?? []).filter((c) => me.administers || c.state !== 'closed' || c.id === v.cycle_id).map((c) => ({ value: c.id, label: `${c.name} (${t(`cycleState.${c.state}`)})` }))]}
                />
                {me.administers && <NativeSelect label={t('imports.state')} description={t('imports.stateHint')} value={v.default_state} onChange={(e) => set({ default_state: e.currentTarget.value as Form['default_state'] })} data={(['draft', 'approved'] as const).map((s) => ({ value: s, label: t(`objectiveState.${s}`) }))} />}
              </SimpleGrid>
              <Group><Button size="compact-sm" variant="subtle" aria-expanded={more} onClick={toggle}>{t('imports.more')}</Button></Group>
              <Collapse expanded={more}>
                <SimpleGrid cols={{ base: 1, sm: 3 }}>
                  <NativeSelect label={t('imports.decimal')} value={v.decimal_mark} onChange={(e) => set({ decimal_mark: e.currentTarget.value as Form['decimal_mark'] })} data={[{ value: 'auto', label: t('imports.auto') }, { value: 'point', label: t('imports.point') }, { value: 'comma', label: t('imports.decimalComma') }]} />
                  <NativeSelect label={t('imports.dates')} value={v.date_order} onChange={(e) => set({ date_order: e.currentTarget.value as Form['date_order'] })} data={[{ value: 'auto', label: t('imports.auto') }, ...(['ymd', 'dmy', 'mdy'] as const).map((x) => ({ value: x, label: t(`imports.${x}`) }))]} />
                  <TextInput
                    label={t('imports.source')}
                    description={t('imports.sourceHint')}
                    maxLength={40}
                    value={v.source}
                    error={sending.error('/source')}
                    onChange={(e) => {
                      sending.touch('/source')
                      set({ source: e.currentTarget.value })
                    }}
                  />
                </SimpleGrid>
              </Collapse>
            </Stack>
          </Card>
        </section>
        {sending.problem && (sending.problem.stale() ? <Alert role="alert" color="fair">{t('imports.changedMeanwhile')}</Alert> : <ProblemNote problem={sending.problem} />)}
        <Group justify="flex-end" gap="md">
          <Text size="sm" c="dimmed">{t('imports.checkWhy')}</Text>
          <Button type="submit" loading={sending.busy}>{t('imports.check')}</Button>
        </Group>
      </Stack>
    </form>
  )
}
