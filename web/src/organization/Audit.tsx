import { Card, Code, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { auditQuery } from '../api/queries'
import { Empty, Paged } from '../parts/States'
import { useFormats } from '../time/format'

/** Who did what, when and from where. Actions keep their technical names here, which are what one searches other logs for. */
export function Audit() {
  const { t } = useTranslation()
  const f = useFormats()
  const query = useInfiniteQuery(auditQuery)
  return (
    <Card padding="xs">
      <Paged query={query} empty={<Empty title={t('org.noAudit')} />}>
        {(items) => (
          <div className="rows">
            {items.map((e) => (
              <Group key={e.id} className="row" style={{ display: 'flex' }} px="xs" justify="space-between" gap="xs" align="flex-start">
                <Stack gap={2} style={{ minWidth: 0 }}>
                  <Group gap="xs">
                    <Code>{e.action}</Code>
                    <Text size="sm" fw={600}>{e.actor?.name ?? '–'}</Text>
                  </Group>
                  <Text size="xs" c="dimmed" ff="monospace">{e.target_kind} {e.target_id}{e.target_revision !== undefined && ` · ${t('objective.revision', { n: e.target_revision })}`}</Text>
                </Stack>
                <Stack gap={2} align="flex-end">
                  <Text size="xs" c="dimmed">{f.moment(e.happened_at)}</Text>
                  {e.address && <Text size="xs" c="dimmed">{t('org.where')} {e.address}</Text>}
                </Stack>
              </Group>
            ))}
          </div>
        )}
      </Paged>
    </Card>
  )
}
