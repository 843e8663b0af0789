import { Button, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import { cyclesQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { DraftNote } from '../forms/DraftNote'
import { objectiveCreate, type ObjectiveForm } from '../forms/objective'
import { ObjectiveFields } from '../forms/ObjectiveFields'
import { useSend } from '../forms/useSend'
import { Choice } from '../parts/Choice'
import { NoCycles } from '../parts/NoCycles'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Read } from '../parts/States'
import { useMe } from '../session/me'

type New = ObjectiveForm & { cycle_id: string | null }

const startOf = (owner: string, team: string | null, parent: string | null, keyResult: string | null): New => ({ title: '', description: '', kind: 'committed', visibility: 'organization', team_id: team, owner_id: owner, parent_objective_id: parent, parent_key_result_id: parent && keyResult, key_results: [], cycle_id: null })

export default function ObjectiveNew() {
  const { t } = useTranslation()
  const cycles = useQuery(cyclesQuery)
  return (
    <Page title={t('form.newTitle')} back={{ to: '/objectives', label: t('objectives.title') }} narrow>
      <Read query={cycles}>
        {(all) => {
          const open = all.filter((c) => c.state !== 'closed')
          return open.length === 0 ? <NoCycles /> : <NewForm cycles={open} />
        }}
      </Read>
    </Page>
  )
}

function NewForm({ cycles }: { cycles: Schemas['Cycle'][] }) {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [query] = useSearchParams()
  const start = startOf(me.user.id, query.get('team') ?? (me.team_ids.length === 1 ? me.team_ids[0]! : null), query.get('parent'), query.get('key_result'))
  const draft = useDraft<New>(me.draftKey('objective:new'), start)
  const cycle = cycles.find((c) => c.id === (draft.value.cycle_id ?? query.get('cycle'))) ?? cycles.find((c) => c.state === 'active') ?? cycles[0]!
  const sending = useSend({
    send: (f: New) => got(api.POST('/objectives', { body: objectiveCreate(f, cycle.id) })),
    done: (o) => {
      draft.clear(start)
      client.setQueryData(['objective', o.id], o)
      void client.invalidateQueries({ queryKey: ['objectives'] })
      void client.invalidateQueries({ queryKey: ['owed'] })
      notifications.show({ message: t('form.created'), color: 'good' })
      void navigate(`/objectives/${o.id}`)
    },
  })
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        sending.send(draft.value)
      }}
    >
      <Stack gap="lg">
        <DraftNote restored={draft.restored} discard={() => draft.clear(start)} />
        {cycles.length > 1 && <Choice label={t('form.cycle')} allowDeselect={false} value={cycle.id} onChange={(v) => draft.set((f) => ({ ...f, cycle_id: v }))} data={cycles.map((c) => ({ value: c.id, label: `${c.name} (${t(`cycleState.${c.state}`)})` }))} error={sending.error('/cycle_id')} />}
        <ObjectiveFields form={draft.value} set={(change) => draft.set((f) => ({ ...f, ...change(f) }))} error={sending.error} touch={sending.touch} cycle={cycle.id} />
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <Group justify="flex-end">
          <Button variant="default" component={Link} to="/objectives">{t('do.cancel')}</Button>
          <Button type="submit" loading={sending.busy}>{t('form.create')}</Button>
        </Group>
      </Stack>
    </form>
  )
}
