import { Alert, Button, Checkbox, Group, Modal, ScrollArea, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { recipientsQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useSend } from '../forms/useSend'
import { PersonName } from '../parts/Badges'
import { ProblemNote } from '../parts/ProblemNote'
import { Paged } from '../parts/States'

interface Props {
  broadcast: Schemas['Broadcast']
  delivery: Schemas['BroadcastDelivery']
  close: () => void
  done: () => void
}

/** Says what will be sent again and to whom before it is: all who failed, and of those of whom nobody can know only whoever is named. */
export default function Resend({ broadcast: b, delivery, close, done }: Props) {
  const { t } = useTranslation()
  const [d] = useState(delivery) // what is shown is what is asked for, whatever is reported meanwhile
  const failed = useInfiniteQuery({ ...recipientsQuery(b.id, 'failed'), enabled: d.failed > 0 })
  const uncertain = useInfiniteQuery({ ...recipientsQuery(b.id, 'uncertain'), enabled: d.uncertain > 0 })
  const [chosen, setChosen] = useState<string[]>([])
  const sending = useSend({
    send: () => got(api.POST('/broadcasts/{broadcast_id}/resend', { params: { path: { broadcast_id: b.id } }, body: { revision: d.revision, uncertain_member_ids: chosen.length > 0 ? chosen : undefined } })),
    done: () => {
      notifications.show({ message: t('broadcasts.resent'), color: 'good' })
      done()
      close()
    },
    refused: () => {
      done()
      return false
    },
  })
  const count = d.failed + chosen.length
  return (
    <Modal opened onClose={close} size="lg" title={t('broadcasts.resendTitle')} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <Stack>
        <Text size="sm">{t('broadcasts.resendWhy', { count, title: b.title })}</Text>
        {d.failed > 0 && (
          <section aria-label={t('broadcasts.failedTitle')}>
            <Text size="sm" fw={600}>{t('broadcasts.failedTitle')} ({d.failed})</Text>
            <ScrollArea.Autosize mah={220} type="auto">
              <Paged query={failed} empty={<Text size="sm" c="dimmed">{t('broadcasts.resendNone')}</Text>}>
                {(items) => (
                  <div className="rows">
                    {items.map((r) => (
                      <div key={r.member.id} className="row">
                        <PersonName person={r.member} size={20} />
                        {r.failure && <Text size="xs" c="dimmed" ff="monospace" pl={28}>{r.failure}</Text>}
                      </div>
                    ))}
                  </div>
                )}
              </Paged>
            </ScrollArea.Autosize>
          </section>
        )}
        {d.uncertain > 0 && (
          <Checkbox.Group label={`${t('broadcasts.uncertainTitle')} (${d.uncertain})`} description={t('broadcasts.uncertainWhy')} value={chosen} onChange={setChosen}>
            <ScrollArea.Autosize mah={220} type="auto" mt="xs">
              <Paged query={uncertain} empty={<Text size="sm" c="dimmed">{t('broadcasts.resendNone')}</Text>}>
                {(items) => (
                  <Stack gap="xs">
                    {items.map((r) => (
                      <Checkbox key={r.member.id} value={r.member.id} disabled={!chosen.includes(r.member.id) && chosen.length >= 500} label={r.member.name} />
                    ))}
                  </Stack>
                )}
              </Paged>
            </ScrollArea.Autosize>
          </Checkbox.Group>
        )}
        {count === 0 && <Alert color="ai" py="xs">{t('broadcasts.uncertainWhy')}</Alert>}
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
          <Button loading={sending.busy} disabled={count === 0} onClick={() => sending.send(undefined)}>{t('broadcasts.resendCount', { count })}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
