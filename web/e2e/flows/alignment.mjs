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
    'alignment: a key result of the parent is chosen, kept, met by somebody else, and shown on both sides',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const { cycle, make } = await family(context, t.url, 0)
      const metric = (title) => ({ title, kind: 'metric', unit: '%', baseline: '5', target: '3' })
      const parent = await make('Keep customers', { key_results: [metric('Churn'), metric('Renewals')] })
      const [churn, renewals] = parent.key_results
      const child = await make('Answer first', { parent_objective_id: parent.id })
      await page.goto(`/objectives/${child.id}/edit`)
      const which = page.getByRole('combobox', { name: 'Which key result of it' }).or(page.getByRole('textbox', { name: 'Which key result of it' }))
      const choose = async (title) => {
        await which.click()
        await page.getByRole('option', { name: title, exact: true }).click()
      }
      await choose('Churn')
      await page.reload() // what was chosen is kept
      await page.getByText('What you typed before has been restored.').waitFor()
      await page.waitForFunction((label) => [...document.querySelectorAll('input')].some((i) => i.labels?.[0]?.textContent === label && i.value === 'Churn'), 'Which key result of it')
      await call(context, t.url, 'PATCH', `/objectives/${child.id}`, { revision: child.revision, parent_key_result_id: renewals.id })
      await button(page, 'Save')
      const conflict = page.getByRole('dialog', { name: 'Somebody else has changed this' })
      await conflict.getByText(`${parent.title} (through “Renewals”)`).waitFor()
      await conflict.getByRole('radio', { name: /^Yours stands: .*through “Churn”/ }).check()
      await button(conflict, 'Save the result')
      await page.getByRole('heading', { level: 1, name: child.title }).waitFor()
      await page.getByText('through “Churn”').first().waitFor()
      assert.equal((await call(context, t.url, 'GET', `/objectives/${child.id}`)).parent_key_result_id, churn.id)

      await page.goto(`/objectives/${parent.id}`)
      await button(page, 'What contributes (1): Churn')
      await page.getByRole('region', { name: 'Contributes to “Churn”' }).getByRole('link', { name: child.title }).waitFor()
      assert.equal(await page.getByRole('button', { name: /^What contributes.*Renewals/ }).count(), 0, 'nothing to open where nothing contributes')
      await page.goto(`/cycles/${cycle.id}?tab=tree&focus=${child.id}`)
      await page.locator(`[data-key="${child.id}"]`).getByText('through “Churn”').waitFor()

      await page.goto(`/objectives/${child.id}?tab=history`)
      await page.getByRole('button', { name: /^What changed/ }).first().click()
      await page.getByText('Renewals', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Restore this version: Revision 2' }).click()
      await button(page.getByRole('dialog'), 'Restore this version')
      await page.getByText('Restored as it was at revision 2').waitFor()
      assert.equal((await call(context, t.url, 'GET', `/objectives/${child.id}`)).parent_key_result_id, renewals.id)
    },
  ],
  [
    'the past: home as it was, to be read and nothing else',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const cycles = await call(context, t.url, 'GET', '/cycles')
      const cycle = cycles.items.find((c) => c.state === 'active')
      const { days } = await call(context, t.url, 'GET', `/cycles/${cycle.id}/progress`)
      const day = days.at(-2).day
      await page.goto('/')
      await button(page, 'An earlier day')
      await page.getByLabel('Day', { exact: false }).and(page.locator('[type=date]')).fill(day)
      await button(page, 'Show')
      await page.getByText(/^As it was on /).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('as_of'), day)
      const main = page.getByRole('main')
      await main.getByRole('region', { name: 'My objectives' }).getByRole('link').first().waitFor()
      await main.getByRole('region', { name: 'The cycle' }).waitFor()
      for (const name of ['What you owe', 'What happened']) assert.equal(await main.getByRole('heading', { name }).count(), 0, `${name} is of now`)
      assert.deepEqual(await main.getByRole('button').allInnerTexts(), ['An earlier day', 'Back to today'])
      await main.getByRole('region', { name: 'My objectives' }).getByRole('link').first().click()
      await page.getByText(/^As it was on /).waitFor()
      await page.goBack()
      await page.reload()
      await page.getByText(/^As it was on /).waitFor()
      await button(page, 'Back to today')
      await main.getByRole('heading', { name: 'What you owe' }).waitFor()
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
