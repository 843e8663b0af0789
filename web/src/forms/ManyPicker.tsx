import { MultiSelect, type ComboboxItem, type ComboboxParsedItem, type MultiSelectProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNames, type Named } from '../api/names'
import { useFound, type Scope } from './found'
import { Option } from './Option'

interface Props extends Omit<MultiSelectProps, 'data' | 'value' | 'onChange'> {
  kind: Named
  scope?: Scope
  value: string[]
  onChange: (ids: string[]) => void
  max?: number
}

/** Some of very many. */
export default function ManyPicker({ kind, scope, value, onChange, max, ...props }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState(false)
  const nameOf = useNames()
  const { items, nothing } = useFound(kind, typed, scope, asked)
  const listed = new Set(items.map((i) => i.value))
  const data = [...value.filter((id) => !listed.has(id)).map((id) => ({ value: id, label: nameOf(kind, id) })), ...items]
  const filter = ({ options }: { options: ComboboxParsedItem[] }) => options.filter((o) => listed.has((o as ComboboxItem).value))
  return (
    <MultiSelect
      searchable
      hidePickedOptions
      checkIconPosition="right"
      clearButtonProps={{ 'aria-label': t('do.clear') }}
      {...props}
      maxValues={max}
      data={data}
      filter={filter}
      onDropdownOpen={() => setAsked(true)}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value}
      onChange={onChange}
      nothingFoundMessage={nothing}
      renderOption={({ option }) => <Option item={option} checked={false} />}
    />
  )
}
