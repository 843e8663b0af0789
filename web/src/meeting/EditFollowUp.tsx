import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNames } from '../api/names'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { PersonSelect } from '../forms/choices'
import { Conflict } from '../forms/Conflict'
import { useDraft } from '../forms/draft'
import { DraftNote } from '../forms/DraftNote'
import { compare, merge, same } from '../forms/merge'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { fieldsOf, followUpPatch, typed, type Typed } from './followUp'

interface Edit {
  form: Typed
  base: Typed
  revision: number
}

/** Words what was agreed anew, gives it to somebody else, or another day. */
export default function EditFollowUp({ followUp: x, close }: { followUp: Schemas['FollowUp']; close: () => void }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const nameOf = useNames()
  const client = useQueryClient()
  const [first] = useState<Edit>(() => ({ form: typed(x), base: typed(x), revision: x.revision }))
  const draft = useDraft<Edit>(me.draftKey(`follow-up-edit:${x.id}`), first)
  const [conflict, setConflict] = useState<{ theirs: Schemas['FollowUp']; by?: Schemas['Person']; at?: string } | null>(null)
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['occurrence', x.occurrence_id] })
    void client.invalidateQueries({ queryKey: ['owed'] })
  }
  const sending = useSend({
    send: (e: Edit) => got(api.PATCH('/follow-ups/{follow_up_id}', { params: { path: { follow_up_id: x.id } }, body: followUpPatch(e.base, e.form, e.revision) })),
    done: (saved) => {
      draft.clear({ form: typed(saved), base: typed(saved), revision: saved.revision })
      refresh()
      notifications.show({ message: t('meetings.saved'), color: 'good' })
      close()
    },
    refused: (p) => {
      const stale = p.stale<Schemas['FollowUp']>()
      if (stale) setConflict({ theirs: stale.present, by: stale.by, at: stale.at })
      else if (p.status === 403 || p.status === 404) refresh() // it is not theirs any more
      return stale !== undefined
    },
  })
  const e = draft.value
  const v = e.form
  const put = (part: Partial<Typed>, pointer: string) => {
    sending.touch(pointer)
    draft.set((d) => ({ ...d, form: { ...d.form, ...part } }))
  }
  const label = (path: string) => (path === 'title' ? t('meetings.followUpTitle') : path === 'assignee' ? t('meetings.assignee') : t('meetings.due'))
  const show = (path: string, value: unknown) => (path === 'assignee' ? nameOf('person', String(value)) : path === 'due' && value ? f.day(String(value)) : String(value ?? ''))
  return (
    <>
      <Modal opened onClose={close} title={t('meetings.followUpEdit')} closeButtonProps={{ 'aria-label': t('do.close') }}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (same(e.form, e.base)) close()
            else sending.send(e)
          }}
        >
          <Stack>
            <DraftNote restored={draft.restored} discard={() => draft.clear({ form: typed(x), base: typed(x), revision: x.revision })} />
            <TextInput data-autofocus label={t('meetings.followUpTitle')} maxLength={300} value={v.title} error={sending.error('/title')} onChange={(c) => put({ title: c.currentTarget.value }, '/title')} />
            <PersonSelect
              label={t('meetings.assignee')}
              description={v.assignee !== e.base.assignee && v.assignee !== me.user.id ? t('meetings.followUpTold') : undefined}
              allowDeselect={false}
              known={x.assignee}
              value={v.assignee}
              error={sending.error('/assignee_id')}
              onChange={(assignee) => assignee && put({ assignee }, '/assignee_id')}
            />
            <TextInput type="date" label={t('meetings.due')} value={v.due} error={sending.error('/due_on')} onChange={(c) => put({ due: c.currentTarget.value }, '/due_on')} />
            {sending.problem && <ProblemNote problem={sending.problem} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
              <Button type="submit" loading={sending.busy} disabled={!v.title.trim()}>{t('do.save')}</Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      {conflict && (
        <Conflict
          changes={compare(fieldsOf(e.base), fieldsOf(v), fieldsOf(typed(conflict.theirs)))}
          label={label}
          show={show}
          by={conflict.by}
          at={conflict.at}
          busy={sending.busy}
          close={() => setConflict(null)}
          takeTheirs={() => {
            draft.clear({ form: typed(conflict.theirs), base: typed(conflict.theirs), revision: conflict.theirs.revision })
            refresh()
            close()
          }}
          apply={(choose) => {
            const base = typed(conflict.theirs)
            const m = merge(fieldsOf(e.base), fieldsOf(v), fieldsOf(base), choose)
            const next = { form: Object.fromEntries(m) as unknown as Typed, base, revision: conflict.theirs.revision }
            draft.set(next)
            setConflict(null)
            sending.send(next)
          }}
        />
      )}
    </>
  )
}
