import type { Schemas } from '../api/problem'

/** A follow-up as it stands in a form. */
export interface Typed {
  title: string
  assignee: string
  due: string
}

export const typed = (x: Schemas['FollowUp']): Typed => ({ title: x.title, assignee: x.assignee.id, due: x.due_on ?? '' })

export const fieldsOf = (v: Typed) => new Map<string, unknown>([['title', v.title], ['assignee', v.assignee], ['due', v.due]])

/** Only what differs from what the edit began with, so that it is refused for nothing that was not touched. */
export function followUpPatch(base: Typed, v: Typed, revision: number): Schemas['FollowUpPatch'] {
  const patch: Schemas['FollowUpPatch'] = { revision }
  if (v.title !== base.title) patch.title = v.title.trim()
  if (v.assignee !== base.assignee) patch.assignee_id = v.assignee
  if (v.due !== base.due) patch.due_on = v.due || null
  return patch
}
