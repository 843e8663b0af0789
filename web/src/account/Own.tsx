import { Alert, Anchor, Button, Card, Code, CopyButton, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCalendarShare, IconCheck, IconCopy } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { DraftNote } from '../forms/DraftNote'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { Fact } from '../parts/Badges'
import { Choice } from '../parts/Choice'
import { ProblemNote } from '../parts/ProblemNote'
import { Read, SectionTitle } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useMe } from '../session/me'
import { useOnce } from '../parts/useOnce'
import { identitiesQuery, SignInWays } from './SignInWays'

const accountQuery = queryOptions({ queryKey: ['account'], queryFn: ({ signal }) => got(api.GET('/account', { signal })) })

/** What is one's own to say: name, language and zone of mails, password, and the address of one's calendar; and beneath, once that is read, the rest of the page. */
export default function Own({ children }: { children: ReactNode }) {
  const query = useQuery(accountQuery)
  const ways = useQuery(identitiesQuery)
  const read = useOnce(!query.isPending && !ways.isPending)
  return (
    <>
      <Read query={query}>
        {(account) => (
          <>
            <Details account={account} />
            <SignInWays account={account} />
            <Calendar />
          </>
        )}
      </Read>
      {read && children}
    </>
  )
}

function Details({ account: a }: { account: Schemas['Account'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const start = { name: a.name, locale: a.locale, time_zone: a.time_zone }
  const draft = useDraft(me.draftKey('account'), start)
  const v = draft.value
  const changed = JSON.stringify(v) !== JSON.stringify(start)
  const saving = useSend({
    send: () => got(api.PATCH('/account', { body: { ...(v.name !== a.name ? { name: v.name.trim() } : {}), ...(v.locale !== a.locale ? { locale: v.locale } : {}), ...(v.time_zone !== a.time_zone ? { time_zone: v.time_zone } : {}) } })),
    done: (saved) => {
      client.setQueryData(accountQuery.queryKey, saved)
      draft.clear({ name: saved.name, locale: saved.locale, time_zone: saved.time_zone })
      for (const key of [['session'], ['members']]) void client.invalidateQueries({ queryKey: key })
      notifications.show({ message: t('state.saved'), color: 'good' })
    },
  })
  const all = typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : []
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <section aria-labelledby="own">
      <SectionTitle id="own">{t('own.details')}</SectionTitle>
      <Card>
        <form
          noValidate
          onSubmit={(e) => {
            e.preventDefault()
            saving.send(undefined)
          }}
        >
          <Stack>
            <DraftNote restored={draft.restored && changed} discard={() => draft.clear(start)} />
            <TextInput label={t('org.name')} autoComplete="name" maxLength={200} value={v.name} error={saving.error('/name')} onChange={(e) => { saving.touch('/name'); draft.set({ ...v, name: e.currentTarget.value }) }} />
            <Fact label={t('org.email')}>{a.email}</Fact>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <Choice label={t('own.mailLanguage')} allowDeselect={false} value={v.locale} onChange={(l) => l && draft.set({ ...v, locale: l as Schemas['Locale'] })} data={[{ value: 'ja', label: '日本語' }, { value: 'en', label: 'English' }]} />
              <Choice label={t('own.mailZone')} searchable limit={80} allowDeselect={false} value={v.time_zone} error={saving.error('/time_zone')} onChange={(z) => { if (z) { saving.touch('/time_zone'); draft.set({ ...v, time_zone: z }) } }} data={[...new Set([v.time_zone, here, 'UTC', ...all])].map((z) => ({ value: z, label: z }))} nothingFoundMessage={t('app.paletteNone')} />
            </SimpleGrid>
            {saving.problem && <ProblemNote problem={saving.problem} />}
            <Group justify="flex-end">
              {changed && <Button variant="default" onClick={() => draft.clear(start)}>{t('do.discard')}</Button>}
              <Button type="submit" loading={saving.busy} disabled={!changed || v.name.trim() === ''}>{t('do.save')}</Button>
            </Group>
          </Stack>
        </form>
      </Card>
    </section>
  )
}

function Calendar() {
  const { t } = useTranslation()
  const [address, setAddress] = useState<string | null>(null)
  return (
    <section aria-labelledby="calendar">
      <SectionTitle id="calendar">{t('own.calendar')}</SectionTitle>
      <Card>
        <Stack>
          <Text size="sm" c="dimmed">{t('own.calendarWhy')}</Text>
          {address && (
            <Alert color="ai" icon={<IconCalendarShare />} title={t('own.calendarOnce')}>
              <Stack gap="xs" align="flex-start">
                <Code style={{ wordBreak: 'break-all' }}>{address}</Code>
                <Group gap="sm">
                  <CopyButton value={address}>{({ copied, copy }) => <Button size="xs" variant="default" leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />} onClick={copy}>{copied ? t('own.copied') : t('own.copy')}</Button>}</CopyButton>
                  <Anchor size="sm" href={address.replace(/^https?:/, 'webcal:')}>{t('own.subscribe')}</Anchor>
                </Group>
              </Stack>
            </Alert>
          )}
          <Group gap="xs">
            <SureButton size="xs" variant="default" label={t('own.calendarNew')} question={t('own.calendarNewSure')} act={async () => { const feed = await got(api.POST('/calendar-feed')); setAddress(feed.url ?? new URL(feed.path, location.origin).href) }} />
            <SureButton size="xs" variant="subtle" danger label={t('own.calendarEnd')} question={t('own.calendarEndSure')} act={() => got(api.DELETE('/calendar-feed')).then(() => setAddress(null))} />
          </Group>
        </Stack>
      </Card>
    </section>
  )
}
