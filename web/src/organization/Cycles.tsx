import { Badge, Button, Card, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus, IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api, got } from '../api/client'
import { cyclesQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { Empty, Read } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

export function Cycles() {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const client = useQueryClient()
  const query = useQuery(cyclesQuery)
  const [opened, { open, close }] = useDisclosure()
  const [editing, setEditing] = useState<Schemas['Cycle'] | null>(null)
  const move = (c: Schemas['Cycle'], state: Schemas['CycleState']) =>
    got(api.PATCH('/cycles/{cycle_id}', { params: { path: { cycle_id: c.id } }, body: { revision: c.revision, state } })).finally(() => {
      for (const key of [['cycles'], ['objectives'], ['objective'], ['owed']]) void client.invalidateQueries({ queryKey: key })
    })
  return (
    <Stack>
      {me.administers && (
        <Group justify="flex-end">
          <Button leftSection={<IconPlus size={18} />} onClick={open}>{t('org.newCycle')}</Button>
        </Group>
      )}
      <Read query={query}>
        {(cycles) =>
          cycles.length === 0 ? (
            <Card><Empty title={t('org.noCycles')} why={t('org.noCyclesWhy')} icon={<IconRefresh size={24} />} /></Card>
          ) : (
            <Stack gap="sm">
              {cycles.map((c) => (
                <Card key={c.id} padding="md" component="article">
                  <Group justify="space-between" gap="sm">
                    <Stack gap={2}>
                      <Group gap="xs">
                        <Link className="plain-link" to={`/objectives?cycle=${c.id}`}><Text fw={600}>{c.name}</Text></Link>
                        <Badge color={c.state === 'active' ? 'good' : 'gray'}>{t(`cycleState.${c.state}`)}</Badge>
                      </Group>
                      <Text size="sm" c="dimmed">{f.day(c.starts_on)} – {f.day(c.ends_on)}</Text>
                    </Stack>
                    {me.administers && (
                      <Group gap="xs">
                        {c.state !== 'closed' && <Button size="xs" variant="subtle" onClick={() => setEditing(c)} aria-label={`${t('do.edit')}: ${c.name}`}>{t('do.edit')}</Button>}
                        {c.state === 'preparation' && <SureButton size="xs" variant="default" label={t('org.start')} question={t('org.startSure', { name: c.name })} act={() => move(c, 'active')} />}
                        {c.state === 'active' && <SureButton size="xs" variant="default" danger label={t('org.finish')} question={t('org.finishSure', { name: c.name })} act={() => move(c, 'closed')} />}
                      </Group>
                    )}
                  </Group>
                </Card>
              ))}
            </Stack>
          )
        }
      </Read>
      {opened && <CycleDialog close={close} />}
      {editing && <CycleDialog cycle={editing} close={() => setEditing(null)} />}
    </Stack>
  )
}

function CycleDialog({ cycle, close }: { cycle?: Schemas['Cycle']; close: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const start = { name: cycle?.name ?? '', starts_on: cycle?.starts_on ?? '', ends_on: cycle?.ends_on ?? '' }
  const draft = useDraft(me.draftKey(`cycle:${cycle?.id ?? 'new'}`), start)
  const v = draft.value
  const sending = useSend({
    send: () =>
      cycle
        ? got(api.PATCH('/cycles/{cycle_id}', { params: { path: { cycle_id: cycle.id } }, body: { revision: cycle.revision, name: v.name.trim(), starts_on: v.starts_on, ends_on: v.ends_on } }))
        : got(api.POST('/cycles', { body: { name: v.name.trim(), starts_on: v.starts_on, ends_on: v.ends_on } })),
    done: () => {
      draft.clear(start)
      void client.invalidateQueries({ queryKey: ['cycles'] })
      notifications.show({ message: t('state.saved'), color: 'good' })
      close()
    },
    refused: (p) => {
      if (p.stale()) void client.invalidateQueries({ queryKey: ['cycles'] })
      return false
    },
  })
  const field = (name: 'name' | 'starts_on' | 'ends_on', label: string, type = 'text') => (
    <TextInput type={type} label={label} required withAsterisk={false} maxLength={200} placeholder={name === 'name' ? t('org.namePlaceholder') : undefined} data-autofocus={name === 'name' || undefined} value={v[name]} error={sending.error(`/${name}`)} onChange={(e) => { sending.touch(`/${name}`); draft.set({ ...v, [name]: e.currentTarget.value }) }} />
  )
  return (
    <Modal opened onClose={close} title={cycle ? t('do.edit') : t('org.newCycle')} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          sending.send(undefined)
        }}
      >
        <Stack>
          {field('name', t('org.cycleName'))}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {field('starts_on', t('org.starts'), 'date')}
            {field('ends_on', t('org.ends'), 'date')}
          </SimpleGrid>
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
