import { Alert, Anchor, Button, List, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconCircleCheck, IconMailOff, IconUserQuestion } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { got, plain } from '../api/client'
import { Problem, problemOf, type Schemas } from '../api/problem'
import { sessionQuery } from '../api/queries'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { Failed, Loading } from '../parts/States'
import { SignInForm } from '../session/SignInForm'
import { Entrance } from '../shell/Entrance'
import { useFormats } from '../time/format'

// The secret stands behind the # of the address, which no browser sends anywhere, and travels in bodies alone.
const lookUpQuery = (token: string) =>
  queryOptions({ queryKey: ['invitation', token], staleTime: Infinity, gcTime: 0, queryFn: ({ signal }) => got(plain.POST('/invitation/look-up', { body: { token }, signal })) })

/** Who is signed in in this browser, by address; null for nobody. */
const signedInQuery = queryOptions({
  queryKey: ['invitation', 'account'],
  staleTime: 0,
  queryFn: async ({ signal }): Promise<Schemas['Account'] | null> => {
    try {
      return await got(plain.GET('/account', { signal }))
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null
      throw error
    }
  },
})

export default function Invitation() {
  const { t } = useTranslation()
  const { hash } = useLocation()
  const token = decodeURIComponentSafely(hash.slice(1))
  useEffect(() => {
    document.title = t('app.title', { page: t('invitation.title') })
  }, [t])
  return <Entrance>{token ? <WithLink key={token} token={token} /> : <Over kind="nowhere" />}</Entrance>
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text).trim()
  } catch {
    return text
  }
}

function WithLink({ token }: { token: string }) {
  const invitation = useQuery(lookUpQuery(token))
  const account = useQuery(signedInQuery)
  const [joined, setJoined] = useState<Schemas['InvitationAccepted'] | null>(null)
  if (joined) return <Joined joined={joined} />
  if (invitation.isError) {
    const p = problemOf(invitation.error)
    if (p.status === 404 || p.status === 400 || p.status === 422) return <Over kind="nowhere" />
    if (p.status === 410) return <Over kind={p.type} />
    return <Failed error={p} again={() => void invitation.refetch()} />
  }
  if (account.isError) return <Failed error={account.error} again={() => void account.refetch()} />
  if (!invitation.data || account.data === undefined) return <Loading rows={3} />
  const i = invitation.data
  if (account.data && account.data.email.toLowerCase() !== i.email.toLowerCase()) return <SomebodyElse invitation={i} account={account.data} />
  return i.has_account ? <ForAccount token={token} invitation={i} done={setJoined} /> : <ForNewcomer token={token} invitation={i} done={setJoined} />
}

/** What the invitation is about, above whatever there is to do. */
function About({ invitation: i, children }: { invitation: Schemas['InvitationView']; children: ReactNode }) {
  const { t } = useTranslation()
  const f = useFormats()
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={1} className="phrase">{t('invitation.join', { name: i.organization })}</Title>
        <Text className="phrase">{t('invitation.by', { name: i.inviter, organization: i.organization })}</Text>
      </Stack>
      <List size="sm" spacing={4} listStyleType="none" withPadding={false}>
        <List.Item>{t('invitation.for')}: <Text span fw={600}>{i.email}</Text></List.Item>
        <List.Item>{t('invitation.as')}: <Text span fw={600}>{t(`role.${i.role}`)}</Text></List.Item>
        <List.Item>{t('invitation.until', { when: f.moment(i.expires_at) })}</List.Item>
      </List>
      {children}
    </Stack>
  )
}

interface Accepting {
  token: string
  invitation: Schemas['InvitationView']
  done: (joined: Schemas['InvitationAccepted']) => void
}

/** What stands in the way of accepting, in the words of somebody who is invited. */
function NotAccepted({ problem, invitation: i }: { problem: Problem; invitation: Schemas['InvitationView'] }) {
  const { t } = useTranslation()
  if (problem.status === 410) return <Alert role="alert" color="poor">{t(overText(problem.type))}</Alert>
  if (problem.status === 404) return <Alert role="alert" color="poor">{t('invitation.nowhereWhy')}</Alert>
  if (problem.type === 'wrong-state')
    return (
      <Alert role="alert" color="fair">
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t('invitation.belongs', { name: i.inviter })}</Text>
          <Anchor component={Link} to="/sign-in" size="sm">{t('signIn.title')}</Anchor>
        </Stack>
      </Alert>
    )
  return <ProblemNote problem={problem} />
}

/** Somebody who has an account keeps it as it is: they only say yes. */
function ForAccount({ token, invitation, done }: Accepting) {
  const { t } = useTranslation()
  const accepting = useSend({ send: () => got(plain.POST('/invitation/accept', { body: { token } })), done })
  return (
    <About invitation={invitation}>
      <Text size="sm" c="dimmed">{t('invitation.hasAccount')}</Text>
      {accepting.problem && <NotAccepted problem={accepting.problem} invitation={invitation} />}
      <Button size="md" loading={accepting.busy} onClick={() => accepting.send(undefined)}>{t('invitation.accept')}</Button>
    </About>
  )
}

function ForNewcomer({ token, invitation, done }: Accepting) {
  const { t, i18n } = useTranslation()
  const enter = useEnter()
  const draft = useDraft(`invitation:${invitation.email}`, { name: '' })
  const [password, setPassword] = useState('')
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || invitation.time_zone
  const accepting = useSend({
    send: async () => {
      const body = { token, name: draft.value.name.trim(), password, locale: i18n.language as Schemas['Locale'] }
      let joined: Schemas['InvitationAccepted']
      try {
        joined = await got(plain.POST('/invitation/accept', { body: { ...body, time_zone: zone } }))
      } catch (error) {
        if (!(error instanceof Problem) || !error.fields()['/time_zone']) throw error
        joined = await got(plain.POST('/invitation/accept', { body })) // a zone that only this browser knows
      }
      // Where signing in does not work just now, the form for it comes next.
      const inside = await got(plain.POST('/session', { body: { email: joined.email, password, organization_id: joined.organization_id } })).catch(() => null)
      return { joined, inside }
    },
    done: ({ joined, inside }) => {
      draft.clear({ name: '' })
      setPassword('')
      if (inside) enter()
      else done(joined)
    },
  })
  return (
    <About invitation={invitation}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          accepting.send(undefined)
        }}
      >
        <Stack gap="md">
          <input type="hidden" name="email" autoComplete="username" value={invitation.email} readOnly />
          <TextInput label={t('invitation.name')} name="name" autoComplete="name" required withAsterisk={false} size="md" maxLength={200} value={draft.value.name} error={accepting.error('/name')} onChange={(e) => { accepting.touch('/name'); draft.set({ name: e.currentTarget.value }) }} />
          <PasswordInput label={t('signIn.password')} description={t('invitation.passwordHint')} name="password" autoComplete="new-password" required withAsterisk={false} size="md" maxLength={200} value={password} error={accepting.error('/password')} onChange={(e) => { accepting.touch('/password'); setPassword(e.currentTarget.value) }} visibilityToggleButtonProps={{ 'aria-label': t('do.show') }} />
          <Text size="xs" c="dimmed">{t('invitation.zone', { zone })}</Text>
          {accepting.problem && <NotAccepted problem={accepting.problem} invitation={invitation} />}
          <Button type="submit" size="md" loading={accepting.busy}>{t('invitation.create')}</Button>
        </Stack>
      </form>
    </About>
  )
}

/** Forgets what belongs to whoever was here before, and goes to the first page. */
function useEnter() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return () => {
    client.clear()
    void client.fetchQuery(sessionQuery).then(() => navigate('/', { replace: true }))
  }
}

function Joined({ joined }: { joined: Schemas['InvitationAccepted'] }) {
  const { t } = useTranslation()
  const enter = useEnter()
  return (
    <Stack gap="lg">
      <Title order={1} className="phrase">{t('invitation.joined', { name: joined.organization })}</Title>
      <Alert color="good" icon={<IconCircleCheck />} role="status">{t('invitation.signInNow')}</Alert>
      <SignInForm organization={joined.organization_id} email={joined.email} returnTo="/" done={enter} />
    </Stack>
  )
}

function SomebodyElse({ invitation: i, account }: { invitation: Schemas['InvitationView']; account: Schemas['Account'] }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const leaving = useSend({
    send: () => got(plain.DELETE('/session')),
    done: () => {
      client.removeQueries({ predicate: (q) => q.queryKey[0] !== 'invitation' })
      client.setQueryData(signedInQuery.queryKey, null)
    },
  })
  return (
    <About invitation={i}>
      <Alert color="fair" icon={<IconUserQuestion />} title={t('invitation.otherPerson')}>
        <Text size="sm">{t('invitation.otherPersonWhy', { present: account.email, invited: i.email })}</Text>
      </Alert>
      {leaving.problem && <ProblemNote problem={leaving.problem} />}
      <Button size="md" loading={leaving.busy} onClick={() => leaving.send(undefined)}>{t('invitation.signOutFirst')}</Button>
      <Anchor component={Link} to="/" size="sm" ta="center">{t('invitation.stay', { name: account.name })}</Anchor>
    </About>
  )
}

function overText(kind: string) {
  switch (kind) {
    case 'invitation-accepted':
      return 'invitation.acceptedWhy' as const
    case 'invitation-revoked':
      return 'invitation.revokedWhy' as const
    case 'invitation-expired':
      return 'invitation.expiredWhy' as const
  }
  return 'invitation.nowhereWhy' as const
}

/** The link leads nowhere, or nowhere any more. */
function Over({ kind }: { kind: string }) {
  const { t } = useTranslation()
  const accepted = kind === 'invitation-accepted'
  return (
    <Stack gap="lg" align="flex-start">
      <Title order={1} className="phrase">{accepted ? t('invitation.acceptedTitle') : t('invitation.overTitle')}</Title>
      <Alert color={accepted ? 'ai' : 'fair'} icon={accepted ? <IconCircleCheck /> : <IconMailOff />} role="alert">{t(overText(kind))}</Alert>
      <Button component={Link} to="/sign-in" variant={accepted ? 'filled' : 'default'} size="md">{t('signIn.title')}</Button>
    </Stack>
  )
}
