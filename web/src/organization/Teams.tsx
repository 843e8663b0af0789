import { Badge, Box, Button, Card, Group, Modal, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { pages } from '../api/queries'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { Empty, Loading, Paged } from '../parts/States'
import { useMe } from '../session/me'
import { SearchField } from './SearchField'

const foundQuery = (text: string, archived: boolean) =>
  pages(['teams', 'list', text, archived], (cursor, signal) => got(api.GET('/teams', { params: { query: { limit: 50, cursor, text: text || undefined, archived: archived ? undefined : false } }, signal })))

export function Teams() {
  const { t } = useTranslation()
  const me = useMe()
  const [address, setAddress] = useSearchParams()
  const text = address.get('q') ?? ''
  const archived = address.get('archived') === 'true'
  const query = useInfiniteQuery(foundQuery(text, archived))
  const [opened, { open, close }] = useDisclosure()
  const put = (name: string, value: string) =>
    setAddress(
      (now) => {
        const next = new URLSearchParams(now)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  return (
    <Stack>
      <Group gap="sm">
        <Box flex="1 1 220px"><SearchField label={t('people.searchTeams')} value={text} set={(q) => put('q', q)} /></Box>
        <Switch label={t('objectives.archived')} checked={archived} onChange={(e) => put('archived', e.currentTarget.checked ? 'true' : '')} />
        {me.administers && <Button leftSection={<IconPlus size={18} />} onClick={open}>{t('org.newTeam')}</Button>}
      </Group>
      <Paged query={query} loading={<Loading rows={6} height={88} />} empty={<Card><Empty title={text ? t('people.noTeamFound') : t('org.noTeams')} why={text ? undefined : t('org.noTeamsWhy')} icon={<IconUsersGroup size={24} />} action={!text && me.administers ? <Button mt="xs" onClick={open}>{t('org.newTeam')}</Button> : undefined} /></Card>}>
        {(teams) => (
          <Stack gap="sm">
            {teams.map((x) => (
              <Card key={x.id} component={Link} to={`/teams/${x.id}`} className="card-link" padding="md">
                <Group justify="space-between">
                  <Text fw={600}>{x.name}</Text>
                  {x.archived && <Badge color="gray">{t('org.archived')}</Badge>}
                </Group>
                {x.description && <Text size="sm" c="dimmed" lineClamp={2}>{x.description}</Text>}
              </Card>
            ))}
          </Stack>
        )}
      </Paged>
      {opened && <TeamDialog close={close} />}
    </Stack>
  )
}

/** Makes a team, or changes the name and purpose of one. */
export function TeamDialog({ team, close }: { team?: Schemas['Team']; close: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const start = { name: team?.name ?? '', description: team?.description ?? '' }
  const draft = useDraft(me.draftKey(`team:${team?.id ?? 'new'}`), start)
  const v = draft.value
  const sending = useSend({
    send: () =>
      team
        ? got(api.PATCH('/teams/{team_id}', { params: { path: { team_id: team.id } }, body: { revision: team.revision, name: v.name.trim(), description: v.description.trim() || null } }))
        : got(api.POST('/teams', { body: { name: v.name.trim(), description: v.description.trim() || undefined } })),
    done: () => {
      draft.clear(start)
      for (const key of [['teams'], ['team'], ['name', 'team'], ['choices', 'team']]) void client.invalidateQueries({ queryKey: key })
      notifications.show({ message: t('state.saved'), color: 'good' })
      close()
    },
    refused: (p) => {
      if (p.stale()) void client.invalidateQueries({ queryKey: ['team'] })
      return false
    },
  })
  return (
    <Modal opened onClose={close} title={team ? t('do.edit') : t('org.newTeam')} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          sending.send(undefined)
        }}
      >
        <Stack>
          <TextInput label={t('org.teamName')} required withAsterisk={false} maxLength={200} data-autofocus value={v.name} error={sending.error('/name')} onChange={(e) => { sending.touch('/name'); draft.set({ ...v, name: e.currentTarget.value }) }} />
          <Textarea label={t('org.teamDescription')} autosize minRows={2} maxLength={10000} value={v.description} error={sending.error('/description')} onChange={(e) => draft.set({ ...v, description: e.currentTarget.value })} />
          {sending.problem && <ProblemNote problem={sending.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
            <Button type="submit" loading={sending.busy}>{t('do.save')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
