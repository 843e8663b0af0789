import { NativeSelect, Tabs, Text } from '@mantine/core'
import { IconFileImport, IconHistory, IconMessageChatbot, IconRefresh, IconSettings, IconUsers, IconUsersGroup, IconWebhook } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { Members } from '../organization/Members'
import { Teams } from '../organization/Teams'
import { needAreas } from '../i18n'
import { lazily } from '../parts/lazily'
import { Page } from '../parts/Page'
import { Loading, NotFound } from '../parts/States'
import { useMe } from '../session/me'

const Cycles = lazily(async () => (await Promise.all([import('../organization/Cycles'), needAreas(['cycles'])]))[0])
const Imports = lazily(async () => (await Promise.all([import('../organization/Imports'), needAreas(['exchange'])]))[0])
const Jobs = lazily(async () => (await Promise.all([import('../organization/Jobs'), needAreas(['cycles'])]))[0])

const Audit = lazily(async () => ({ default: (await Promise.all([import('../organization/Audit'), needAreas(['things', 'trail'])]))[0].Audit }))
const Settings = lazily(async () => (await Promise.all([import('../organization/Settings'), needAreas(['budget', 'settings'])]))[0])
const Webhooks = lazily(async () => (await Promise.all([import('../organization/Webhooks'), needAreas(['hooks', 'things'])]))[0])

const icons = { members: IconUsers, teams: IconUsersGroup, cycles: IconRefresh, import: IconFileImport, jobs: IconMessageChatbot, settings: IconSettings, webhooks: IconWebhook, audit: IconHistory } as const
const forAdmins = new Set<string>(['jobs', 'webhooks', 'audit'])
const tabs = ['members', 'teams', 'cycles', 'import', 'jobs', 'settings', 'webhooks', 'audit'] as const

export default function Organization() {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const { tab } = useParams()
  const here = tabs.find((x) => x === tab)
  if (!here) return <NotFound />
  const names = { members: t('org.members'), teams: t('org.teams'), cycles: t('org.cycles'), import: t('org.import'), jobs: t('org.jobs'), settings: t('people.settingsTab'), webhooks: t('people.webhooksTab'), audit: t('org.audit') }
  const shown = tabs.filter((x) => me.administers || !forAdmins.has(x))
  return (
    <Page title={t('org.title')} lead={<Text span>{me.organization.name}</Text>}>
      <Tabs value={here} onChange={(v) => void navigate(`/organization/${v ?? 'members'}`)} keepMounted={false}>
        <NativeSelect hiddenFrom="sm" mb="md" aria-label={t('org.title')} value={here} onChange={(e) => void navigate(`/organization/${e.currentTarget.value}`)} data={shown.map((x) => ({ value: x, label: names[x] }))} />
        <Tabs.List visibleFrom="sm" mb="md" aria-label={t('org.title')}>
          {shown.map((x) => {
            const Icon = icons[x]
            return <Tabs.Tab key={x} value={x} leftSection={<Icon size={18} />}>{names[x]}</Tabs.Tab>
          })}
        </Tabs.List>
        <Tabs.Panel value="members"><Members /></Tabs.Panel>
        <Tabs.Panel value="teams"><Teams /></Tabs.Panel>
        <Tabs.Panel value="cycles"><Suspense fallback={<Loading />}><Cycles /></Suspense></Tabs.Panel>
        <Tabs.Panel value="import"><Suspense fallback={<Loading />}><Imports /></Suspense></Tabs.Panel>
        <Tabs.Panel value="jobs">{me.administers ? <Suspense fallback={<Loading />}><Jobs /></Suspense> : <Text c="dimmed">{t('org.adminsOnly')}</Text>}</Tabs.Panel>
        <Tabs.Panel value="settings"><Suspense fallback={<Loading />}><Settings /></Suspense></Tabs.Panel>
        <Tabs.Panel value="webhooks">{me.administers ? <Suspense fallback={<Loading />}><Webhooks /></Suspense> : <Text c="dimmed">{t('org.adminsOnly')}</Text>}</Tabs.Panel>
        <Tabs.Panel value="audit">{me.administers ? <Suspense fallback={<Loading />}><Audit /></Suspense> : <Text c="dimmed">{t('org.adminsOnly')}</Text>}</Tabs.Panel>
      </Tabs>
    </Page>
  )
}
