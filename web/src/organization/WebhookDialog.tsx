import { Alert, Button, Checkbox, Code, CopyButton, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { DraftNote } from '../forms/DraftNote'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'

const things = ['objective', 'check_in', 'comment', 'cycle', 'team', 'member', 'invitation', 'dialogue', 'message', 'job', 'suggestion', 'meeting', 'occurrence', 'minutes', 'follow_up', 'broadcast', 'import', 'organization', 'webhook'] as const

/** Makes a webhook, or changes where one goes and what it is told of. */
export default function WebhookDialog({ webhook: w, close }: { webhook?: Schemas['Webhook']; close: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const start = { url: w?.url ?? '', kinds: w?.kinds ?? ['objective.'] }
  const draft = useDraft(me.draftKey(`webhook:${w?.id ?? 'new'}`), start)
  const v = draft.value
  const [made, setMade] = useState<Schemas['WebhookWithSecret'] | null>(null)
  const refresh = () => void client.invalidateQueries({ queryKey: ['webhooks'] })
  const sending = useSend({
    send: async () => {
      if (!w) return got(api.POST('/webhooks', { body: { url: v.url.trim(), kinds: v.kinds } }))
      await got(api.PATCH('/webhooks/{webhook_id}', { params: { path: { webhook_id: w.id } }, body: { revision: w.revision, url: v.url.trim(), kinds: v.kinds } }))
      return null
    },
    done: (answer) => {
      draft.clear(start)
      refresh()
      if (answer) setMade(answer)
      else close()
    },
    refused: () => {
      refresh()
      return false
    },
  })
  if (made)
    return (
      <SecretDialog
        secret={made.secret}
        close={() => {
          close()
          void navigate(`/organization/webhooks/${made.webhook.id}`)
        }}
      />
    )
  const all = v.kinds.includes('*')
  const single = v.kinds.filter((k) => k !== '*' && !k.endsWith('.'))
  const kindsError = sending.error('/kinds') ?? Object.keys(sending.problem?.fields() ?? {}).filter((p) => p.startsWith('/kinds/')).map((p) => sending.error(p))[0]
  return (
    <Modal opened onClose={close} size="lg" title={w ? t('hooks.edit') : t('hooks.new')} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          sending.send(undefined)
        }}
      >
        <Stack>
          <DraftNote restored={draft.restored} discard={() => draft.clear(start)} />
          <TextInput type="url" label={t('hooks.address')} description={t('hooks.addressHint')} placeholder="https://hooks.example.com/kakeai" data-autofocus maxLength={2000} value={v.url} error={sending.error('/url')} onChange={(e) => { sending.touch('/url'); draft.set({ ...v, url: e.currentTarget.value }) }} />
          <Checkbox label={t('hooks.everything')} checked={all} onChange={(e) => draft.set({ ...v, kinds: e.currentTarget.checked ? ['*'] : [] })} />
          <Checkbox.Group label={t('hooks.about')} description={t('hooks.aboutHint')} error={kindsError} value={all ? [] : v.kinds} onChange={(kinds) => draft.set({ ...v, kinds })}>
            <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="xs" mt="xs">
              {things.map((x) => (
                <Checkbox key={x} value={`${x}.`} label={t(`thing.${x}`)} disabled={all} />
              ))}
              {single.map((k) => (
                <Checkbox key={k} value={k} label={<Code>{k}</Code>} disabled={all} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Text size="xs" c="dimmed">{t('hooks.content')}</Text>
          {sending.problem && <ProblemNote problem={sending.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
            <Button type="submit" loading={sending.busy} disabled={v.url.trim() === '' || v.kinds.length === 0}>{t('do.save')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Shows a secret, this once. A click beside the dialog does not lose it. */
export function SecretDialog({ secret, close }: { secret: string; close: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal opened onClose={close} closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false} title={t('hooks.secretTitle')}>
      <Stack>
        <Alert color="fair" icon={<IconKey />}>{t('hooks.secretOnce')}</Alert>
        <Code block style={{ wordBreak: 'break-all', whiteSpace: 'pre-wrap' }} aria-label={t('hooks.secretTitle')}>{secret}</Code>
        <Text size="sm" c="dimmed">{t('hooks.secretUse')}</Text>
        <Group justify="flex-end">
          <CopyButton value={secret}>
            {({ copied, copy }) => <Button variant="default" leftSection={copied ? <IconCheck size={18} /> : <IconCopy size={18} />} onClick={copy}>{copied ? t('hooks.copied') : t('hooks.copy')}</Button>}
          </CopyButton>
          <Button onClick={close}>{t('hooks.keptIt')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
