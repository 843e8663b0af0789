import { Alert, Button } from '@mantine/core'
import { IconArchive, IconArrowBackUp, IconCheck, IconFlagCheck, IconLockOpen, IconPencil, IconRestore, IconSend } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/problem'
import { lazily } from '../parts/lazily'
import { MoreMenu } from '../parts/MoreMenu'

const MoveDialog = lazily(() => import('./MoveDialog'), 'pace')

type Action = Schemas['ObjectiveAction']

const icon = { submit: IconSend, approve: IconCheck, return: IconArrowBackUp, revise: IconPencil, close: IconFlagCheck, reopen: IconLockOpen, archive: IconArchive, restore: IconRestore } as const
const main: Action[] = ['submit', 'approve', 'return', 'close', 'reopen', 'restore']

/** What the review waits for, in a sentence. */
export function MoveHint({ objective: o }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const hint = o.archived ? null : o.state === 'submitted' ? (o.actions.includes('approve') ? t('move.yours') : t('move.waiting')) : o.state === 'draft' && o.may_edit ? t('move.draftHint') : null
  return hint && <Alert color={o.state === 'submitted' ? 'fair' : 'ai'} py="xs">{hint}</Alert>
}

/** What may be done with the objective as it stands, by whoever looks at it. */
export function Moves({ objective: o }: { objective: Schemas['Objective'] }) {
  const { t } = useTranslation()
  const [moving, setMoving] = useState<Action | null>(null)
  const first = main.filter((a) => o.actions.includes(a))
  const rest = o.actions.filter((a) => !main.includes(a))
  return (
    <>
      {first.map((a) => {
        const Icon = icon[a]
        return (
          <Button key={a} variant={(a === 'submit' && o.key_results.length > 0) || a === 'approve' ? 'filled' : 'default'} leftSection={<Icon size={18} />} onClick={() => setMoving(a)}>
            {t(`move.${a}`)}
          </Button>
        )
      })}
      {rest.length > 0 && (
        <MoreMenu
          label={t('move.bar')}
          items={rest.map((a) => {
            const Icon = icon[a]
            return { label: t(`move.${a}`), icon: <Icon size={18} />, act: () => setMoving(a) }
          })}
        />
      )}
      <Suspense fallback={null}>{moving && <MoveDialog objective={o} action={moving} close={() => setMoving(null)} />}</Suspense>
    </>
  )
}
