import { Alert, Badge, Box, Button, Card, Checkbox, Group, Modal, Stack, Table, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconBulb, IconCheck, IconPencil, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { useFieldNames } from '../forms/fieldNames'
import { keyResultFields, objectiveForm, objectivePatch, proposedForm, withProposal, type KeyResultForm, type Proposal, type ProposedKeyResult } from '../forms/objective'
import { same } from '../forms/merge'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { Said } from '../parts/Said'
import { useFormats } from '../time/format'

interface Props {
  suggestion: Schemas['Suggestion']
  objective: Schemas['Objective']
}

/** One thing that is proposed: the title, the description, or a key result. */
interface Part {
  id: string
  heading: string
  isNew: boolean
  rows: { label: string; now: string; proposed: string }[]
}

function useParts(content: Proposal, o: Schemas['Objective']): Part[] {
  const { t } = useTranslation()
  const names = useFieldNames()
  const form = objectiveForm(o)
  const parts: Part[] = []
  for (const name of ['title', 'description'] as const) {
    const proposed = content[name]
    if (proposed !== undefined && proposed !== form[name]) parts.push({ id: name, heading: names.field(name), isNew: false, rows: [{ label: names.field(name), now: form[name], proposed }] })
  }
  ;(content.key_results ?? []).forEach((p, n) => {
    const present = p.id ? form.key_results.find((k) => k.id === p.id) : undefined
    const now: Partial<KeyResultForm> = present ?? {}
    const next = proposedForm(p, present)
    const rows = keyResultFields
      .filter((name) => name !== 'title' || present)
      .map((name) => ({ name, a: name === 'steps' ? now.steps?.map((s) => s.title) : now[name], b: name === 'steps' ? next.steps.map((s) => s.title) : next[name] }))
      .filter(({ name, a, b }) => (present ? !same(a, b) : b !== '' && !same(b, []) && !(name === 'weight' && b === '1') && name !== 'kind'))
      .map(({ name, a, b }) => ({ label: names.keyResultField(name), now: Array.isArray(a) ? a.join(' · ') : names.show(`kr/x/${name}`, a), proposed: Array.isArray(b) ? b.join(' · ') : names.show(`kr/x/${name}`, b) }))
    if (rows.length > 0 || !present) parts.push({ id: partID(p, n), heading: `${p.title} (${t(`krKind.${p.kind}`)})`, isNew: !present, rows })
  })
  return parts
}

const partID = (p: ProposedKeyResult, n: number) => p.id ?? `new-${n}`

/** The proposal, cut down to the parts that were chosen. */
function chosen(content: Proposal, ids: ReadonlySet<string>): Proposal {
  return {
    title: ids.has('title') ? content.title : undefined,
    description: ids.has('description') ? content.description : undefined,
    key_results: content.key_results?.filter((p, n) => ids.has(partID(p, n))),
  }
}

export function SuggestionCard({ suggestion: s, objective: o }: Props) {
  const { t } = useTranslation()
  const f = useFormats()
  const navigate = useNavigate()
  const client = useQueryClient()
  const content = s.content as Proposal
  const parts = useParts(content, o)
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set())
  const [rejecting, { open, close }] = useDisclosure()
  const taken = parts.filter((p) => !dropped.has(p.id))
  const current = s.state === 'open' && s.objective_revision === o.revision
  const open_ = s.state === 'open'
  const stale = s.state === 'superseded' || (open_ && !current)
  const refresh = () => {
    for (const key of [['dialogue', s.dialogue_id], ['objective', o.id], ['objectives']]) void client.invalidateQueries({ queryKey: key })
  }
  const accepting = useSend({
    send: () =>
      taken.length === parts.length
        ? got(api.POST('/suggestions/{suggestion_id}/accept', { params: { path: { suggestion_id: s.id } }, body: {} }))
        : got(api.PATCH('/objectives/{objective_id}', { params: { path: { objective_id: o.id } }, body: objectivePatch(objectiveForm(o), withProposal(objectiveForm(o), chosen(content, new Set(taken.map((p) => p.id)))), o.revision) })),
    done: (edited) => {
      client.setQueryData(['objective', o.id], edited)
      refresh()
      notifications.show({ message: t('dialogue.done'), color: 'good' })
    },
    refused: () => {
      refresh()
      return false
    },
  })
  return (
    <Card padding="md" component="section" aria-label={t('dialogue.suggestion', { n: s.objective_revision })} style={current ? { borderColor: 'var(--mantine-color-ai-5)' } : undefined}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <IconBulb size={20} aria-hidden />
            <Text fw={600}>{t('dialogue.suggestion', { n: s.objective_revision })}</Text>
          </Group>
          <Badge color={current ? 'ai' : s.state === 'accepted' ? 'good' : 'gray'}>{s.state === 'accepted' || s.state === 'rejected' ? t(`dialogue.${s.state}`, { name: s.decided_by?.name ?? '', when: s.decided_at ? f.ago(s.decided_at) : '' }) : stale ? t('dialogue.superseded') : t('dialogue.openState')}</Badge>
        </Group>
        {stale && <Alert color="fair">{t('dialogue.supersededWhy', { n: s.objective_revision })}</Alert>}
        {(current ? parts : summary(content, (k) => t(`krKind.${k}`))).map((p) => (
          <Box key={p.id} style={{ borderTop: '1px solid var(--kakeai-line)', paddingTop: 12 }}>
            {current && o.may_edit ? (
              <Checkbox
                checked={!dropped.has(p.id)}
                onChange={(e) => {
                  const on = e.currentTarget.checked
                  setDropped((d) => {
                    const next = new Set(d)
                    if (on) next.delete(p.id)
                    else next.add(p.id)
                    return next
                  })
                }}
                label={<Heading part={p} />}
                aria-label={`${t('dialogue.include')}: ${p.heading}`}
              />
            ) : (
              <Heading part={p} />
            )}
            {p.rows.length > 0 && (
              <Table.ScrollContainer minWidth={p.isNew ? 240 : 380}>
                <Table fz="sm" mt={6} withRowBorders={false} verticalSpacing={3}>
                  <Table.Thead>
                    <Table.Tr c="dimmed">
                      <Table.Th w="28%" fw={500}>{t('dialogue.field')}</Table.Th>
                      {!p.isNew && <Table.Th fw={500}>{t('dialogue.isNow')}</Table.Th>}
                      <Table.Th fw={500}>{t('dialogue.proposed')}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {p.rows.map((r) => (
                      <Table.Tr key={r.label}>
                        <Table.Td>{r.label}</Table.Td>
                        {!p.isNew && <Table.Td className="prose">{r.now ? <del className="diff">{r.now}</del> : t('conflict.none')}</Table.Td>}
                        <Table.Td className="prose"><ins className="diff">{r.proposed || t('conflict.none')}</ins></Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            )}
          </Box>
        ))}
        {s.note && <Box fz="sm"><Said>{s.note}</Said></Box>}
        {accepting.problem && <ProblemNote problem={accepting.problem} />}
        {current && o.may_edit && (
          <Group gap="xs">
            <Button leftSection={<IconCheck size={18} />} loading={accepting.busy} disabled={taken.length === 0} onClick={() => accepting.send(undefined)}>
              {taken.length === parts.length ? t('dialogue.accept') : t('dialogue.acceptSome')}
            </Button>
            <Button variant="default" leftSection={<IconPencil size={18} />} disabled={taken.length === 0} onClick={() => void navigate(`/objectives/${o.id}/edit`, { state: { proposal: chosen(content, new Set(taken.map((p) => p.id))) } })}>
              {t('dialogue.editFirst')}
            </Button>
            <Button variant="subtle" color="gray" leftSection={<IconX size={18} />} onClick={open}>
              {t('dialogue.reject')}
            </Button>
          </Group>
        )}
      </Stack>
      {rejecting && <Reject suggestion={s} close={close} done={refresh} />}
    </Card>
  )
}

function Heading({ part: p }: { part: Part }) {
  const { t } = useTranslation()
  return (
    <Group gap="xs" component="span">
      <Text span fw={600} size="sm">{p.heading}</Text>
      {p.isNew && <Badge color="good">{t('dialogue.newKr')}</Badge>}
    </Group>
  )
}

/** What was proposed for a revision that is no longer there: without a comparison, which would be one with something else. */
function summary(content: Proposal, kind: (k: Schemas['KeyResultKind']) => string): Part[] {
  return [
    ...(content.title ? [{ id: 'title', heading: content.title, isNew: false, rows: [] }] : []),
    ...(content.key_results ?? []).map((p, n) => ({ id: partID(p, n), heading: `${p.title} (${kind(p.kind)})`, isNew: false, rows: [] })),
  ]
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
