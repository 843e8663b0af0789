// The end of a cycle: scores, closing, carrying over.
import { at, button, call, draft, run } from '../steps.mjs'

/** A cycle of its own, active, with objectives of Shota's that were approved; and the next one, in preparation. */
async function cycleWithObjectives(t, admin, member, titles) {
  const make = (name, starts_on, ends_on) => call(admin, t.url, 'POST', '/cycles', { name, starts_on, ends_on })
  const name = `Half ${titles[0]} ${run}`
  const cycle = await make(name, '2026-07-01', '2027-06-30')
  const next = await make(`After ${name}`, '2027-07-01', '2027-12-31')
  await call(admin, t.url, 'PATCH', `/cycles/${cycle.id}`, { revision: 1, state: 'active' })
  const session = await call(member, t.url, 'GET', '/session')
  const objectives = []
  for (const title of titles) {
    const o = await call(member, t.url, 'POST', '/objectives', { cycle_id: cycle.id, team_id: session.team_ids[0], title: `${title} ${run}`, kind: 'aspirational', key_results: [{ title: 'Answered', kind: 'metric', unit: '%', baseline: '0', target: '100' }] })
    const sent = await call(member, t.url, 'POST', `/objectives/${o.id}/actions/submit`, { revision: o.revision })
    const approved = await call(admin, t.url, 'POST', `/objectives/${o.id}/actions/approve`, { revision: sent.revision })
    await call(member, t.url, 'POST', `/key-results/${o.key_results[0].id}/check-ins`, { value: '72', confidence: 5, note: 'So far' })
    objectives.push(approved)
  }
  return { name, cycle, next, objectives }
}

export const flows = [
  [
    'cycles: many are scored at once, one of them too late, and the cycle is closed',
    async (t) => {
      const { page, context } = await at(t, 'misaki', { language: 'en' })
      const member = await at(t, 'shota')
      const { name, cycle, objectives } = await cycleWithObjectives(t, context, member.context, ['Alpha', 'Beta', 'Gamma'])
      await page.goto('/organization/cycles')
      await page.getByRole('link', { name: `Score: ${name}` }).first().click()
      await page.getByRole('heading', { name: `Score “${name}”` }).waitFor()
      await page.getByLabel(`Score of “Beta ${run}”`).selectOption('0.9')
      await page.getByLabel(`Note on “Beta ${run}”`).fill('More than the numbers say')
      await page.reload() // what was typed is kept
      await page.getByText('What you typed before has been restored.').waitFor()
      const gone = objectives[2]
      await call(context, t.url, 'POST', `/objectives/${gone.id}/actions/revise`, { revision: gone.revision, note: 'Not yet' })
      await button(page, 'Close 3 objectives')
      await page.getByText('2 objectives are closed').waitFor()
      await page.getByRole('listitem').filter({ hasText: `Gamma ${run}: Somebody has changed it meanwhile.` }).waitFor()
      await page.getByText('Nothing is left to score').waitFor()
      const beta = await call(context, t.url, 'GET', `/objectives/${objectives[1].id}`)
      const alpha = await call(context, t.url, 'GET', `/objectives/${objectives[0].id}`)
      if (beta.score !== '0.9' || alpha.score !== '0.7') throw new Error(`scores ${alpha.score} and ${beta.score}`)
      await button(page, 'Close the cycle')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Every approved objective in it has a score.').waitFor()
      await dialog.getByRole('button', { name: 'Close the cycle' }).click()
      await dialog.waitFor({ state: 'detached' })
      const closed = await call(context, t.url, 'GET', `/cycles/${cycle.id}`)
      if (closed.state !== 'closed') throw new Error(closed.state)
    },
  ],
  [
    'cycles: the carry-over shows what it would make, makes that, and nothing twice',
    async (t) => {
      const { page, context } = await at(t, 'misaki', { language: 'ja' })
      const member = await at(t, 'shota')
      const { name, cycle, next, objectives } = await cycleWithObjectives(t, context, member.context, ['Delta', 'Epsilon'])
      await call(member.context, t.url, 'PUT', `/objectives/${objectives[0].id}/supports/${objectives[1].id}`)
      await page.goto(`/cycles/${cycle.id}/carry-over?scope=cycle&to=${next.id}`)
      await page.getByRole('heading', { name: `「${name}」からの引き継ぎ` }).waitFor()
      await page.getByText('Answered: 72%から100%へ').first().waitFor()
      await page.getByText(`支援先（一緒に引き継ぐ目標）: Epsilon ${run}`).waitFor()
      await page.getByLabel(`「Epsilon ${run}」を引き継ぐ`).uncheck()
      await page.getByText(`支援先（元の目標のまま）: Epsilon ${run}`).waitFor()
      await page.reload()
      await button(page, '1 件を引き継ぐ')
      await page.getByText(`「After ${name}」に下書きを 1 件作成しました`).waitFor()
      await page.getByRole('article', { name: `Delta ${run}` }).getByText('引き継ぎ済み').waitFor()
      const there = await call(context, t.url, 'GET', `/objectives?cycle_id=${next.id}`)
      if (there.items.length !== 1 || there.items[0].title !== `Delta ${run}`) throw new Error(JSON.stringify(there.items.map((o) => o.title)))
      const supported = await call(context, t.url, 'GET', `/objectives/${there.items[0].id}/supports`)
      if (supported.items[0]?.id !== objectives[1].id) throw new Error(JSON.stringify(supported))
      await page.getByRole('link', { name: '下書きを見る' }).first().click()
      await page.getByText(`Delta ${run}`).first().waitFor()
      await call(context, t.url, 'PATCH', `/cycles/${cycle.id}`, { revision: 2, state: 'closed', leave_unscored: true })
    },
  ],
  [
    'cycles: made with what would follow, and edited by two at once',
    async (t) => {
      const one = await at(t, 'misaki', { language: 'en' })
      const { page } = one
      await page.goto('/organization/cycles')
      await button(page, 'New cycle')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill(`Made ${run}`)
      await dialog.getByLabel('Ends').fill('2020-01-01')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('The end is before the start.').waitFor()
      await dialog.getByLabel('Begins').fill('2019-10-01')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('article', { name: `Made ${run}` }).waitFor()
      const { items } = await call(one.context, t.url, 'GET', '/cycles?limit=200')
      const made = items.find((c) => c.name === `Made ${run}`)
      await page.getByRole('button', { name: `Edit: Made ${run}` }).click()
      await call(one.context, t.url, 'PATCH', `/cycles/${made.id}`, { revision: made.revision, name: `Theirs ${run}` })
      await dialog.getByLabel('Ends').fill('2020-03-31')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Somebody else has changed this').waitFor()
      await button(page, 'Save the result')
      await page.getByRole('article', { name: `Theirs ${run}` }).getByText(/Mar 31, 2020/).waitFor()
    },
  ],
  [
    'jobs: an admin sees what the coach was asked for',
    async (t) => {
      const { page } = await at(t, 'misaki', { language: 'en' })
      const member = await at(t, 'shota')
      const o = await draft(member.context, t.url, `Asked ${run}`)
      const dialogue = await call(member.context, t.url, 'POST', `/objectives/${o.id}/dialogues`, { title: 'Which numbers?' })
      await call(member.context, t.url, 'POST', `/dialogues/${dialogue.id}/jobs`, { kind: 'feedback' })
      await page.goto('/organization/jobs')
      const job = page.getByRole('article', { name: `Asked ${run}` })
      await job.getByText('Answered').waitFor({ timeout: 30_000 })
      await job.getByText('Feedback').waitFor()
      await page.getByText('Failed', { exact: true }).click()
      await job.waitFor({ state: 'detached' })
      await page.goto('/organization/jobs?state=succeeded')
      await job.getByRole('link', { name: /To the dialogue/ }).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  ],
]
