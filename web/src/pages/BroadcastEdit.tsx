import { Card } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { api, got } from '../api/client'
import { broadcastQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { audienceOf, BroadcastForm, type BroadcastTyped } from '../broadcast/BroadcastForm'
import { Conflict } from '../forms/Conflict'
import { useDraft } from '../forms/draft'
import { compare, merge } from '../forms/merge'
import { useSend } from '../forms/useSend'
import { Page } from '../parts/Page'
import { Read } from '../parts/States'
import { useMe } from '../session/me'

export default function BroadcastEdit() {
  const { id = '' } = useParams()
  const query = useQuery(broadcastQuery(id))
  return <Read query={query} page>{(b) => <Loaded key={id} broadcast={b} />}</Read>
}

interface Edit {
  form: BroadcastTyped
  base: BroadcastTyped
  revision: number
}

function typed(b: Schemas['Broadcast']): BroadcastTyped {
  return { title: b.title, body: b.body, kind: b.audience?.kind ?? 'organization', team_ids: b.audience?.team_ids ?? [], member_ids: b.audience?.member_ids ?? [], by_mail: b.by_mail }
}

const fieldsOf = (v: BroadcastTyped) => new Map<string, unknown>([['title', v.title], ['body', v.body], ['audience', audienceOf(v)], ['by_mail', v.by_mail]])

function Loaded({ broadcast }: { broadcast: Schemas['Broadcast'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [first] = useState<Edit>(() => ({ form: typed(broadcast), base: typed(broadcast), revision: broadcast.revision }))
  const edit = useDraft<Edit>(me.draftKey(`broadcast:${broadcast.id}`), first)
  const [conflict, setConflict] = useState<{ theirs: Schemas['Broadcast']; by?: Schemas['Person']; at?: string } | null>(null)
  const sending = useSend({
    send: (e: Edit) => got(api.PATCH('/broadcasts/{broadcast_id}', { params: { path: { broadcast_id: broadcast.id } }, body: { revision: e.revision, title: e.form.title.trim(), body: e.form.body.trim(), audience: audienceOf(e.form), by_mail: e.form.by_mail } })),
    done: () => {
      edit.clear()
      void client.invalidateQueries({ queryKey: ['broadcast', broadcast.id] })
      void client.invalidateQueries({ queryKey: ['broadcasts'] })
      notifications.show({ message: t('state.saved'), color: 'good' })
      void navigate(`/broadcasts/${broadcast.id}`)
    },
    refused: (p) => {
      const stale = p.stale<Schemas['Broadcast']>()
      if (stale) setConflict({ theirs: stale.present, by: stale.by, at: stale.at })
      return stale !== undefined
    },
  })
  const e = edit.value
  const draft = { value: e.form, restored: edit.restored, set: (change: BroadcastTyped | ((b: BroadcastTyped) => BroadcastTyped)) => edit.set((d) => ({ ...d, form: typeof change === 'function' ? change(d.form) : change })), clear: () => edit.clear({ form: typed(broadcast), base: typed(broadcast), revision: broadcast.revision }) }
  const labels: Record<string, string> = { title: t('broadcasts.subject'), body: t('broadcasts.body'), audience: t('broadcasts.audience'), by_mail: t('broadcasts.byMail') }
  const kinds = { organization: t('broadcasts.everybody'), teams: t('broadcasts.teams'), people: t('broadcasts.people') }
  return (
    <Page title={t('broadcasts.edit')} narrow back={{ to: `/broadcasts/${broadcast.id}`, label: broadcast.title }}>
      <Card><BroadcastForm draft={draft} sending={{ ...sending, send: (form) => sending.send({ ...e, form }) }} back={`/broadcasts/${broadcast.id}`} /></Card>
      {conflict && (
        <Conflict
          changes={compare(fieldsOf(e.base), fieldsOf(e.form), fieldsOf(typed(conflict.theirs)))}
          label={(path) => labels[path] ?? path}
          show={(path, value) => (path === 'audience' ? kinds[(value as Schemas['BroadcastAudience']).kind] : typeof value === 'boolean' ? (value ? '✓' : '–') : String(value))}
          by={conflict.by}
          at={conflict.at}
          busy={sending.busy}
          close={() => setConflict(null)}
          takeTheirs={() => {
            edit.clear({ form: typed(conflict.theirs), base: typed(conflict.theirs), revision: conflict.theirs.revision })
            setConflict(null)
          }}
          apply={(choose) => {
            const theirs = typed(conflict.theirs)
            const m = merge(fieldsOf(e.base), fieldsOf(e.form), fieldsOf(theirs), choose)
            const audience = m.get('audience') as Schemas['BroadcastAudience']
            const form: BroadcastTyped = { title: m.get('title') as string, body: m.get('body') as string, kind: audience.kind, team_ids: audience.team_ids ?? [], member_ids: audience.member_ids ?? [], by_mail: m.get('by_mail') as boolean }
            const next = { form, base: theirs, revision: conflict.theirs.revision }
            edit.set(next)
            setConflict(null)
            sending.send(next)
          }}
        />
      )}
    </Page>
  )
}
