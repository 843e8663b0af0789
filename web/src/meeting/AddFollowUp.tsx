import { Button, Group, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { PersonSelect } from '../forms/choices'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'

export default function AddFollowUp({ occurrence }: { occurrence: string }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const start = { title: '', assignee: me.user.id as string | null, due: '' }
  const draft = useDraft(me.draftKey(`follow-up:${occurrence}`), start)
  const v = draft.value
  const sending = useSend({
    send: () => got(api.POST('/occurrences/{occurrence_id}/follow-ups', { params: { path: { occurrence_id: occurrence } }, body: { title: v.title.trim(), assignee_id: v.assignee ?? me.user.id, due_on: v.due || undefined } })),
    done: () => {
      draft.clear(start)
      void client.invalidateQueries({ queryKey: ['occurrence', occurrence] })
      void client.invalidateQueries({ queryKey: ['owed'] })
    },
  })
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault()
        sending.send(undefined)
      }}
    >
      <Group align="flex-end" gap="sm" mt="sm">
        <TextInput autoFocus flex="2 1 200px" label={t('meetings.followUpTitle')} maxLength={300} value={v.title} error={sending.error('/title')} onChange={(e) => { sending.touch('/title'); draft.set({ ...v, title: e.currentTarget.value }) }} />
        <PersonSelect flex="1 1 150px" label={t('meetings.assignee')} allowDeselect={false} known={me.user} value={v.assignee} error={sending.error('/assignee_id')} onChange={(assignee) => draft.set({ ...v, assignee })} />
        <TextInput w={150} type="date" label={t('meetings.due')} value={v.due} error={sending.error('/due_on')} onChange={(e) => draft.set({ ...v, due: e.currentTarget.value })} />
        <Button type="submit" variant="default" leftSection={<IconPlus size={18} />} disabled={!v.title.trim()} loading={sending.busy}>{t('do.add')}</Button>
      </Group>
      {sending.problem && <ProblemNote problem={sending.problem} />}
    </form>
  )
}
