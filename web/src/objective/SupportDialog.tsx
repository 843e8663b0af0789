import { Loader, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { Failed } from '../parts/States'

/** Finds another objective by a few letters, and says that this one supports it. */
export default function SupportDialog({ objective: o, linked, close }: { objective: Schemas['Objective']; linked: string[]; close: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), 250)
  const found = useQuery({
    queryKey: ['search', 'objective', text, o.id],
    enabled: text !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => got(api.GET('/search', { params: { query: { q: text, kind: 'objective', limit: 20, without_id: o.id } }, signal })),
  })
  const adding = useSend({
    send: (id: string) => got(api.PUT('/objectives/{objective_id}/supports/{supported_id}', { params: { path: { objective_id: o.id, supported_id: id } } })),
    done: () => {
      void client.invalidateQueries({ queryKey: ['objectives'] })
      notifications.show({ message: t('place.added'), color: 'good' })
      close()
    },
  })
  const items = text === '' ? [] : (found.data?.objectives?.items ?? [])
  return (
    <Modal opened onClose={close} title={t('place.addTitle')} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">{t('place.addWhy')}</Text>
        <TextInput type="search" label={t('place.find')} placeholder={t('place.findHint')} value={typed} maxLength={200} onChange={(e) => setTyped(e.currentTarget.value)} leftSection={<IconSearch size={16} aria-hidden />} rightSection={found.isFetching ? <Loader size="xs" /> : undefined} data-autofocus />
        {adding.problem && (adding.problem.fields()['/path/supported_id'] === 'too-many' ? <Text size="sm" role="alert" c="var(--mantine-color-error)">{t('place.tooMany')}</Text> : <ProblemNote problem={adding.problem} />)}
        {found.isError && <Failed error={found.error} again={() => void found.refetch()} />}
        <Text size="sm" c="dimmed" role="status">{text !== '' && found.data && items.length === 0 ? t('place.nothing') : ''}</Text>
        <div className="rows">
          {items.map((x) => (
            <UnstyledButton key={x.id} className="row" w="100%" disabled={linked.includes(x.id) || adding.busy} onClick={() => adding.send(x.id)} aria-label={t('place.choose', { title: x.title })}>
              <Text size="sm" fw={600} c={linked.includes(x.id) ? 'dimmed' : undefined}>{x.title}</Text>
              <Text size="xs" c="dimmed">{[x.owner.name, linked.includes(x.id) && t('place.already')].filter(Boolean).join(' · ')}</Text>
            </UnstyledButton>
          ))}
        </div>
        {items.length > 0 && found.data?.objectives?.more && <Text size="xs" c="dimmed">{t('place.narrow')}</Text>}
      </Stack>
    </Modal>
  )
}
