import { Alert, Badge, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'
import { tenths } from '../time/format'

type Action = Schemas['ObjectiveAction']

const bandColor = { Red: 'poor', Yellow: 'fair', Green: 'good' } as const

const past = { submit: 'submitted', approve: 'approved', return: 'returned', revise: 'revised', close: 'closed', reopen: 'reopened', archive: 'archived', restore: 'restored' } as const

export default function MoveDialog({ objective: o, action, close }: { objective: Schemas['Objective']; action: Action; close: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const suggested = tenths(o.progress.value)
  const start = { note: '', score: suggested }
  const draft = useDraft(me.draftKey(`objective:${o.id}:${action}`), start)
  const sending = useSend({
    send: () =>
      got(
        api.POST('/objectives/{objective_id}/actions/{action}', {
          params: { path: { objective_id: o.id, action } },
          body: { revision: o.revision, note: draft.value.note.trim() || undefined, score: action === 'close' ? score : undefined },
        }),
      ),
    done: (moved) => {
      draft.clear(start)
      client.setQueryData(['objective', o.id], moved)
      for (const key of [['objective', o.id], ['objectives'], ['owed'], ['notifications']]) void client.invalidateQueries({ queryKey: key })
      notifications.show({ message: t(`move.${past[action]}`), color: 'good' })
      close()
    },
    refused: (p) => {
      // The page shows it as it is now; what was typed stays, for another try from there.
      if (p.status === 409 || p.status === 412) void client.invalidateQueries({ queryKey: ['objective', o.id] })
      return false
    },
  })
  const score = draft.value.score.normalize('NFKC').trim()
  const band = /^(0(\.\d)?|1(\.0)?)$/.test(score) ? (score.startsWith('1') || score >= '0.7' ? 'Green' : score >= '0.4' ? 'Yellow' : 'Red') : undefined
  const needed = action === 'return' || (action === 'close' && ((o.kind === 'committed' && !/^1(\.0)?$/.test(score)) || (band !== undefined && Number(score) !== Number(suggested)))) // as the server has it
  const why = action === 'return' ? t('move.returnWhy') : action === 'close' ? t('move.closeWhy') : undefined
  return (
    <Modal opened onClose={close} title={t(`move.${action}`)} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          sending.send(undefined)
        }}
      >
        <Stack>
          <Text fw={600} className="phrase">{o.title}</Text>
          {action === 'archive' && <Alert color="gray">{t('move.archiveWhy')}</Alert>}
          {action === 'revise' && <Alert color="gray">{t('move.reviseWhy')}</Alert>}
          {action === 'close' && o.kind === 'committed' && !/^1(\.0)?$/.test(score) && <Alert color="ai" py="xs">{t('pace.committedNote')}</Alert>}
          {action === 'close' && <TextInput rightSection={band && <Badge color={bandColor[band]}>{t(`pace.score${band}`)}</Badge>} rightSectionWidth={120} label={t('move.score')} description={`${t('move.scoreHint', { score: suggested })} ${t('pace.bands')}`} inputMode="decimal" maxLength={3} value={draft.value.score} error={sending.error('/score')} onChange={(e) => { sending.touch('/score'); const score = e.currentTarget.value; draft.set((d) => ({ ...d, score })) }} />}
          <Textarea label={needed ? t('move.note') : t('move.noteOptional')} description={why} autosize minRows={3} maxLength={10000} data-autofocus value={draft.value.note} error={sending.error('/note')} onChange={(e) => { sending.touch('/note'); const note = e.currentTarget.value; draft.set((d) => ({ ...d, note })) }} />
          {sending.error('/key_results') ? <Alert role="alert" color="poor" icon={<IconAlertTriangle />}>{sending.error('/key_results')}</Alert> : sending.problem && <ProblemNote problem={sending.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
            <Button type="submit" loading={sending.busy} disabled={action === 'return' && !draft.value.note.trim()}>{t(`move.${action}`)}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
