import { Anchor, Group, Stack, Text } from '@mantine/core'
import type { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Schemas } from '../api/problem'
import { HealthBadge, StateBadge } from '../parts/Badges'
import { Loading, Paged } from '../parts/States'
import { tongue } from '../parts/tongue'

/** A list of objectives of the alignment, page by page. */
export function Nodes({ query, none, end, beneath }: { query: ReturnType<typeof useInfiniteQuery<Schemas['AlignmentPage']>>; none: string; end?: (n: Schemas['AlignmentNode']) => ReactNode; beneath?: (n: Schemas['AlignmentNode']) => ReactNode }) {
  return (
    <Paged query={query} loading={<Loading rows={1} height={24} />} empty={<Text size="sm" c="dimmed">{none}</Text>}>
      {(items) => (
        <Stack component="ul" gap={8} m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map((n) => (
            <Group key={n.id} component="li" justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
              <div style={{ minWidth: 0 }}>
                <Anchor component={Link} to={`/objectives/${n.id}`} size="sm" lang={tongue(n.title)}>{n.title}</Anchor>
                <Text size="xs" c="dimmed">{[n.owner.name, beneath?.(n)].filter(Boolean).join(' · ')}</Text>
              </div>
              <Group gap={4} wrap="nowrap" style={{ flexShrink: 0 }}>
                {n.state === 'approved' || n.state === 'closed' ? <HealthBadge health={n.health} /> : <StateBadge state={n.state} archived={n.archived} />}
                {end?.(n)}
              </Group>
            </Group>
          ))}
        </Stack>
      )}
    </Paged>
  )
}
