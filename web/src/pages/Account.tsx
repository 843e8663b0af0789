import { Avatar, Badge, Box, Button, Card, FileButton, Group, SegmentedControl, SimpleGrid, Stack, Switch, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDeviceLaptop, IconPhoto, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { mailQuery, preferencesQuery, sessionsQuery } from '../api/queries'
import { problemOf, type Schemas } from '../api/problem'
import { useSend } from '../forms/useSend'
import { Fact, initials } from '../parts/Badges'
import { Choice } from '../parts/Choice'
import { Page } from '../parts/Page'
import { ProblemNote } from '../parts/ProblemNote'
import { Empty, Loading, Paged, Read, SectionTitle } from '../parts/States'
import { useMe } from '../session/me'
import { ColorSwitch, LanguageSwitch } from '../shell/Switches'
import { needAreas } from '../i18n'
import { lazily } from '../parts/lazily'
import { SureButton } from '../parts/Sure'
import { TokensSection } from '../account/section'
import { useFormats } from '../time/format'

const Own = lazily(async () => (await Promise.all([import('../account/Own'), needAreas(['own'])]))[0])

export default function Account() {
  const { t } = useTranslation()
  const me = useMe()
  return (
    <Page title={t('account.title')} narrow>
      <Stack gap="xl">
        <Profile />
        <Suspense fallback={<Loading rows={2} height={160} />}>
          <Own>
            <section aria-labelledby="display">
              <SectionTitle id="display">{t('account.display')}</SectionTitle>
              <Card>
                <Stack>
                  <SimpleGrid cols={{ base: 1, sm: 2 }}>
                    <div><Text size="sm" fw={600} mb={4}>{t('settings.language')}</Text><LanguageSwitch /></div>
                    <div><Text size="sm" fw={600} mb={4}>{t('settings.colors')}</Text><ColorSwitch /></div>
                  </SimpleGrid>
                  <Text size="sm" c="dimmed">{t('account.zoneHint', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}</Text>
                </Stack>
              </Card>
            </section>
            <Mail />
            <Preferences />
            <Sessions key={me.id} />
            <TokensSection />
          </Own>
        </Suspense>
      </Stack>
    </Page>
  )
}

function Profile() {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['session'] })
    void client.invalidateQueries({ queryKey: ['members'] })
  }
  const uploading = useMutation({
    mutationFn: (file: File) => got(api.PUT('/members/{member_id}/icon', { params: { path: { member_id: me.user.id } }, body: file as unknown as string, bodySerializer: (b) => b as unknown as BodyInit, headers: { 'Content-Type': file.type } })),
    onSuccess: () => {
      refresh()
      notifications.show({ message: t('account.pictureSaved'), color: 'good' })
    },
  })
  const removing = useMutation({ mutationFn: () => got(api.DELETE('/members/{member_id}/icon', { params: { path: { member_id: me.user.id } } })), onSuccess: refresh })
  const failed = uploading.error ?? removing.error
  return (
    <section aria-labelledby="profile">
      <SectionTitle id="profile">{t('account.profile')}</SectionTitle>
      <Card>
        <Group align="flex-start" gap="lg">
          <Avatar size={88} src={me.icon_url} alt="" color="ai">{initials(me.user.name)}</Avatar>
          <Stack gap="sm" flex="1 1 240px">
            <Text fw={650} size="lg">{me.user.name}</Text>
            <SimpleGrid cols={2}>
              <Fact label={t('account.organizations')}>{me.organization.name}</Fact>
              <Fact label={t('account.role')}>{t(`role.${me.role}`)}</Fact>
            </SimpleGrid>
            <Group gap="xs">
              <FileButton accept="image/png,image/jpeg,image/gif,image/webp" onChange={(file) => file && uploading.mutate(file)}>
                {(props) => <Button {...props} size="xs" variant="default" leftSection={<IconPhoto size={16} />} loading={uploading.isPending}>{t('account.upload')}</Button>}
              </FileButton>
              {me.icon_url && <Button size="xs" variant="subtle" leftSection={<IconTrash size={16} />} loading={removing.isPending} onClick={() => removing.mutate()}>{t('account.removePicture')}</Button>}
            </Group>
            <Text size="xs" c="dimmed">{t('account.pictureHint')}</Text>
            {failed && <ProblemNote problem={problemOf(failed)} />}
          </Stack>
        </Group>
      </Card>
    </section>
  )
}

function Mail() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const query = useQuery(mailQuery)
  const saving = useSend({
    send: (body: Schemas['MailSettingsPatch']) => got(api.PATCH('/mail-settings', { body })),
    done: (s) => client.setQueryData(['mail-settings'], s),
  })
  return (
    <section aria-labelledby="mail">
      <SectionTitle id="mail">{t('account.mail')}</SectionTitle>
      <Card>
        <Read query={query}>
          {(s) => (
            <Stack>
              <Switch label={t('account.subscribed')} checked={s.subscribed} disabled={saving.busy} onChange={(e) => saving.send({ subscribed: e.currentTarget.checked })} />
              <div>
                <Text size="sm" fw={600} mb={4}>{t('account.digest')}</Text>
                <SegmentedControl aria-label={t('account.digest')} disabled={!s.subscribed || saving.busy} value={s.digest} onChange={(v) => saving.send({ digest: v as Schemas['DigestRhythm'] })} data={(['daily', 'weekly', 'off'] as const).map((v) => ({ value: v, label: t(`account.${v}`) }))} />
              </div>
              {saving.problem && <ProblemNote problem={saving.problem} />}
            </Stack>
          )}
        </Read>
      </Card>
    </section>
  )
}

const deliveries = { immediate: 'immediate', digest: 'inDigest', off: 'never' } as const

function Preferences() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const query = useQuery(preferencesQuery)
  const saving = useSend({
    send: (item: Schemas['NotificationPreference']) => got(api.PUT('/notification-preferences', { body: { items: [item] } })),
    done: (all) => client.setQueryData(['preferences'], all),
  })
  return (
    <section aria-labelledby="preferences">
      <SectionTitle id="preferences">{t('account.preferences')}</SectionTitle>
      <Card padding="sm">
        <Read query={query}>
          {(all) => (
            <Stack gap="xs">
              {saving.problem && <ProblemNote problem={saving.problem} />}
              <Table verticalSpacing={6} layout="fixed">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('account.kind')}</Table.Th>
                    <Table.Th w={76}>{t('account.inboxColumn')}</Table.Th>
                    <Table.Th w={132}>{t('account.mailColumn')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {all.items.map((p) => (
                    <Table.Tr key={p.kind}>
                      <Table.Td>{t(`noticeKind.${p.kind}`)}</Table.Td>
                      <Table.Td>
                        <Switch aria-label={`${t('account.inboxColumn')}: ${t(`noticeKind.${p.kind}`)}`} checked={p.inbox} disabled={saving.busy} onChange={(e) => saving.send({ kind: p.kind, inbox: e.currentTarget.checked, mail: !e.currentTarget.checked && p.mail === 'digest' ? 'off' : p.mail })} />
                      </Table.Td>
                      <Table.Td>
                        <Choice size="xs" aria-label={`${t('account.mailColumn')}: ${t(`noticeKind.${p.kind}`)}`} allowDeselect={false} disabled={saving.busy} value={p.mail} onChange={(v) => v && saving.send({ kind: p.kind, inbox: p.inbox, mail: v as Schemas['MailDelivery'] })} data={(['immediate', 'digest', 'off'] as const).filter((m) => m !== 'digest' || p.inbox).map((m) => ({ value: m, label: t(`account.${deliveries[m]}`) }))} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Stack>
          )}
        </Read>
      </Card>
    </section>
  )
}

/** What a browser calls itself, in as few words as tell it from another. */
export function browserOf(agent: string): string {
  const name = /Edg\//.test(agent) ? 'Edge' : /Firefox\//.test(agent) ? 'Firefox' : /Chrom(e|ium)\//.test(agent) ? 'Chrome' : /Safari\//.test(agent) ? 'Safari' : agent.split(/[ /]/)[0] || '–'
  const system = /iPhone|iPad/.test(agent) ? 'iOS' : /Android/.test(agent) ? 'Android' : /Windows/.test(agent) ? 'Windows' : /Mac OS X/.test(agent) ? 'macOS' : /Linux/.test(agent) ? 'Linux' : ''
  return system ? `${name} · ${system}` : name
}

function Sessions() {
  const { t } = useTranslation()
  const f = useFormats()
  const client = useQueryClient()
  const query = useInfiniteQuery(sessionsQuery)
  const ending = useMutation({
    mutationFn: (id: string) => got(api.DELETE('/sessions/{session_id}', { params: { path: { session_id: id } } })),
    onSuccess: () => notifications.show({ message: t('account.ended'), color: 'good' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <section aria-labelledby="sessions">
      <SectionTitle id="sessions" right={<EndOthers />}>{t('account.sessions')}</SectionTitle>
      <Card padding="xs">
        {ending.isError && <ProblemNote problem={problemOf(ending.error)} />}
        <Paged query={query} empty={<Empty title={t('state.empty')} />}>
          {(items) => (
            <div className="rows">
              {items.map((s) => (
                <Group key={s.id} className="row" style={{ display: 'flex' }} px="xs" justify="space-between" wrap="nowrap">
                  <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
                    <IconDeviceLaptop size={22} aria-hidden style={{ flexShrink: 0 }} />
                    <Box style={{ minWidth: 0 }}>
                      <Group gap="xs">
                        <Text size="sm" fw={600}>{browserOf(s.user_agent)}</Text>
                        {s.current && <Badge color="good">{t('account.thisOne')}</Badge>}
                      </Group>
                      <Text size="xs" c="dimmed">
                        {s.address} · {t('account.opened', { when: f.moment(s.created_at) })}
                        {s.last_accessed_at && ` · ${t('account.lastUsed', { when: f.ago(s.last_accessed_at) })}`}
                      </Text>
                    </Box>
                  </Group>
                  {!s.current && <Button size="xs" variant="default" loading={ending.isPending && ending.variables === s.id} onClick={() => ending.mutate(s.id)} aria-label={`${t('account.end')}: ${browserOf(s.user_agent)}, ${f.moment(s.created_at)}`}>{t('account.end')}</Button>}
                </Group>
              ))}
            </div>
          )}
        </Paged>
      </Card>
    </section>
  )
}

/** Ends every session but this one, page by page. */
function EndOthers() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const end = async () => {
    try {
      for (let rounds = 0; rounds < 20; rounds++) {
        const { items } = await got(api.GET('/sessions', { params: { query: { limit: 200 } } }))
        const others = items.filter((s) => !s.current)
        if (others.length === 0) return
        for (const s of others) await got(api.DELETE('/sessions/{session_id}', { params: { path: { session_id: s.id } } })).catch((error: unknown) => { if (problemOf(error).status !== 404) throw error })
      }
    } finally {
      void client.invalidateQueries({ queryKey: ['sessions'] })
    }
  }
  return <SureButton size="xs" variant="default" label={t('own.endOthers')} question={t('own.endOthersSure')} act={end} />
}
