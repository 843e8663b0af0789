import { Alert, Box, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Problem, Schemas } from '../api/problem'
import { Conflict } from '../forms/Conflict'
import { contentForm, type Content } from '../forms/content'
import { useDraft } from '../forms/draft'
import { useFieldNames } from '../forms/fieldNames'
import { compare, merge, same } from '../forms/merge'
import { fromFields, objectiveForm, objectivePatch, sharedKeys, toFields, type ObjectiveForm } from '../forms/objective'
import { useSend } from '../forms/useSend'
import { ProblemNote, useFieldText } from '../parts/ProblemNote'
import { TextDiff } from '../parts/TextDiff'
import { useMe } from '../session/me'

interface Props {
  objective: Schemas['Objective']
  entry: Schemas['HistoryEntry']
  close: () => void
}

/** What is sent: the older revision as it was, or, where somebody has edited meanwhile, what was agreed on. */
interface Wanted {
  revision: number
  merged?: { form: ObjectiveForm; theirs: ObjectiveForm }
}

/** Shows what an older revision would change, and gives the objective that content again, as a new revision. */
export default function RestoreDialog({ objective, entry, close }: Props) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const names = useFieldNames()
  const [from] = useState(objective) // what the preview was made from, whatever is read meanwhile
  const content = entry.content as unknown as Content
  const note = useDraft(me.draftKey(`restore:${objective.id}:${entry.revision}`), '')
  const [conflict, setConflict] = useState<{ theirs: Schemas['Objective']; by?: Schemas['Person']; at?: string } | null>(null)
  const base = useMemo(() => objectiveForm(from), [from])
  const wanted = useMemo(() => contentForm(content), [content])
  const changes = useMemo(() => {
    const shared = sharedKeys(base, wanted)
    const present = toFields(base, shared)
    return compare(present, toFields(wanted, shared), present)
  }, [base, wanted])
  const sending = useSend({
    send: (w: Wanted) =>
      w.merged
        ? got(api.PATCH('/objectives/{objective_id}', { params: { path: { objective_id: from.id } }, body: objectivePatch(w.merged.theirs, w.merged.form, w.revision) }))
        : got(api.POST('/objectives/{objective_id}/restore-version', { params: { path: { objective_id: from.id } }, body: { revision: w.revision, restore_revision: entry.revision, note: note.value.trim() || undefined } })),
    done: (restored) => {
      note.clear('')
      client.setQueryData(['objective', from.id], restored)
      for (const key of [['objective', from.id], ['objectives'], ['dialogue']]) void client.invalidateQueries({ queryKey: key })
      notifications.show({ message: t('versions.restored', { n: entry.revision }), color: 'good' })
      close()
    },
    refused: (p) => {
      const stale = p.stale<Schemas['Objective']>()
      if (stale) setConflict({ theirs: stale.present, by: stale.by, at: stale.at })
      return stale !== undefined
    },
  })
  const compared = useMemo(() => {
    if (!conflict) return null
    const theirs = objectiveForm(conflict.theirs)
    const shared = sharedKeys(base, wanted, theirs)
    return { theirs, base: toFields(base, shared), mine: toFields(wanted, shared), other: toFields(theirs, shared) }
  }, [conflict, base, wanted])
  const forms = [wanted, base, ...(compared ? [compared.theirs] : [])]
  return (
    <>
      <Modal opened onClose={close} size="lg" title={t('versions.title', { n: entry.revision })} closeButtonProps={{ 'aria-label': t('do.close') }}>
        <form
          onSubmit={(e) => {
            e.preventDefault()
            sending.send({ revision: from.revision })
          }}
        >
          <Stack>
            <Text size="sm">{t('versions.why', { n: entry.revision, next: from.revision + 1 })}</Text>
            {changes.length === 0 ? (
              <Alert color="ai">{t('versions.same')}</Alert>
            ) : (
              <Stack gap="sm" aria-label={t('versions.preview')} component="section">
                {changes.map((c) => {
                  const now = names.show(c.path, c.base)
                  const then = names.show(c.path, c.mine)
                  const whole = c.path.startsWith('kr/') && c.path.split('/').length === 2
                  return (
                    <Box key={c.path} fz="sm" style={{ borderInlineStart: '3px solid var(--kakeai-line)', paddingInlineStart: 12 }}>
                      <Text size="xs" c="dimmed" mb={2}>
                        {whole ? (c.mine === undefined ? t('versions.archives') : t('versions.bringsBack')) : names.label(c.path, forms)}
                      </Text>
                      {now && then && /title|description/.test(c.path) ? (
                        <TextDiff before={now} after={then} />
                      ) : (
                        <Group gap="xs" align="baseline">
                          {!(whole && c.base === undefined) && <del className="diff">{now || t('history.none')}</del>}
                          {!(whole && c.mine === undefined) && <ins className="diff">{then || t('history.none')}</ins>}
                        </Group>
                      )}
                    </Box>
                  )
                })}
              </Stack>
            )}
            <Text size="xs" c="dimmed">{t('versions.stays')}</Text>
            <Textarea label={t('move.noteOptional')} autosize minRows={2} maxLength={10000} data-autofocus value={note.value} error={sending.error('/note')} onChange={(e) => note.set(e.currentTarget.value)} />
            {sending.problem && <Refused problem={sending.problem} wanted={wanted} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
              <Button type="submit" loading={sending.busy} disabled={changes.length === 0}>{t('versions.restore')}</Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      {conflict && compared && (
        <Conflict
          changes={compare(compared.base, compared.mine, compared.other)}
          label={(path) => names.label(path, forms)}
          show={names.show}
          by={conflict.by}
          at={conflict.at}
          busy={sending.busy}
          close={() => setConflict(null)}
          takeTheirs={() => {
            client.setQueryData(['objective', from.id], conflict.theirs)
            void client.invalidateQueries({ queryKey: ['objective', from.id] })
            close()
          }}
          apply={(choose) => {
            const form = fromFields(merge(compared.base, compared.mine, compared.other, choose), compared.theirs, wanted)
            setConflict(null)
            sending.send({ revision: conflict.theirs.revision, merged: same(form, wanted) ? undefined : { form, theirs: compared.theirs } })
          }}
        />
      )}
    </>
  )
}

/** What of the older content cannot come back, by name. */
function Refused({ problem, wanted }: { problem: Problem; wanted: ObjectiveForm }) {
  const { t } = useTranslation()
  const names = useFieldNames()
  const text = useFieldText()
  const errors = problem.body.errors ?? []
  if (errors.length === 0) return <ProblemNote problem={problem} />
  return (
    <Alert role="alert" color="poor" title={t('versions.cannot')}>
      <Stack gap={4} component="ul" m={0} pl="md">
        {errors.map((e) => {
          const [, head, n, field] = e.pointer.split('/')
          const of = head === 'key_results' ? `${wanted.key_results[Number(n)]?.title ?? t('form.krs')} · ${field ? names.keyResultField(field) : ''}` : names.field(head ?? '')
          return <li key={e.pointer}>{of}: {text(e.code)}</li>
        })}
      </Stack>
    </Alert>
  )
}
