import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { pages } from '../api/queries'
import type { Schemas } from '../api/problem'
import { PeopleSelect } from '../forms/choices'
import { useSend } from '../forms/useSend'
import { PersonName } from '../parts/Badges'
import { ProblemNote } from '../parts/ProblemNote'
import { Paged } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useMe } from '../session/me'

const attendeesQuery = (id: string) =>
  pages(['meeting', id, 'attendees'], (cursor, signal) => got(api.GET('/meetings/{meeting_id}/attendees', { params: { path: { meeting_id: id }, query: { limit: 100, cursor } }, signal })))

const color = { accepted: 'good', tentative: 'fair', declined: 'poor', open: 'gray' } as const

/** Who attends a meeting and what they have answered; whoever may change it invites others and takes somebody out. */
export default function Attendees({ meeting: m }: { meeting: Schemas['Meeting'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const query = useInfiniteQuery(attendeesQuery(m.id))
  const [adding, setAdding] = useState<string[]>([])
  const may = m.may_change && !m.cancelled
  const refresh = () => {
    for (const key of [['meeting', m.id], ['occurrence'], ['occurrences']]) void client.invalidateQueries({ queryKey: key })
  }
  const inviting = useSend({
    // One after another: each is invited once, however often this is pressed.
    send: async (people: string[]) => {
      for (const id of people) await got(api.PUT('/meetings/{meeting_id}/attendees/{member_id}', { params: { path: { meeting_id: m.id, member_id: id } } }))
    },
    done: () => {
      setAdding([])
      refresh()
    },
    refused: () => {
      refresh()
      return false
    },
  })
  return (
    <Stack gap="sm">
      <Paged query={query} empty={null}>
        {(items) => (
          <div className="rows flush">
            {items.map((a) => (
              <Group key={a.member.id} className="row" style={{ display: 'flex' }} justify="space-between" gap="xs">
                <Group gap="xs">
                  <PersonName person={a.member} />
                  {a.member.id === m.organizer.id && <Badge color="ai">{t('meetings.calls')}</Badge>}
                </Group>
                <Group gap="xs">
                  <Badge color={color[a.response]}>{t(`meetings.${a.response}`)}</Badge>
                  {a.member.id !== m.organizer.id && (may || (a.member.id === me.user.id && me.writes)) && (
                    <SureButton size="compact-xs" variant="subtle" color="gray" danger label={a.member.id === me.user.id ? t('meetings.leave') : t('do.remove')} aria-label={`${t('do.remove')}: ${a.member.name}`} question={t('meetings.removeSure', { name: a.member.name })} act={() => got(api.DELETE('/meetings/{meeting_id}/attendees/{member_id}', { params: { path: { meeting_id: m.id, member_id: a.member.id } } })).finally(refresh)} />
                  )}
                </Group>
              </Group>
            ))}
          </div>
        )}
      </Paged>
      {may && (
        <form
          onSubmit={(e) => {
            e.preventDefault()
            if (adding.length > 0) inviting.send(adding)
          }}
        >
          <Group align="flex-end" gap="sm">
            <PeopleSelect flex="1 1 220px" label={t('meetings.invite')} value={adding} onChange={setAdding} />
            <Button type="submit" variant="default" disabled={adding.length === 0} loading={inviting.busy}>{t('meetings.inviteThem')}</Button>
          </Group>
          {inviting.problem && <ProblemNote problem={inviting.problem} />}
          <Text size="xs" c="dimmed" mt={4}>{t('meetings.inviteWhy')}</Text>
        </form>
      )}
    </Stack>
  )
}
