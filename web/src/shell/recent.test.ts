import { beforeEach, expect, test, vi } from 'vitest'
import { noteRecent, recentOf } from './recent'

const objective = (n: number) => `/objectives/019b76da-a800-7005-8001-${String(n).padStart(12, '0')}`

beforeEach(() => localStorage.clear())

test('what was opened last stands first, each thing once, by its latest title', () => {
  noteRecent('me', objective(1), 'One')
  noteRecent('me', objective(2), 'Two')
  noteRecent('me', objective(1), 'One, renamed')
  expect(recentOf('me')).toEqual([{ path: objective(1), title: 'One, renamed' }, { path: objective(2), title: 'Two' }])
})

test('only the last eight are kept', () => {
  for (let n = 1; n <= 12; n++) noteRecent('me', objective(n), String(n))
  expect(recentOf('me').map((r) => r.title)).toEqual(['12', '11', '10', '9', '8', '7', '6', '5'])
})

test('pages that everybody knows, and parts of things, are not noted', () => {
  for (const path of ['/', '/objectives', '/objectives/new', `${objective(1)}/edit`, '/organization/members', '/cycles/now']) noteRecent('me', path, 'x')
  expect(recentOf('me')).toEqual([])
})

test('everybody has their own', () => {
  noteRecent('org:me:', objective(1), 'Mine')
  expect(recentOf('org:you:')).toEqual([])
})

test('what is kept may be anything, or not be kept at all', () => {
  for (const kept of ['{', 'null', '{"path":"/"}']) {
    localStorage.setItem('kakeai:recent:me', kept)
    expect(recentOf('me')).toEqual([])
    noteRecent('me', objective(1), 'One')
    expect(recentOf('me')).toHaveLength(1)
  }
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(() => noteRecent('me', objective(2), 'Two')).not.toThrow()
  full.mockRestore()
  expect(recentOf('me')).toHaveLength(1)
})
