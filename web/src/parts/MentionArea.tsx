import { Textarea, type TextareaProps } from '@mantine/core'
import { Suspense, useLayoutEffect, useRef } from 'react'
import { lazily } from './lazily'
import type { Mentioned } from './mentions'

const LateMentionArea = lazily(() => import('./LateMentionArea'))

export type MentionAreaProps = Omit<TextareaProps, 'value' | 'onChange'> & {
  value: string
  picked: Mentioned[]
  onChange: (value: string, picked: Mentioned[]) => void
}

/** A text in which people are mentioned by @ and the beginning of their names. The server looks for them, however many there are. One can write before the list of names is loaded. */
export function MentionArea(props: MentionAreaProps) {
  const heldRef = useRef<readonly [number, number] | null>(null)
  return (
    <Suspense fallback={<Plain {...props} heldRef={heldRef} />}>
      <LateMentionArea {...props} heldRef={heldRef} />
    </Suspense>
  )
}

function Plain({ value, picked, onChange, heldRef, ...props }: MentionAreaProps & { heldRef: { current: readonly [number, number] | null } }) {
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const el = area.current
    return () => {
      if (el && document.activeElement === el) heldRef.current = [el.selectionStart, el.selectionEnd]
    }
  }, [heldRef])
  return <Textarea {...props} ref={area} value={value} onChange={(e) => onChange(e.currentTarget.value, picked)} />
}
