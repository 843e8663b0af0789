import { Button, Card, Group, Menu, Text } from '@mantine/core'
import { IconArchive, IconArrowBackUp, IconCheck, IconDots, IconFlagCheck, IconLockOpen, IconPencil, IconRestore, IconSend } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/problem'

const MoveDialog = lazy(() => import('./MoveDialog'))

type Action = Schemas['ObjectiveAction']

const icon = { submit: IconSend, approve: IconCheck, return: IconArrowBackUp, revise: IconPencil, close: IconFlagCheck, reopen: IconLockOpen, archive: IconArchive, restore: IconRestore } as const
const main: Action[] = ['submit', 'approve', 'return', 'close', 'reopen', 'restore']

/** What may be done with the objective as it stands, by whoever looks at it. */
export function Moves({ objective: o }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const [moving, setMoving] = useState<Action | null>(null)
  const first = main.filter((a) => o.actions.includes(a))
  const rest = o.actions.filter((a) => !main.includes(a))
  const hint = o.archived ? null : o.state === 'submitted' ? (o.actions.includes('approve') ? t('move.yours') : t('move.waiting')) : o.state === 'draft' && o.may_edit ? t('move.draftHint') : null
  if (o.actions.length === 0 && !hint) return null
  return (
    <Card component="section" aria-label={t('move.bar')} padding="sm" bg="var(--mantine-color-default)">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" flex="1 1 200px">{hint}</Text>
        <Group gap="xs">
          {first.map((a, n) => {
            const Icon = icon[a]
            return (
              <Button key={a} variant={n === 0 && a !== 'reopen' ? 'filled' : 'default'} leftSection={<Icon size={18} />} onClick={() => setMoving(a)}>
                {t(`move.${a}`)}
              </Button>
            )
          })}
          {rest.length > 0 && (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" px="xs" aria-label={t('do.more')}><IconDots size={18} /></Button>
              </Menu.Target>
              <Menu.Dropdown>
                {rest.map((a) => {
                  const Icon = icon[a]
                  return <Menu.Item key={a} leftSection={<Icon size={18} />} onClick={() => setMoving(a)}>{t(`move.${a}`)}</Menu.Item>
                })}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      </Group>
      <Suspense fallback={null}>{moving && <MoveDialog objective={o} action={moving} close={() => setMoving(null)} />}</Suspense>
    </Card>
  )
}
