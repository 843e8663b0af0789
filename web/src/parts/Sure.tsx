import { Button, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, type ReactNode } from 'react'

const SureDialog = lazy(() => import('./SureDialog'))

/** A button that asks first. */
export function SureButton({ label, question, act, danger, ...button }: { label: string; question: ReactNode; act: () => Promise<unknown>; danger?: boolean; 'aria-label'?: string } & ButtonProps) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button {...button} onClick={open}>
        {label}
      </Button>
      <Suspense fallback={null}>{opened && <SureDialog question={question} label={label} act={act} close={close} danger={danger} />}</Suspense>
    </>
  )
}
