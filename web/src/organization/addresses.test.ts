import { describe, expect, it } from 'vitest'
import { addressesIn } from './addresses'

describe('pasted addresses', () => {
  it('are read however they are separated', () => {
    expect(addressesIn('a@example.com\r\nb@example.com, c@example.com;d@example.com\te@example.com  f@example.com、g@example.com')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((x) => `${x}@example.com`))
  })
  it('may have names', () => {
    expect(addressesIn('佐藤 葵 <aoi@example.com>\n"Noah Bennett" <noah@example.com>\nAya Nakamura aya@example.com')).toEqual(['aoi@example.com', 'noah@example.com', 'aya@example.com'])
  })
  it('count once, whatever their case and width', () => {
    expect(addressesIn('A@Example.com a@example.com ａ＠ｅｘａｍｐｌｅ．ｃｏｍ')).toEqual(['A@Example.com'])
  })
  it('that are none are kept, for the server to refuse', () => {
    expect(addressesIn('nobody\n\n ,, ')).toEqual(['nobody'])
  })
})
