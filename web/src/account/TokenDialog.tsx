import { Alert, Anchor, Button, Code, CopyButton, Group, Modal, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { DraftNote } from '../forms/DraftNote'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'

interface Form {
  name: string
  scope: Schemas['TokenScope']
  days: number
}

const start: Form = { name: '', scope: 'read', days: 90 }

/** Makes a token, and shows it the one time that it can be shown. What was typed is kept; the token is not. */
export default function TokenDialog({ made, close }: { made: () => void; close: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const draft = useDraft<Form>(me.draftKey('token'), start)
  const [missing, setMissing] = useState(false)
  const [token, setToken] = useState<Schemas['TokenWithSecret'] | null>(null)
  const sending = useSend({
    send: () => got(api.POST('/tokens', { body: { name: draft.value.name.trim(), scope: draft.value.scope, days: draft.value.days } })),
    done: (answer) => {
      draft.clear(start)
      setToken(answer)
      made()
    },
  })
  if (token) return <Shown token={token} close={close} />
  const days = [7, 30, 90, 180, 365].map((n) => ({ value: String(n), label: n === 365 ? t('tokens.oneYear') : t('tokens.daysCount', { count: n }) }))
  return (
    <Modal opened onClose={close} title={t('tokens.make')} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          if (draft.value.name.trim() === '') setMissing(true)
          else sending.send(undefined)
        }}
      >
        <Stack>
          <DraftNote restored={draft.restored} discard={() => draft.clear(start)} />
          <TextInput
            data-autofocus
            label={t('tokens.name')}
            description={t('tokens.nameHint')}
            maxLength={100}
            required
            value={draft.value.name}
            error={missing ? t('field.required') : sending.error('/name')}
            onChange={(e) => {
              const name = e.currentTarget.value
              sending.touch('/name')
              setMissing(false)
              draft.set((v) => ({ ...v, name }))
            }}
          />
          <Radio.Group label={t('tokens.scope')} value={draft.value.scope} onChange={(scope) => draft.set((v) => ({ ...v, scope: scope as Form['scope'] }))}>
            <Stack gap="xs" mt={6}>
              {(['read', 'write'] as const).map((scope) => <Radio key={scope} value={scope} label={t(`tokens.${scope}`)} description={t(`tokens.${scope}Why`)} />)}
            </Stack>
          </Radio.Group>
          <Select label={t('tokens.days')} description={t('tokens.ends')} allowDeselect={false} data={days} value={String(draft.value.days)} onChange={(n) => draft.set((v) => ({ ...v, days: Number(n) }))} error={sending.error('/days')} />
          {sending.problem && <ProblemNote problem={sending.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
            <Button type="submit" loading={sending.busy}>{t('tokens.make')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** It is not closed by a slip: what it shows is gone then. */
function Shown({ token, close }: { token: Schemas['TokenWithSecret']; close: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal opened onClose={close} title={t('tokens.made', { name: token.token.name })} withCloseButton={false} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack>
        <Alert color="fair" icon={<IconAlertTriangle />}>{t('tokens.copyNow')}</Alert>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput flex={1} label={t('tokens.secret')} readOnly value={token.secret} onFocus={(e) => e.currentTarget.select()} styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }} />
          <CopyButton value={token.secret} timeout={4000}>
            {({ copied, copy }) => (
              <Button data-autofocus variant={copied ? 'light' : 'filled'} color={copied ? 'good' : undefined} leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />} onClick={copy} aria-live="polite">
                {copied ? t('tokens.copied') : t('tokens.copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
        <Text size="sm">{t('tokens.keep')}</Text>
        <div>
          <Text size="sm" mb={4}>{t('tokens.use')}</Text>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{`curl ${location.origin}/api/v1/objectives -H "Authorization: Bearer ${token.secret.slice(0, 8)}…"`}</Code>
        </div>
        <Group justify="space-between">
          <Anchor size="sm" href="/docs" target="_blank" rel="noreferrer">{t('tokens.docs')}</Anchor>
          <Button variant="default" onClick={close}>{t('tokens.done')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
