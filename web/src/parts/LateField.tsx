import { TextInput, type SelectProps } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'

/** What a choice has in common with the field that stands in its place until it is loaded. */
export type LateProps = Pick<SelectProps, 'label' | 'aria-label' | 'description' | 'placeholder' | 'error' | 'size' | 'w' | 'miw' | 'maw' | 'flex' | 'disabled' | 'required' | 'withAsterisk' | 'mt' | 'mb'>

/** A choice before it is there: as large, with what is chosen in it, so that nothing moves when the real one takes its place. */
export function LateField({ label, 'aria-label': name, description, placeholder, error, size, w, miw, maw, flex, disabled, required, withAsterisk, mt, mb, shown }: LateProps & { shown?: string }) {
  return <TextInput {...{ label, description, placeholder, error, size, w, miw, maw, flex, disabled, required, withAsterisk, mt, mb }} aria-label={name} readOnly value={shown ?? ''} rightSection={<IconSelector size={16} aria-hidden />} rightSectionPointerEvents="none" />
}
