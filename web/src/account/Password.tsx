import { Button, Group, PasswordInput, SimpleGrid, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'

export function Password({ email }: { email: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const empty = { present: '', next: '' }
  const [v, setV] = useState(empty)
  const changing = useSend({
    send: () => got(api.PUT('/account/password', { body: { present_password: v.present, new_password: v.next } })),
    done: () => {
      setV(empty)
      void client.invalidateQueries({ queryKey: ['sessions'] })
      notifications.show({ message: t('own.passwordChanged'), color: 'good' })
    },
  })
  const show = { 'aria-label': t('do.show') }
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        changing.send(undefined)
      }}
    >
      <Stack>
        <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <PasswordInput label={t('own.presentPassword')} autoComplete="current-password" maxLength={200} value={v.present} error={changing.error('/present_password')} onChange={(e) => { changing.touch('/present_password'); setV({ ...v, present: e.currentTarget.value }) }} visibilityToggleButtonProps={show} />
          <PasswordInput label={t('own.newPassword')} autoComplete="new-password" maxLength={200} value={v.next} error={changing.error('/new_password')} onChange={(e) => { changing.touch('/new_password'); setV({ ...v, next: e.currentTarget.value }) }} visibilityToggleButtonProps={show} />
        </SimpleGrid>
        <Text size="xs" c="dimmed">{t('own.passwordHint')}</Text>
        {changing.problem && <ProblemNote problem={changing.problem} />}
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={changing.busy} disabled={v.present === '' || v.next === ''}>{t('own.changePassword')}</Button>
        </Group>
      </Stack>
    </form>
  )
}
