import { Anchor, Badge, Box, Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconProgressCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { useRange } from '../objective/KeyResult'
import { PersonName, ProgressBar } from '../parts/Badges'
import { lazily } from '../parts/lazily'
import { Read, SectionTitle } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

const CheckInDialog = lazily(() => import('../objective/CheckInDialog'), 'pace')

/** Goes through the key results together: each is checked in at its place, and what was said by whomever shows for all. */
export function CheckInTogether({ occurrence: o, every }: { occurrence: Schemas['Occurrence']; every: number | false }) {
  const { t } = useTranslation()
  const me = useMe()
  const f = useFormats()
  const range = useRange()
  const [at, setAt] = useState<{ objective: string; keyResult: Schemas['KeyResult'] } | null>(null)
  const query = useQuery({ queryKey: ['occurrence', o.id, 'key-results'], refetchInterval: every, queryFn: ({ signal }) => got(api.GET('/occurrences/{occurrence_id}/key-results', { params: { path: { occurrence_id: o.id } }, signal })) })
  const here = new Map(o.check_ins.toReversed().map((c) => [c.check_in.key_result_id, c.check_in]))
  const attends = o.meeting.response !== undefined && !o.cancelled
  const may = (objective: Schemas['Objective'], k: Schemas['KeyResult']) => attends && me.writes && (objective.may_edit || k.owner?.id === me.user.id || objective.owner.id === me.user.id)
  return (
    <section aria-labelledby="check-ins">
      <SectionTitle id="check-ins">{t('meetings.together')}</SectionTitle>
      <Card>
        <Read query={query}>
          {(all) => {
            const keyResults = all.items.flatMap((x) => x.key_results)
            const done = keyResults.filter((k) => here.has(k.id)).length
            const listed = new Set(keyResults.map((k) => k.id))
            const others = o.check_ins.filter((c) => !listed.has(c.check_in.key_result_id))
            return (
              <Stack gap="lg">
                {keyResults.length === 0 && o.check_ins.length === 0 && <Text size="sm" c="dimmed">{t('meetings.nothingToCheck')}</Text>}
                {keyResults.length > 0 && (
                  <Group gap="sm" wrap="nowrap">
                    <Progress.Root flex={1} size="md" radius="xl" style={{ background: 'var(--kakeai-line)' }}>
                      <Progress.Section value={(done / keyResults.length) * 100} color="var(--kakeai-good)" aria-label={t('meetings.together')} aria-valuetext={t('meetings.doneOf', { done, all: keyResults.length })} />
                    </Progress.Root>
                    <Text size="sm" className="tabular" aria-live="polite">{t('meetings.doneOf', { done, all: keyResults.length })}</Text>
                  </Group>
                )}
                {all.items.map((objective) => (
                  <div key={objective.id}>
                    <Group justify="space-between" gap="xs" mb="xs">
                      <Title order={3}><Anchor component={Link} to={`/objectives/${objective.id}`} inherit>{objective.title}</Anchor></Title>
                      <PersonName person={objective.owner} size={20} />
                    </Group>
                    <div className="rows flush">
                      {objective.key_results.map((k) => {
                        const checked = here.get(k.id)
                        return (
                          <Box key={k.id} className="row">
                            <Group gap="sm">
                              <Box flex="2 1 200px">
                                <Text size="sm">{k.title}</Text>
                                <Text size="xs" c="dimmed">{range(k)}</Text>
                              </Box>
                              <Box flex="1 1 140px"><ProgressBar size="sm" label={k.title} progress={{ value: k.progress, percent: k.percent, pending: k.pending, empty: false, overshoot: '0' }} /></Box>
                              {may(objective, k) && <Button size="xs" variant={checked ? 'subtle' : 'default'} leftSection={<IconProgressCheck size={16} />} onClick={() => setAt({ objective: objective.id, keyResult: k })} aria-label={`${t('objective.checkIn')}: ${k.title}`}>{checked ? t('meetings.checkAgain') : t('objective.checkIn')}</Button>}
                            </Group>
                            {checked && <CheckedIn checkIn={checked} shown={k.kind === 'milestone' ? f.percent(checked.percent) : f.amount(checked.value ?? '0', k.unit)} />}
                          </Box>
                        )
                      })}
                    </div>
                  </div>
                ))}
                {others.length > 0 && (
                  <div>
                    <Text fw={600} size="sm" mb={4}>{t('meetings.checkIns')}</Text>
                    <div className="rows flush">
                      {others.map((c) => (
                        <Box key={c.check_in.id} className="row">
                          <Anchor component={Link} to={`/objectives/${c.objective_id}`} size="sm">{c.key_result_title}</Anchor>
                          <CheckedIn checkIn={c.check_in} shown={c.check_in.value !== undefined ? f.amount(c.check_in.value) : f.percent(c.check_in.percent)} />
                        </Box>
                      ))}
                    </div>
                  </div>
                )}
              </Stack>
            )
          }}
        </Read>
      </Card>
      <Suspense fallback={null}>{at && <CheckInDialog keyResult={at.keyResult} objective={at.objective} occurrence={o.id} close={() => setAt(null)} />}</Suspense>
    </section>
  )
}

function CheckedIn({ checkIn: c, shown }: { checkIn: Schemas['CheckIn']; shown: string }) {
  const { t } = useTranslation()
  const f = useFormats()
  return (
    <Box mt={4} fz="sm">
      <Group gap="xs">
        <Badge color="good" leftSection={<IconCircleCheck size={14} aria-hidden />} className="tabular">{shown}</Badge>
        <Text span inherit c="dimmed">{t('objective.confidenceOf', { n: c.confidence })} · {t('checkIn.by', { name: c.author.name, when: f.clock(c.checked_at) })}</Text>
      </Group>
      {c.note && <Text size="sm" mt={2} className="prose">{c.note}</Text>}
    </Box>
  )
}
