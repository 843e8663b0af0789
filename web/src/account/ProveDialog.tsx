import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { useSend } from '../forms/useSend'
import { useWayProblem } from './wayProblem'

interface Props {
  title: string
  question?: string
  label: string
  danger?: boolean
  /** What the provider is called. */
  name: string
  email: string
  hasPassword: boolean
  /** It is known already that a proof is wanted. */
  needed?: boolean
  act: () => Promise<unknown>
  close: () => void
}

/** Asks before something is done to what opens the account, and, where the server wants it, for proof of who is asking. */
export default function ProveDialog({ title, question, label, danger, name, email, hasPassword, needed: from = false, act, close }: Props) {
  const { t } = useTranslation()
  const wayProblem = useWayProblem()
  const [needed, setNeeded] = useState(from)
  const [password, setPassword] = useState('')
  const sending = useSend({
    send: async () => {
      if (needed) await got(api.POST('/account/confirmation', { body: { present_password: password } }))
      await act()
    },
    done: close,
    refused: (p) => {
      if (p.type !== 'confirmation-needed' || needed) return false
      setNeeded(true)
      return true
    },
  })
  const again = needed && !hasPassword
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          sending.send(undefined)
        }}
      >
        <Stack>
          {question && <Text size="sm">{question}</Text>}
          {again && <Text size="sm">{t('own.proveAgain')}</Text>}
          {needed && hasPassword && (
            <>
              <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
              <PasswordInput
                data-autofocus
                autoFocus
                label={t('own.presentPassword')}
                description={t('own.proveWhy')}
                autoComplete="current-password"
                maxLength={200}
                value={password}
                error={sending.error('/present_password')}
                onChange={(e) => {
                  sending.touch('/present_password')
                  setPassword(e.currentTarget.value)
                }}
                visibilityToggleButtonProps={{ 'aria-label': t('do.show') }}
              />
            </>
          )}
          {sending.problem && !sending.problem.fields()['/present_password'] && <Alert role="alert" color="poor" icon={<IconAlertTriangle />}>{wayProblem(sending.problem, name)}</Alert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
            {again ? (
              <Button component="a" href={`/api/v1/session/oidc?${new URLSearchParams({ return_to: '/account' }).toString()}`} data-autofocus>{t('own.signInAgain')}</Button>
            ) : (
              <Button type="submit" color={danger ? 'poor' : undefined} loading={sending.busy} disabled={needed && password === ''} data-autofocus={needed ? undefined : true}>{label}</Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
