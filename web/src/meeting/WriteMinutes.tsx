import { ActionIcon, Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { Conflict } from '../forms/Conflict'
import { useDraft } from '../forms/draft'
import { DraftNote } from '../forms/DraftNote'
import { compare, merge } from '../forms/merge'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'

interface Typed {
  minutes: string
  decisions: string[]
}

interface Edit {
  form: Typed
  base: Typed
  revision: number
}

const typed = (o: Schemas['Occurrence']): Typed => ({ minutes: o.minutes ?? '', decisions: o.decisions })
const fieldsOf = (v: Typed) => new Map<string, unknown>([['minutes', v.minutes], ['decisions', v.decisions.filter((d) => d.trim())]])

/** The form in which minutes are written, together with others if need be. */
export default function WriteMinutes({ occurrence: o, close }: { occurrence: Schemas['Occurrence']; close: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const [first] = useState<Edit>(() => ({ form: typed(o), base: typed(o), revision: o.revision }))
  const draft = useDraft<Edit>(me.draftKey(`minutes:${o.id}`), first)
  const [conflict, setConflict] = useState<{ theirs: Schemas['Occurrence']; by?: Schemas['Person']; at?: string } | null>(null)
  const sending = useSend({
    send: (e: Edit) => got(api.PUT('/occurrences/{occurrence_id}/minutes', { params: { path: { occurrence_id: o.id } }, body: { revision: e.revision, minutes: e.form.minutes, decisions: e.form.decisions.map((d) => d.trim()).filter(Boolean) } })),
    done: (saved) => {
      draft.clear({ form: typed(saved), base: typed(saved), revision: saved.revision })
      client.setQueryData(['occurrence', o.id], saved)
      notifications.show({ message: t('meetings.saved'), color: 'good' })
      close()
    },
    refused: (p) => {
      const stale = p.stale<Schemas['Occurrence']>()
      if (stale) setConflict({ theirs: stale.present, by: stale.by, at: stale.at })
      return stale !== undefined
    },
  })
  const e = draft.value
  const put = (part: Partial<Typed>) => draft.set((d) => ({ ...d, form: { ...d.form, ...part } }))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        sending.send(e)
      }}
    >
      <Stack>
        <DraftNote restored={draft.restored} discard={() => draft.clear({ form: typed(o), base: typed(o), revision: o.revision })} />
        <Textarea label={t('meetings.minutes')} autosize minRows={8} maxLength={50000} autoFocus value={e.form.minutes} error={sending.error('/minutes')} onChange={(x) => put({ minutes: x.currentTarget.value })} />
        {e.form.decisions.map((d, n) => (
          <Group key={n} gap="xs" wrap="nowrap" align="flex-end">
            <TextInput flex={1} label={t('meetings.decision', { n: n + 1 })} maxLength={2000} value={d} error={sending.error(`/decisions/${n}`)} onChange={(x) => put({ decisions: e.form.decisions.map((y, i) => (i === n ? x.currentTarget.value : y)) })} />
            <ActionIcon size="lg" variant="subtle" color="poor" aria-label={`${t('do.remove')}: ${t('meetings.decision', { n: n + 1 })}`} onClick={() => put({ decisions: e.form.decisions.filter((_, i) => i !== n) })}><IconTrash size={18} /></ActionIcon>
          </Group>
        ))}
        <Button variant="subtle" size="xs" style={{ alignSelf: 'flex-start' }} leftSection={<IconPlus size={16} />} onClick={() => put({ decisions: [...e.form.decisions, ''] })}>{t('meetings.addDecision')}</Button>
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
          <Button type="submit" loading={sending.busy}>{t('meetings.saveMinutes')}</Button>
        </Group>
      </Stack>
      {conflict && (
        <Conflict
          changes={compare(fieldsOf(e.base), fieldsOf(e.form), fieldsOf(typed(conflict.theirs)))}
          label={(path) => (path === 'minutes' ? t('meetings.minutes') : t('meetings.decisions'))}
          show={(_, value) => (Array.isArray(value) ? value.join('\n') : String(value))}
          by={conflict.by}
          at={conflict.at}
          busy={sending.busy}
          close={() => setConflict(null)}
          takeTheirs={() => {
            draft.clear({ form: typed(conflict.theirs), base: typed(conflict.theirs), revision: conflict.theirs.revision })
            client.setQueryData(['occurrence', o.id], conflict.theirs)
            setConflict(null)
          }}
          apply={(choose) => {
            const theirs = typed(conflict.theirs)
            const m = merge(fieldsOf(e.base), fieldsOf(e.form), fieldsOf(theirs), choose)
            const next = { form: { minutes: m.get('minutes') as string, decisions: m.get('decisions') as string[] }, base: theirs, revision: conflict.theirs.revision }
            draft.set(next)
            setConflict(null)
            sending.send(next)
          }}
        />
      )}
    </form>
  )
}
