import { Badge, Box, Button, Card, Group, Stack, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { historyQuery, peopleQuery, teamsQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useFieldNames } from '../forms/fieldNames'
import { compare } from '../forms/merge'
import { eventKinds } from '../i18n/known'
import { PersonName } from '../parts/Badges'
import { Said } from '../parts/Said'
import { Empty, Paged } from '../parts/States'
import { useFormats } from '../time/format'

type Content = Record<string, unknown> & { key_results?: (Record<string, unknown> & { id: string; title: string })[] }

/** A revision's content by field; a key result is one group of fields. */
export function contentFields(content: Content): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const [name, value] of Object.entries(content)) if (name !== 'key_results') fields.set(name, value)
  for (const k of content.key_results ?? []) for (const [name, value] of Object.entries(k)) if (name !== 'id') fields.set(`kr/${k.id}/${name}`, name === 'steps' && Array.isArray(value) ? value.map((s: { title: string }) => ({ title: s.title })) : value)
  return fields
}

export default function History({ objective }: { objective: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(historyQuery(objective))
  useQuery(teamsQuery)
  useQuery(peopleQuery)
  return (
    <Paged query={query} empty={<Card><Empty title={t('state.empty')} /></Card>}>
      {(items) => (
        <Stack gap="sm">
          {items.map((entry, n) => (
            <Entry key={entry.revision} entry={entry} before={items[n + 1]} />
          ))}
        </Stack>
      )}
    </Paged>
  )
}

function Entry({ entry, before }: { entry: Schemas['HistoryEntry']; before?: Schemas['HistoryEntry'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const names = useFieldNames()
  const [opened, { toggle }] = useDisclosure()
  const action = entry.action.replaceAll('.', '_')
  const old = before ? contentFields(before.content as Content) : new Map<string, unknown>()
  const now = contentFields(entry.content as Content)
  const changes = before ? compare(old, now, old).filter((c) => c.path !== 'revision') : []
  const titles = new Map([...((before?.content as Content | undefined)?.key_results ?? []), ...((entry.content as Content).key_results ?? [])].map((k) => [k.id, k.title]))
  const label = (path: string) => {
    const [head, id, name] = path.split('/')
    return head === 'kr' ? `${titles.get(id!) ?? t('form.krs')} · ${names.keyResultField(name!)}` : names.field(path)
  }
  const text = (path: string, value: unknown) => names.show(path, value === true ? '✓' : value === false ? '' : value) || t('history.none')
  return (
    <Card padding="md" component="article">
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <Badge color="gray">{t('objective.revision', { n: entry.revision })}</Badge>
          <Text fw={600} size="sm">{eventKinds.has(action) ? t(`event.${action as 'objective_created'}`) : t('event.other', { action: entry.action })}</Text>
        </Group>
        <Group gap="sm">
          <PersonName person={entry.changed_by} size={20} />
          <Text size="xs" c="dimmed">{f.moment(entry.changed_at)}</Text>
        </Group>
      </Group>
      {entry.note && <Box mt="xs" fz="sm"><Said>{entry.note}</Said></Box>}
      {changes.length > 0 && (
        <Button size="compact-xs" variant="subtle" mt="xs" onClick={toggle} aria-expanded={opened}>
          {t('history.changes')} ({changes.length})
        </Button>
      )}
      {opened && (
        <Table.ScrollContainer minWidth={420}>
          <Table fz="sm" mt="xs" verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('conflict.field')}</Table.Th>
                <Table.Th>{t('history.before')}</Table.Th>
                <Table.Th>{t('history.after')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map((c) => (
                <Table.Tr key={c.path}>
                  <Table.Td>{label(c.path)}</Table.Td>
                  <Table.Td><del className="diff">{text(c.path, c.base)}</del></Table.Td>
                  <Table.Td><ins className="diff">{text(c.path, c.mine)}</ins></Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Card>
  )
}
