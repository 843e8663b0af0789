import { useTranslation } from 'react-i18next'
import type { Problem } from '../api/problem'
import { problemTypes } from '../i18n/known'

const own = ['identity-taken', 'second-identity', 'only-way-in', 'sign-in-failed', 'provider-unavailable', 'confirmation-needed'] as const

/** What to say of a problem with what opens an account. The address of a page may hold any word for one. */
export function useWayProblem() {
  const { t } = useTranslation()
  return (problem: Pick<Problem, 'type'>, name: string): string => {
    const known = own.find((type) => type === problem.type)
    if (known) return t(`own.wayProblem.${known}`, { name })
    if (problem.type !== 'internal' && problemTypes.has(problem.type)) return t(`problem.${problem.type as 'offline'}`)
    return t('own.wayProblem.sign-in-failed', { name })
  }
}
