import { Alert, Anchor, Group, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Schemas } from '../api/problem'

/** What an objective hangs on that is not simply there to be shown: a parent out of sight, or a copy's original. */
export default function Origin({ objective: o }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  return (
    <>
      <Group gap="lg" fz="sm">
        {o.parent_hidden && (
          <Group gap={6} component="span">
            <IconLock size={16} aria-hidden />
            <span><Text span inherit c="dimmed">{t('objective.parent')}: </Text>{t('pace.hiddenParent')}</span>
          </Group>
        )}
        {o.carried_from_id && (
          <span>
            <Text span inherit c="dimmed">{t('pace.carriedFrom')}: </Text>
            <Anchor component={Link} to={`/objectives/${o.carried_from_id}`} size="sm" underline="always">{t('pace.carriedLink')}</Anchor>
          </span>
        )}
      </Group>
      {o.alignment_flagged && <Alert color="fair" py="xs">{t('pace.flagged')}</Alert>}
    </>
  )
}
