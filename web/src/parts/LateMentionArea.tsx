import { Combobox, Loader, Text, Textarea, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { useMe } from '../session/me'
import { PersonName } from './Badges'
import type { MentionAreaProps } from './MentionArea'

const at = /(?:^|[\s、。（(「])@([^\s@、。]{0,40})$/

/** heldRef has where the cursor stood in the field whose place this one takes. */
export default function LateMentionArea({ value, picked, onChange, heldRef, ...props }: MentionAreaProps & { heldRef: { current: readonly [number, number] | null } }) {
  const { t } = useTranslation()
  const me = useMe()
  const area = useRef<HTMLTextAreaElement>(null)
  const [asked, setAsked] = useState('') // what follows the @ before the cursor
  const [q] = useDebouncedValue(asked, 200)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const query = useQuery({
    queryKey: ['search', 'person', q],
    enabled: q !== '',
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => got(api.GET('/search', { params: { query: { q, kind: 'person', limit: 8 } }, signal })),
  })
  const found = asked === '' ? [] : (query.data?.people?.items ?? []).filter((p) => p.id !== me.user.id)
  function look(el: HTMLTextAreaElement) {
    const m = at.exec(el.value.slice(0, el.selectionStart))
    setAsked(m?.[1] ?? '')
    if (m?.[1]) combobox.openDropdown()
    else combobox.closeDropdown()
  }
  useEffect(() => {
    if (heldRef.current === null || area.current === null) return
    area.current.focus({ preventScroll: true })
    area.current.setSelectionRange(...heldRef.current)
    heldRef.current = null
    look(area.current) // a name may have been begun before
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when it takes the place
  }, [])
  function pick(id: string) {
    const person = found.find((p) => p.id === id)
    const el = area.current
    if (!person || !el) return
    const before = value.slice(0, el.selectionStart).replace(/@[^\s@、。]*$/, `@${person.name} `)
    onChange(before + value.slice(el.selectionStart), picked.some((p) => p.id === id) ? picked : [...picked, { id, name: person.name }])
    combobox.closeDropdown()
    setAsked('')
    requestAnimationFrame(() => {
      el.focus()
      el.setSelectionRange(before.length, before.length)
    })
  }
  return (
    <Combobox store={combobox} onOptionSubmit={pick} withinPortal>
      <Combobox.EventsTarget withKeyboardNavigation={found.length > 0}>
        <Textarea
          {...props}
          ref={area}
          value={value}
          onChange={(e) => {
            onChange(e.currentTarget.value, picked)
            look(e.currentTarget)
          }}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.EventsTarget>
      <Combobox.Dropdown hidden={asked === ''}>
        <Combobox.Options aria-label={t('comments.mention')} mah={280} style={{ overflowY: 'auto' }}>
          {found.map((p) => (
            <Combobox.Option key={p.id} value={p.id}>
              <PersonName person={p} />
              <Text size="xs" c="dimmed" pl={32}>{p.email}</Text>
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>{query.isFetching || q !== asked ? <Loader size="xs" aria-label={t('app.loading')} /> : t('app.paletteNone')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
