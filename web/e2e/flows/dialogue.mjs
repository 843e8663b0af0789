// Objectives over time, and the dialogue with the coach.
import assert from 'node:assert/strict'
import { at, button, call, draft, run } from '../steps.mjs'

const churn = { title: 'Churn', kind: 'metric', unit: '%', baseline: '5', target: '3' }

/** A dialogue in which the coach has proposed something, made without the page. */
async function proposed(context, url, objective, message = 'Raise NPS from 30 to 45 and cut churn from 5% to 3%.') {
  const d = await call(context, url, 'POST', `/objectives/${objective.id}/dialogues`, { title: `Numbers ${run}` })
  await call(context, url, 'POST', `/dialogues/${d.id}/jobs`, { kind: 'draft', message })
  for (let n = 0; n < 100; n++) {
    const { items } = await call(context, url, 'GET', `/dialogues/${d.id}/suggestions`)
    if (items.length > 0) return { dialogue: d, suggestion: items[0] }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the coach proposed nothing')
}

export const flows = [
  [
    'a version is restored',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const o = await draft(context, t.url, `First words ${run}`, [churn])
      await call(context, t.url, 'PATCH', `/objectives/${o.id}`, { revision: 1, title: `Second words ${run}`, key_results: [] })
      await page.goto(`/objectives/${o.id}?tab=history`)
      await page.getByRole('button', { name: /^What changed/ }).first().click()
      await page.getByRole('article', { name: 'Revision 2' }).getByText('Second').waitFor()
      await button(page, 'Restore this version: Revision 1')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Key result that comes back').waitFor()
      await dialog.getByText('Churn: from 5% to 3%').waitFor()
      await dialog.getByLabel('Note (optional)').fill('Back to the first words')
      await button(dialog, 'Restore this version')
      await page.getByRole('heading', { level: 1, name: `First words ${run}` }).waitFor()
      await page.getByRole('article', { name: 'Revision 3' }).getByText('Back to the first words').waitFor()
      const now = await call(context, t.url, 'GET', `/objectives/${o.id}`)
      assert.equal(now.revision, 3)
      assert.equal(now.key_results[0].id, o.key_results[0].id, 'the same key result, not another one')
    },
  ],
  [
    'a version is restored while somebody edits: three views',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'ja' })
      const o = await draft(context, t.url, `もとの題 ${run}`)
      await call(context, t.url, 'PATCH', `/objectives/${o.id}`, { revision: 1, title: `次の題 ${run}` })
      await page.goto(`/objectives/${o.id}?tab=history`)
      await button(page, 'この版に戻す: 第 1 版')
      await page.getByRole('dialog').getByText('内容が第 1 版のものに戻り').waitFor()
      await call(context, t.url, 'PATCH', `/objectives/${o.id}`, { revision: 2, title: `別の題 ${run}`, description: 'その間に書かれた理由' })
      await page.getByRole('dialog').getByRole('button', { name: 'この版に戻す' }).click()
      const conflict = page.getByRole('dialog', { name: 'ほかの人が変更しました' })
      await conflict.getByText('相手の変更', { exact: true }).waitFor()
      await conflict.getByText('その間に書かれた理由').waitFor()
      await button(conflict, 'この内容で保存')
      await page.getByRole('heading', { level: 1, name: `もとの題 ${run}` }).waitFor()
      const now = await call(context, t.url, 'GET', `/objectives/${o.id}`)
      assert.equal(now.description, 'その間に書かれた理由', 'what the other wrote meanwhile stays')
    },
  ],
  [
    'a comment: somebody is mentioned, it is edited, and deleted',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const o = await draft(context, t.url, `Talk ${run}`)
      await page.goto(`/objectives/${o.id}?tab=comments`)
      const area = page.getByLabel('Write a comment')
      await area.pressSequentially('Please look @美咲', { delay: 20 })
      await page.getByRole('option', { name: /美咲/ }).waitFor()
      await area.press('ArrowDown')
      await area.press('Enter')
      await button(page, 'Comment')
      const comment = page.getByRole('article').first()
      await comment.getByText('@高橋 美咲').waitFor()
      await button(comment, 'Edit')
      await comment.getByLabel('Edit the comment').fill('Please look @高橋 美咲 soon')
      await page.reload()
      await comment.getByText('What you typed before has been restored.').waitFor()
      await button(comment, 'Save')
      await comment.getByText('edited').waitFor()
      const { items } = await call(context, t.url, 'GET', `/objectives/${o.id}/comments`)
      assert.match(items[0].body, /@\[高橋 美咲\]\(member:[0-9a-f-]{36}\) soon/, 'the mention is still one')
      await button(comment, 'Delete')
      await button(page.getByRole('dialog'), 'Delete')
      await page.getByText('This comment was deleted.').waitFor()
    },
  ],
  [
    'a proposal is taken over field by field, one of them edited',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const o = await draft(context, t.url, `Chosen ${run}`)
      const { dialogue } = await proposed(context, t.url, o)
      await page.goto(`/dialogues/${dialogue.id}`)
      const card = page.getByRole('region', { name: 'Proposal for revision 1' })
      await card.getByText('Take what you want').waitFor()
      const parts = card.getByRole('checkbox')
      assert.equal(await parts.count(), 2)
      const first = await parts.first().getAttribute('aria-label')
      await parts.nth(1).uncheck()
      await card.getByRole('button', { name: /^Edit: .*· Target$/ }).click()
      const field = card.getByRole('textbox', { name: /· Target$/ })
      await field.fill('x')
      await button(card, 'Accept what is chosen')
      await card.getByText(/too large, or has too many digits|not accepted|number|Please check/i).first().waitFor()
      await field.fill('４２')
      await page.reload()
      assert.equal(await card.getByRole('textbox', { name: /· Target$/ }).inputValue(), '４２', 'what was chosen and typed is kept')
      await button(card, 'Accept what is chosen')
      await card.getByText(/Accepted by/).waitFor()
      const now = await call(context, t.url, 'GET', `/objectives/${o.id}`)
      assert.equal(now.key_results.length, 1, `only ${first}`)
      assert.equal(now.key_results[0].target, '42')
      assert.equal(now.revision, 2)
    },
  ],
  [
    'a proposal that the objective has left behind: why, and the way on',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const o = await draft(context, t.url, `Left behind ${run}`)
      const { dialogue } = await proposed(context, t.url, o)
      await page.goto(`/dialogues/${dialogue.id}`)
      await button(page, 'Accept all') // shown, and then somebody is faster
        .catch(() => undefined)
      await page.getByText(/Accepted by/).waitFor()
      const second = await proposed(context, t.url, o, 'Answer 90% of questions within 8 hours, from 60%.')
      await call(context, t.url, 'PATCH', `/objectives/${o.id}`, { revision: 2, title: `Moved on ${run}` })
      await page.goto(`/dialogues/${second.dialogue.id}`)
      await page.getByText('The objective has moved on').waitFor()
      await page.getByText(/This was proposed for revision 2/).waitFor()
      await button(page, 'Ask again about revision 3')
      await page.getByRole('region', { name: 'Proposal for revision 3' }).getByText('Take what you want').waitFor({ timeout: 30_000 })
    },
  ],
  [
    'why an objective is where it is, and a check-in that knows what came before',
    async (t) => {
      const { page } = await at(t, 'aya', { language: 'ja' })
      await page.goto('/objectives/019b76da-a800-7005-8001-000000000009')
      await page.getByRole('button', { name: /の理由$/ }).click()
      await page.getByText('目標の進捗は、主要な成果の進捗を重みで平均したものです。').waitFor()
      await page.getByRole('button', { name: /^チェックイン:/ }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('最近のチェックイン').waitFor()
      await dialog.getByText(/今日時点の目安/).waitFor()
    },
  ],
]
