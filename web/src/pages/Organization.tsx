import { Tabs, Text } from '@mantine/core'
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

const tabs = ['members', 'teams', 'cycles', 'import', 'jobs', 'settings', 'webhooks', 'audit'] as const

export default function Organization() {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const { tab } = useParams()
  const here = tabs.find((x) => x === tab)
  if (!here) return <NotFound />
  return (
    <Page title={t('org.title')} lead={<Text span>{me.organization.name}</Text>}>
      <Tabs value={here} onChange={(v) => void navigate(`/organization/${v ?? 'members'}`)} keepMounted={false}>
        <Tabs.List mb="md" aria-label={t('org.title')}>
          <Tabs.Tab value="members" leftSection={<IconUsers size={18} />}>{t('org.members')}</Tabs.Tab>
          <Tabs.Tab value="teams" leftSection={<IconUsersGroup size={18} />}>{t('org.teams')}</Tabs.Tab>
          <Tabs.Tab value="cycles" leftSection={<IconRefresh size={18} />}>{t('org.cycles')}</Tabs.Tab>
          <Tabs.Tab value="import" leftSection={<IconFileImport size={18} />}>{t('org.import')}</Tabs.Tab>
          {me.administers && <Tabs.Tab value="jobs" leftSection={<IconMessageChatbot size={18} />}>{t('org.jobs')}</Tabs.Tab>}
          <Tabs.Tab value="settings" leftSection={<IconSettings size={18} />}>{t('people.settingsTab')}</Tabs.Tab>
          {me.administers && <Tabs.Tab value="webhooks" leftSection={<IconWebhook size={18} />}>{t('people.webhooksTab')}</Tabs.Tab>}
          {me.administers && <Tabs.Tab value="audit" leftSection={<IconHistory size={18} />}>{t('org.audit')}</Tabs.Tab>}
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
