import { Button, Card, CloseButton, Group, SimpleGrid, Stack, Text, Textarea, TextInput, ThemeIcon, Title } from '@mantine/core'
import { IconArrowRight, IconCheck } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { Loading } from '../parts/States'
import { useMe } from '../session/me'
import { today, useFormats } from '../time/format'
import { addresses, quarterOf } from './quarter'
import { remember, remembered } from './remembered'

/** What is there already, so that whoever comes back goes on where they were; one row of each is enough to know. */
const setUpQuery = queryOptions({
  queryKey: ['objectives', 'first-run'],
  queryFn: async ({ signal }) => {
    const one = { limit: 1 }
    const [teams, members, invitations, objectives] = await Promise.all([
      got(api.GET('/teams', { params: { query: one }, signal })),
      got(api.GET('/members', { params: { query: { limit: 2 } }, signal })),
      got(api.GET('/invitations', { params: { query: one }, signal })),
      got(api.GET('/objectives', { params: { query: one }, signal })),
    ])
    return { team: teams.items[0], others: members.items.length > 1 || invitations.items.length > 0, objective: objectives.items[0] }
  },
})

/** Leads an organisation in which nothing has happened yet to its first objective, above what else the page has. */
export default function FirstRun({ dashboard: d, memory: key, dismiss, children }: { dashboard: Schemas['Dashboard']; memory: string; dismiss: () => void; children: ReactNode }) {
  const { t } = useTranslation()
  const [alone, setAlone] = useState(() => remembered(`${key}alone`))
  const query = useQuery(setUpQuery)
  const there = query.data
  if (query.isPending) return <Loading rows={3} height={120} />
  if (!there || there.objective) return children
  const cycle = d.cycles.find((c) => c.state === 'active') ?? d.cycles.find((c) => c.state === 'preparation')
  const done = [cycle?.state === 'active', there.team !== undefined, there.others || alone, false]
  const now = done.findIndex((x) => !x)
  const steps: [string, string, ReactNode][] = [
    [t('firstRun.cycle'), t('firstRun.cycleWhy'), cycle ? <ActivateCycle key="activate" cycle={cycle} /> : <NewCycle key="new" />],
    [t('firstRun.team'), t('firstRun.teamWhy'), <NewTeam key="team" />],
    [t('firstRun.invite'), t('firstRun.inviteWhy'), <Invite key="invite" team={there.team?.id} skip={() => { remember(`${key}alone`); setAlone(true) }} />],
    [t('firstRun.objective'), t('firstRun.objectiveWhy'), <Button key="objective" component={Link} to={there.team ? `/objectives/new?team=${there.team.id}` : '/objectives/new'} rightSection={<IconArrowRight size={18} />} style={{ alignSelf: 'flex-start' }}>{t('firstRun.objectiveDo')}</Button>],
  ]
  return (
    <>
      <Card component="section" aria-labelledby="first-run" mb="xl" padding="lg" style={{ borderColor: 'var(--mantine-color-ai-5)' }}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Title order={2} id="first-run">{t('firstRun.title')}</Title>
            <Text size="sm" c="dimmed">{t('firstRun.lead')}</Text>
          </div>
          <CloseButton aria-label={t('firstRun.dismiss')} title={t('firstRun.dismiss')} onClick={dismiss} />
        </Group>
        <Stack component="ol" gap="md" mt="md" p={0} m={0} style={{ listStyle: 'none' }}>
          {steps.map(([title, why, act], n) => (
            <Group component="li" key={n} wrap="nowrap" align="flex-start" gap="sm" aria-current={n === now ? 'step' : undefined}>
              <ThemeIcon radius="xl" size={28} color={done[n] ? 'good.7' : n === now ? 'ai' : 'gray'} variant={done[n] || n === now ? 'filled' : 'light'} aria-hidden style={{ flexShrink: 0 }}>
                {done[n] ? <IconCheck size={18} /> : <Text span size="sm" fw={650}>{n + 1}</Text>}
              </ThemeIcon>
              <Stack gap="xs" style={{ flex: 1, minWidth: 0 }}>
                <Title order={3} c={n === now ? undefined : 'dimmed'}>
                  {title}
                  {done[n] && <Text span size="sm" fw={400} c="dimmed"> · {t('firstRun.done')}</Text>}
                </Title>
                {n === now && <Text size="sm" c="dimmed" className="phrase">{why}</Text>}
                {n === now && act}
              </Stack>
            </Group>
          ))}
        </Stack>
      </Card>
      {children}
    </>
  )
}

function useRead() {
  const client = useQueryClient()
  return () => {
    for (const key of [['cycles'], ['teams'], ['session'], ['members'], ['invitations'], ['objectives']]) void client.invalidateQueries({ queryKey: key })
  }
}

function NewCycle() {
  const { t } = useTranslation()
  const me = useMe()
  const read = useRead()
  const q = quarterOf(today(me.organization.time_zone))
  const start = { name: t('firstRun.quarter', { n: q.n, year: q.year }), starts_on: q.starts_on, ends_on: q.ends_on }
  const draft = useDraft(me.draftKey('first-run:cycle'), start)
  const v = draft.value
  const sending = useSend({
    send: async () => {
      const c = await got(api.POST('/cycles', { body: { name: v.name.trim(), starts_on: v.starts_on, ends_on: v.ends_on } }))
      return got(api.PATCH('/cycles/{cycle_id}', { params: { path: { cycle_id: c.id } }, body: { revision: c.revision, state: 'active' } }))
    },
    done: () => {
      draft.clear(start)
      read()
    },
    refused: () => {
      read() // the cycle may be there, and only its beginning be left
      return false
    },
  })
  const field = (name: 'name' | 'starts_on' | 'ends_on', label: string, type = 'text') => (
    <TextInput type={type} label={label} required withAsterisk={false} maxLength={200} value={v[name]} error={sending.error(`/${name}`)} onChange={(e) => { sending.touch(`/${name}`); draft.set({ ...v, [name]: e.currentTarget.value }) }} />
  )
  return (
    <Form send={() => sending.send(undefined)} problem={sending.problem}>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {field('name', t('org.cycleName'))}
        {field('starts_on', t('org.starts'), 'date')}
        {field('ends_on', t('org.ends'), 'date')}
      </SimpleGrid>
      <Button type="submit" loading={sending.busy} style={{ alignSelf: 'flex-start' }}>{t('firstRun.cycleDo')}</Button>
    </Form>
  )
}

function ActivateCycle({ cycle }: { cycle: Schemas['Cycle'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const read = useRead()
  const sending = useSend({ send: () => got(api.PATCH('/cycles/{cycle_id}', { params: { path: { cycle_id: cycle.id } }, body: { revision: cycle.revision, state: 'active' } })), done: read, refused: () => { read(); return false } })
  return (
    <Form send={() => sending.send(undefined)} problem={sending.problem}>
      <Text size="sm">{t('firstRun.activate', { name: cycle.name })} {f.day(cycle.starts_on)} – {f.day(cycle.ends_on)}</Text>
      <Button type="submit" loading={sending.busy} style={{ alignSelf: 'flex-start' }}>{t('firstRun.activateDo')}</Button>
    </Form>
  )
}

function NewTeam() {
  const { t } = useTranslation()
  const me = useMe()
  const read = useRead()
  const draft = useDraft(me.draftKey('first-run:team'), { name: '' })
  const sending = useSend({
    send: async () => {
      const team = await got(api.POST('/teams', { body: { name: draft.value.name.trim() } }))
      return got(api.PUT('/teams/{team_id}/members/{member_id}', { params: { path: { team_id: team.id, member_id: me.user.id } }, body: { role: 'lead' } }))
    },
    done: () => {
      draft.clear({ name: '' })
      read()
    },
  })
  return (
    <Form send={() => sending.send(undefined)} problem={sending.problem}>
      <TextInput label={t('org.teamName')} placeholder={t('firstRun.teamPlaceholder')} required withAsterisk={false} maxLength={200} value={draft.value.name} error={sending.error('/name')} onChange={(e) => { sending.touch('/name'); draft.set({ name: e.currentTarget.value }) }} />
      <Button type="submit" loading={sending.busy} style={{ alignSelf: 'flex-start' }}>{t('firstRun.teamDo')}</Button>
    </Form>
  )
}

function Invite({ team, skip }: { team?: string; skip: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const read = useRead()
  const draft = useDraft(me.draftKey('first-run:invite'), { typed: '' })
  const [note, setNote] = useState('')
  const sending = useSend({
    send: (list: string[]) => got(api.POST('/invitations', { body: { invitations: list.map((email) => ({ email, team_ids: team ? [team] : [] })) } })),
    done: (r) => {
      const not = r.results.filter((x) => x.outcome !== 'invited').map((x) => x.email)
      draft.clear({ typed: not.join('\n') })
      setNote(not.length > 0 ? t('firstRun.notInvited', { list: not.join(', ') }) : '')
      if (r.invited > 0) read()
    },
  })
  return (
    <Form
      send={() => {
        const list = addresses(draft.value.typed)
        if (list.length === 0) setNote(t('firstRun.inviteNone'))
        else sending.send(list)
      }}
      problem={sending.problem}
    >
      <Textarea label={t('firstRun.inviteLabel')} description={t('firstRun.inviteHint')} autosize minRows={2} maxLength={60_000} inputMode="email" value={draft.value.typed} error={note || undefined} onChange={(e) => { setNote(''); draft.set({ typed: e.currentTarget.value }) }} />
      <Group gap="xs">
        <Button type="submit" loading={sending.busy}>{t('firstRun.inviteDo')}</Button>
        <Button variant="subtle" onClick={skip}>{t('firstRun.skip')}</Button>
      </Group>
    </Form>
  )
}

function Form({ send, problem, children }: { send: () => void; problem: ReturnType<typeof useSend>['problem']; children: ReactNode }) {
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        send()
      }}
    >
      <Stack gap="sm" align="stretch" maw={640}>
        {children}
        {problem && <ProblemNote problem={problem} />}
      </Stack>
    </form>
  )
}
