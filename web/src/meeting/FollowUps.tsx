import { ActionIcon, Badge, Button, Card, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { readDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { PersonName } from '../parts/Badges'
import { ProblemNote } from '../parts/ProblemNote'
import { Loading, SectionTitle } from '../parts/States'
import { useMe } from '../session/me'
import { today, useFormats } from '../time/format'
import { lazily } from '../parts/lazily'

const AddFollowUp = lazily(() => import('./AddFollowUp'))
const EditFollowUp = lazily(() => import('./EditFollowUp'))

export function FollowUps({ occurrence: o }: { occurrence: Schemas['Occurrence'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const [adding, { open }] = useDisclosure(readDraft(me.draftKey(`follow-up:${o.id}`)) !== undefined)
  return (
    <section aria-labelledby="follow-ups">
      <SectionTitle id="follow-ups">{t('meetings.followUps')}</SectionTitle>
      <Card>
        <Stack gap="xs">
          {o.follow_ups.length === 0 && <Text size="sm" c="dimmed">{t('meetings.noneYet')}</Text>}
          {o.follow_ups.map((x) => (
            <FollowUp key={x.id} followUp={x} may={me.writes && (o.may_write || x.assignee.id === me.user.id || x.created_by.id === me.user.id)} />
          ))}
          {o.may_write &&
            (adding ? (
              <Suspense fallback={<Loading rows={1} />}>
                <AddFollowUp occurrence={o.id} />
              </Suspense>
            ) : (
              <Button size="xs" variant="default" leftSection={<IconPlus size={16} />} style={{ alignSelf: 'flex-start' }} onClick={open}>{t('meetings.addFollowUp')}</Button>
            ))}
        </Stack>
      </Card>
    </section>
  )
}

function FollowUp({ followUp: x, may }: { followUp: Schemas['FollowUp']; may: boolean }) {
  const { t } = useTranslation()
  const f = useFormats()
  const client = useQueryClient()
  const me = useMe()
  const [editing, { open, close }] = useDisclosure()
  const late = x.due_on !== undefined && x.due_on < today(me.organization.time_zone)
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['occurrence', x.occurrence_id] })
    void client.invalidateQueries({ queryKey: ['owed'] })
  }
  const sending = useSend({
    send: (done: boolean) => got(api.PATCH('/follow-ups/{follow_up_id}', { params: { path: { follow_up_id: x.id } }, body: { revision: x.revision, done } })),
    done: refresh,
    refused: () => {
      refresh()
      return false
    },
  })
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Checkbox checked={sending.busy ? !x.done : x.done} disabled={!may} onChange={(e) => sending.send(e.currentTarget.checked)} label={<Text span size="sm" td={x.done ? 'line-through' : undefined}>{x.title}</Text>} />
        <Group gap="sm">
          <PersonName person={x.assignee} size={20} />
          {x.done && x.done_at ? <Text size="xs" c="dimmed">{t('meetings.doneAt', { when: f.ago(x.done_at) })}</Text> : x.due_on && (late ? <Badge color="poor">{t('meetings.overdue', { date: f.shortDay(x.due_on) })}</Badge> : <Text size="xs" c="dimmed">{t('home.due', { date: f.shortDay(x.due_on) })}</Text>)}
          {may && <ActionIcon variant="subtle" color="gray" aria-label={t('meetings.followUpEditOne', { title: x.title })} onClick={open}><IconPencil size={16} /></ActionIcon>}
        </Group>
      </Group>
      {sending.problem && <ProblemNote problem={sending.problem} />}
      <Suspense fallback={null}>{editing && <EditFollowUp followUp={x} close={close} />}</Suspense>
    </Stack>
  )
}
