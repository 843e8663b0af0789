import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Suspense, useState, type ComponentPropsWithRef, type ReactNode } from 'react'
import { lazily } from './lazily'

const OpenMenu = lazily(() => import('./OpenMenu'))

export interface MoreItem {
  label: string
  icon?: ReactNode
  act: () => void
  danger?: boolean
  disabled?: boolean
}

/** What else can be done, behind three dots. The menu itself is loaded when it is first asked for. */
export function MoreMenu({ label, items }: { label: string; items: MoreItem[] }) {
  const [asked, setAsked] = useState(false)
  if (!asked) return <MoreButton label={label} onClick={() => setAsked(true)} />
  return (
    <Suspense fallback={<MoreButton label={label} />}>
      <OpenMenu label={label} items={items} />
    </Suspense>
  )
}

export function MoreButton({ label, ...props }: { label: string } & ActionIconProps & ComponentPropsWithRef<'button'>) {
  return (
    <ActionIcon variant="default" size={36} aria-haspopup="menu" aria-label={label} {...props}>
      <IconDots size={18} />
    </ActionIcon>
  )
}
