import { Alert, Anchor, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { Read } from '../parts/States'
import { toScoreQuery, touched } from './queries'

/** Closing is final, so it says first what has no score yet. */
export function CloseDialog({ cycle: c, close }: { cycle: Schemas['Cycle']; close: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const open = useInfiniteQuery({ ...toScoreQuery(c.id, 1), staleTime: 0 })
  const [leave, setLeave] = useState(false)
  const some = open.data !== undefined && (open.data.pages[0]!.items.length > 0 || open.hasNextPage)
  const again = () => {
    for (const key of touched) void client.invalidateQueries({ queryKey: key })
  }
  const sending = useSend({
    send: () => got(api.PATCH('/cycles/{cycle_id}', { params: { path: { cycle_id: c.id } }, body: { revision: c.revision, state: 'closed', leave_unscored: some && leave ? true : undefined } })),
    done: () => {
      again()
      notifications.show({ message: t('cycles.closed'), color: 'good' })
      close()
    },
    refused: () => {
      again()
      return false
    },
  })
  return (
    <Modal opened onClose={close} title={`${t('cycles.close')}: ${c.name}`} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <Read query={open}>
        {() => (
          <Stack>
            <Text size="sm">{t('cycles.reopenWhy')}</Text>
            {some ? (
              <Alert color="fair" icon={<IconAlertTriangle />} title={t('cycles.unscored')}>
                <Stack gap="sm" align="flex-start">
                  <Text size="sm">{t('cycles.unscoredWhy')} <Anchor component={Link} to={`/cycles/${c.id}/scores`} size="sm" onClick={close}>{t('cycles.scoreFirst')}</Anchor></Text>
                  <Checkbox label={t('cycles.leave')} checked={leave} onChange={(e) => setLeave(e.currentTarget.checked)} />
                </Stack>
              </Alert>
            ) : (
              <Alert color="good" icon={<IconCircleCheck />}>{t('cycles.nothingOpen')}</Alert>
            )}
            {sending.problem && <ProblemNote problem={sending.problem} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
              <Button color="poor" disabled={some && !leave} loading={sending.busy} onClick={() => sending.send(undefined)}>{t('cycles.close')}</Button>
            </Group>
          </Stack>
        )}
      </Read>
    </Modal>
  )
}
