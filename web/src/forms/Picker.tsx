import { Select, type ComboboxItem, type ComboboxParsedItem, type SelectProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Named } from '../api/names'
import { useFound, type Scope } from './found'
import { Option } from './Option'

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  kind: Named
  scope?: Scope
  value: string | null
  onChange: (id: string | null) => void
  known?: { id: string; name: string }
  shown?: string
  missing?: boolean
}

/** One of very many, which the server finds. */
export default function Picker({ kind, scope, value, onChange, known, shown, missing, ...props }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState(false)
  const label = shown ?? (missing ? t('choice.hidden') : '…')
  const { items, nothing } = useFound(kind, typed === label || typed === known?.name ? '' : typed, scope, asked)
  const listed = new Set(items.map((i) => i.value))
  const data = [...(value !== null && !listed.has(value) ? [{ value, label }] : []), ...items]
  // The server has looked; what is chosen stays known without standing among what was found.
  const filter = ({ options }: { options: ComboboxParsedItem[] }) => options.filter((o) => listed.has((o as ComboboxItem).value))
  return (
    <Select
      searchable
      checkIconPosition="right"
      clearButtonProps={{ 'aria-label': t('do.clear') }}
      {...props}
      data={data}
      filter={filter}
      onDropdownOpen={() => setAsked(true)}
      onSearchChange={setTyped}
      value={value}
      onChange={(id) => onChange(id)}
      nothingFoundMessage={nothing}
      renderOption={({ option, checked }) => <Option item={option} checked={checked ?? false} />}
    />
  )
}
