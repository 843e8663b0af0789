// What the flows have in common.
import assert from 'node:assert/strict'
import { open, people, signIn } from './browser.mjs'

/** Keeps apart what one run makes from what others do. */
export const run = Date.now().toString(36)

/** Somebody's browser, signed in. */
export async function at(t, who, options) {
  const o = t.keep(await open(t.browser, t.url, options))
  if (who) await signIn(o.context, t.url, people[who])
  return o
}

/** A request without the page. */
export async function call(context, url, method, path, data) {
  const answer = await context.request.fetch(`${url}/api/v1${path}`, { method, data })
  assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`)
  return answer.status() === 204 ? null : answer.json()
}

/** A draft of somebody's, made without the page. */
export async function draft(context, url, title, krs = []) {
  const cycles = await call(context, url, 'GET', '/cycles')
  const session = await call(context, url, 'GET', '/session')
  const cycle = cycles.items.find((c) => c.state === 'active') ?? cycles.items[0]
  return call(context, url, 'POST', '/objectives', { cycle_id: cycle.id, team_id: session.team_ids[0], title, key_results: krs })
}

export async function button(page, name, options) {
  await page.getByRole('button', { name, exact: true }).click(options)
}
