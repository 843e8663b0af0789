import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { Suspense, useState, type ComponentPropsWithRef } from 'react'
import { useTranslation } from 'react-i18next'
import { lazily } from './lazily'

const AskAsOf = lazily(() => import('./AskAsOf'), 'progress')

/** The way to a day of the past. What asks for the day is loaded when it is first wanted. */
export function AsOfButton({ from }: { from?: string }) {
  const [asked, setAsked] = useState(false)
  if (!asked) return <PastButton onClick={() => setAsked(true)} />
  return (
    <Suspense fallback={<PastButton />}>
      <AskAsOf from={from} />
    </Suspense>
  )
}

export function PastButton(props: ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation()
  return <Button variant="default" leftSection={<IconHistory size={18} />} {...props}>{t('objective.earlierDay')}</Button>
}
