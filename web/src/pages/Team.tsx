import { Badge, Button, Card, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconEdit, IconUserPlus } from '@tabler/icons-react'
import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import { teamMembersQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { PersonSelect } from '../forms/choices'
import { useSend } from '../forms/useSend'
import { TeamDialog } from '../organization/Teams'
import { PersonName } from '../parts/Badges'
import { Choice } from '../parts/Choice'
import { lazily } from '../parts/lazily'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Said } from '../parts/Said'
import { Empty, Loading, Paged, Read, SectionTitle } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useMe } from '../session/me'

const TeamStanding = lazily(() => import('../standing/TeamStanding'), 'progress')

const teamQuery = (id: string) => queryOptions({ queryKey: ['team', id, 'one'], queryFn: ({ signal }) => got(api.GET('/teams/{team_id}', { params: { path: { team_id: id } }, signal })) })

export default function Team() {
  const { id = '' } = useParams()
  const query = useQuery(teamQuery(id))
  return <Read query={query} page>{(team) => <Loaded key={id} team={team} />}</Read>
}

function Loaded({ team }: { team: Schemas['Team'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const [params, setParams] = useSearchParams()
  const members = useInfiniteQuery(teamMembersQuery(team.id))
  const [editing, { open, close }] = useDisclosure()
  const leads = me.administers || me.lead_team_ids.includes(team.id)
  const refresh = () => {
    for (const key of [['team', team.id], ['teams'], ['session'], ['choices', 'team']]) void client.invalidateQueries({ queryKey: key })
  }
  return (
    <Page
      title={team.name}
      back={{ to: '/organization/teams', label: t('org.teams') }}
      above={team.archived && <Badge color="gray">{t('org.archived')}</Badge>}
      lead={team.description && <Said>{team.description}</Said>}
      actions={
        <>
          {leads && <Button variant="default" leftSection={<IconEdit size={18} />} onClick={open}>{t('do.edit')}</Button>}
          {me.administers && <SureButton variant="default" label={team.archived ? t('org.restoreTeam') : t('org.archiveTeam')} question={team.name} act={() => got(api.PATCH('/teams/{team_id}', { params: { path: { team_id: team.id } }, body: { revision: team.revision, archived: !team.archived } })).finally(refresh)} />}
        </>
      }
    >
      <Stack gap="xl">
        <Suspense fallback={<Loading rows={2} height={180} />}>
          <TeamStanding team={team} cycle={params.get('cycle') ?? undefined} choose={(cycle) => setParams({ cycle }, { replace: true, preventScrollReset: true })}>
            <section aria-labelledby="members">
              <SectionTitle id="members">{t('org.members')}</SectionTitle>
              <Stack gap="sm">
                {leads && !team.archived && <AddMember team={team.id} done={refresh} />}
                <Card padding="xs">
                  <Paged query={members} empty={<Empty title={t('org.noMembers')} />}>
                    {(items) => (
                      <div className="rows">
                        {items.map((m) => (
                          <Group key={m.member.id} className="row" style={{ display: 'flex' }} px="xs" justify="space-between">
                            <PersonName person={m.member} size={32} />
                            <Group gap="xs">
                              <Badge color={m.role === 'lead' ? 'ai' : 'gray'}>{t(`org.${m.role}`)}</Badge>
                              {leads && (
                                <SureButton
                                  size="compact-xs"
                                  variant="subtle"
                                  danger
                                  label={t('org.removeMember')}
                                  question={m.member.name}
                                  act={() => got(api.DELETE('/teams/{team_id}/members/{member_id}', { params: { path: { team_id: team.id, member_id: m.member.id } } })).finally(refresh)}
                                  aria-label={`${t('org.removeMember')}: ${m.member.name}`}
                                />
                              )}
                            </Group>
                          </Group>
                        ))}
                      </div>
                    )}
                  </Paged>
                </Card>
              </Stack>
            </section>
          </TeamStanding>
        </Suspense>
      </Stack>
      {editing && <TeamDialog team={team} close={close} />}
    </Page>
  )
}

function AddMember({ team, done }: { team: string; done: () => void }) {
  const { t } = useTranslation()
  const [member, setMember] = useState<string | null>(null)
  const [role, setRole] = useState<Schemas['TeamRole']>('member')
  const adding = useSend({
    send: (id: string) => got(api.PUT('/teams/{team_id}/members/{member_id}', { params: { path: { team_id: team, member_id: id } }, body: { role } })),
    done: () => {
      setMember(null)
      done()
      notifications.show({ message: t('state.saved'), color: 'good' })
    },
  })
  return (
    <Card padding="md">
      <Group align="flex-end" gap="sm">
        <PersonSelect flex="1 1 200px" label={t('org.addMember')} value={member} onChange={setMember} clearable />
        <Choice w={140} label={t('org.role')} allowDeselect={false} value={role} onChange={(v) => v && setRole(v as Schemas['TeamRole'])} data={(['member', 'lead'] as const).map((r) => ({ value: r, label: t(`org.${r}`) }))} />
        <Button leftSection={<IconUserPlus size={18} />} disabled={!member} loading={adding.busy} onClick={() => member && adding.send(member)}>{t('do.add')}</Button>
      </Group>
      {adding.problem && <ProblemNote problem={adding.problem} />}
    </Card>
  )
}
