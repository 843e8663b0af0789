import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** What somebody looks for, sent once they pause. */
export function SearchField({ value, label, set }: { value: string; label: string; set: (text: string) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  if (value !== shown) {
    // The address was changed, such as by going back.
    setShown(value)
    if (value !== typed.trim()) setTyped(value)
  }
  const send = useDebouncedCallback(set, 300)
  const change = (text: string) => {
    setTyped(text)
    send(text.trim().slice(0, 200))
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={18} aria-hidden />}
      maxLength={200}
      value={typed}
      onChange={(e) => change(e.currentTarget.value)}
      rightSection={typed && <CloseButton size="sm" aria-label={t('do.clear')} onClick={() => change('')} />}
    />
  )
}
