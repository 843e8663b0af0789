import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import coach from './areas/coach.en'

it('every rule of the coach has a name', () => {
  const source = readFileSync('../internal/ai/rules_checks.go', 'utf8')
  const rules = [...source.matchAll(/name: "([a-z-]+)"/g)].map((m) => m[1]!)
  expect(rules.length).toBeGreaterThan(24)
  expect(rules.filter((rule) => !Object.hasOwn(coach.coach.rules, rule))).toEqual([])
})
