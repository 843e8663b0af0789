import { Select, type SelectProps } from '@mantine/core'

export default function LateSelect(props: SelectProps) {
  return <Select {...props} />
}
