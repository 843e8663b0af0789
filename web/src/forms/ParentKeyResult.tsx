import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../api/problem'
import { objectiveQuery } from '../api/queries'
import { Choice } from '../parts/Choice'
import { Failed } from '../parts/States'

interface Props {
  parent: string
  value: string | null
  onChange: (id: string | null) => void
  error?: string
}

/** Which key result of the parent an objective contributes to, if not to the whole of it. A parent without any, or out of sight, has nothing to choose from. */
export function ParentKeyResult({ parent, value, onChange, error }: Props) {
  const { t } = useTranslation()
  const query = useQuery(objectiveQuery(parent))
  if (query.isError && !query.data) return problemOf(query.error).status === 404 ? null : <Failed error={query.error} again={() => void query.refetch()} />
  const there = query.data?.key_results ?? []
  if (query.data && there.length === 0 && value === null) return null
  const data = there.map((k) => ({ value: k.id, label: k.title }))
  if (query.data && value !== null && !there.some((k) => k.id === value)) data.unshift({ value, label: t('form.parentKrGone') })
  return (
    <Choice
      label={t('form.parentKr')}
      placeholder={query.data ? t('form.parentWhole') : t('app.loading')}
      disabled={!query.data}
      clearable
      clearButtonProps={{ 'aria-label': t('do.clear') }}
      value={value}
      onChange={onChange}
      data={data}
      error={error}
    />
  )
}
