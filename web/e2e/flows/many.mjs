// What keeps working where there are very many: teams are looked for by the server, and names are asked for together.
import assert from 'node:assert/strict'
import { at, button, call, draft, run } from '../steps.mjs'

/** The paths of what a page asks of the API, as it goes on. */
function requestsOf(page) {
  const asked = []
  page.on('request', (r) => {
    const { pathname, search } = new URL(r.url())
    if (pathname.startsWith('/api/v1/')) asked.push(decodeURIComponent(pathname.slice(7) + search))
  })
  return asked
}

export const flows = [
  [
    'many: teams are found by the server, archived ones when asked for, and never all of them read',
    async (t) => {
      const { page, context } = await at(t, 'misaki', { language: 'en' })
      for (const name of ['Alpha', 'Beta']) await call(context, t.url, 'POST', '/teams', { name: `Guild${run} ${name}` })
      const past = await call(context, t.url, 'POST', '/teams', { name: `Guild${run} Gamma` })
      await call(context, t.url, 'PATCH', `/teams/${past.id}`, { revision: 1, archived: true })
      const asked = requestsOf(page)
      await page.goto('/organization/teams')
      await page.getByLabel('Search teams').fill(`guild${run}`)
      await page.getByRole('link', { name: `Guild${run} Alpha` }).waitFor()
      assert.equal(await page.getByRole('link', { name: `Guild${run}` }).count(), 2)
      await page.getByRole('switch', { name: 'Archived ones' }).click()
      await page.getByRole('link', { name: `Guild${run} Gamma` }).waitFor()
      await page.reload()
      await page.getByRole('link', { name: `Guild${run} Gamma` }).waitFor()
      await page.getByLabel('Search teams').fill(`nobody${run}`)
      await page.getByText('No team found').waitFor()
      await page.goto('/organization/members')
      await button(page, 'Invite people')
      const field = page.getByRole('dialog').getByLabel('Teams to join')
      await field.click()
      const found = page.waitForResponse((r) => r.url().includes(`q=guild${run}`))
      await field.fill(`guild${run} be`)
      await found
      await page.getByRole('option', { name: `Guild${run} Beta` }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').getByText(`Guild${run} Beta`).waitFor()
      assert.ok(asked.some((a) => a.startsWith('/search') && a.includes('kind=team')), asked.join('\n'))
      assert.ok(!asked.some((a) => a.startsWith('/teams') && a.includes('limit=200')), asked.join('\n'))
    },
  ],
  [
    'many: the names of the teams in a list are one request',
    async (t) => {
      const { page, context } = await at(t, 'misaki', { language: 'en' })
      for (const name of ['One', 'Two', 'Three']) {
        const team = await call(context, t.url, 'POST', '/teams', { name: `Crew${run} ${name}` })
        const o = await draft(context, t.url, `Crewed${run} ${name}`)
        await call(context, t.url, 'PATCH', `/objectives/${o.id}`, { revision: o.revision, team_id: team.id })
      }
      const asked = requestsOf(page)
      await page.goto(`/objectives?text=crewed${run}`)
      for (const name of ['One', 'Two', 'Three']) await page.getByText(`Crew${run} ${name}`).first().waitFor()
      assert.equal(asked.filter((a) => a.startsWith('/teams?ids=')).length, 1, asked.join('\n'))
      assert.equal(asked.filter((a) => a.startsWith('/teams')).length, 1, asked.join('\n'))
    },
  ],
]
