import { Card } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { api, got } from '../api/client'
import { audienceOf, BroadcastForm, type BroadcastTyped } from '../broadcast/BroadcastForm'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { Page } from '../parts/Page'
import { useMe } from '../session/me'

export default function BroadcastNew() {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const draft = useDraft<BroadcastTyped>(me.draftKey('broadcast:new'), { title: '', body: '', kind: me.administers ? 'organization' : 'teams', team_ids: [], member_ids: [], by_mail: false })
  const sending = useSend({
    send: (v: BroadcastTyped) => got(api.POST('/broadcasts', { body: { title: v.title.trim(), body: v.body.trim(), audience: audienceOf(v), by_mail: v.by_mail } })),
    done: (b) => {
      draft.clear()
      void client.invalidateQueries({ queryKey: ['broadcasts'] })
      notifications.show({ message: t('broadcasts.created'), color: 'good' })
      void navigate(`/broadcasts/${b.id}`)
    },
  })
  return (
    <Page title={t('broadcasts.new')} narrow back={{ to: '/broadcasts', label: t('broadcasts.title') }}>
      <Card><BroadcastForm draft={draft} sending={sending} back="/broadcasts" /></Card>
    </Page>
  )
}
