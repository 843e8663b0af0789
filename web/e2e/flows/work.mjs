// What most people do, step by step. Each step is independent of the others, on the demo organisation.
import assert from 'node:assert/strict'
import { password, people } from '../browser.mjs'
import { at, button, call, draft, run } from '../steps.mjs'

export const flows = [
  [
    'signing in',
    async (t) => {
      const { page } = await at(t, null, { language: 'ja' })
      await page.goto('/objectives?state=draft')
      await page.getByRole('heading', { name: 'サインイン' }).waitFor()
      await page.getByLabel('メールアドレス').fill(people.misaki)
      await page.getByLabel('パスワード', { exact: true }).fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByText('メールアドレスまたはパスワードが正しくありません。').waitFor()
      await page.getByLabel('パスワード', { exact: true }).fill(password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: '目標', exact: true }).waitFor()
      assert.equal(new URL(page.url()).search, '?state=draft', 'one goes on to where one wanted to go')
    },
  ],
  [
    'the main job: draft, key result, submit, approve, check in',
    async (t) => {
      const author = await at(t, 'shota', { language: 'en' })
      let { page } = author
      await page.goto('/')
      await page.getByRole('link', { name: 'New objective' }).first().click()
      await page.getByLabel('Objective', { exact: true }).fill(`Answers are found before they are asked ${run}`)
      await page.reload()
      await page.getByText('What you typed before has been restored.').waitFor()
      await button(page, 'Add a key result')
      await page.getByLabel('What is measured').fill('Share of answered questions')
      await page.getByLabel('Baseline').fill('62')
      await page.getByLabel('Target').fill('62')
      await page.getByLabel('Unit').fill('%')
      await button(page, 'Create the draft')
      await page.getByText('The target has to differ from the baseline.').waitFor()
      await page.getByLabel('Target').fill('８５')
      await button(page, 'Create the draft')
      await page.getByRole('heading', { name: `Answers are found before they are asked ${run}` }).waitFor()
      await page.getByText('from 62% to 85%').waitFor()
      await button(page, 'Submit for review')
      await page.getByRole('dialog').getByRole('button', { name: 'Submit for review' }).click()
      await page.getByText('This waits for a review.').waitFor()
      const address = page.url()
      const reviewer = await at(t, 'aya', { language: 'ja' })
      page = reviewer.page
      await page.goto(address)
      await button(page, '承認する')
      await page.getByRole('dialog').getByRole('button', { name: '承認する' }).click()
      await page.getByText('承認済み').first().waitFor()
      page = author.page
      await page.reload()
      await page.getByRole('button', { name: 'Check in: Share of answered questions' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Value now').fill('76')
      await dialog.getByRole('slider').press('ArrowRight')
      await dialog.getByLabel('What happened?').fill('The new pages are found.')
      await dialog.getByRole('button', { name: 'Check in', exact: true }).click()
      await page.getByText('Confidence 6 of 10').waitFor()
      await page.getByText('61%').first().waitFor()
      await page.getByRole('button', { name: 'As a table: Share of answered questions' }).click()
      await page.getByRole('cell', { name: '76%' }).waitFor()
    },
  ],
  [
    'two people edit at once',
    async (t) => {
      const one = await at(t, 'shota', { language: 'en' })
      const other = await at(t, 'aya', { language: 'ja' })
      const o = await draft(one.context, t.url, `Meeting edits ${run}`)
      await one.page.goto(`/objectives/${o.id}/edit`)
      await one.page.getByLabel('Objective', { exact: true }).fill(`Mine ${run}`)
      await other.page.goto(`/objectives/${o.id}/edit`)
      await other.page.getByLabel('目標', { exact: true }).fill(`Theirs ${run}`)
      await other.page.getByLabel('なぜ大切か').fill('Because of them')
      await button(other.page, '保存')
      await other.page.getByRole('heading', { name: `Theirs ${run}` }).waitFor()
      await button(one.page, 'Save')
      const dialog = one.page.getByRole('dialog')
      await dialog.getByText('One field was changed by both of you.').waitFor()
      await dialog.getByText(`Theirs ${run}`).waitFor()
      await dialog.getByText('from them').waitFor()
      await dialog.getByRole('button', { name: 'Save the result' }).click()
      await one.page.getByRole('heading', { name: `Mine ${run}` }).waitFor()
      await one.page.getByText('Because of them').waitFor()
    },
  ],
  [
    'the coach proposes, and the proposal is taken over',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const o = await draft(context, t.url, `Customers stay ${run}`)
      await page.goto(`/objectives/${o.id}?tab=coach`)
      await page.getByLabel('Your message').fill('Raise NPS from 30 to 45 and cut churn from 5% to 3%.')
      await button(page, 'Propose key results')
      await page.getByRole('heading', { level: 1, name: 'Raise NPS from 30 to 45 and cut churn from 5% to 3%.' }).waitFor()
      await page.getByText('Proposal for revision 1').waitFor({ timeout: 30_000 })
      await button(page, 'Accept all')
      await page.getByText(/Accepted by/).waitFor()
      await page.goto(`/objectives/${o.id}`)
      await page.getByRole('article').nth(1).waitFor()
      assert.equal(await page.getByRole('article').count(), 2)
    },
  ],
  [
    'a busy server: waits quietly, sends again once',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const o = await draft(context, t.url, `Busy ${run}`)
      await page.goto(`/objectives/${o.id}?tab=comments`)
      const keys = []
      await page.route('**/comments', async (route) => {
        if (route.request().method() !== 'POST') return route.fallback()
        keys.push(route.request().headers()['idempotency-key'])
        if (keys.length < 3) return route.fulfill({ status: 503, headers: { 'Retry-After': '1', 'Content-Type': 'application/problem+json' }, body: '{"type":"overloaded","title":"busy","status":503}' })
        return route.fallback()
      })
      await page.getByLabel('Write a comment').fill('Sent once')
      await button(page, 'Comment')
      await page.getByText(/The server is busy/).waitFor()
      await page.getByRole('article').getByText('Sent once').waitFor()
      assert.equal(keys.length, 3)
      assert.equal(new Set(keys).size, 1, 'all under one key')
      assert.equal(await page.getByRole('article').count(), 1)
    },
  ],
  [
    'a session that ends: sign in again, and go on',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const o = await draft(context, t.url, `Expired ${run}`)
      await page.goto(`/objectives/${o.id}?tab=comments`)
      await page.getByLabel('Write a comment').fill('Nothing is lost')
      await context.clearCookies()
      await button(page, 'Comment')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Your session has ended.').waitFor()
      await dialog.getByLabel('E-mail address').fill(people.shota)
      await dialog.getByLabel('Password', { exact: true }).fill(password)
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('article').getByText('Nothing is lost').waitFor()
    },
  ],
  [
    'offline: what is typed stays, and goes out later',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'ja' })
      const o = await draft(context, t.url, `Offline ${run}`)
      await page.goto(`/objectives/${o.id}?tab=comments`)
      await page.getByLabel('コメントを書く').fill('あとで届きます')
      await context.setOffline(true)
      await page.getByText('オフラインです。').waitFor()
      await button(page, 'コメントする')
      await context.setOffline(false)
      await page.getByRole('article').getByText('あとで届きます').waitFor()
    },
  ],
  [
    'the language is switched, and kept',
    async (t) => {
      const { page } = await at(t, 'misaki', { language: 'en' })
      await page.goto('/')
      await page.getByRole('button', { name: /My account/ }).click()
      await page.getByText('日本語').click()
      await page.getByText('あなたの対応待ち').waitFor()
      await page.reload()
      await page.getByText('あなたの対応待ち').waitFor()
      assert.equal(await page.locator('html').getAttribute('lang'), 'ja')
    },
  ],
  [
    'the keyboard alone: skip link, palette, navigation',
    async (t) => {
      const { page } = await at(t, 'misaki', { language: 'en' })
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip')
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('A few words: objectives, people, teams').fill('broad')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Broadcasts', level: 1 }).waitFor()
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1', 'the heading of the new page has the focus')
    },
  ],
  [
    'live: a comment of somebody else appears, and typing goes on',
    async (t) => {
      const one = await at(t, 'shota', { language: 'en' })
      const other = await at(t, 'aya', { language: 'en' })
      const o = await draft(one.context, t.url, `Live ${run}`)
      await one.page.goto(`/objectives/${o.id}?tab=comments`)
      const area = one.page.getByLabel('Write a comment')
      await area.fill('I am writ')
      await call(other.context, t.url, 'POST', `/objectives/${o.id}/comments`, { body: 'Meanwhile' })
      await one.page.getByRole('article').getByText('Meanwhile').waitFor({ timeout: 20_000 })
      await one.page.keyboard.type('ing')
      assert.equal(await area.inputValue(), 'I am writing')
    },
  ],
]
