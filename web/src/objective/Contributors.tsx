import { Box, Button, Text } from '@mantine/core'
import { IconBinaryTree, IconChevronDown } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { childrenQuery } from '../tree/queries'
import { Nodes } from './Nodes'

interface Props {
  objective: string
  keyResult: { id: string; title: string }
}

/** Opens what contributes to a key result. How much that is, is known where the first page of what contributes to the objective is all of it; that page is read once, for all key results. */
export function ContributorsButton({ objective, keyResult: k, opened, toggle }: Props & { opened: boolean; toggle: () => void }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(childrenQuery(objective))
  const items = query.data?.pages.flatMap((p) => p.items)
  if (!items) return null
  const count = items.filter((n) => n.parent_key_result_id === k.id).length
  if (count === 0 && !query.hasNextPage && !opened) return null
  const label = t('place.contributors') + (count > 0 ? ` (${count}${query.hasNextPage ? '+' : ''})` : '')
  return (
    <Button size="xs" variant="subtle" onClick={toggle} aria-expanded={opened} leftSection={opened ? <IconChevronDown size={16} /> : <IconBinaryTree size={16} />} aria-label={`${label}: ${k.title}`}>
      {label}
    </Button>
  )
}

export function Contributors({ objective, keyResult: k }: Props) {
  const heading = useId()
  const { t } = useTranslation()
  const query = useInfiniteQuery(childrenQuery(objective, k.id))
  return (
    <Box mt="md" component="section" aria-labelledby={heading}>
      <Text id={heading} size="xs" c="dimmed" mb={6}>{t('place.contributorsTo', { title: k.title })}</Text>
      <Nodes query={query} none={t('place.contributorsNone')} />
    </Box>
  )
}
