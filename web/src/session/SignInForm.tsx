import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { got, plain } from '../api/client'
import { problemOf, type Schemas } from '../api/problem'
import { ProblemNote } from '../parts/ProblemNote'

const methodsQuery = queryOptions({ queryKey: ['sign-in-methods'], staleTime: Infinity, queryFn: ({ signal }) => got(plain.GET('/session/methods', { signal })) })

interface Props {
  organization?: string
  email?: string
  returnTo: string
  done: (signedIn: Schemas['SignedIn']) => void
}

export function SignInForm({ organization, email: known = '', returnTo, done }: Props) {
  const { t } = useTranslation()
  const methods = useQuery(methodsQuery)
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => got(plain.POST('/session', { body: { email: email.trim(), password, organization_id: organization } })),
    onSuccess: (signedIn) => {
      setPassword('')
      done(signedIn)
    },
  })
  const oidc = methods.data?.oidc
  const query = new URLSearchParams({ return_to: returnTo, ...(organization ? { organization_id: organization } : {}) })
  return (
    <Stack gap="md">
      {oidc && (
        <Button component="a" href={`/api/v1/session/oidc?${query.toString()}`} variant="default" size="md" leftSection={<IconKey size={18} />}>
          {t('signIn.with', { name: oidc.name })}
        </Button>
      )}
      {oidc && methods.data?.password && <Divider label={t('signIn.or')} />}
      {methods.data?.password !== false && (
        <form
          onSubmit={(e) => {
            e.preventDefault()
            signIn.mutate()
          }}
        >
          <Stack gap="md">
            <TextInput label={t('signIn.email')} type="email" name="email" autoComplete="username" required withAsterisk={false} size="md" value={email} onChange={(e) => setEmail(e.currentTarget.value)} />
            <PasswordInput label={t('signIn.password')} name="password" autoComplete="current-password" required withAsterisk={false} size="md" value={password} onChange={(e) => setPassword(e.currentTarget.value)} visibilityToggleButtonProps={{ 'aria-label': t('do.show') }} />
            {signIn.isError && <ProblemNote problem={problemOf(signIn.error)} />}
            <Button type="submit" size="md" loading={signIn.isPending}>
              {t('signIn.submit')}
            </Button>
          </Stack>
        </form>
      )}
    </Stack>
  )
}
