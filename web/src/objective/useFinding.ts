import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { useFieldNames } from '../forms/fieldNames'

/** What the rules of the coach are called, and what a remark is about. A rule that has no name here keeps its own. */
export function useFinding() {
  const { t } = useTranslation()
  const names = useFieldNames()
  const rule = (check: string): string => {
    const known = i18next.getResource(i18next.language, 'translation', 'coach.rules') as Record<string, string> | undefined
    return known?.[check] ?? check
  }
  const about = (pointer: string): string | undefined => {
    const [, head, place, field] = pointer.split('/')
    if (!head) return undefined
    if (head !== 'key_results') return names.field(head)
    if (place === undefined) return t('form.krs')
    const kr = t('form.kr', { n: Number(place) + 1 })
    return field ? `${kr} · ${names.keyResultField(field)}` : kr
  }
  return { rule, about }
}
