import type { Schemas } from '../api/problem'
import type { ObjectiveForm } from './objective'

/** An objective's content as its history keeps it. */
export interface Content {
  title: string
  description?: string | null
  kind: Schemas['ObjectiveKind']
  visibility: Schemas['Visibility']
  owner_id: string
  team_id?: string | null
  parent_objective_id?: string | null
  parent_key_result_id?: string | null
  key_results: ContentKeyResult[]
}

interface ContentKeyResult {
  id: string
  title: string
  description?: string | null
  owner_id?: string | null
  kind: Schemas['KeyResultKind']
  unit: string
  baseline?: string | null
  target?: string | null
  stretch?: string | null
  at_least?: string | null
  at_most?: string | null
  tolerance?: string | null
  weight: string
  steps: { id: string; title: string; weight: string }[]
}

/** A revision as it would stand in the form in which it was edited. */
export function contentForm(c: Content): ObjectiveForm {
  return {
    title: c.title, description: c.description ?? '', kind: c.kind, visibility: c.visibility, team_id: c.team_id ?? null, owner_id: c.owner_id, parent_objective_id: c.parent_objective_id ?? null, parent_key_result_id: c.parent_key_result_id ?? null,
    key_results: c.key_results.map((k) => ({
      key: k.id, id: k.id, owner_id: k.owner_id ?? undefined, title: k.title, description: k.description ?? '', kind: k.kind, unit: k.unit, baseline: k.baseline ?? '', target: k.target ?? '', stretch: k.stretch ?? '',
      at_least: k.at_least ?? '', at_most: k.at_most ?? '', tolerance: k.tolerance ?? '', weight: k.weight, steps: k.steps.map((s) => ({ key: s.id, ...s })),
    })),
  }
}
