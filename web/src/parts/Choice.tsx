import type { SelectProps } from '@mantine/core'
import { Suspense } from 'react'
import { LateField } from './LateField'
import { lazily } from './lazily'

const Select = lazily(async () => ({ default: (await import('./LateSelect')).default }))

type Props = Omit<SelectProps, 'data' | 'onChange' | 'value'> & { value: string | null; onChange: (value: string | null) => void; data: readonly { value: string; label: string; disabled?: boolean }[] }

/** A choice of a few things. What opens it is loaded after the page is there: lists that open weigh more than most pages. */
export function Choice(props: Props) {
  return (
    <Suspense fallback={<LateField {...props} shown={props.data.find((d) => d.value === props.value)?.label} />}>
      <Select checkIconPosition="right" {...props} data={[...props.data]} />
    </Suspense>
  )
}
