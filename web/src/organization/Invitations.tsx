import { Alert, Badge, Button, Card, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Problem, Schemas } from '../api/problem'
import { pages } from '../api/queries'
import { useSend } from '../forms/useSend'
import { useProblemText } from '../parts/ProblemNote'
import { Empty, Paged, SectionTitle } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useFormats } from '../time/format'

const invitationsQuery = (open: boolean) =>
  pages(['invitations', open], (cursor, signal) => got(api.GET('/invitations', { params: { query: { open: open || undefined, limit: 50, cursor } }, signal })))

const stateColor = { open: 'ai', accepted: 'good', revoked: 'gray', expired: 'fair' } as const

/** Who was invited, and what became of it. */
export function Invitations() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(true)
  const query = useInfiniteQuery(invitationsQuery(open))
  return (
    <section aria-labelledby="invitations">
      <SectionTitle id="invitations" right={<SegmentedControl size="xs" aria-label={t('people.whichInvitations')} value={open ? 'open' : 'all'} onChange={(v) => setOpen(v === 'open')} data={[{ value: 'open', label: t('people.openOnes') }, { value: 'all', label: t('do.all') }]} />}>
        {t('people.invitations')}
      </SectionTitle>
      <Card padding="xs">
        <Paged query={query} empty={<Empty title={open ? t('people.noOpenInvitations') : t('people.noInvitations')} why={t('people.noInvitationsWhy')} />}>
          {(items) => (
            <div className="rows">
              {items.map((i) => (
                <Invitation key={i.id} invitation={i} />
              ))}
            </div>
          )}
        </Paged>
      </Card>
    </section>
  )
}

function Invitation({ invitation: i }: { invitation: Schemas['Invitation'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const client = useQueryClient()
  const text = useProblemText()
  const refresh = () => client.invalidateQueries({ queryKey: ['invitations'] })
  const path = { params: { path: { invitation_id: i.id } } }
  const sending = useSend({
    send: () => got(api.POST('/invitations/{invitation_id}/resend', path)),
    done: () => {
      void refresh()
      notifications.show({ message: t('people.sentAgain', { email: i.email }), color: 'good' })
    },
    refused: () => {
      void refresh()
      return false
    },
  })
  const said = (p: Problem) => (p.type === 'wrong-state' && i.sendings >= 5 ? t('people.sentFiveTimes') : p.type === 'too-many-requests' ? t('people.sentJustNow') : text(p))
  const open = i.state === 'open' || i.state === 'expired'
  return (
    <Stack gap={4} className="row" px="xs">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} style={{ minWidth: 0, flex: '1 1 240px' }}>
          <Group gap="xs">
            <Text size="sm" fw={600}>{i.email}</Text>
            <Badge color={stateColor[i.state]}>{t(`invitationState.${i.state}`)}</Badge>
            {open && i.mail === 'failed' && <Badge color="poor">{t('people.mailFailed')}</Badge>}
          </Group>
          <Text size="xs" c="dimmed">
            {t(`role.${i.role}`)} · {t('people.invitedBy', { name: i.invited_by.name, when: f.moment(i.sent_at) })}
            {i.state === 'open' && ` · ${t('people.until', { when: f.moment(i.expires_at) })}`}
            {open && i.sendings > 1 && ` · ${t('people.times', { count: i.sendings })}`}
          </Text>
        </Stack>
        {open && (
          <Group gap="xs">
            <Button size="xs" variant="default" loading={sending.busy} onClick={() => sending.send(undefined)} aria-label={`${t('people.resend')}: ${i.email}`}>{t('people.resend')}</Button>
            <SureButton size="xs" variant="subtle" danger label={t('people.revoke')} question={t('people.revokeSure', { email: i.email })} act={() => got(api.POST('/invitations/{invitation_id}/revoke', path)).finally(() => void refresh())} aria-label={`${t('people.revoke')}: ${i.email}`} />
          </Group>
        )}
      </Group>
      {sending.problem && <Alert color="poor" py="xs" role="alert">{said(sending.problem)}</Alert>}
    </Stack>
  )
}
