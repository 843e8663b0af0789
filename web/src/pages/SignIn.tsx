import { Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { sessionQuery } from '../api/queries'
import { lazily } from '../parts/lazily'
import { SignInForm } from '../session/SignInForm'
import { Entrance } from '../shell/Entrance'

const CameBack = lazily(() => import('../session/CameBack'), 'entrance')

/** A path of this application and nothing else, whatever the address says. */
export function returnPath(to: string | null): string {
  return to && /^\/(?![/\\])/.test(to) ? to : '/'
}

export default function SignIn() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  const to = returnPath(query.get('to'))
  const problem = query.get('problem')
  useEffect(() => {
    document.title = t('app.title', { page: t('signIn.title') })
  }, [t])
  return (
    <Entrance>
      <Title order={1}>{t('signIn.title')}</Title>
      <Suspense fallback={null}>{problem && <CameBack problem={problem} />}</Suspense>
      <SignInForm
        returnTo={to}
        done={() => {
          client.clear()
          void client.fetchQuery(sessionQuery).then(() => navigate(to, { replace: true }))
        }}
      />
    </Entrance>
  )
}
