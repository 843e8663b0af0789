import { describe, expect, it } from 'vitest'
import { withMentions, withoutMentions } from './mentions'

const aoi = { id: '0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77', name: '佐藤 葵' }
const ao = { id: '0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a78', name: '佐藤' }

describe('mentions', () => {
  it('travel with the id of whom they name', () => {
    expect(withMentions('@佐藤 葵 さん、@佐藤 さん', [ao, aoi])).toBe(`@[佐藤 葵](member:${aoi.id}) さん、@[佐藤](member:${ao.id}) さん`)
  })
  it('come back as they were written', () => {
    const text = 'Hello @[佐藤 葵](member:0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77), again @[佐藤 葵](member:0193f0a1-7c1e-7d3a-9f10-0c5b3f1f2a77)'
    expect(withoutMentions(text)).toEqual({ body: 'Hello @佐藤 葵, again @佐藤 葵', picked: [aoi] })
    const { body, picked } = withoutMentions(text)
    expect(withMentions(body, picked)).toBe(text)
  })
})
