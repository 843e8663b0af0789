import { Alert, Badge, Box, Button, Card, Group, Progress, Radio, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { Said } from '../parts/Said'
import { Read, SectionTitle } from '../parts/States'
import { useMe } from '../session/me'

/** The secret of one's anonymous answers: made here, so that an answer that gets lost on its way back loses nothing, and kept in this browser alone. */
function secretOf(occurrence: string, make: boolean): string | undefined {
  const name = `kakeai:survey:${occurrence}`
  try {
    const kept = localStorage.getItem(name)
    if (kept || !make) return kept ?? undefined
    const random = crypto.getRandomValues(new Uint8Array(32))
    const secret = `kka_${btoa(String.fromCharCode(...random)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
    localStorage.setItem(name, secret)
    return secret
  } catch {
    return undefined
  }
}

export function Survey({ occurrence, attends }: { occurrence: string; attends: boolean }) {
  const { t } = useTranslation()
  const query = useQuery({
    queryKey: ['occurrence', occurrence, 'survey'],
    queryFn: ({ signal }) => got(api.GET('/occurrences/{occurrence_id}/survey', { params: { path: { occurrence_id: occurrence }, header: { 'Survey-Secret': secretOf(occurrence, false) } }, signal })),
  })
  return (
    <section aria-labelledby="survey">
      <SectionTitle id="survey" right={query.data && <Badge color="gray">{t('meetings.answered', { count: query.data.answered })}</Badge>}>{t('meetings.survey')}</SectionTitle>
      <Card>
        <Read query={query}>
          {(s) => (
            <Stack>
              {s.anonymous && <Alert color="ai" py="xs">{t('meetings.anonymous')}</Alert>}
              {s.state === 'open' && attends ? <Answers key={occurrence} occurrence={occurrence} survey={s} /> : s.state === 'closed' ? <Text size="sm" c="dimmed">{t('meetings.surveyClosed')}</Text> : null}
              {s.results ? (s.answered > 0 ? <Results survey={s} results={s.results} /> : s.state === 'closed' && <Text size="sm" c="dimmed">{t('meetings.nobodyAnswered')}</Text>) : <Text size="sm" c="dimmed">{t('meetings.resultsLater')}</Text>}
            </Stack>
          )}
        </Read>
      </Card>
    </section>
  )
}

type Typed = Record<string, { scale?: number; choice?: number; text?: string }>

function Answers({ occurrence, survey: s }: { occurrence: string; survey: Schemas['Survey'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const start: Typed = Object.fromEntries(s.my_answers.map((a) => [a.question_id, { scale: a.scale, choice: a.choice, text: a.text }]))
  const draft = useDraft<Typed>(me.draftKey(`survey:${occurrence}`), start)
  const sending = useSend({
    send: (v: Typed) =>
      got(
        api.PUT('/occurrences/{occurrence_id}/answers', {
          params: { path: { occurrence_id: occurrence } },
          body: { answers: s.questions.filter((q) => v[q.id] && (v[q.id]!.scale !== undefined || v[q.id]!.choice !== undefined || v[q.id]!.text?.trim())).map((q) => ({ question_id: q.id, ...v[q.id] })), secret: s.anonymous ? secretOf(occurrence, true) : undefined },
        }),
      ),
    done: () => {
      draft.clear(draft.value)
      void client.invalidateQueries({ queryKey: ['occurrence', occurrence] })
      void client.invalidateQueries({ queryKey: ['owed'] })
      notifications.show({ message: t('meetings.sentAnswers'), color: 'good' })
    },
  })
  const put = (id: string, answer: Typed[string]) => draft.set((d) => ({ ...d, [id]: answer }))
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault()
        sending.send(draft.value)
      }}
    >
      <Stack gap="lg">
        {s.questions.map((q, n) => {
          const a = draft.value[q.id]
          const label = q.required ? `${q.title} (${t('meetings.required')})` : q.title
          return q.kind === 'scale' ? (
            <div key={q.id}>
              <Text size="sm" fw={600} mb={6}>{label}</Text>
              <SegmentedControl fullWidth size="xs" aria-label={q.title} value={a?.scale === undefined ? '' : String(a.scale)} onChange={(v) => put(q.id, { scale: Number(v) })} data={Array.from({ length: 10 }, (_, i) => String(i + 1))} />
              <Group justify="space-between" fz="xs" c="dimmed" mt={4}><span>{t('meetings.scaleLow')}</span><span>{t('meetings.scaleHigh')}</span></Group>
            </div>
          ) : q.kind === 'choice' ? (
            <Radio.Group key={q.id} label={label} value={a?.choice === undefined ? '' : String(a.choice)} onChange={(v) => put(q.id, { choice: Number(v) })}>
              <Stack gap="xs" mt="xs">
                {q.choices.map((c, i) => (
                  <Radio key={c} value={String(i + 1)} label={c} />
                ))}
              </Stack>
            </Radio.Group>
          ) : (
            <Textarea key={q.id} label={label} autosize minRows={2} maxLength={5000} value={a?.text ?? ''} error={sending.error(`/answers/${n}/text`)} onChange={(e) => put(q.id, { text: e.currentTarget.value })} />
          )
        })}
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <Group justify="flex-end"><Button type="submit" loading={sending.busy}>{t('meetings.sendAnswers')}</Button></Group>
      </Stack>
    </form>
  )
}

function Results({ survey: s, results }: { survey: Schemas['Survey']; results: Schemas['QuestionResults'][] }) {
  const { t } = useTranslation()
  return (
    <Stack>
      <Text fw={600} size="sm">{t('meetings.results')}</Text>
      {results.map((r) => {
        const q = s.questions.find((x) => x.id === r.question_id)
        const all = Math.max(1, r.counts.reduce((n, c) => n + c.count, 0))
        return (
          <Box key={r.question_id}>
            <Group justify="space-between" mb={4}>
              <Text size="sm">{q?.title}</Text>
              {r.average !== undefined && r.average !== null && <Badge color="ai">{t('meetings.average', { n: r.average.toFixed(1) })}</Badge>}
            </Group>
            {r.counts.map((c) => (
              <Group key={c.value} gap="sm" wrap="nowrap" fz="xs">
                <Text inherit miw={q?.kind === 'choice' ? 120 : 20}>{q?.kind === 'choice' ? q.choices[c.value - 1] : c.value}</Text>
                <Progress value={(c.count / all) * 100} flex={1} size="sm" aria-label={`${q?.kind === 'choice' ? q.choices[c.value - 1] : c.value}: ${c.count}`} />
                <Text inherit miw={20} ta="right" className="tabular">{c.count}</Text>
              </Group>
            ))}
            {r.texts.map((x, n) => (
              <Box key={n} fz="sm" mt={6} pl="sm" style={{ borderInlineStart: '3px solid var(--kakeai-line)' }}>
                <Said>{x.text}</Said>
                {x.author && <Text size="xs" c="dimmed">{x.author.name}</Text>}
              </Box>
            ))}
          </Box>
        )
      })}
    </Stack>
  )
}
