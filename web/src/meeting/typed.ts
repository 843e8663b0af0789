import { randomID } from '../api/patience'
import type { Schemas } from '../api/problem'
import { same } from '../forms/merge'
import { once, repetitionOf, ruleOf, type Repetition } from './recurrence'

/** A meeting as it stands in its form. */
export interface MeetingTyped {
  title: string
  place: string
  description: string
  team_id: string | null
  zone: string
  date: string
  start: string
  minutes: string
  repetition: Repetition
  remind: string
  attendees: string[] // besides whoever calls it; in the form of a new one alone
  agenda: { key: string; title: string; minutes: string; objective: string | null }[]
  materials: { key: string; url: string; title: string }[]
  anonymous: boolean
  results: Schemas['MeetingSurvey']['results']
  questions: { key: string; id?: string; kind: 'scale' | 'choice' | 'text'; title: string; choices: string; required: boolean }[]
}

export const deviceZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

export function newMeeting(team: string | null): MeetingTyped {
  return { title: '', place: '', description: '', team_id: team, zone: deviceZone(), date: '', start: '10:00', minutes: '30', repetition: once, remind: '60', attendees: [], agenda: [], materials: [], anonymous: false, results: 'at_start', questions: [] }
}

/** What the clock of a time zone shows, as a form has it. */
export function onClock(iso: string, zone: string): { date: string; start: string } {
  const [date, start] = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' }).format(new Date(iso)).split(' ')
  return { date: date!, start: start! }
}

/** A meeting in its form. A series stands there with its next time, because that is where a change begins. */
export function meetingTyped(m: Schemas['Meeting']): MeetingTyped {
  const at = m.recurrence && m.next ? onClock(m.next.starts_at, m.time_zone) : { date: m.starts_at_local.slice(0, 10), start: m.starts_at_local.slice(11, 16) }
  return {
    title: m.title, place: m.place ?? '', description: m.description ?? '', team_id: m.team_id ?? null, zone: m.time_zone, ...at, minutes: String(m.duration_minutes), repetition: repetitionOf(m.recurrence, m.time_zone), remind: String(m.remind_minutes), attendees: [],
    agenda: m.agenda.map((a, n) => ({ key: `${n}`, title: a.title, minutes: a.minutes === undefined ? '' : String(a.minutes), objective: a.objective_id ?? null })),
    materials: m.materials.map((x, n) => ({ key: `${n}`, url: x.url, title: x.title ?? '' })),
    anonymous: m.survey.anonymous, results: m.survey.results,
    questions: m.survey.questions.map((q) => ({ key: q.id, id: q.id, kind: q.kind as 'scale', title: q.title, choices: q.choices.join('\n'), required: q.required })),
  }
}

const agendaOf = (v: MeetingTyped) => v.agenda.filter((a) => a.title.trim()).map((a) => ({ title: a.title.trim(), minutes: a.minutes ? Number(a.minutes) : undefined, objective_id: a.objective ?? undefined }))
const materialsOf = (v: MeetingTyped) => v.materials.filter((x) => x.url.trim()).map((x) => ({ url: x.url.trim(), title: x.title.trim() || undefined }))
const questionsOf = (v: MeetingTyped) =>
  v.questions.filter((q) => q.title.trim()).map((q) => ({ id: q.id, kind: q.kind, title: q.title.trim(), required: q.required, choices: q.kind === 'choice' ? q.choices.split('\n').map((c) => c.trim()).filter(Boolean) : undefined }))
const startOf = (v: MeetingTyped) => `${v.date}T${v.start}`

export function meetingCreate(v: MeetingTyped): Schemas['MeetingCreate'] {
  const questions = questionsOf(v)
  return {
    title: v.title.trim(), place: v.place.trim() || undefined, description: v.description.trim() || undefined, team_id: v.team_id ?? undefined, time_zone: v.zone, starts_at_local: startOf(v), duration_minutes: Number(v.minutes), recurrence: ruleOf(v.repetition), remind_minutes: Number(v.remind),
    attendee_ids: v.attendees, agenda: agendaOf(v), materials: materialsOf(v), survey: questions.length > 0 ? { anonymous: v.anonymous, results: v.results, questions } : undefined,
  }
}

/** Only what differs from what the edit began with. */
export function meetingPatch(base: MeetingTyped, v: MeetingTyped, revision: number): Schemas['MeetingPatch'] {
  const patch: Schemas['MeetingPatch'] = { revision }
  if (v.title !== base.title) patch.title = v.title.trim()
  if (v.place !== base.place) patch.place = v.place.trim() || null
  if (v.description !== base.description) patch.description = v.description.trim() || null
  if (v.team_id !== base.team_id) patch.team_id = v.team_id
  if (v.zone !== base.zone) patch.time_zone = v.zone
  if (startOf(v) !== startOf(base) || v.zone !== base.zone) patch.starts_at_local = startOf(v)
  if (v.minutes !== base.minutes) patch.duration_minutes = Number(v.minutes)
  if (ruleOf(v.repetition) !== ruleOf(base.repetition)) patch.recurrence = ruleOf(v.repetition) ?? null
  if (v.remind !== base.remind) patch.remind_minutes = Number(v.remind)
  if (!same(agendaOf(v), agendaOf(base))) patch.agenda = agendaOf(v)
  if (!same(materialsOf(v), materialsOf(base))) patch.materials = materialsOf(v)
  const survey: Schemas['SurveyInput'] = {}
  if (v.anonymous !== base.anonymous) survey.anonymous = v.anonymous
  if (v.results !== base.results) survey.results = v.results
  if (!same(questionsOf(v), questionsOf(base))) survey.questions = questionsOf(v)
  if (Object.keys(survey).length > 0) patch.survey = survey
  return patch
}

/** The form by field, for merging. */
export function meetingFields(v: MeetingTyped): Map<string, unknown> {
  return new Map<string, unknown>([
    ['title', v.title], ['place', v.place], ['description', v.description], ['team_id', v.team_id], ['when', `${v.date} ${v.start} ${v.zone}`], ['minutes', v.minutes], ['repetition', ruleOf(v.repetition) ?? ''], ['remind', v.remind],
    ['agenda', v.agenda.map(({ title, minutes, objective }) => ({ title, minutes, objective }))], ['materials', v.materials.map(({ url, title }) => ({ url, title }))],
    ['survey', { anonymous: v.anonymous, results: v.results, questions: v.questions.map(({ id, kind, title, choices, required }) => ({ id, kind, title, choices, required })) }],
  ])
}

/** The form in which each field is mine or theirs, as the merge has it. */
export function mergedMeeting(merged: Map<string, unknown>, mine: MeetingTyped, theirs: MeetingTyped): MeetingTyped {
  const of = (field: string) => (same(merged.get(field), meetingFields(mine).get(field)) ? mine : theirs)
  const when = of('when')
  return {
    title: of('title').title, place: of('place').place, description: of('description').description, team_id: of('team_id').team_id, zone: when.zone, date: when.date, start: when.start, minutes: of('minutes').minutes, repetition: of('repetition').repetition, remind: of('remind').remind,
    attendees: [], agenda: of('agenda').agenda, materials: of('materials').materials, anonymous: of('survey').anonymous, results: of('survey').results, questions: of('survey').questions,
  }
}

export const newQuestion = (): MeetingTyped['questions'][number] => ({ key: randomID(), kind: 'scale', title: '', choices: '', required: false })
