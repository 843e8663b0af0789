import { Alert, Badge, Box, Button, Checkbox, Group, Modal, Slider, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { checkInsQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { DraftNote } from '../forms/DraftNote'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'
import { decimalOf, percentOf, useFormats } from '../time/format'
import { seriesQuery } from './series'

interface Props {
  keyResult: Schemas['KeyResult']
  objective: string
  corrects?: Schemas['CheckIn']
  occurrence?: string
  close: () => void
}

interface Typed {
  value: string
  done: string[]
  confidence: number
  note: string
}

export default function CheckInDialog({ keyResult: k, objective, corrects, occurrence, close }: Props) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const client = useQueryClient()
  const confidenceLabel = useId()
  const start: Typed = corrects ? { value: corrects.value ?? '', done: corrects.done_step_ids, confidence: corrects.confidence, note: corrects.note ?? '' } : { value: '', done: k.done_step_ids, confidence: k.confidence ?? 5, note: '' }
  const draft = useDraft<Typed>(me.draftKey(`check-in:${k.id}:${corrects?.id ?? ''}`), start)
  const sending = useSend({
    send: (v: Typed) =>
      got(
        api.POST('/key-results/{key_result_id}/check-ins', {
          params: { path: { key_result_id: k.id } },
          body: { ...(k.kind === 'milestone' ? { done_step_ids: v.done } : { value: v.value.trim() ? decimalOf(v.value) : undefined }), confidence: v.confidence, note: v.note.trim() || undefined, corrects_id: corrects?.id, occurrence_id: occurrence },
        }),
      ),
    done: () => {
      draft.clear(start)
      void client.invalidateQueries({ queryKey: ['objective', objective] })
      void client.invalidateQueries({ queryKey: ['check-ins', k.id] })
      void client.invalidateQueries({ queryKey: ['objectives'] })
      void client.invalidateQueries({ queryKey: ['owed'] })
      void client.invalidateQueries({ queryKey: ['notifications', 'summary'] })
      if (occurrence) void client.invalidateQueries({ queryKey: ['occurrence', occurrence] })
      notifications.show({ message: t('checkIn.saved'), color: 'good' })
      close()
    },
  })
  const v = draft.value
  const shownValue = (c: Schemas['CheckIn']) => (k.kind === 'milestone' ? f.percent(c.percent) : f.amount(c.value ?? '0', k.unit))
  const put = (part: Partial<Typed>) => {
    for (const name of Object.keys(part)) sending.touch(`/${name === 'done' ? 'done_step_ids' : name}`)
    draft.set((d) => ({ ...d, ...part }))
  }
  return (
    <Modal opened onClose={close} size="lg" title={corrects ? `${t('checkIn.correct')}: ${k.title}` : t('checkIn.title', { title: k.title })} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          sending.send(v)
        }}
      >
        <Stack gap="lg">
          <DraftNote restored={draft.restored} discard={() => draft.clear(start)} />
          {corrects ? (
            <Alert color="ai" title={t('pace.correcting', { value: shownValue(corrects), name: corrects.author.name, when: f.moment(corrects.checked_at) })}>{t('checkIn.correctsWhy')}</Alert>
          ) : (
            <Standing keyResult={k} objective={objective} shown={shownValue} />
          )}
          {k.kind === 'milestone' ? (
            <Checkbox.Group label={t('checkIn.steps')} value={v.done} onChange={(done) => put({ done })} error={sending.error('/done_step_ids')}>
              <Stack gap="xs" mt="xs">
                {(k.steps ?? []).map((s) => (
                  <Checkbox key={s.id} value={s.id} label={s.weight === '1' ? s.title : `${s.title} (${t('objective.weight', { n: f.amount(s.weight) })})`} />
                ))}
              </Stack>
            </Checkbox.Group>
          ) : (
            <TextInput
              label={k.unit ? `${t('checkIn.value')} (${k.unit})` : t('checkIn.value')}
              description={k.current_value !== undefined ? t('checkIn.valueHint', { value: f.amount(k.current_value, k.unit) }) : undefined}
              inputMode="decimal"
              size="md"
              data-autofocus
              maxLength={24}
              value={v.value}
              error={sending.error('/value')}
              onChange={(e) => put({ value: e.currentTarget.value })}
            />
          )}
          <div>
            <Text size="sm" fw={600} id={confidenceLabel}>
              {t('checkIn.confidence')}
            </Text>
            <Box px="xs" pb="xl" pt="xs">
              <Slider min={0} max={10} step={1} value={v.confidence} onChange={(confidence) => put({ confidence })} marks={[{ value: 0, label: t('checkIn.c0') }, { value: 5, label: t('checkIn.c5') }, { value: 10, label: t('checkIn.c10') }]} thumbLabel={t('checkIn.confidence')} labelAlwaysOn={false} mx="lg" />
            </Box>
            <Text size="sm" c="dimmed" ta="center" aria-live="polite">
              {t('objective.confidenceOf', { n: v.confidence })}
            </Text>
          </div>
          <Textarea label={t('checkIn.note')} autosize minRows={3} maxLength={10000} value={v.note} error={sending.error('/note')} onChange={(e) => put({ note: e.currentTarget.value })} />
          {sending.problem && <ProblemNote problem={sending.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('do.cancel')}
            </Button>
            <Button type="submit" loading={sending.busy}>
              {corrects ? t('checkIn.correctThis') : t('checkIn.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Where the key result stands: what was said before, what one would expect by today, and how its value counts. */
function Standing({ keyResult: k, objective, shown }: { keyResult: Schemas['KeyResult']; objective: string; shown: (c: Schemas['CheckIn']) => string }) {
  const { t } = useTranslation()
  const f = useFormats()
  const series = useQuery(seriesQuery(objective))
  const before = useInfiniteQuery({ ...checkInsQuery(k.id), enabled: !k.pending })
  const last = (before.data?.pages[0]?.items ?? []).filter((c) => !c.corrected_by_id).slice(0, 3)
  const expected = series.data?.key_results.find((x) => x.key_result_id === k.id)?.expected_value
  const e = series.data && percentOf(series.data.elapsed)
  return (
    <Box fz="sm" p="sm" style={{ borderRadius: 8, background: 'var(--kakeai-page)' }}>
      <Stack gap={6}>
        {k.kind === 'metric' && (
          <span>
            {t('pace.range', { a: f.amount(k.baseline ?? '0', k.unit), b: f.amount(k.target ?? '0', k.unit) })} {expected !== undefined && t('pace.onPace', { value: f.amount(roughly(expected), k.unit) })}
          </span>
        )}
        {k.kind === 'metric' && k.stretch !== undefined && <Text span inherit c="dimmed">{t('pace.stretch', { target: f.amount(k.target ?? '0', k.unit), stretch: f.amount(k.stretch, k.unit) })}</Text>}
        {k.kind === 'threshold' && (
          <span>
            {[k.at_least && t('objective.atLeast', { a: f.amount(k.at_least, k.unit) }), k.at_most && t('objective.atMost', { a: f.amount(k.at_most, k.unit) })].filter(Boolean).join(' · ')}. {t('pace.band')} {k.tolerance ? t('pace.tolerance', { value: f.amount(k.tolerance, k.unit) }) : t('pace.noTolerance')}
          </span>
        )}
        {k.kind === 'milestone' && <span>{t('pace.stepHint')} {e !== undefined && t('pace.onPacePercent', { e })}</span>}
        {last.length > 0 && (
          <div>
            <Text size="xs" c="dimmed">{t('pace.last')}</Text>
            <Group gap="xs" mt={4}>
              {last.map((c) => (
                <Badge key={c.id} color="gray" className="tabular" title={c.note}>{shown(c)} · {f.ago(c.checked_at)}</Badge>
              ))}
            </Group>
          </div>
        )}
      </Stack>
    </Box>
  )
}

/** An expected value with two digits behind the point: it is a guide and no measurement. */
const roughly = (value: string) => value.replace(/(\.\d{2})\d+$/, '$1')
