import { describe, expect, it } from 'vitest'
import type { Schemas } from '../api/problem'
import { band, noteNeeded, scorePut } from './scores'

const objective = (suggested: string, note_needed: boolean, may_close = true) => ({ objective: { id: 'x', revision: 4 }, suggested_score: suggested, expected_score: '1', note_needed, may_close }) as unknown as Schemas['ObjectiveToScore']

describe('scores', () => {
  it('need a note as the server says, or for another score', () => {
    expect(noteNeeded(objective('0.65', false), undefined)).toBe(false)
    expect(noteNeeded(objective('0.65', false), { score: '0.7' })).toBe(false)
    expect(noteNeeded(objective('0.65', false), { score: '0.6' })).toBe(true)
    expect(noteNeeded(objective('0.65', true), undefined)).toBe(true)
    expect(noteNeeded(objective('0.9', true), { score: '1.0' })).toBe(true)
  })
  it('are sent with what was typed, and the common note only where one is needed', () => {
    expect(scorePut(objective('1', false), undefined, 'common')).toEqual({ objective_id: 'x', revision: 4 })
    expect(scorePut(objective('0.5', true), undefined, '')).toBeUndefined()
    expect(scorePut(objective('0.5', true), undefined, ' common ')).toEqual({ objective_id: 'x', revision: 4, note: 'common' })
    expect(scorePut(objective('0.5', true), { score: '0.8', note: 'own' }, 'common')).toEqual({ objective_id: 'x', revision: 4, score: '0.8', note: 'own' })
    expect(scorePut(objective('1', false, false), undefined, '')).toBeUndefined()
  })
  it('have the colours of their bands', () => {
    expect(['0.0', '0.3', '0.4', '0.6', '0.7', '1.0'].map(band)).toEqual(['poor', 'poor', 'fair', 'fair', 'good', 'good'])
  })
})
