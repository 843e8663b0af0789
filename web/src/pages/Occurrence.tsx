import { Anchor, Badge, Box, Button, Card, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight, IconClock, IconExternalLink, IconMapPin, IconRepeat, IconUsers } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { api, got } from '../api/client'
import { occurrenceQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useSend } from '../forms/useSend'
import { ChangeMeeting } from '../meeting/Change'
import { CheckInTogether } from '../meeting/CheckInTogether'
import { FollowUps } from '../meeting/FollowUps'
import { Minutes } from '../meeting/Minutes'
import { Survey } from '../meeting/Survey'
import { deviceZone } from '../meeting/typed'
import { useRepeats } from '../meeting/useRepeats'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Said } from '../parts/Said'
import { Loading, Read, SectionTitle } from '../parts/States'
import { tongue } from '../parts/tongue'
import { formats, useFormats } from '../time/format'
import { lazily } from '../parts/lazily'

const Attendees = lazily(() => import('../meeting/Attendees'))

// While people meet, what others write and check in is looked for every so often; what somebody is typing stays apart from it.
const whileMeeting = 10_000
const around = 30 * 60_000

const isOn = (o: Schemas['Occurrence'] | undefined) => o !== undefined && !o.cancelled && Date.now() > Date.parse(o.starts_at) - around && Date.now() < Date.parse(o.ends_at) + around

export default function Occurrence() {
  const { id = '' } = useParams()
  const query = useQuery({ ...occurrenceQuery(id), refetchInterval: (q) => (isOn(q.state.data) ? whileMeeting : false) })
  return <Read query={query} page>{(o) => <Loaded key={id} occurrence={o} />}</Read>
}

function Loaded({ occurrence: o }: { occurrence: Schemas['Occurrence'] }) {
  const { t, i18n } = useTranslation()
  const f = useFormats()
  const client = useQueryClient()
  const repeats = useRepeats()
  const [attendees, { toggle }] = useDisclosure()
  const m = o.meeting
  const there = formats(i18n.language, m.time_zone)
  const answering = useSend({
    send: (response: Schemas['MeetingResponse']['response']) => got(api.PUT('/meetings/{meeting_id}/response', { params: { path: { meeting_id: m.id } }, body: { response } })),
    done: () => {
      for (const key of [['occurrence', o.id], ['occurrences'], ['meeting', m.id]]) void client.invalidateQueries({ queryKey: key })
    },
  })
  const cancelled = o.cancelled || m.cancelled
  const minutes = Math.round((Date.parse(o.ends_at) - Date.parse(o.starts_at)) / 60_000)
  return (
    <Page
      title={m.title}
      narrow
      back={{ to: '/meetings', label: t('meetings.title') }}
      above={cancelled || o.moved ? <Group gap="xs">{cancelled && <Badge color="poor">{t('meetings.cancelled')}</Badge>}{o.moved && <Badge color="fair">{t('meetings.moved')}</Badge>}</Group> : undefined}
      actions={<ChangeMeeting occurrence={o} />}
    >
      <Stack gap="xl">
        <Card>
          <Stack gap="sm">
            <Group gap="md">
              <Text fw={650} size="lg" className="tabular" td={cancelled ? 'line-through' : undefined}>{f.weekday(o.starts_at)} {f.hours(o.starts_at, o.ends_at)}</Text>
              <Text size="sm" c="dimmed">{t('meetings.minutesLong', { count: minutes })}</Text>
            </Group>
            <Stack gap={6} fz="sm" c="dimmed">
              <Line icon={<IconClock size={16} aria-hidden />}>{m.time_zone === deviceZone() ? t('meetings.inZone', { zone: m.time_zone }) : t('meetings.thereItIs', { when: `${there.weekday(o.starts_at)} ${there.clock(o.starts_at)}`, zone: m.time_zone })}</Line>
              {m.recurrence && <Line icon={<IconRepeat size={16} aria-hidden />}>{repeats(m.recurrence, m.time_zone)} · <Anchor component={Link} to={`/meetings/${m.id}?all=true`} inherit underline="always">{t('meetings.allTimes')}</Anchor></Line>}
              {m.place && <Line icon={<IconMapPin size={16} aria-hidden />}>{/^https?:\/\/\S+$/.test(m.place) ? <Anchor href={m.place} target="_blank" rel="noopener noreferrer" inherit underline="always">{m.place}</Anchor> : m.place}</Line>}
              <Line icon={<IconUsers size={16} aria-hidden />}>{t('meetings.organizer', { name: m.organizer.name })}</Line>
            </Stack>
            {m.description && <Said>{m.description}</Said>}
            {m.response !== undefined && !cancelled && (
              <Group gap="sm">
                <Text size="sm" fw={600}>{t('meetings.yourAnswer')}</Text>
                <SegmentedControl size="xs" aria-label={t('meetings.yourAnswer')} disabled={answering.busy} value={m.response === 'open' ? '' : m.response} onChange={(v) => answering.send(v as 'accepted')} data={(['accepted', 'tentative', 'declined'] as const).map((v) => ({ value: v, label: t(`meetings.${v}`) }))} />
              </Group>
            )}
            {answering.problem && <ProblemNote problem={answering.problem} />}
            <div>
              <Button size="compact-sm" variant="subtle" ml={-8} aria-expanded={attendees} leftSection={attendees ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />} onClick={toggle}>{t('meetings.attendees')} ({m.attendee_count})</Button>
              {attendees && <Box mt="xs"><Suspense fallback={<Loading rows={2} height={40} />}><Attendees meeting={m} /></Suspense></Box>}
            </div>
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
                  <li key={n} lang={tongue(a.title)}>
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
                      {(x.title ?? x.preview?.title) !== undefined && <Text size="xs" c="dimmed" truncate>{x.preview?.site_name ? `${x.preview.site_name} · ` : ''}{x.url}</Text>}
                      {x.preview && x.preview.state !== 'fetched' && <Text size="xs" c="dimmed">{t('meetings.noPreview')}</Text>}
                    </Card>
                  ))}
                </Stack>
              </Box>
            )}
          </Card>
        </section>
        {o.survey.state !== 'none' && <Survey occurrence={o.id} attends={m.response !== undefined} />}
        <CheckInTogether occurrence={o} every={isOn(o) ? whileMeeting : false} />
        <Minutes occurrence={o} />
        <FollowUps occurrence={o} />
      </Stack>
    </Page>
  )
}

function Line({ icon, children }: { icon: React.ReactNode; children: React.ReactNode }) {
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <Box mt={2} style={{ flexShrink: 0 }}>{icon}</Box>
      <span style={{ minWidth: 0 }}>{children}</span>
    </Group>
  )
}
