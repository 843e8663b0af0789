// Pictures of progress, the alignment as a tree, and the past.
import assert from 'node:assert/strict'
import { at, button, call, run } from '../steps.mjs'

/** The active cycle, and a parent with children beneath it and one that it supports, made without the page. */
async function family(context, url, children) {
  const cycles = await call(context, url, 'GET', '/cycles')
  const cycle = cycles.items.find((c) => c.state === 'active')
  const make = (title, more = {}) => call(context, url, 'POST', '/objectives', { cycle_id: cycle.id, title: `${title} ${run}`, ...more })
  const parent = await make('Parent')
  const below = []
  for (let n = 1; n <= children; n++) below.push(await make(`Child ${n}`, { parent_objective_id: parent.id }))
  return { cycle, parent, below, make }
}

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute('data-key'))

export const flows = [
  [
    'charts: a cycle day by day, and as a table',
    async (t) => {
      const { page } = await at(t, 'misaki', { language: 'en' })
      await page.goto('/')
      await page.getByRole('link', { name: 'Progress', exact: true }).click()
      await page.getByRole('heading', { name: 'Day by day' }).waitFor()
      const picture = page.getByRole('img', { name: /^Day by day\. / })
      await picture.waitFor()
      assert.match(await picture.getAttribute('aria-label'), /progress is \d+%/, 'the picture says in words what it shows')
      const day = page.getByRole('slider', { name: 'Day' })
      const before = await day.getAttribute('aria-valuetext')
      await day.focus()
      await page.keyboard.press('ArrowLeft')
      await page.waitForFunction((b) => document.querySelector('.scrub').getAttribute('aria-valuetext') !== b, before)
      await page.getByRole('button', { name: 'As a table: Day by day' }).press('Enter')
      const table = page.getByRole('table', { name: 'Day by day' })
      await table.waitFor()
      assert.ok((await table.getByRole('row').count()) > 3, 'each day is a row')
      await button(page, 'As a picture: Day by day')
      await picture.waitFor()
      await button(page, 'As a table: Health by team')
      await page.getByRole('table', { name: 'Health by team' }).getByRole('columnheader', { name: 'Off track' }).waitFor()
    },
  ],
  [
    'charts: from the counts of a cycle to its objectives',
    async (t) => {
      const { page } = await at(t, 'misaki', { language: 'ja' })
      await page.goto('/cycles')
      await page.locator('a.tile', { hasText: '順調' }).click()
      await page.getByRole('heading', { name: '目標', level: 1, exact: true }).waitFor()
      assert.match(page.url(), /health=on_track/)
    },
  ],
  [
    'charts: how sure people have been',
    async (t) => {
      const { page } = await at(t, 'aya', { language: 'en' })
      await page.goto('/objectives/019b76da-a800-7005-8001-000000000009')
      await page.getByRole('img', { name: /^Confidence over time\. The average confidence/ }).waitFor()
      await button(page, 'As a table: Confidence over time')
      await page.getByRole('table', { name: 'Confidence over time' }).waitFor()
    },
  ],
  [
    'the past: a cycle and an objective as they were, and back',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const cycles = await call(context, t.url, 'GET', '/cycles')
      const cycle = cycles.items.find((c) => c.state === 'active')
      const { days } = await call(context, t.url, 'GET', `/cycles/${cycle.id}/progress`)
      const day = days.at(-2).day
      await page.goto(`/cycles/${cycle.id}`)
      await button(page, 'An earlier day')
      await page.getByLabel('Day', { exact: false }).and(page.locator('[type=date]')).fill(day)
      await button(page, 'Show')
      await page.getByText(/^As it was on /).waitFor()
      await page.getByText(/The figures are those of/).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('as_of'), day)
      await page.getByRole('region', { name: 'My objectives' }).getByRole('link').first().click()
      await page.getByText(/^As it was on /).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Check in' }).count(), 0, 'nothing can be done with the past')
      await page.goBack()
      await page.getByText(/^As it was on /).waitFor()
      await button(page, 'Back to today')
      await page.getByText(/^As it was on /).waitFor({ state: 'detached' })
      const fresh = await call(context, t.url, 'POST', '/objectives', { cycle_id: cycle.id, title: `New ${run}` })
      await page.goto(`/objectives/${fresh.id}?as_of=${day}`)
      await page.getByText('It was not there yet').waitFor()
    },
  ],
  [
    'the tree: by keyboard, level by level, and back to where one was',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const { cycle, parent, below } = await family(context, t.url, 3)
      await page.goto(`/cycles/${cycle.id}?tab=tree&focus=${parent.id}`)
      const row = (o) => page.locator(`[data-key="${o.id}"]`)
      await row(parent).waitFor()
      await row(parent).focus()
      assert.equal(await row(parent).getAttribute('aria-expanded'), 'false')
      await page.keyboard.press('ArrowRight')
      await row(below[2]).waitFor()
      assert.equal(await row(below[0]).getAttribute('aria-level'), '2')
      assert.equal(await row(below[0]).getAttribute('aria-setsize'), '3')
      await page.keyboard.press('ArrowRight')
      await page.waitForFunction((id) => document.activeElement?.getAttribute('data-key') === id, below[0].id)
      await page.keyboard.press('ArrowDown')
      await page.waitForFunction((id) => document.activeElement?.getAttribute('data-key') === id, below[1].id)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: below[1].title }).waitFor()
      await page.goBack()
      await row(below[1]).waitFor()
      assert.equal(await row(parent).getAttribute('aria-expanded'), 'true', 'what was open is open')
      assert.equal(await row(below[1]).getAttribute('tabindex'), '0', 'the tab key leads to where one was')
      await row(below[1]).focus()
      await page.keyboard.press('ArrowLeft')
      await page.waitForFunction((id) => document.activeElement?.getAttribute('data-key') === id, parent.id)
      await page.keyboard.press('ArrowLeft')
      await row(below[0]).waitFor({ state: 'detached' })
      assert.equal(await focused(page), parent.id)
    },
  ],
  [
    'the tree: sixty beneath one, further ones on demand, one far down by its address',
    async (t) => {
      const { page, context } = await at(t, 'misaki', { language: 'en' })
      const { cycle, parent, below } = await family(context, t.url, 60)
      await page.goto(`/cycles/${cycle.id}?tab=tree&focus=${below[58].id}`)
      const row = (o) => page.locator(`[data-key="${o.id}"]`)
      await row(below[58]).waitFor()
      assert.equal(await row(parent).getAttribute('aria-expanded'), 'true', 'the path is open')
      await row(below[58]).focus()
      assert.equal(await row(below[58]).getAttribute('aria-level'), '2')
      assert.ok((await page.locator('[data-key]').count()) < 60, 'only rows near the window are on the page')
      for (let n = 0; n < 51; n++) await page.keyboard.press('ArrowDown')
      await page.waitForFunction(() => document.activeElement?.textContent === 'Show more')
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-level') === '2')
      await page.locator(`[data-key="${below[50].id}"]`).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.waitForFunction((id) => document.activeElement?.getAttribute('data-key') === id, below[50].id)
      await page.keyboard.press('ArrowLeft')
      await page.waitForFunction((id) => document.activeElement?.getAttribute('data-key') === id, parent.id)
    },
  ],
  [
    'the place of an objective: parents, children, and a link that is added and taken away',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const { parent, below, make } = await family(context, t.url, 1)
      const other = await make('Helped')
      await page.goto(`/objectives/${below[0].id}`)
      const place = page.getByRole('region', { name: 'Where it stands in the alignment' })
      await place.getByRole('link', { name: parent.title }).waitFor()
      await button(page, 'Add a link')
      await page.getByRole('dialog').getByLabel('Find an objective').fill(`Helped ${run}`)
      await page.getByRole('dialog').getByRole('button', { name: `Support “${other.title}”` }).click()
      await place.getByRole('link', { name: other.title }).waitFor()
      await page.getByRole('button', { name: `Support “${other.title}” no longer` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await place.getByRole('link', { name: other.title }).waitFor({ state: 'detached' })
      await place.getByRole('link', { name: 'In the tree' }).click()
      await page.locator(`[data-key="${below[0].id}"]`).waitFor()
    },
  ],
]
