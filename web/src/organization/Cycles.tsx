import { Badge, Button, Card, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconArrowForwardUp, IconFlagCheck, IconPlus, IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { api, got } from '../api/client'
import { cyclesQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { CloseDialog } from '../cycle/CloseDialog'
import { nextCycle } from '../cycle/next'
import { touched } from '../cycle/queries'
import { Conflict } from '../forms/Conflict'
import { DraftNote } from '../forms/DraftNote'
import { useDraft } from '../forms/draft'
import { compare, merge } from '../forms/merge'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { Empty, Read } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useMe } from '../session/me'
import { today, useFormats } from '../time/format'

type Cycle = Schemas['Cycle']

export default function Cycles() {
  const { t } = useTranslation()
  const me = useMe()
  const query = useQuery(cyclesQuery)
  const [params, setParams] = useSearchParams()
  const [editing, setEditing] = useState<Cycle | null>(null)
  const [closing, setClosing] = useState<Cycle | null>(null)
  const making = params.get('new') === 'true' && me.administers
  const make = (on: boolean) => setParams(on ? { new: 'true' } : {}, { replace: true })
  return (
    <Stack>
      {me.administers && (
        <Group justify="flex-end">
          <Button leftSection={<IconPlus size={18} />} onClick={() => make(true)}>{t('org.newCycle')}</Button>
        </Group>
      )}
      <Read query={query}>
        {(cycles) => (
          <>
            {cycles.length === 0 ? (
              <Card><Empty title={t('org.noCycles')} why={t('org.noCyclesWhy')} icon={<IconRefresh size={24} />} action={me.administers ? <Button onClick={() => make(true)}>{t('org.newCycle')}</Button> : undefined} /></Card>
            ) : (
              <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
                {cycles.map((c) => (
                  <li key={c.id}><Row cycle={c} edit={() => setEditing(c)} close={() => setClosing(c)} /></li>
                ))}
              </Stack>
            )}
            {making && <CycleDialog suggestion={nextCycle(cycles)} close={() => make(false)} />}
          </>
        )}
      </Read>
      {editing && <CycleDialog cycle={editing} close={() => setEditing(null)} />}
      {closing && <CloseDialog cycle={closing} close={() => setClosing(null)} />}
    </Stack>
  )
}

function Row({ cycle: c, edit, close }: { cycle: Cycle; edit: () => void; close: () => void }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const client = useQueryClient()
  const day = today(me.organization.time_zone)
  const start = () =>
    got(api.PATCH('/cycles/{cycle_id}', { params: { path: { cycle_id: c.id } }, body: { revision: c.revision, state: 'active' } })).finally(() => {
      for (const key of touched) void client.invalidateQueries({ queryKey: key })
    })
  return (
    <Card padding="md" component="article" aria-label={c.name}>
      <Group justify="space-between" gap="sm">
        <Stack gap={2}>
          <Group gap="xs">
            <Link className="plain-link" to={`/cycles/${c.id}`}><Text fw={600}>{c.name}</Text></Link>
            <Badge color={c.state === 'active' ? 'good' : 'gray'}>{t(`cycleState.${c.state}`)}</Badge>
            {c.state === 'active' && c.ends_on < day && <Badge color="fair">{t('cycles.over', { day: f.shortDay(c.ends_on) })}</Badge>}
          </Group>
          <Text size="sm" c="dimmed">{f.day(c.starts_on)} – {f.day(c.ends_on)}</Text>
        </Stack>
        <Group gap="xs">
          {me.writes && c.state !== 'preparation' && <Button component={Link} to={`/cycles/${c.id}/scores`} size="xs" variant="default" leftSection={<IconFlagCheck size={16} />} aria-label={`${t('cycles.score')}: ${c.name}`}>{t('cycles.score')}</Button>}
          {me.writes && c.state !== 'preparation' && <Button component={Link} to={`/cycles/${c.id}/carry-over`} size="xs" variant="default" leftSection={<IconArrowForwardUp size={16} />} aria-label={`${t('cycles.carryOver')}: ${c.name}`}>{t('cycles.carryOver')}</Button>}
          {me.administers && c.state === 'preparation' && <SureButton size="xs" variant="default" label={t('org.start')} question={<>{t('org.startSure', { name: c.name })}<br />{t('cycles.startWhy')}</>} act={start} />}
          {me.administers && <Button size="xs" variant="subtle" onClick={edit} aria-label={`${t('do.edit')}: ${c.name}`}>{t('do.edit')}</Button>}
          {me.administers && c.state === 'active' && <Button size="xs" variant="subtle" color="poor" onClick={close} aria-label={`${t('cycles.close')}: ${c.name}`}>{t('cycles.close')}</Button>}
        </Group>
      </Group>
    </Card>
  )
}

interface Form {
  name: string
  starts_on: string
  ends_on: string
}

const names = ['name', 'starts_on', 'ends_on'] as const
const fieldsOf = (c: Form) => new Map<string, unknown>(names.map((n) => [n, c[n]]))

interface Edit extends Form {
  base?: Form & { revision: number } // what an edit was made from
}

function CycleDialog({ cycle, suggestion, close }: { cycle?: Cycle; suggestion?: Form; close: () => void }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const client = useQueryClient()
  const first: Form = cycle ?? suggestion ?? { name: '', starts_on: '', ends_on: '' }
  const start: Edit = { name: first.name, starts_on: first.starts_on, ends_on: first.ends_on, base: cycle && { name: cycle.name, starts_on: cycle.starts_on, ends_on: cycle.ends_on, revision: cycle.revision } }
  const draft = useDraft(me.draftKey(`cycle:${cycle?.id ?? 'new'}`), start)
  const v = draft.value
  const [theirs, setTheirs] = useState<{ present: Cycle; by?: Schemas['Person']; at?: string } | null>(null)
  const [asking, { open, close: dismiss }] = useDisclosure()
  const fixed = cycle?.state === 'closed' // its dates stay
  const sending = useSend({
    send: (edit: Edit) => {
      const name = edit.name.trim()
      const days = { starts_on: edit.starts_on, ends_on: edit.ends_on }
      return cycle ? got(api.PATCH('/cycles/{cycle_id}', { params: { path: { cycle_id: cycle.id } }, body: { revision: edit.base?.revision ?? cycle.revision, name, ...(fixed ? {} : days) } })) : got(api.POST('/cycles', { body: { name, ...days } }))
    },
    done: () => {
      draft.clear(start)
      for (const key of touched) void client.invalidateQueries({ queryKey: key })
      notifications.show({ message: t('state.saved'), color: 'good' })
      close()
    },
    refused: (p) => {
      const stale = p.stale<Cycle>()
      if (!stale) return false
      void client.invalidateQueries({ queryKey: ['cycles'] })
      setTheirs(stale)
      open()
      return true
    },
  })
  const field = (name: (typeof names)[number], label: string, type = 'text') => (
    <TextInput
      type={type}
      label={label}
      required
      withAsterisk={false}
      maxLength={200}
      disabled={fixed && name !== 'name'}
      placeholder={name === 'name' ? t('org.namePlaceholder') : undefined}
      data-autofocus={name === 'name' || undefined}
      value={v[name]}
      error={sending.error(`/${name}`)}
      onChange={(e) => {
        sending.touch(`/${name}`)
        const value = e.currentTarget.value
        draft.set((d) => ({ ...d, [name]: value }))
      }}
    />
  )
  const labels = { name: t('org.cycleName'), starts_on: t('org.starts'), ends_on: t('org.ends') }
  const base = v.base && fieldsOf(v.base)
  return (
    <>
      <Modal opened={!asking} onClose={close} title={cycle ? t('do.edit') : t('org.newCycle')} closeButtonProps={{ 'aria-label': t('do.close') }}>
        <form
          noValidate
          onSubmit={(e) => {
            e.preventDefault()
            sending.send(v)
          }}
        >
          <Stack>
            <DraftNote restored={draft.restored} discard={() => draft.clear(start)} />
            {field('name', labels.name)}
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {field('starts_on', labels.starts_on, 'date')}
              {field('ends_on', labels.ends_on, 'date')}
            </SimpleGrid>
            {sending.problem && <ProblemNote problem={sending.problem} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>{t('do.cancel')}</Button>
              <Button type="submit" loading={sending.busy}>{t('do.save')}</Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      {asking && theirs && base && (
        <Conflict
          changes={compare(base, fieldsOf(v), fieldsOf(theirs.present))}
          label={(path) => labels[path as 'name']}
          show={(path, value) => (path === 'name' ? String(value) : f.day(String(value)))}
          by={theirs.by}
          at={theirs.at}
          busy={sending.busy}
          apply={(choose) => {
            const merged = Object.fromEntries(merge(base, fieldsOf(v), fieldsOf(theirs.present), choose)) as unknown as Form
            const edit: Edit = { ...merged, base: { name: theirs.present.name, starts_on: theirs.present.starts_on, ends_on: theirs.present.ends_on, revision: theirs.present.revision } }
            draft.set(edit)
            dismiss()
            sending.send(edit)
          }}
          takeTheirs={() => {
            draft.clear(start)
            dismiss()
            close()
          }}
          close={dismiss}
        />
      )}
    </>
  )
}
