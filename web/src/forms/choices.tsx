import { Select, type SelectProps } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { objectivesQuery, peopleQuery, teamsQuery } from '../api/queries'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & { value: string | null; onChange: (id: string | null) => void }

const common = { searchable: true, limit: 60, checkIconPosition: 'right', clearButtonProps: {} } as const

/** People are found by name or address. */
export function PersonSelect({ value, onChange, known, ...props }: Props & { known?: { id: string; name: string } }) {
  const { t } = useTranslation()
  const people = useQuery(peopleQuery)
  const data = (people.data ?? []).filter((p) => !p.suspended || p.id === value).map((p) => ({ value: p.id, label: p.name }))
  if (known && !data.some((d) => d.value === known.id)) data.unshift({ value: known.id, label: known.name })
  return <Select {...common} {...props} data={data} value={value} onChange={onChange} nothingFoundMessage={people.isPending ? t('app.loading') : t('app.paletteNone')} />
}

export function TeamSelect({ value, onChange, ...props }: Props) {
  const { t } = useTranslation()
  const teams = useQuery(teamsQuery)
  return <Select {...common} {...props} data={(teams.data ?? []).filter((x) => !x.archived || x.id === value).map((x) => ({ value: x.id, label: x.name }))} value={value} onChange={onChange} nothingFoundMessage={teams.isPending ? t('app.loading') : t('app.paletteNone')} />
}

/** The first 200 objectives of a cycle, as what another one can contribute to. */
export function ParentSelect({ value, onChange, cycle, not, ...props }: Props & { cycle?: string; not?: string }) {
  const { t } = useTranslation()
  const objectives = useInfiniteQuery({ ...objectivesQuery({ cycle_id: cycle }, 200), enabled: cycle !== undefined })
  const items = (objectives.data?.pages.flatMap((p) => p.items) ?? []).filter((o) => o.id !== not)
  return <Select {...common} {...props} data={items.map((o) => ({ value: o.id, label: o.title }))} value={value} onChange={onChange} nothingFoundMessage={objectives.isPending ? t('app.loading') : t('app.paletteNone')} />
}
