import { expect, it } from 'vitest'
import { tongue } from './tongue'

it('tells Japanese by its kana and English by its plain words', () => {
  expect(tongue('問い合わせる前に、答えが見つかるようにする')).toBe('ja')
  expect(tongue('NPSを30から45に')).toBe('ja')
  expect(tongue('Factories never notice our deployments')).toBe('en')
  expect(tongue('Nguyễn Thị Lan')).toBeUndefined()
  expect(tongue('経営会議')).toBeUndefined()
  expect(tongue('NPS')).toBeUndefined()
  expect(tongue('')).toBeUndefined()
})
