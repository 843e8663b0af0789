import { Button, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Session } from './me'
import { SignInForm } from './SignInForm'

export default function SignInDialog({ me, answer }: { me: Session; answer: (again: boolean) => void }) {
  const { t } = useTranslation()
  return (
    <Modal opened onClose={() => undefined} withCloseButton={false} closeOnEscape={false} closeOnClickOutside={false} title={t('signIn.again')} zIndex={1000}>
      <Stack>
        <Text size="sm">{t('signIn.againWhy')}</Text>
        <SignInForm
          organization={me.organization.id}
          returnTo={location.pathname + location.search}
          done={(signedIn) => {
            if (signedIn.user.id === me.user.id) answer(true)
            else location.assign('/') // somebody else: nothing of the page before is theirs
          }}
        />
        <Button
          variant="subtle"
          onClick={() => {
            answer(false)
            location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`)
          }}
        >
          {t('signIn.leave')}
        </Button>
      </Stack>
    </Modal>
  )
}
