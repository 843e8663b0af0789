import { Anchor, Badge, Box, Button, Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { IconCalendarDown, IconExternalLink, IconProgressCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { api, got } from '../api/client'
import { occurrenceQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useSend } from '../forms/useSend'
import { FollowUps } from '../meeting/FollowUps'
import { Minutes } from '../meeting/Minutes'
import { Survey } from '../meeting/Survey'
import { useRange } from '../objective/KeyResult'
import { PersonName, ProgressBar } from '../parts/Badges'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Said } from '../parts/Said'
import { Read, SectionTitle } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { lazily } from '../parts/lazily'

const CheckInDialog = lazily(() => import('../objective/CheckInDialog'), 'pace')

export default function Occurrence() {
  const { id = '' } = useParams()
  const query = useQuery(occurrenceQuery(id))
  return <Read query={query} page>{(o) => <Loaded key={id} occurrence={o} />}</Read>
}

function Loaded({ occurrence: o }: { occurrence: Schemas['Occurrence'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const client = useQueryClient()
  const m = o.meeting
  const answering = useSend({
    send: (response: Schemas['MeetingResponse']['response']) => got(api.PUT('/meetings/{meeting_id}/response', { params: { path: { meeting_id: m.id } }, body: { response } })),
    done: () => {
      void client.invalidateQueries({ queryKey: ['occurrence', o.id] })
      void client.invalidateQueries({ queryKey: ['occurrences'] })
    },
  })
  const cancelled = o.cancelled || m.cancelled
  return (
    <Page
      title={m.title}
      narrow
      back={{ to: '/meetings', label: t('meetings.title') }}
      above={cancelled || o.moved ? <Group gap="xs">{cancelled && <Badge color="poor">{t('meetings.cancelled')}</Badge>}{o.moved && <Badge color="fair">{t('meetings.moved')}</Badge>}</Group> : undefined}
      actions={<Button component="a" variant="default" href={`/api/v1/meetings/${m.id}/calendar.ics`} leftSection={<IconCalendarDown size={18} />}>{t('meetings.calendar')}</Button>}
    >
      <Stack gap="xl">
        <Card>
          <Stack gap="sm">
            <Group gap="md">
              <Text fw={650} size="lg" className="tabular">{f.weekday(o.starts_at)} {f.clock(o.starts_at)}–{f.clock(o.ends_at)}</Text>
              <Text size="sm" c="dimmed">{t('meetings.minutesLong', { count: m.duration_minutes })}</Text>
            </Group>
            {m.place && <Text size="sm">{m.place}</Text>}
            <Text size="sm" c="dimmed">{t('meetings.organizer', { name: m.organizer.name })} · {t('meetings.attendees')} {m.attendee_count}</Text>
            {m.description && <Said>{m.description}</Said>}
            {m.response !== undefined && !cancelled && (
              <Group gap="sm">
                <Text size="sm" fw={500}>{t('meetings.yourAnswer')}</Text>
                <SegmentedControl size="xs" aria-label={t('meetings.yourAnswer')} disabled={answering.busy} value={m.response === 'open' ? '' : m.response} onChange={(v) => answering.send(v as 'accepted')} data={(['accepted', 'tentative', 'declined'] as const).map((v) => ({ value: v, label: t(`meetings.${v}`) }))} />
              </Group>
            )}
            {answering.problem && <ProblemNote problem={answering.problem} />}
          </Stack>
        </Card>
        <section aria-labelledby="agenda">
          <SectionTitle id="agenda">{t('meetings.agenda')}</SectionTitle>
          <Card>
            {m.agenda.length === 0 ? (
              <Text size="sm" c="dimmed">{t('meetings.noAgenda')}</Text>
            ) : (
              <Stack component="ol" gap="xs" m={0} pl="lg">
                {m.agenda.map((a, n) => (
                  <li key={n}>
                    {a.objective_id ? <Anchor component={Link} to={`/objectives/${a.objective_id}`}>{a.title}</Anchor> : a.title}
                    {a.minutes !== undefined && <Text span size="sm" c="dimmed"> · {t('meetings.minutesLong', { count: a.minutes })}</Text>}
                  </li>
                ))}
              </Stack>
            )}
            {m.materials.length > 0 && (
              <Box mt="md">
                <Text fw={600} size="sm" mb="xs">{t('meetings.materials')}</Text>
                <Stack gap="sm">
                  {m.materials.map((x) => (
                    <Card key={x.url} component="a" href={x.url} target="_blank" rel="noopener noreferrer" className="card-link" padding="sm">
                      <Group gap="xs" wrap="nowrap">
                        <IconExternalLink size={16} aria-hidden style={{ flexShrink: 0 }} />
                        <Text size="sm" fw={600}>{x.title ?? x.preview?.title ?? x.url}</Text>
                      </Group>
                      {x.preview?.description && <Text size="sm" c="dimmed" lineClamp={2}>{x.preview.description}</Text>}
                      <Text size="xs" c="dimmed" truncate>{x.preview?.site_name ?? x.url}</Text>
                    </Card>
                  ))}
                </Stack>
              </Box>
            )}
          </Card>
        </section>
        {o.survey.state !== 'none' && <Survey occurrence={o.id} attends={m.response !== undefined} />}
        <CheckIns occurrence={o} />
        <Minutes occurrence={o} />
        <FollowUps occurrence={o} />
      </Stack>
    </Page>
  )
}

function CheckIns({ occurrence: o }: { occurrence: Schemas['Occurrence'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const f = useFormats()
  const range = useRange()
  const [at, setAt] = useState<{ objective: string; keyResult: Schemas['KeyResult'] } | null>(null)
  const query = useQuery({ queryKey: ['occurrence', o.id, 'key-results'], queryFn: ({ signal }) => got(api.GET('/occurrences/{occurrence_id}/key-results', { params: { path: { occurrence_id: o.id } }, signal })) })
  return (
    <section aria-labelledby="check-ins">
      <SectionTitle id="check-ins">{t('meetings.keyResults')}</SectionTitle>
      <Card>
        <Read query={query}>
          {(all) => (
            <Stack gap="lg">
              {all.items.length === 0 && o.check_ins.length === 0 && <Text size="sm" c="dimmed">{t('meetings.noneYet')}</Text>}
              {all.items.map((objective) => (
                <div key={objective.id}>
                  <Group justify="space-between" gap="xs" mb="xs">
                    <Title order={3}><Anchor component={Link} to={`/objectives/${objective.id}`} inherit>{objective.title}</Anchor></Title>
                    <PersonName person={objective.owner} size={20} />
                  </Group>
                  <div className="rows">
                    {objective.key_results.map((k) => (
                      <Group key={k.id} className="row" style={{ display: 'flex' }} gap="sm">
                        <Box flex="2 1 200px">
                          <Text size="sm">{k.title}</Text>
                          <Text size="xs" c="dimmed">{range(k)}</Text>
                        </Box>
                        <Box flex="1 1 140px"><ProgressBar size="sm" label={k.title} progress={{ value: k.progress, percent: k.percent, pending: k.pending, empty: false, overshoot: '0' }} /></Box>
                        {me.writes && (objective.may_edit || k.owner?.id === me.user.id || objective.owner.id === me.user.id) && <Button size="xs" variant="default" leftSection={<IconProgressCheck size={16} />} onClick={() => setAt({ objective: objective.id, keyResult: k })} aria-label={`${t('objective.checkIn')}: ${k.title}`}>{t('objective.checkIn')}</Button>}
                      </Group>
                    ))}
                  </div>
                </div>
              ))}
              {o.check_ins.length > 0 && (
                <div>
                  <Text fw={600} size="sm" mb={4}>{t('meetings.checkIns')}</Text>
                  <div className="rows">
                    {o.check_ins.map((c) => (
                      <Box key={c.check_in.id} className="row">
                        <Text size="sm"><Anchor component={Link} to={`/objectives/${c.objective_id}`} inherit>{c.key_result_title}</Anchor> · {c.check_in.value !== undefined ? f.amount(c.check_in.value) : f.percent(c.check_in.percent)}</Text>
                        {c.check_in.note && <Text size="sm" c="dimmed">{c.check_in.note}</Text>}
                        <Text size="xs" c="dimmed">{t('checkIn.by', { name: c.check_in.author.name, when: f.moment(c.check_in.checked_at) })}</Text>
                      </Box>
                    ))}
                  </div>
                </div>
              )}
            </Stack>
          )}
        </Read>
      </Card>
      <Suspense fallback={null}>{at && <CheckInDialog keyResult={at.keyResult} objective={at.objective} occurrence={o.id} close={() => setAt(null)} />}</Suspense>
    </section>
  )
}
