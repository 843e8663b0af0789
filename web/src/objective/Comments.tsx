import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconMessageCircle, IconPencil } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { pages } from '../api/queries'
import type { Schemas } from '../api/problem'
import { Conflict } from '../forms/Conflict'
import { dropDraft, readDraft, useDraft } from '../forms/draft'
import { DraftNote } from '../forms/DraftNote'
import { compare } from '../forms/merge'
import { useSend } from '../forms/useSend'
import { Backwards } from '../parts/Backwards'
import { PersonName } from '../parts/Badges'
import { MentionArea } from '../parts/MentionArea'
import { withMentions, withoutMentions, type Mentioned } from '../parts/mentions'
import { ProblemNote } from '../parts/ProblemNote'
import { Said } from '../parts/Said'
import { Empty } from '../parts/States'
import { SureButton } from '../parts/Sure'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

const commentsQuery = (id: string) =>
  pages(['objective', id, 'comments'], (cursor, signal) => got(api.GET('/objectives/{objective_id}/comments', { params: { path: { objective_id: id }, query: { newest: true, limit: 50, cursor } }, signal })))

export default function Comments({ objective }: { objective: string }) {
  const { t } = useTranslation()
  const me = useMe()
  const query = useInfiniteQuery(commentsQuery(objective))
  return (
    <Stack>
      <Backwards query={query} empty={<Card><Empty title={t('comments.none')} why={t('comments.noneWhy')} icon={<IconMessageCircle size={24} />} /></Card>}>
        {(items) => (
          <Stack gap="sm">
            {items.map((c) => (
              <Comment key={c.id} comment={c} objective={objective} />
            ))}
          </Stack>
        )}
      </Backwards>
      {me.writes && <WriteComment objective={objective} />}
    </Stack>
  )
}

function Comment({ comment: c, objective }: { comment: Schemas['Comment']; objective: string }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const client = useQueryClient()
  const mine = c.author.id === me.user.id
  const key = me.draftKey(`comment:${c.id}:edit`)
  const [editing, setEditing] = useState(() => mine && !c.deleted && readDraft(key) !== undefined)
  const refresh = () => client.invalidateQueries({ queryKey: ['objective', objective, 'comments'] })
  return (
    <Card padding="md" component="article">
      <Group justify="space-between" mb={6} gap="xs">
        <Group gap="xs">
          <PersonName person={c.author} bold />
          {c.edited && <Badge color="gray" title={f.moment(c.changed_at)}>{t('talk.edited')}</Badge>}
        </Group>
        <Text size="xs" c="dimmed" title={f.moment(c.created_at)}>{f.ago(c.created_at)}</Text>
      </Group>
      {c.deleted ? (
        <Text size="sm" c="dimmed" fs="italic">{t('talk.deleted')}</Text>
      ) : editing ? (
        <EditComment comment={c} draftKey={key} done={() => { setEditing(false); void refresh() }} />
      ) : (
        <>
          <Said>{c.body}</Said>
          {me.writes && (mine || me.administers) && (
            <Group gap="xs" mt="xs">
              {mine && <Button size="compact-xs" variant="subtle" leftSection={<IconPencil size={14} />} onClick={() => setEditing(true)}>{t('do.edit')}</Button>}
              <SureButton size="compact-xs" variant="subtle" color="gray" danger label={t('talk.delete')} question={t('talk.deleteWhy')} act={() => got(api.DELETE('/comments/{comment_id}', { params: { path: { comment_id: c.id } } })).finally(() => void refresh())} />
            </Group>
          )}
        </>
      )}
    </Card>
  )
}

interface Edit {
  body: string
  picked: Mentioned[]
  base: string
  revision: number
}

function EditComment({ comment: c, draftKey, done }: { comment: Schemas['Comment']; draftKey: string; done: () => void }) {
  const { t } = useTranslation()
  const start = (m: Schemas['Comment']): Edit => ({ ...withoutMentions(m.body), base: m.body, revision: m.revision })
  const [first] = useState(() => start(c))
  const draft = useDraft<Edit>(draftKey, first)
  const [conflict, setConflict] = useState<{ theirs: Schemas['Comment']; by?: Schemas['Person']; at?: string } | null>(null)
  const tell = useUnreached()
  const sending = useSend({
    send: (e: Edit) => got(api.PATCH('/comments/{comment_id}', { params: { path: { comment_id: c.id } }, body: { revision: e.revision, body: withMentions(e.body.trim(), e.picked) } })),
    done: (saved, e) => {
      dropDraft(draftKey)
      tell(saved, e.picked)
      done()
    },
    refused: (p) => {
      const stale = p.stale<Schemas['Comment']>()
      if (stale) setConflict({ theirs: stale.present, by: stale.by, at: stale.at })
      return stale !== undefined
    },
  })
  const e = draft.value
  const stop = () => {
    dropDraft(draftKey)
    done()
  }
  const fields = (body: string) => new Map([['body', body]])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (e.body.trim()) sending.send(e)
      }}
    >
      <Stack gap="sm">
        <DraftNote restored={draft.restored} discard={() => draft.clear(start(c))} />
        <MentionArea aria-label={t('talk.edit')} autoFocus autosize minRows={2} maxLength={9000} value={e.body} picked={e.picked} error={sending.error('/body')} onChange={(body, picked) => { sending.touch('/body'); draft.set((d) => ({ ...d, body, picked })) }} />
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <Group justify="flex-end" gap="xs">
          <Button size="xs" variant="default" onClick={stop}>{t('do.cancel')}</Button>
          <Button size="xs" type="submit" loading={sending.busy} disabled={!e.body.trim()}>{t('do.save')}</Button>
        </Group>
      </Stack>
      {conflict && (
        <Conflict
          changes={compare(fields(e.base), fields(withMentions(e.body.trim(), e.picked)), fields(conflict.theirs.body))}
          label={() => t('talk.comment')}
          show={(_, value) => withoutMentions(String(value)).body}
          by={conflict.by}
          at={conflict.at}
          busy={sending.busy}
          close={() => setConflict(null)}
          takeTheirs={stop}
          apply={(choose) => {
            const taken = choose('body') === 'mine' ? { ...e } : { ...withoutMentions(conflict.theirs.body) }
            const next = { ...taken, base: conflict.theirs.body, revision: conflict.theirs.revision }
            setConflict(null)
            if (choose('body') === 'theirs') return stop()
            draft.set(next)
            sending.send(next)
          }}
        />
      )}
    </form>
  )
}

/** Says whom a comment mentions and does not reach, so that nobody waits for their answer. */
function useUnreached() {
  const { t, i18n } = useTranslation()
  return (c: Schemas['Comment'], picked: Mentioned[]) => {
    const names = (c.unreached ?? []).map((id) => picked.find((p) => p.id === id)?.name).filter((name) => name !== undefined)
    if (names.length > 0) notifications.show({ message: t('talk.unreached', { names: new Intl.ListFormat(i18n.language).format(names) }), color: 'fair', autoClose: 15_000 })
  }
}

interface Typed {
  body: string
  picked: Mentioned[]
}

const nothing: Typed = { body: '', picked: [] }

function WriteComment({ objective }: { objective: string }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const draft = useDraft<Typed>(me.draftKey(`comment:${objective}`), nothing)
  const tell = useUnreached()
  const sending = useSend({
    send: (v: Typed) => got(api.POST('/objectives/{objective_id}/comments', { params: { path: { objective_id: objective } }, body: { body: withMentions(v.body.trim(), v.picked) } })),
    done: (c, v) => {
      draft.clear(nothing)
      void client.invalidateQueries({ queryKey: ['objective', objective, 'comments'] })
      notifications.show({ message: t('comments.sent'), color: 'good' })
      tell(c, v.picked)
    },
  })
  return (
    <Card padding="md">
      <form
        onSubmit={(e) => {
          e.preventDefault()
          if (draft.value.body.trim()) sending.send(draft.value)
        }}
      >
        <Stack gap="sm">
          <MentionArea label={t('comments.write')} description={t('comments.hint')} autosize minRows={2} maxLength={9000} value={draft.value.body} picked={draft.value.picked} error={sending.error('/body')} onChange={(body, picked) => { sending.touch('/body'); draft.set({ body, picked }) }} />
          {sending.problem && <ProblemNote problem={sending.problem} />}
          <Group justify="flex-end">
            <Button type="submit" loading={sending.busy} disabled={!draft.value.body.trim()}>{t('comments.send')}</Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
