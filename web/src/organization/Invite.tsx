import { Alert, Badge, Button, Group, List, Modal, NumberInput, Select, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { TeamsSelect } from '../forms/choices'
import { DraftNote } from '../forms/DraftNote'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'
import { addressesIn } from './addresses'

const most = 200 // rows of one request

const start = { addresses: '', role: 'member' as Schemas['Role'], teams: [] as string[], days: 7 }

/** Invites one or many. Each address is decided by itself, and those that were not invited stay to be mended. */
export default function Invite({ close }: { close: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const draft = useDraft(me.draftKey('invite'), start)
  const [results, setResults] = useState<Schemas['InvitationResults'] | null>(null)
  const v = draft.value
  const addresses = addressesIn(v.addresses)
  const sending = useSend({
    send: async (all: string[]) => {
      const answer: Schemas['InvitationResults'] = { invited: 0, results: [] }
      for (let n = 0; n < all.length; n += most) {
        const some = await got(api.POST('/invitations', { body: { days: v.days, invitations: all.slice(n, n + most).map((email) => ({ email, role: v.role, team_ids: v.teams })) } }))
        answer.invited += some.invited
        answer.results.push(...some.results)
      }
      return answer
    },
    done: (answer) => {
      const left = answer.results.filter((r) => r.outcome !== 'invited')
      draft.clear({ ...v, addresses: left.map((r) => r.email).join('\n') })
      setResults(answer)
      void client.invalidateQueries({ queryKey: ['invitations'] })
    },
    refused: () => {
      void client.invalidateQueries({ queryKey: ['invitations'] }) // those before the one that failed are on their way
      return false
    },
  })
  const left = results?.results.filter((r) => r.outcome !== 'invited') ?? []
  return (
    <Modal opened onClose={close} size="lg" title={t('people.inviteTitle')} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          if (addresses.length > 0) sending.send(addresses)
        }}
      >
        <Stack>
          {!results && <DraftNote restored={draft.restored} discard={() => draft.clear(start)} />}
          {results && results.invited > 0 && <Alert color="good" icon={<IconCircleCheck />} role="status">{t('people.invited', { count: results.invited })}</Alert>}
          {left.length > 0 && (
            <Alert color="fair" role="status" title={t('people.notInvited', { count: left.length })}>
              <List size="sm" spacing={4} style={{ maxHeight: 200, overflowY: 'auto' }} tabIndex={0} role="list" aria-label={t('people.notInvited', { count: left.length })}>
                {left.map((r, n) => (
                  <List.Item key={n}>{r.email}: {t(`outcome.${r.outcome}`)}</List.Item>
                ))}
              </List>
            </Alert>
          )}
          <Textarea
            label={t('people.addresses')}
            description={t('people.addressesHint')}
            placeholder={'aoi@example.com\nnoah@example.com'}
            autosize
            minRows={3}
            maxRows={10}
            data-autofocus
            value={v.addresses}
            onChange={(e) => draft.set({ ...v, addresses: e.currentTarget.value })}
          />
          <Group gap="xs" role="status">
            {addresses.length > 0 && <Badge color="gray">{t('people.count', { count: addresses.length })}</Badge>}
          </Group>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Select label={t('org.role')} description={t(`people.role_${v.role}`)} allowDeselect={false} value={v.role} onChange={(r) => r && draft.set({ ...v, role: r as Schemas['Role'] })} data={(['owner', 'admin', 'member', 'viewer'] as const).filter((r) => r !== 'owner' || me.role === 'owner').map((r) => ({ value: r, label: t(`role.${r}`) }))} />
            <NumberInput label={t('people.days')} description={t('people.daysHint')} min={1} max={30} clampBehavior="strict" allowDecimal={false} value={v.days} onChange={(d) => draft.set({ ...v, days: typeof d === 'number' ? d : v.days })} />
          </SimpleGrid>
          <TeamsSelect label={t('people.joinTeams')} placeholder={v.teams.length === 0 ? t('people.noTeam') : undefined} max={20} value={v.teams} onChange={(ids) => draft.set({ ...v, teams: ids })} />
          {sending.problem && <ProblemNote problem={sending.problem} />}
          <Text size="xs" c="dimmed">{t('people.inviteWhy')}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{results ? t('do.close') : t('do.cancel')}</Button>
            <Button type="submit" loading={sending.busy} disabled={addresses.length === 0}>{t('people.send')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
