import type { Schemas } from '../api/problem'
import type { Fields } from '../forms/merge'

/** The settings as they stand in a form: every field a text or a switch. */
export interface SettingsForm {
  name: string
  locale: Schemas['Locale']
  time_zone: string
  cadence: Schemas['Cadence']
  grace_days: string
  ai_enabled: boolean
  ai_monthly_tokens: string
}

export const settingsForm = (o: Schemas['OrganizationSettings']): SettingsForm => ({
  name: o.name, locale: o.locale, time_zone: o.time_zone, cadence: o.cadence, grace_days: String(o.grace_days), ai_enabled: o.ai_enabled, ai_monthly_tokens: o.ai_monthly_tokens === null ? '' : String(o.ai_monthly_tokens),
})

export const settingsFields = (f: SettingsForm): Fields => new Map(Object.entries(f))
export const fromSettingsFields = (m: ReadonlyMap<string, unknown>) => Object.fromEntries(m) as unknown as SettingsForm

/** A whole number as people write it: full-width digits and separators are forgiven. NaN for anything else. */
export function wholeNumber(typed: string): number {
  const digits = typed.normalize('NFKC').replace(/[,\s_]/g, '')
  return /^\d{1,15}$/.test(digits) ? Number(digits) : NaN
}

/** What differs, as it is sent. */
export function settingsPatch(before: SettingsForm, after: SettingsForm, revision: number): Schemas['OrganizationPatch'] {
  const patch: Schemas['OrganizationPatch'] = { revision }
  if (after.name !== before.name) patch.name = after.name.trim()
  if (after.locale !== before.locale) patch.locale = after.locale
  if (after.time_zone !== before.time_zone) patch.time_zone = after.time_zone
  if (after.cadence !== before.cadence) patch.cadence = after.cadence
  if (after.grace_days !== before.grace_days) patch.grace_days = wholeNumber(after.grace_days)
  if (after.ai_enabled !== before.ai_enabled) patch.ai_enabled = after.ai_enabled
  if (after.ai_monthly_tokens !== before.ai_monthly_tokens) patch.ai_monthly_tokens = after.ai_monthly_tokens.trim() === '' ? null : wholeNumber(after.ai_monthly_tokens)
  return patch
}
