import { useTranslation } from 'react-i18next'
import { keyResultOf, useNames } from '../api/names'
import type { Schemas } from '../api/problem'
import { useFormats } from '../time/format'
import type { KeyResultForm, ObjectiveForm, Parent } from './objective'

/** What the fields of an objective are called, and how their values are shown to people. */
export function useFieldNames() {
  const { t } = useTranslation()
  const f = useFormats()
  const nameOf = useNames()
  const field = (name: string): string => {
    const labels: Record<string, string> = {
      title: t('form.title'), description: t('form.description'), kind: t('form.kind'), visibility: t('visibility.label'), team_id: t('form.team'), owner_id: t('form.owner'), parent: t('form.parent'), parent_objective_id: t('form.parent'), parent_key_result_id: t('form.parentKr'), state: t('objectives.state'), score: t('objective.score'), archived: t('objectiveState.archived'),
    }
    return labels[name] ?? name
  }
  const keyResultField = (name: string): string => {
    const labels: Record<string, string> = {
      title: t('form.krTitle'), description: t('form.krDescription'), kind: t('form.krKind'), unit: t('form.unit'), baseline: t('form.baseline'), target: t('form.target'), stretch: t('form.stretch'), at_least: t('form.atLeast'), at_most: t('form.atMost'), tolerance: t('form.tolerance'), weight: t('form.weight'), steps: t('form.steps'), owner_id: t('form.owner'),
    }
    return (labels[name] ?? name).replace(/\s?[(（][^)）]*[)）]$/, '')
  }
  const whole = (k: KeyResultForm): string => {
    const amount = (s: string) => (/^-?\d+(\.\d+)?$/.test(s) ? f.amount(s, k.unit) : s || '–')
    if (k.kind === 'metric') return `${k.title}: ${t('objective.from', { a: amount(k.baseline), b: amount(k.target) })}`
    if (k.kind === 'threshold') return `${k.title}: ${k.at_least && k.at_most ? t('objective.between', { a: amount(k.at_least), b: amount(k.at_most) }) : k.at_least ? t('objective.atLeast', { a: amount(k.at_least) }) : t('objective.atMost', { a: amount(k.at_most) })}`
    return `${k.title}: ${k.steps.map((s) => s.title).join(' · ')}`
  }
  const parentName = ({ objective, keyResult }: Parent): string => {
    const name = nameOf('objective', objective)
    return keyResult ? `${name} (${t('objective.through', { title: nameOf('key_result', keyResultOf(objective, keyResult)) })})` : name
  }
  const show = (path: string, value: unknown): string => {
    const name = path.split('/').pop() ?? path
    if (value === undefined || value === null || value === '') return ''
    if (path === 'parent') return parentName(value as Parent)
    if (path.startsWith('kr/') && typeof value === 'object' && !Array.isArray(value)) return whole(value as KeyResultForm)
    if (name === 'steps') return (value as { title: string }[]).map((s) => s.title).join(' · ')
    if (name === 'kind') return value === 'committed' || value === 'aspirational' ? t(`kind.${value}`) : t(`krKind.${value as 'metric'}`)
    if (name === 'visibility') return t(`visibility.${value as Schemas['Visibility']}`)
    if (name === 'state') return t(`objectiveState.${value as Schemas['ObjectiveState']}`)
    if (name === 'team_id') return nameOf('team', value as string)
    if (name === 'owner_id') return nameOf('person', value as string)
    if (name === 'parent_objective_id') return nameOf('objective', value as string)
    return String(value)
  }
  const label = (path: string, forms: ObjectiveForm[]): string => {
    const [head, key, name] = path.split('/')
    if (head !== 'kr') return field(path)
    const title = forms.flatMap((x) => x.key_results).find((k) => k.key === key)?.title ?? t('form.krs')
    return name ? `${title} · ${keyResultField(name)}` : title
  }
  return { field, keyResultField, show, label, whole, parentName, nameOf }
}
