import { Button, Card } from '@mantine/core'
import { IconTargetArrow } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMe } from '../session/me'
import { Empty } from './States'

/** Where objectives would be and there is no cycle for them: whoever may make one is led there. */
export function NoCycles() {
  const { t } = useTranslation()
  const me = useMe()
  return (
    <Card>
      <Empty icon={<IconTargetArrow size={24} />} title={t('objectives.noCycles')} why={me.administers ? t('org.noCyclesWhy') : t('objectives.noCyclesWhy')} action={me.administers ? <Button mt="xs" component={Link} to="/organization/cycles?new=true">{t('org.newCycle')}</Button> : undefined} />
    </Card>
  )
}
