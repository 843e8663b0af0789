import { ActionIcon, Alert, Button, Card, Group, SegmentedControl, SimpleGrid, Stack, Text, Textarea, TextInput, Title, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconPlus, IconSparkles, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { randomID } from '../api/patience'
import type { Schemas } from '../api/problem'
import { Choice } from '../parts/Choice'
import { useMe } from '../session/me'
import { ObjectiveSelect, PersonSelect, TeamSelect } from './choices'
import { ParentKeyResult } from './ParentKeyResult'
import { newKeyResult, type KeyResultForm, type ObjectiveForm } from './objective'

interface Props {
  form: ObjectiveForm
  set: (change: (f: ObjectiveForm) => ObjectiveForm) => void
  error: (pointer: string) => string | undefined
  touch: (pointer: string) => void
  cycle?: string
  objective?: Schemas['Objective']
}

/** The fields of an objective and its key results. What the server says of a field stands beside it. */
export function ObjectiveFields({ form, set, error, touch, cycle, objective }: Props) {
  const { t } = useTranslation()
  const me = useMe()
  const [added, setAdded] = useState('')
  const put = <K extends keyof ObjectiveForm>(name: K, value: ObjectiveForm[K]) => {
    touch(`/${name}`)
    set((f) => ({ ...f, [name]: value }))
  }
  const change = (n: number, part: Partial<KeyResultForm>) => {
    for (const name of Object.keys(part)) touch(`/key_results/${n}/${name}`)
    set((f) => ({ ...f, key_results: f.key_results.map((k, i) => (i === n ? { ...k, ...part } : k)) }))
  }
  const move = (from: number, to: number) => set((f) => ({ ...f, key_results: f.key_results.map((k, i) => (i === from ? f.key_results[to]! : i === to ? f.key_results[from]! : k)) }))
  return (
    <Stack gap="xl">
      <Card>
        <Stack gap="md">
          <Textarea label={t('form.title')} description={t('form.titleHint')} placeholder={t('form.titlePlaceholder')} autosize minRows={2} maxLength={300} required withAsterisk={false} data-autofocus value={form.title} error={error('/title')} onChange={(e) => put('title', e.currentTarget.value)} size="md" />
          <Textarea label={t('form.description')} description={t('form.descriptionHint')} autosize minRows={3} maxLength={10000} value={form.description} error={error('/description')} onChange={(e) => put('description', e.currentTarget.value)} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TeamSelect label={t('form.team')} placeholder={t('form.noTeam')} clearable value={form.team_id} error={error('/team_id')} onChange={(v) => put('team_id', v)} />
            <PersonSelect label={t('form.owner')} allowDeselect={false} known={objective?.owner ?? me.user} value={form.owner_id} error={error('/owner_id')} onChange={(v) => v && put('owner_id', v)} />
            <ObjectiveSelect
              label={t('form.parent')}
              placeholder={t('form.noParent')}
              clearable
              cycle={cycle}
              without={objective?.id}
              value={form.parent_objective_id}
              error={error('/parent_objective_id')}
              onChange={(v) => {
                touch('/parent_objective_id')
                touch('/parent_key_result_id')
                set((f) => (f.parent_objective_id === v ? f : { ...f, parent_objective_id: v, parent_key_result_id: null }))
              }}
            />
            {form.parent_objective_id !== null && <ParentKeyResult parent={form.parent_objective_id} value={form.parent_key_result_id ?? null} error={error('/parent_key_result_id')} onChange={(v) => put('parent_key_result_id', v)} />}
            <Choice label={t('visibility.label')} allowDeselect={false} value={form.visibility} error={error('/visibility')} onChange={(v) => v && put('visibility', v as Schemas['Visibility'])} data={(['organization', 'team', 'private'] as const).map((v) => ({ value: v, label: t(`visibility.${v}`) }))} />
            <div>
              <Text size="sm" fw={600} mb={4}>{t('form.kind')}</Text>
              <SegmentedControl aria-label={t('form.kind')} value={form.kind} onChange={(v) => put('kind', v as Schemas['ObjectiveKind'])} data={(['committed', 'aspirational'] as const).map((v) => ({ value: v, label: t(`kind.${v}`) }))} />
              <Text size="xs" c="dimmed" mt={4}>{t(`kind.${form.kind}Why`)}</Text>
            </div>
          </SimpleGrid>
        </Stack>
      </Card>
      <section aria-labelledby="key-results">
        <Title order={2} id="key-results">{t('form.krs')}</Title>
        <Text size="sm" c="dimmed" mb="sm">{t('form.krsHint')}</Text>
        <Stack>
          {form.key_results.length === 0 && !objective && (
            <Alert color="ai" icon={<IconSparkles />}>{t('form.askCoach')}</Alert>
          )}
          {form.key_results.map((k, n) => (
            <KeyResultFields
              key={k.key}
              k={k}
              n={n}
              last={n === form.key_results.length - 1}
              focus={k.key === added}
              change={(part) => change(n, part)}
              up={() => move(n, n - 1)}
              down={() => move(n, n + 1)}
              remove={() => set((f) => ({ ...f, key_results: f.key_results.filter((_, i) => i !== n) }))}
              error={(name) => error(`/key_results/${n}/${name}`)}
            />
          ))}
          {error('/key_results') && <Text size="sm" c="var(--mantine-color-error)" role="alert">{error('/key_results')}</Text>}
          <Button
            variant="default"
            leftSection={<IconPlus size={18} />}
            onClick={() => {
              const k = newKeyResult()
              setAdded(k.key)
              touch('/key_results')
              set((f) => ({ ...f, key_results: [...f.key_results, k] }))
            }}
          >
            {t('form.addKr')}
          </Button>
        </Stack>
      </section>
    </Stack>
  )
}

interface KeyResultProps {
  k: KeyResultForm
  n: number
  last: boolean
  focus: boolean
  change: (part: Partial<KeyResultForm>) => void
  up: () => void
  down: () => void
  remove: () => void
  error: (name: string) => string | undefined
}

function KeyResultFields({ k, n, last, focus, change, up, down, remove, error }: KeyResultProps) {
  const { t } = useTranslation()
  const [more, { toggle }] = useDisclosure(k.weight !== '1' || k.description !== '' || k.stretch !== '' || error('weight') !== undefined)
  const amount = (name: 'baseline' | 'target' | 'stretch' | 'at_least' | 'at_most' | 'tolerance' | 'weight', label: string) => (
    <TextInput label={label} inputMode="decimal" maxLength={24} value={k[name]} error={error(name)} onChange={(e) => change({ [name]: e.currentTarget.value })} />
  )
  const unit = <TextInput label={t('form.unit')} maxLength={40} value={k.unit} error={error('unit')} onChange={(e) => change({ unit: e.currentTarget.value })} />
  return (
    <Card component="fieldset" m={0} padding="md">
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Text component="legend" fw={600} size="sm" style={{ float: 'left' }}>{t('form.kr', { n: n + 1 })}</Text>
        <Group gap={2}>
          <ActionIcon variant="subtle" color="gray" disabled={n === 0} aria-label={t('form.moveKrUp', { n: n + 1 })} onClick={up}><IconArrowUp size={18} /></ActionIcon>
          <ActionIcon variant="subtle" color="gray" disabled={last} aria-label={t('form.moveKrDown', { n: n + 1 })} onClick={down}><IconArrowDown size={18} /></ActionIcon>
          <ActionIcon variant="subtle" color="poor" aria-label={t('form.removeKr', { n: n + 1 })} onClick={remove}><IconTrash size={18} /></ActionIcon>
        </Group>
      </Group>
      <Stack gap="sm">
        <TextInput label={t('form.krTitle')} placeholder={t('form.krTitlePlaceholder')} maxLength={300} required withAsterisk={false} autoFocus={focus} value={k.title} error={error('title')} onChange={(e) => change({ title: e.currentTarget.value })} />
        <div>
          <Text size="sm" fw={600} mb={4}>{t('form.krKind')}</Text>
          <SegmentedControl fullWidth aria-label={t('form.krKind')} value={k.kind} disabled={error('kind') !== undefined} onChange={(v) => change({ kind: v as Schemas['KeyResultKind'], ...(v === 'milestone' && k.steps.length === 0 ? { steps: [{ key: randomID(), title: '', weight: '1' }] } : {}) })} data={(['metric', 'threshold', 'milestone'] as const).map((v) => ({ value: v, label: t(`krKind.${v}`) }))} />
          <Text size="xs" c="dimmed" mt={4}>{error('kind') ?? t(`krKind.${k.kind}Why`)}</Text>
        </div>
        {k.kind === 'metric' && <SimpleGrid cols={{ base: 1, xs: 3 }}>{amount('baseline', t('form.baseline'))}{amount('target', t('form.target'))}{unit}</SimpleGrid>}
        {k.kind === 'threshold' && <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }}>{amount('at_least', t('form.atLeast'))}{amount('at_most', t('form.atMost'))}{amount('tolerance', t('form.tolerance'))}{unit}</SimpleGrid>}
        {k.kind === 'milestone' && (
          <Stack gap="xs">
            {k.steps.map((s, i) => (
              <Group key={s.key} gap="xs" wrap="nowrap" align="flex-end">
                <TextInput flex={1} label={t('form.step', { n: i + 1 })} maxLength={300} value={s.title} error={error(`steps/${i}/title`)} onChange={(e) => change({ steps: k.steps.map((x, j) => (j === i ? { ...x, title: e.currentTarget.value } : x)) })} />
                <TextInput w={72} label={t('form.weight')} inputMode="decimal" value={s.weight} error={error(`steps/${i}/weight`)} onChange={(e) => change({ steps: k.steps.map((x, j) => (j === i ? { ...x, weight: e.currentTarget.value } : x)) })} />
                <ActionIcon variant="subtle" color="poor" size="lg" aria-label={t('form.removeStep', { n: i + 1 })} onClick={() => change({ steps: k.steps.filter((_, j) => j !== i) })}><IconTrash size={18} /></ActionIcon>
              </Group>
            ))}
            {error('steps') && <Text size="sm" c="var(--mantine-color-error)">{error('steps')}</Text>}
            <Button variant="subtle" size="xs" leftSection={<IconPlus size={16} />} style={{ alignSelf: 'flex-start' }} onClick={() => change({ steps: [...k.steps, { key: randomID(), title: '', weight: '1' }] })}>{t('form.addStep')}</Button>
          </Stack>
        )}
        <UnstyledButton onClick={toggle} aria-expanded={more}>
          <Group gap={4} c="var(--mantine-color-anchor)" fz="sm">{more ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}{t('form.options')}</Group>
        </UnstyledButton>
        {more && (
          <Stack gap="sm">
            <SimpleGrid cols={{ base: 1, xs: 2 }}>{amount('weight', t('form.weight'))}{k.kind === 'metric' && amount('stretch', t('form.stretch'))}</SimpleGrid>
            <Textarea label={t('form.krDescription')} autosize minRows={2} maxLength={10000} value={k.description} error={error('description')} onChange={(e) => change({ description: e.currentTarget.value })} />
          </Stack>
        )}
      </Stack>
    </Card>
  )
}
