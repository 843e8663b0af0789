import type { Schemas } from '../api/problem'
import { tenths } from '../time/format'

/** What somebody has typed for an objective. */
export interface Entry {
  score?: string
  note?: string
}

export const scoreChoices = ['0.0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9', '1.0'] as const

export const suggestedOf = (o: Schemas['ObjectiveToScore']) => tenths(o.suggested_score)

export const scoreOf = (o: Schemas['ObjectiveToScore'], e: Entry | undefined) => e?.score ?? suggestedOf(o)

/** Another score than suggested needs a note, and so does a committed objective below 1. The server has the last word. */
export function noteNeeded(o: Schemas['ObjectiveToScore'], e: Entry | undefined): boolean {
  const score = scoreOf(o, e)
  if (score === suggestedOf(o)) return o.note_needed
  return true
}

/** What is sent for an objective, or nothing where a note is lacking. */
export function scorePut(o: Schemas['ObjectiveToScore'], e: Entry | undefined, common: string): Schemas['ScorePut'] | undefined {
  const needed = noteNeeded(o, e)
  const note = e?.note?.trim() || (needed ? common.trim() : '')
  if (!o.may_close || (needed && !note)) return undefined
  const score = scoreOf(o, e)
  return { objective_id: o.objective.id, revision: o.objective.revision, ...(score === suggestedOf(o) ? {} : { score }), ...(note ? { note } : {}) }
}

/** The colours of OKR: up to 0.3, up to 0.6, and from 0.7 on. */
export const band = (score: string) => (score >= '0.7' ? 'good' : score >= '0.4' ? 'fair' : 'poor')
