import { Button, Card, Combobox, Group, Stack, Text, Textarea, useCombobox } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconMessageCircle } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { commentsQuery, peopleQuery } from '../api/queries'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { PersonName } from '../parts/Badges'
import { ProblemNote } from '../parts/ProblemNote'
import { Said, withMentions } from '../parts/Said'
import { Empty, Paged } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

export default function Comments({ objective }: { objective: string }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const query = useInfiniteQuery(commentsQuery(objective))
  return (
    <Stack>
      <Paged query={query} empty={<Card><Empty title={t('comments.none')} why={t('comments.noneWhy')} icon={<IconMessageCircle size={24} />} /></Card>}>
        {(items) => (
          <Stack gap="sm">
            {items.map((c) => (
              <Card key={c.id} padding="md" component="article">
                <Group justify="space-between" mb={6}>
                  <PersonName person={c.author} bold />
                  <Text size="xs" c="dimmed">{f.ago(c.created_at)}</Text>
                </Group>
                <Said>{c.body}</Said>
              </Card>
            ))}
          </Stack>
        )}
      </Paged>
      {me.writes && <WriteComment objective={objective} />}
    </Stack>
  )
}

interface Typed {
  body: string
  picked: { id: string; name: string }[]
}

const nothing: Typed = { body: '', picked: [] }

function WriteComment({ objective }: { objective: string }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const draft = useDraft<Typed>(me.draftKey(`comment:${objective}`), nothing)
  const people = useQuery(peopleQuery)
  const area = useRef<HTMLTextAreaElement>(null)
  const [asked, setAsked] = useState<string | null>(null) // what follows the @ before the cursor
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const found = asked === null ? [] : (people.data ?? []).filter((p) => !p.suspended && p.id !== me.user.id && p.name.toLowerCase().includes(asked.toLowerCase())).slice(0, 8)
  const sending = useSend({
    send: (v: Typed) => got(api.POST('/objectives/{objective_id}/comments', { params: { path: { objective_id: objective } }, body: { body: withMentions(v.body.trim(), v.picked) } })),
    done: () => {
      draft.clear(nothing)
      void client.invalidateQueries({ queryKey: ['objective', objective, 'comments'] })
      notifications.show({ message: t('comments.sent'), color: 'good' })
    },
  })
  function look(el: HTMLTextAreaElement) {
    const m = /(?:^|[\s、。])@([^\s@、。]{0,30})$/.exec(el.value.slice(0, el.selectionStart))
    setAsked(m ? m[1]! : null)
    if (m) combobox.openDropdown()
    else combobox.closeDropdown()
  }
  function pick(id: string) {
    const person = found.find((p) => p.id === id)
    const el = area.current
    if (!person || !el) return
    const at = el.selectionStart
    const before = el.value.slice(0, at).replace(/@[^\s@、。]*$/, `@${person.name} `)
    draft.set((d) => ({ body: before + d.body.slice(at), picked: d.picked.some((p) => p.id === id) ? d.picked : [...d.picked, { id, name: person.name }] }))
    combobox.closeDropdown()
    setAsked(null)
    requestAnimationFrame(() => {
      el.focus()
      el.setSelectionRange(before.length, before.length)
    })
  }
  return (
    <Card padding="md">
      <form
        onSubmit={(e) => {
          e.preventDefault()
          if (draft.value.body.trim()) sending.send(draft.value)
        }}
      >
        <Stack gap="sm">
          <Combobox store={combobox} onOptionSubmit={pick} withinPortal>
            <Combobox.EventsTarget withKeyboardNavigation={found.length > 0}>
              <Textarea
                ref={area}
                label={t('comments.write')}
                description={t('comments.hint')}
                autosize
                minRows={2}
                maxLength={9000}
                value={draft.value.body}
                error={sending.error('/body')}
                onChange={(e) => {
                  const el = e.currentTarget
                  const body = el.value
                  draft.set((d) => ({ ...d, body }))
                  sending.touch('/body')
                  look(el)
                }}
                onBlur={() => combobox.closeDropdown()}
              />
            </Combobox.EventsTarget>
            <Combobox.Dropdown hidden={found.length === 0}>
              <Combobox.Options aria-label={t('comments.mention')}>
                {found.map((p) => (
                  <Combobox.Option key={p.id} value={p.id}>
                    <PersonName person={p} icon={p.icon_url} />
                  </Combobox.Option>
                ))}
              </Combobox.Options>
            </Combobox.Dropdown>
          </Combobox>
          {sending.problem && <ProblemNote problem={sending.problem} />}
          <Group justify="flex-end">
            <Button type="submit" loading={sending.busy} disabled={!draft.value.body.trim()}>{t('comments.send')}</Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
