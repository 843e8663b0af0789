import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { IconMessagePlus, IconSparkles, IconStethoscope } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { api, got } from '../api/client'
import { dialoguesQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { AiBudget, aiBudgetQuery, onlyRules } from '../parts/AiBudget'
import { MentionArea } from '../parts/MentionArea'
import { withMentions, type Mentioned } from '../parts/mentions'
import { ProblemNote } from '../parts/ProblemNote'
import { Empty, Paged } from '../parts/States'
import { tongue } from '../parts/tongue'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

interface Typed {
  body: string
  picked: Mentioned[]
}

const nothing: Typed = { body: '', picked: [] }

export default function Dialogues({ objective: o }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const query = useInfiniteQuery(dialoguesQuery(o.id))
  return (
    <Stack>
      {me.writes && !o.archived && (o.may_edit ? <Begin objective={o} /> : <Text size="sm" c="dimmed">{t('dialogue.readOnly')}</Text>)}
      <Paged query={query} empty={<Card><Empty title={t('dialogue.none')} why={t('dialogue.noneWhy')} icon={<IconSparkles size={24} />} /></Card>}>
        {(items) => (
          <Stack gap="sm">
            {items.map((d) => (
              <Card key={d.id} component={Link} to={`/dialogues/${d.id}`} className="card-link" padding="md">
                <Text fw={600} lang={tongue(d.title)} className="phrase">{d.title}</Text>
                <Text size="sm" c="dimmed">{t('dialogue.opened', { name: d.opened_by.name, when: f.ago(d.created_at) })}</Text>
              </Card>
            ))}
          </Stack>
        )}
      </Paged>
    </Stack>
  )
}

/** The first words to the coach open the dialogue and ask at once. */
function Begin({ objective: o }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const budget = useQuery(aiBudgetQuery)
  const draft = useDraft<Typed>(me.draftKey(`dialogue:${o.id}:first`), nothing)
  const opened = useRef<Schemas['Dialogue']>(undefined) // by a try whose question then failed: the next one goes on with it
  const said = draft.value.body.trim()
  const sending = useSend({
    send: async (kind: Schemas['JobKind'] | null) => {
      const title = titleOf(said) || t(kind === 'feedback' ? 'dialogue.feedbackTitle' : 'dialogue.startPlaceholder')
      const body = withMentions(said, draft.value.picked) || undefined
      const d = (opened.current ??= await got(api.POST('/objectives/{objective_id}/dialogues', { params: { path: { objective_id: o.id } }, body: { title } })))
      const path = { dialogue_id: d.id }
      if (kind) await got(api.POST('/dialogues/{dialogue_id}/jobs', { params: { path }, body: { kind, message: body, coach: onlyRules(budget.data) ? 'rules' : undefined } }))
      else if (body) await got(api.POST('/dialogues/{dialogue_id}/messages', { params: { path }, body: { body } }))
      return d
    },
    done: (d) => {
      draft.clear(nothing)
      void client.invalidateQueries({ queryKey: ['objective', o.id, 'dialogues'] })
      void client.invalidateQueries({ queryKey: aiBudgetQuery.queryKey })
      void navigate(`/dialogues/${d.id}`)
    },
    refused: () => {
      void client.invalidateQueries({ queryKey: aiBudgetQuery.queryKey })
      void client.invalidateQueries({ queryKey: ['objective', o.id, 'dialogues'] })
      return false
    },
  })
  return (
    <Card padding="md">
      <Stack gap="sm">
        <MentionArea label={t('dialogue.message')} description={t('dialogue.messageHint')} autosize minRows={3} maxLength={9000} value={draft.value.body} picked={draft.value.picked} error={sending.error('/message') ?? sending.error('/title')} onChange={(body, picked) => draft.set({ body, picked })} />
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <Group gap="xs">
          <Button leftSection={<IconSparkles size={18} />} loading={sending.busy} onClick={() => sending.send('draft')}>{t('dialogue.askDraft')}</Button>
          <Button variant="default" leftSection={<IconStethoscope size={18} />} disabled={sending.busy} onClick={() => sending.send('feedback')}>{t('dialogue.askFeedback')}</Button>
          <Button variant="subtle" leftSection={<IconMessagePlus size={18} />} disabled={sending.busy || !said} onClick={() => sending.send(null)}>{t('dialogue.sendOnly')}</Button>
        </Group>
        <AiBudget />
      </Stack>
    </Card>
  )
}

/** A dialogue is called by the first sentence that was written in it. */
function titleOf(said: string): string {
  const first = (said.split(/\n|(?<=[。！？!?]|\.\s)/)[0] ?? '').trim()
  const letters = [...first]
  return letters.length > 80 ? `${letters.slice(0, 79).join('')}…` : first
}
