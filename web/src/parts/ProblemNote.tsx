import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Problem } from '../api/problem'
import { fieldCodes, problemTypes } from '../i18n/known'

/** What to say of a problem, in the reader's language: the server's own words are English. */
export function useProblemText() {
  const { t } = useTranslation()
  return (problem: Problem): string => {
    if (problem.type === 'internal') return t('problem.internal', { id: problem.body.request_id ?? '–' })
    if (problemTypes.has(problem.type)) return t(`problem.${problem.type as 'offline'}`)
    return t('problem.other', { type: problem.type })
  }
}

export function useFieldText() {
  const { t } = useTranslation()
  return (code: string | undefined): string | undefined => {
    if (code === undefined) return undefined
    return fieldCodes.has(code) ? t(`field.${code as 'required'}`) : t('field.other', { code })
  }
}

export function ProblemNote({ problem }: { problem: Problem }) {
  const text = useProblemText()
  return (
    <Alert role="alert" color="poor" icon={<IconAlertTriangle />}>
      {text(problem)}
    </Alert>
  )
}
