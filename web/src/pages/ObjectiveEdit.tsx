import { Button, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { api, got } from '../api/client'
import { objectiveQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { Conflict } from '../forms/Conflict'
import { readDraft, useDraft } from '../forms/draft'
import { DraftNote } from '../forms/DraftNote'
import { compare, merge } from '../forms/merge'
import { fromFields, objectiveForm, objectivePatch, sharedKeys, toFields, withProposal, type ObjectiveForm, type Proposal } from '../forms/objective'
import { ObjectiveFields } from '../forms/ObjectiveFields'
import { useFieldNames } from '../forms/fieldNames'
import { useSend } from '../forms/useSend'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Read } from '../parts/States'
import { useMe } from '../session/me'

/** An edit: what is typed, and what it was made from. */
interface Edit {
  form: ObjectiveForm
  base: ObjectiveForm
  revision: number
}

export default function ObjectiveEdit() {
  const { id = '' } = useParams()
  const query = useQuery(objectiveQuery(id))
  return <Read query={query} page>{(o) => <EditForm key={id} objective={o} />}</Read>
}

function EditForm({ objective }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const proposal = (useLocation().state as { proposal?: Proposal } | null)?.proposal
  const key = me.draftKey(`objective:${objective.id}`)
  // What the edit began with stays what it is, whatever is read meanwhile: the difference is for the conflict view to show.
  const [first] = useState<Edit>(() => {
    const base = objectiveForm(objective)
    return { form: proposal && readDraft(key) === undefined ? withProposal(base, proposal) : base, base, revision: objective.revision }
  })
  const draft = useDraft<Edit>(key, first)
  const [conflict, setConflict] = useState<{ theirs: Schemas['Objective']; by?: Schemas['Person']; at?: string } | null>(null)
  const names = useFieldNames()
  const sending = useSend({
    send: (e: Edit) => got(api.PATCH('/objectives/{objective_id}', { params: { path: { objective_id: objective.id } }, body: objectivePatch(e.base, e.form, e.revision) })),
    done: (o) => {
      draft.clear()
      client.setQueryData(['objective', objective.id], o)
      void client.invalidateQueries({ queryKey: ['objective', objective.id] })
      void client.invalidateQueries({ queryKey: ['objectives'] })
      void client.invalidateQueries({ queryKey: ['dialogue'] })
      notifications.show({ message: t('form.saved'), color: 'good' })
      void navigate(`/objectives/${objective.id}`)
    },
    refused: (problem) => {
      const stale = problem.stale<Schemas['Objective']>()
      if (!stale) return false
      setConflict({ theirs: stale.present, by: stale.by, at: stale.at })
      return true
    },
  })
  const e = draft.value
  const compared = useMemo(() => {
    if (!conflict) return null
    const theirs = objectiveForm(conflict.theirs)
    const shared = sharedKeys(e.base, e.form, theirs)
    return { theirs, base: toFields(e.base, shared), mine: toFields(e.form, shared), other: toFields(theirs, shared) }
  }, [conflict, e])
  return (
    <Page title={t('form.editTitle')} lead={objective.title} back={{ to: `/objectives/${objective.id}`, label: t('dialogue.toObjective') }} narrow>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          sending.send(e)
        }}
      >
        <Stack gap="lg">
          <DraftNote restored={draft.restored} discard={() => { const base = objectiveForm(objective); draft.clear({ form: base, base, revision: objective.revision }) }} />
          <ObjectiveFields form={e.form} set={(change) => draft.set((d) => ({ ...d, form: change(d.form) }))} error={sending.error} touch={sending.touch} cycle={objective.cycle_id} objective={objective} />
          {sending.problem && <ProblemNote problem={sending.problem} />}
          <Group justify="flex-end">
            <Button variant="default" component={Link} to={`/objectives/${objective.id}`}>{t('do.cancel')}</Button>
            <Button type="submit" loading={sending.busy}>{t('form.save')}</Button>
          </Group>
        </Stack>
      </form>
      {conflict && compared && (
        <Conflict
          changes={compare(compared.base, compared.mine, compared.other)}
          label={(path) => names.label(path, [e.form, compared.theirs, e.base])}
          show={names.show}
          by={conflict.by}
          at={conflict.at}
          busy={sending.busy}
          close={() => setConflict(null)}
          takeTheirs={() => {
            draft.clear({ form: compared.theirs, base: compared.theirs, revision: conflict.theirs.revision })
            setConflict(null)
          }}
          apply={(choose) => {
            const form = fromFields(merge(compared.base, compared.mine, compared.other, choose), compared.theirs, e.form)
            const next = { form, base: compared.theirs, revision: conflict.theirs.revision }
            draft.set(next)
            setConflict(null)
            sending.send(next)
          }}
        />
      )}
    </Page>
  )
}
