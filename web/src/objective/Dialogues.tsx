import { Button, Card, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { api, got } from '../api/client'
import { dialoguesQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useDraft } from '../forms/draft'
import { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { Empty, Paged } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

export default function Dialogues({ objective: o }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const navigate = useNavigate()
  const client = useQueryClient()
  const query = useInfiniteQuery(dialoguesQuery(o.id))
  const draft = useDraft(me.draftKey(`dialogue:${o.id}`), '')
  const opening = useSend({
    send: (title: string) => got(api.POST('/objectives/{objective_id}/dialogues', { params: { path: { objective_id: o.id } }, body: { title: title.trim() } })),
    done: (d) => {
      draft.clear('')
      void client.invalidateQueries({ queryKey: ['objective', o.id, 'dialogues'] })
      void navigate(`/dialogues/${d.id}`)
    },
  })
  return (
    <Stack>
      {me.writes && (
        <Card padding="md">
          <form
            noValidate
            onSubmit={(e) => {
              e.preventDefault()
              opening.send(draft.value || t('dialogue.startPlaceholder'))
            }}
          >
            <Stack gap="sm">
              <Group align="flex-end" gap="sm">
                <TextInput flex="1 1 220px" label={t('dialogue.startTitle')} placeholder={t('dialogue.startPlaceholder')} maxLength={300} value={draft.value} error={opening.error('/title')} onChange={(e) => { opening.touch('/title'); draft.set(e.currentTarget.value) }} />
                <Button type="submit" loading={opening.busy} leftSection={<IconSparkles size={18} />}>{t('dialogue.start')}</Button>
              </Group>
              {opening.problem && <ProblemNote problem={opening.problem} />}
            </Stack>
          </form>
        </Card>
      )}
      <Paged query={query} empty={<Card><Empty title={t('dialogue.none')} why={t('dialogue.noneWhy')} icon={<IconSparkles size={24} />} /></Card>}>
        {(items) => (
          <Stack gap="sm">
            {items.map((d) => (
              <Card key={d.id} component={Link} to={`/dialogues/${d.id}`} className="card-link" padding="md">
                <Text fw={600} className="phrase">{d.title}</Text>
                <Text size="sm" c="dimmed">{t('dialogue.opened', { name: d.opened_by.name, when: f.ago(d.created_at) })}</Text>
              </Card>
            ))}
          </Stack>
        )}
      </Paged>
    </Stack>
  )
}
