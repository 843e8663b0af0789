import { expect, test, vi } from 'vitest'
import { together } from './together'

test('what is asked for in one turn is one request, each id once', async () => {
  const read = vi.fn((ids: string[]) => Promise.resolve(new Map(ids.filter((id) => id !== 'gone').map((id) => [id, `name of ${id}`]))))
  const name = together(read, 100)
  expect(await Promise.all([name('a'), name('b'), name('a'), name('gone')])).toEqual(['name of a', 'name of b', 'name of a', null])
  expect(read.mock.calls).toEqual([[['a', 'b', 'gone']]])
  await name('a')
  expect(read).toHaveBeenCalledTimes(2)
})

test('more than a request takes are several, and one that fails fails alone', async () => {
  const read = vi.fn((ids: string[]) => (ids.includes('c') ? Promise.reject(new Error('broken')) : Promise.resolve(new Map(ids.map((id) => [id, id])))))
  const name = together(read, 2)
  const results = await Promise.allSettled(['a', 'b', 'c'].map(name))
  expect(results.map((r) => r.status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(read).toHaveBeenCalledTimes(2)
})
