import { describe, expect, it } from 'vitest'
import { auditCSV, cell, startOfDay } from './audit'

describe('the audit', () => {
  it('has days of the organisation', () => {
    expect(startOfDay('2026-11-30', 'Asia/Tokyo')).toBe('2026-11-29T15:00:00.000Z')
    expect(startOfDay('2026-11-30', 'Asia/Tokyo', 1)).toBe('2026-11-30T15:00:00.000Z')
    expect(startOfDay('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
    expect(startOfDay('2026-03-30', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z')
    expect(startOfDay('2026-11-01', 'America/New_York', 1)).toBe('2026-11-02T05:00:00.000Z')
  })
  it('is a file that spreadsheets read and do not run', () => {
    expect(cell('=1+1')).toBe("'=1+1")
    expect(cell('a "b", c')).toBe('"a ""b"", c"')
    const text = auditCSV([{ id: 'i', action: 'a.b', target_kind: 'a', target_id: 't', detail: { x: '1,2' }, happened_at: '2026-11-30T00:00:00Z', actor: { id: 'p', name: '+山田' } }])
    expect(text.startsWith('\ufeffhappened_at,')).toBe(true)
    expect(text).toContain(`'+山田`)
    expect(text).toContain(`"{""x"":""1,2""}"`)
  })
})
