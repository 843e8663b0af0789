import { describe, expect, it } from 'vitest'
import { cell, line } from './csv'

describe('a CSV that is made here', () => {
  it('puts into quotation marks what needs them', () => {
    expect(line(['a', 'b,c', 'say "x"', 'two\nlines', ' edge '])).toBe('a,"b,c","say ""x""","two\nlines"," edge "\r\n')
  })
  it('leaves nothing for a spreadsheet to compute', () => {
    expect(['=1+1', '@sum', '+cmd', '-x', '＝１'].map(cell)).toEqual(["'=1+1", "'@sum", "'+cmd", "'-x", "'＝１"])
    expect(cell("'=1+1"), 'what came with its apostrophe keeps that one').toBe("'=1+1")
    expect(['-5', '+3.5', '1,234'].map(cell)).toEqual(['-5', '+3.5', '"1,234"'])
  })
})
