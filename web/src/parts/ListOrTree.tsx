import { Button } from '@mantine/core'
import { IconBinaryTree, IconList } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

/** Between the objectives of a cycle as a list and as a tree. */
export function ListOrTree({ cycle, here }: { cycle: string; here: 'list' | 'tree' }) {
  const { t } = useTranslation()
  return (
    <Button.Group {...{ role: 'group', 'aria-label': t('nav.listOrTree') }}>
      <Button size="xs" variant={here === 'list' ? 'light' : 'default'} component={Link} to={`/objectives?cycle=${cycle}`} aria-current={here === 'list' ? 'true' : undefined} leftSection={<IconList size={16} />}>{t('nav.list')}</Button>
      <Button size="xs" variant={here === 'tree' ? 'light' : 'default'} component={Link} to={`/cycles/${cycle}?tab=tree`} aria-current={here === 'tree' ? 'true' : undefined} leftSection={<IconBinaryTree size={16} />}>{t('nav.tree')}</Button>
    </Button.Group>
  )
}
