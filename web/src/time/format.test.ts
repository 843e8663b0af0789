import { describe, expect, it } from 'vitest'
import { daysBetween, decimalOf, formats, percentOf, tenths, today } from './format'

describe('writing things down', () => {
  it('keeps every digit of an amount', () => {
    expect(formats('en').amount('123456789012345.123456')).toBe('123,456,789,012,345.123456')
    expect(formats('ja').amount('0.1', '%')).toBe('0.1%')
    expect(formats('en').amount('12', 'days')).toBe('12 days')
    expect(formats('ja').amount('16', '日')).toBe('16日')
  })
  it('shows moments where the person is, and days as they are', () => {
    expect(formats('ja', 'Asia/Tokyo').moment('2026-12-31T15:00:00Z')).toContain('2027')
    expect(formats('en', 'America/New_York').day('2027-01-01')).toBe('Jan 1, 2027')
  })
  it('says how long ago', () => {
    const now = Date.parse('2026-11-30T12:00:00Z')
    expect(formats('en').ago('2026-11-30T11:59:30Z', now)).toBe('this minute')
    expect(formats('en').ago('2026-11-30T10:00:00Z', now)).toBe('2 hours ago')
    expect(formats('ja').ago('2026-11-29T12:00:00Z', now)).toBe('昨日')
  })
  it('knows the day of a time zone', () => {
    expect(today('Asia/Tokyo', new Date('2026-12-31T15:30:00Z'))).toBe('2027-01-01')
    expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2)
  })
  it('reads amounts as people type them', () => {
    expect(decimalOf(' １２．５ ')).toBe('12.5')
    expect(decimalOf('1,234,567')).toBe('1234567')
    expect(decimalOf('−3')).toBe('-3')
    expect(decimalOf('1,5')).toBe('1,5')
  })
  it('rounds scores half up', () => {
    expect(['0.65', '0.6499999999999999999', '0.95', '1.2', '0', '-0.3', '0.04'].map(tenths)).toEqual(['0.7', '0.6', '1.0', '1.0', '0.0', '0.0', '0.0'])
  })
  it.each([['0', 0], ['0.5', 50], ['0.5217', 52], ['0.525', 53], ['0.9949', 99], ['0.995', 100], ['1', 100], ['1.2', 120], ['', 0]])('has %s in whole percent', (share, percent) => {
    expect(percentOf(share)).toBe(percent)
  })
})
