import { Alert, Box, Button, Checkbox, Group, Modal, Slider, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { DraftNote } from '../forms/DraftNote'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'
import { decimalOf, useFormats } from '../time/format'

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
  const put = (part: Partial<Typed>) => {
    for (const name of Object.keys(part)) sending.touch(`/${name === 'done' ? 'done_step_ids' : name}`)
    draft.set((d) => ({ ...d, ...part }))
  }
  return (
    <Modal opened onClose={close} size="lg" title={corrects ? t('checkIn.correct') : t('checkIn.title', { title: k.title })} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          sending.send(v)
        }}
      >
        <Stack gap="lg">
          <DraftNote restored={draft.restored} discard={() => draft.clear(start)} />
          {corrects && <Alert color="ai">{t('checkIn.correctsWhy')}</Alert>}
          {k.kind === 'milestone' ? (
            <Checkbox.Group label={t('checkIn.steps')} value={v.done} onChange={(done) => put({ done })} error={sending.error('/done_step_ids')}>
              <Stack gap="xs" mt="xs">
                {(k.steps ?? []).map((s) => (
                  <Checkbox key={s.id} value={s.id} label={s.title} />
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
            <Text size="sm" fw={500} id={confidenceLabel}>
              {t('checkIn.confidence')}
            </Text>
            <Box px="xs" pb="lg" pt="xs">
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
