import { ActionIcon, Alert, Anchor, Badge, Box, Button, Card, Checkbox, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconArrowBackUp, IconBulb, IconCheck, IconPencil, IconRefresh, IconX } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { chosenProposal, everything, fieldAt, isLeft, isLeftWhole, suggestedParts, taken, takesAll, valueOf, type Choice, type SuggestedField, type SuggestedPart } from '../forms/choosing'
import { contentForm, type Content } from '../forms/content'
import { useDraft } from '../forms/draft'
import { useFieldNames } from '../forms/fieldNames'
import { objectiveForm, type ObjectiveForm, type Proposal } from '../forms/objective'
import { useSend } from '../forms/useSend'
import { ProblemNote, useFieldText } from '../parts/ProblemNote'
import { Said } from '../parts/Said'
import { Loading, Read } from '../parts/States'
import { TextDiff } from '../parts/TextDiff'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

interface Props {
  suggestion: Schemas['Suggestion']
  objective: Schemas['Objective']
  /** Asks the coach once more, about what is there now; absent for whoever may not. */
  again?: () => void
  asking: boolean
}

/** One revision of an objective, which never changes. */
const revisionQuery = (id: string, revision: number) =>
  queryOptions({ queryKey: ['revision', id, revision], staleTime: Infinity, queryFn: ({ signal }) => got(api.GET('/objectives/{objective_id}/history/{revision}', { params: { path: { objective_id: id, revision } }, signal })) })

/** What the coach suggests, against the revision that it was made for: that is what its words are about, whatever is there now. */
export function SuggestionCard({ suggestion: s, objective: o, again, asking }: Props) {
  const { t } = useTranslation()
  const f = useFormats()
  const present = s.objective_revision === o.revision
  const pinned = useQuery({ ...revisionQuery(o.id, s.objective_revision), enabled: !present })
  const open = s.state === 'open' && present
  const stale = s.state === 'superseded' || (s.state === 'open' && !present)
  return (
    <Card padding="md" component="section" aria-label={t('dialogue.suggestion', { n: s.objective_revision })} style={open ? { borderColor: 'var(--mantine-color-ai-5)' } : undefined}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <IconBulb size={20} aria-hidden />
            <Text fw={600}>{t('dialogue.suggestion', { n: s.objective_revision })}</Text>
          </Group>
          <Badge color={open ? 'ai' : s.state === 'accepted' ? 'good' : 'gray'}>{s.state === 'accepted' || s.state === 'rejected' ? t(`dialogue.${s.state}`, { name: s.decided_by?.name ?? '', when: s.decided_at ? f.ago(s.decided_at) : '' }) : stale ? t('dialogue.superseded') : t('dialogue.openState')}</Badge>
        </Group>
        {stale && (
          <Alert color="fair" title={t('coach.movedOn')}>
            <Stack gap="sm" align="flex-start">
              <Text size="sm">
                {t('coach.movedOnWhy', { n: s.objective_revision, now: o.revision, name: o.changed_by.name, when: f.ago(o.changed_at) })}{' '}
                <Anchor component={Link} to={`/objectives/${o.id}?tab=history`} size="sm" underline="always">{t('coach.seeChanges')}</Anchor>
              </Text>
              {again && <Button size="xs" leftSection={<IconRefresh size={16} />} loading={asking} onClick={again}>{t('coach.askNow', { n: o.revision })}</Button>}
            </Stack>
          </Alert>
        )}
        {present ? (
          <Fields suggestion={s} objective={o} base={objectiveForm(o)} stale={false} />
        ) : (
          <Read query={pinned} loading={<Loading rows={1} height={64} />}>{(entry) => <Fields suggestion={s} objective={o} base={contentForm(entry.content as unknown as Content)} stale={stale} />}</Read>
        )}
        {s.note && <Box fz="sm"><Said>{s.note}</Said></Box>}
        {s.state === 'accepted' && (
          <Group gap="md">
            <Button component={Link} to={`/objectives/${o.id}`} size="xs" variant="light">{t('dialogue.toObjective')}</Button>
            <Anchor component={Link} to={`/objectives/${o.id}?tab=history`} size="sm">{t('coach.seeTaken', { n: s.objective_revision + 1 })}</Anchor>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

function Fields({ suggestion: s, objective: o, base, stale }: { suggestion: Schemas['Suggestion']; objective: Schemas['Objective']; base: ObjectiveForm; stale: boolean }) {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const fieldText = useFieldText()
  const names = useFieldNames()
  const parts = useMemo(() => suggestedParts(s.content as Proposal, base), [s.content, base])
  const draft = useDraft<Choice>(me.draftKey(`suggestion:${s.id}`), everything)
  const choice = draft.value
  const [rejecting, { open, close }] = useDisclosure()
  const chooses = me.writes && o.may_edit && !o.archived && s.state === 'open' && !stale
  const take = taken(parts, choice)
  const all = takesAll(parts, choice)
  const refresh = () => {
    for (const key of [['dialogue', s.dialogue_id], ['objective', o.id], ['objectives']]) void client.invalidateQueries({ queryKey: key })
  }
  const accepting = useSend({
    send: (body: Schemas['SuggestionAcceptance']) => got(api.POST('/suggestions/{suggestion_id}/accept', { params: { path: { suggestion_id: s.id } }, body })),
    done: (edited) => {
      draft.clear(everything)
      client.setQueryData(['objective', o.id], edited)
      refresh()
      notifications.show({ message: t('dialogue.done'), color: 'good' })
    },
    refused: (p) => {
      if (p.status !== 422) refresh() // decided by somebody else, or the objective has moved on: the page shows it as it is
      return false
    },
  })
  const errors = new Map<string, string>()
  const others: string[] = []
  for (const [pointer, code] of Object.entries(accepting.problem?.fields() ?? {})) {
    const id = fieldAt(pointer, base, parts, choice)
    const known = parts.flatMap((p) => p.fields).find((x) => x.id === id)
    if (known) errors.set(known.id, fieldText(code) ?? code)
    else others.push(`${names.keyResultField(pointer.split('/').pop() ?? '')}: ${fieldText(code)}`)
  }
  const set = (change: (c: Choice) => Choice) => {
    accepting.forget()
    draft.set(change)
  }
  const leave = (id: string, left: boolean) => set((c) => ({ ...c, left: left ? [...c.left.filter((x) => x !== id), id] : c.left.filter((x) => x !== id) }))
  const edit = (id: string, value: string | undefined) =>
    set((c) => {
      const edited = { ...c.edited }
      if (value === undefined) delete edited[id]
      else edited[id] = value
      return { ...c, edited }
    })
  const headingOf = (p: SuggestedPart) => (p.keyResult ? `${(p.keyResult.present ?? p.keyResult.suggested).title} (${t(`krKind.${p.keyResult.suggested.kind}`)})` : names.field(p.id))
  return (
    <>
      {parts.length === 0 && <Text size="sm" c="dimmed">{t('coach.nothingNew')}</Text>}
      {chooses && parts.length > 0 && <Text size="sm" c="dimmed">{t('coach.choose')}</Text>}
      {parts.map((p) => {
        const gone = isLeftWhole(p, choice)
        const heading = headingOf(p)
        return (
          <Box key={p.id} style={{ borderTop: '1px solid var(--kakeai-line)', paddingTop: 12 }}>
            <Group gap="xs" mb={p.keyResult ? 6 : 0} wrap="nowrap" align="flex-start">
              {chooses && p.whole && <Checkbox mt={2} checked={!gone} onChange={(e) => leave(p.id, !e.currentTarget.checked)} aria-label={`${t('dialogue.include')}: ${heading}`} />}
              {p.keyResult && (
                <Group gap="xs">
                  <Text fw={600} size="sm" td={gone ? 'line-through' : undefined}>{heading}</Text>
                  {p.isNew && <Badge color="good">{t('dialogue.newKr')}</Badge>}
                  {!p.isNew && p.whole && <Badge color="fair">{t('coach.otherKind')}</Badge>}
                </Group>
              )}
            </Group>
            {!(p.whole && gone) && (
              <Box pl={p.keyResult ? { base: 0, xs: 'md' } : 0} style={{ display: 'grid', gap: 12, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))' }}>
                {p.fields.map((x) => (
                  <FieldRow key={x.id} part={p} field={x} heading={heading} left={isLeft(p, x, choice)} value={valueOf(x, choice)} editing={choice.edited[x.id] !== undefined} chooses={chooses} error={errors.get(x.id)} leave={(left) => leave(x.id, left)} edit={(value) => edit(x.id, value)} />
                ))}
              </Box>
            )}
          </Box>
        )
      })}
      {accepting.problem && errors.size === 0 && others.length === 0 && <ProblemNote problem={accepting.problem} />}
      {others.length > 0 && <Alert role="alert" color="poor">{others.join(' ')}</Alert>}
      {chooses && (
        <Group gap="xs">
          <Button leftSection={<IconCheck size={18} />} loading={accepting.busy} disabled={!take} onClick={() => take && accepting.send(all ? {} : { take })}>
            {all ? t('dialogue.accept') : t('dialogue.acceptSome')}
          </Button>
          <Button variant="subtle" color="gray" leftSection={<IconX size={18} />} onClick={open}>{t('dialogue.reject')}</Button>
          {!all && <Button variant="subtle" color="gray" leftSection={<IconArrowBackUp size={18} />} onClick={() => draft.clear(everything)}>{t('coach.reset')}</Button>}
        </Group>
      )}
      {stale && me.writes && o.may_edit && !o.archived && take && (
        <Group>
          <Button size="xs" variant="default" leftSection={<IconPencil size={16} />} onClick={() => void navigate(`/objectives/${o.id}/edit`, { state: { proposal: chosenProposal(parts, choice) } })}>{t('coach.intoEditor')}</Button>
        </Group>
      )}
      {rejecting && <Reject suggestion={s} close={close} done={refresh} />}
    </>
  )
}

interface RowProps {
  part: SuggestedPart
  field: SuggestedField
  heading: string
  left: boolean
  value: string
  editing: boolean
  chooses: boolean
  error?: string
  leave: (left: boolean) => void
  edit: (value: string | undefined) => void
}

/** One field: what it is now, what is suggested, and whether it is taken, edited, or left as it is. */
function FieldRow({ part, field: x, heading, left, value, editing, chooses, error, leave, edit }: RowProps) {
  const { t } = useTranslation()
  const names = useFieldNames()
  const label = part.keyResult ? names.keyResultField(x.field) : names.field(x.field)
  const named = part.keyResult ? `${heading} · ${label}` : label
  const lines = x.field === 'steps'
  const shown = (text: string) => (lines ? text.split('\n').join(' · ') : names.show(`kr/x/${x.field}`, text)) || t('conflict.none')
  const long = (x.field === 'title' || x.field === 'description') && !part.isNew && x.now !== ''
  const editable = chooses && !left && x.field !== 'kind'
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" style={lines || x.field === 'title' || x.field === 'description' ? { gridColumn: '1 / -1' } : undefined}>
      {chooses && !part.whole && <Checkbox mt={18} checked={!left} onChange={(e) => leave(!e.currentTarget.checked)} aria-label={`${t('dialogue.include')}: ${named}`} />}
      <Box flex={1} miw={0} fz="sm">
        <Text size="xs" c="dimmed" mb={2}>{label}</Text>
        {left ? (
          <Text size="sm">{t('coach.stays', { value: shown(x.now) })}</Text>
        ) : editing && editable ? (
          lines || x.field === 'description' || x.field === 'title' ? (
            <Textarea aria-label={named} description={lines ? t('coach.stepLines') : undefined} autosize minRows={lines ? 3 : 1} autoFocus value={value} error={error} onChange={(e) => edit(e.currentTarget.value)} />
          ) : (
            <TextInput aria-label={named} inputMode={x.field === 'unit' ? undefined : 'decimal'} autoFocus maw={260} value={value} error={error} onChange={(e) => edit(e.currentTarget.value)} />
          )
        ) : long ? (
          <TextDiff before={x.now} after={value} />
        ) : (
          <Group gap="xs" align="baseline" className="prose">
            {!part.isNew && <del className="diff">{shown(x.now)}</del>}
            {part.isNew ? <span>{shown(value)}</span> : <ins className="diff">{shown(value)}</ins>}
          </Group>
        )}
        {error && !(editing && editable) && <Text size="xs" c="var(--mantine-color-error)" role="alert">{error}</Text>}
      </Box>
      {editable && (
        <ActionIcon mt={12} variant="subtle" color="gray" aria-label={editing ? `${t('coach.undo')}: ${named}` : `${t('do.edit')}: ${named}`} onClick={() => edit(editing ? undefined : value)}>
          {editing ? <IconArrowBackUp size={18} /> : <IconPencil size={18} />}
        </ActionIcon>
      )}
    </Group>
  )
}

function Reject({ suggestion: s, close, done }: { suggestion: Schemas['Suggestion']; close: () => void; done: () => void }) {
  const { t } = useTranslation()
  const [note, setNote] = useState('')
  const rejecting = useSend({
    send: () => got(api.POST('/suggestions/{suggestion_id}/reject', { params: { path: { suggestion_id: s.id } }, body: { note: note.trim() || undefined } })),
    done: () => {
      done()
      close()
    },
    refused: () => {
      done()
      return false
    },
  })
  return (
    <Modal opened onClose={close} title={t('dialogue.reject')} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        onSubmit={(e) => {
          e.preventDefault()
          rejecting.send(undefined)
        }}
      >
        <Stack>
          <Textarea label={t('dialogue.rejectNote')} autosize minRows={2} maxLength={10000} data-autofocus value={note} onChange={(e) => setNote(e.currentTarget.value)} />
          {rejecting.problem && <ProblemNote problem={rejecting.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
            <Button type="submit" loading={rejecting.busy}>{t('dialogue.reject')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
