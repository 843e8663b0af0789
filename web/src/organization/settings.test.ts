import { describe, expect, it } from 'vitest'
import { merge } from '../forms/merge'
import { fromSettingsFields, settingsFields, settingsPatch, wholeNumber, type SettingsForm } from './settings'

const form = (change: Partial<SettingsForm> = {}): SettingsForm => ({ name: 'A', locale: 'ja', time_zone: 'Asia/Tokyo', cadence: 'weekly', grace_days: '7', ai_enabled: true, ai_monthly_tokens: '', ...change })

describe('settings in a form', () => {
  it('send what was changed alone', () => {
    expect(settingsPatch(form(), form(), 3)).toEqual({ revision: 3 })
    expect(settingsPatch(form(), form({ name: ' B ', ai_monthly_tokens: '１，０００' }), 3)).toEqual({ revision: 3, name: 'B', ai_monthly_tokens: 1000 })
    expect(settingsPatch(form({ ai_monthly_tokens: '5' }), form(), 3)).toEqual({ revision: 3, ai_monthly_tokens: null })
  })
  it('read whole numbers and nothing else', () => {
    expect(wholeNumber('5 000 000')).toBe(5_000_000)
    for (const typed of ['', '-1', '1.5', 'x', '1'.repeat(16)]) expect(wholeNumber(typed)).toBeNaN()
  })
  it('are merged by field', () => {
    const m = fromSettingsFields(merge(settingsFields(form()), settingsFields(form({ name: 'mine' })), settingsFields(form({ grace_days: '9' })), () => 'mine'))
    expect(m).toMatchObject({ name: 'mine', grace_days: '9' })
  })
})
