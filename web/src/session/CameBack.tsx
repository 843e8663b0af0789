import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { problemTypes } from '../i18n/known'

const known = ['no-access', 'sign-in-failed', 'provider-unavailable'] as const

/** Why somebody who has come back from the identity provider is not signed in. The address may hold any word for it. */
export default function CameBack({ problem }: { problem: string }) {
  const { t } = useTranslation()
  const own = known.find((type) => type === problem)
  return (
    <Alert role="alert" color="poor" icon={<IconAlertTriangle />} title={t('entrance.notSignedIn')}>
      {own ? t(`entrance.${own}`) : problem !== 'internal' && problem !== 'bad-request' && problemTypes.has(problem) ? t(`problem.${problem as 'offline'}`) : t('entrance.sign-in-failed')}
    </Alert>
  )
}
