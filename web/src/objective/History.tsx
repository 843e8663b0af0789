import { Badge, Box, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRestore } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keyResultOf } from '../api/names'
import { historyQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { useFieldNames } from '../forms/fieldNames'
import { eventKinds } from '../i18n/known'
import { PersonName } from '../parts/Badges'
import { lazily } from '../parts/lazily'
import { Said } from '../parts/Said'
import { Empty, Paged } from '../parts/States'
import { TextDiff } from '../parts/TextDiff'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

const RestoreDialog = lazily(() => import('./RestoreDialog'), 'versions')

export default function History({ objective: o }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(historyQuery(o.id))
  const [restoring, setRestoring] = useState<Schemas['HistoryEntry'] | null>(null)
  const me = useMe()
  return (
    <>
      <Paged query={query} empty={<Card><Empty title={t('state.empty')} /></Card>}>
        {(items) => (
          <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
            {items.map((entry) => (
              <li key={entry.revision}>
                <Entry entry={entry} present={entry.revision === o.revision} restore={me.writes && o.may_edit && entry.revision !== o.revision ? () => setRestoring(entry) : undefined} />
              </li>
            ))}
          </Stack>
        )}
      </Paged>
      <Suspense fallback={null}>{restoring && <RestoreDialog objective={o} entry={restoring} close={() => setRestoring(null)} />}</Suspense>
    </>
  )
}

function Entry({ entry, present, restore }: { entry: Schemas['HistoryEntry']; present: boolean; restore?: () => void }) {
  const { t } = useTranslation()
  const f = useFormats()
  const [opened, { toggle }] = useDisclosure()
  const action = entry.action.replaceAll('.', '_')
  // A key result of the parent is named by its id alone; what it is called stands with its objective.
  const content = entry.content as { parent_objective_id?: string | null }
  const moved = entry.changes.find((c) => c.pointer === '/parent_objective_id')
  const parents = { before: (moved ? moved.before : content.parent_objective_id) as string | null | undefined, after: content.parent_objective_id }
  return (
    <Card padding="md" component="article" aria-label={t('objective.revision', { n: entry.revision })}>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <Badge color={present ? 'ai' : 'gray'}>{t('objective.revision', { n: entry.revision })}</Badge>
          <Text fw={600} size="sm">{eventKinds.has(action) ? t(`event.${action as 'objective_created'}`) : t('event.other', { action: entry.action })}</Text>
          {present && <Badge color="good">{t('versions.present')}</Badge>}
        </Group>
        <Group gap="sm">
          <PersonName person={entry.changed_by} size={20} />
          <Text size="xs" c="dimmed">{f.moment(entry.changed_at)}</Text>
        </Group>
      </Group>
      {entry.note && <Box mt="xs" fz="sm"><Said>{entry.note}</Said></Box>}
      {(entry.changes.length > 0 || restore) && (
        <Group gap="xs" mt="xs">
          {entry.changes.length > 0 && (
            <Button size="compact-sm" variant="subtle" onClick={toggle} aria-expanded={opened}>
              {t('history.changes')} ({entry.changes.length})
            </Button>
          )}
          {restore && (
            <Button size="compact-sm" variant="subtle" leftSection={<IconRestore size={16} />} onClick={restore} aria-label={`${t('versions.restore')}: ${t('objective.revision', { n: entry.revision })}`}>
              {t('versions.restore')}
            </Button>
          )}
        </Group>
      )}
      {opened && (
        <Stack gap="sm" mt="sm">
          {entry.changes.map((c, n) => (
            <Change key={`${c.pointer}${n}`} change={c} parents={parents} />
          ))}
        </Stack>
      )}
    </Card>
  )
}

/** One thing that a revision changed: what it is called, what it was, and what it became. */
function Change({ change: c, parents }: { change: Schemas['HistoryChange']; parents: { before?: string | null; after?: string | null } }) {
  const { t } = useTranslation()
  const names = useFieldNames()
  const path = c.pointer.split('/').slice(1) // key_results/ID/steps/ID/title
  const inKeyResult = path[0] === 'key_results'
  const step = path[2] === 'steps'
  const name = path.at(-1)!
  const ofItem = inKeyResult && (path.length === 2 || (step && path.length === 4)) // came or went as a whole
  const field = c.kind === 'moved' ? t('versions.order') : ofItem ? (step ? t('versions.step') : t('versions.keyResult')) : inKeyResult ? names.keyResultField(name) : names.field(name)
  const label = c.label ? `${c.label} · ${field}` : field
  const show = (value: unknown, parent?: string | null): string => {
    if (value === undefined || value === null || value === '') return ''
    if (Array.isArray(value)) return value.map((v) => show(v)).join(' · ')
    if (typeof value === 'object') return titleOf(value)
    if (typeof value === 'boolean') return value ? t('versions.yes') : t('versions.no')
    if (name === 'parent_key_result_id') return parent ? names.nameOf('key_result', keyResultOf(parent, String(value))) : ''
    return names.show(inKeyResult ? `kr/x/${name}` : name, value)
  }
  const before = show(c.before, parents.before)
  const after = show(c.after, parents.after)
  const long = (name === 'title' || name === 'description') && before !== '' && after !== ''
  return (
    <Box fz="sm" style={{ borderInlineStart: '3px solid var(--kakeai-line)', paddingInlineStart: 12 }}>
      <Text size="xs" c="dimmed" mb={2}>{label}</Text>
      {long ? (
        <TextDiff before={before} after={after} />
      ) : (
        <Group gap="xs" align="baseline">
          {c.kind !== 'added' && <span><Text span size="xs" c="dimmed">{t('history.before')} </Text><del className="diff">{before || t('history.none')}</del></span>}
          {c.kind !== 'removed' && <span><Text span size="xs" c="dimmed">{t('history.after')} </Text><ins className="diff">{after || t('history.none')}</ins></span>}
        </Group>
      )}
    </Box>
  )
}

const titleOf = (value: object) => ('title' in value && typeof value.title === 'string' ? value.title : JSON.stringify(value))
