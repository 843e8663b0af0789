import { Button, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense, type ReactNode } from 'react'
import { lazily } from './lazily'

const SureDialog = lazily(() => import('./SureDialog'))

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
