import { expect, test } from 'vitest'
import { rowsOf, stepsInTree, stepTo, supportsOf, type Level, type Node } from './rows'

const node = (id: string, child_count = 0, supported_count = 0) => ({ id, title: id, child_count, more_children: false, supported_count, supporter_count: 0 }) as Node
const level = (nodes: Node[], more = false): Level => ({ nodes, more, loading: false, failed: false })
const told = (levels: Map<string, Level>, open: string[], pins = new Map<string, Node>()) => rowsOf(levels, new Set(open), pins).map((r) => `${'  '.repeat(r.level - 1)}${r.kind === 'node' || r.kind === 'support' ? r.key : r.kind}`)

const levels = new Map([['', level([node('a', 2, 1), node('b')])], ['a', level([node('a1', 1), node('a2')], true)], ['a1', level([node('deep')])], [supportsOf('a'), level([node('x')])]])

test('what is open shows what is beneath it, then what it supports, and what is more', () => {
  expect(told(levels, [])).toEqual(['a', 'b'])
  expect(told(levels, ['a', 'b', 'a1'])).toEqual(['a', '  a1', '    deep', '  a2', '  more', '  a>x', 'b'])
})

test('what is not read yet, failed, or empty has a row that says so', () => {
  expect(told(new Map(), [])).toEqual(['loading'])
  expect(told(new Map([['', { nodes: [], more: false, loading: false, failed: true }]]), [])).toEqual(['failed'])
  expect(told(new Map([['', level([])]]), [])).toEqual(['none'])
  expect(told(new Map([['', level([], true)]]), [])).toEqual(['more'])
})

test('a pinned node stands first until its page has come, and never twice', () => {
  const pins = new Map([['a', node('a9')]])
  expect(told(levels, ['a'], pins)).toEqual(['a', '  a9', '  a1', '  a2', '  more', '  a>x', 'b'])
  expect(told(levels, ['a'], new Map([['a', node('a2')]]))).toEqual(['a', '  a1', '  a2', '  more', '  a>x', 'b'])
})

test('how many there are is said only where it is known', () => {
  const rows = rowsOf(levels, new Set(['a']), new Map())
  expect(rows.filter((r) => r.kind === 'node').map((r) => [r.key, r.place, r.size])).toEqual([['a', 1, 2], ['a1', 1, -1], ['a2', 2, -1], ['b', 2, 2]])
})

test('keys lead from row to row', () => {
  const rows = rowsOf(levels, new Set(['a']), new Map())
  expect(stepTo(rows, 0, 'ArrowRight')).toBe(1)
  expect(stepTo(rows, 1, 'ArrowRight')).toBeUndefined()
  expect(stepTo(rows, 2, 'ArrowLeft')).toBe(0)
  expect(stepTo(rows, 0, 'ArrowLeft')).toBeUndefined()
  expect(stepTo(rows, 0, 'ArrowUp')).toBe(0)
  expect(stepTo(rows, 0, 'End')).toBe(rows.length - 1)
  const waiting = rowsOf(new Map([['', level([node('a', 1), node('b')])]]), new Set(['a']), new Map())
  expect(waiting.map((r) => r.kind)).toEqual(['node', 'loading', 'node'])
  expect(stepTo(waiting, 0, 'ArrowDown')).toBe(2)
  expect(stepTo(waiting, 2, 'ArrowUp')).toBe(0)
  expect(stepTo(rows, 0, 'PageDown')).toBe(rows.length - 1)
})

test('a path begins in the tree behind what is not in it', () => {
  const step = (id: string, more: object = {}) => ({ hidden: false, id, title: id, cycle_id: 'c', archived: false, ...more })
  expect(stepsInTree([step('a'), step('b')], 'c')).toEqual(['a', 'b'])
  expect(stepsInTree([step('a'), { hidden: true }, step('b'), step('d')], 'c')).toEqual(['b', 'd'])
  expect(stepsInTree([step('a', { cycle_id: 'old' }), step('b')], 'c')).toEqual(['b'])
  expect(stepsInTree([step('a', { archived: true }), step('b')], 'c')).toEqual(['b'])
})
