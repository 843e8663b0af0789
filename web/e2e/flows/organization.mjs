// Invitations, settings, the audit, webhooks, one's own account.
import assert from 'node:assert/strict'
import { password, people } from '../browser.mjs'
import { at, button, call, run } from '../steps.mjs'

/** The link in the latest mail to an address, as the viewer of mails has it. */
async function linkInMail(context, url, address) {
  for (let n = 0; n < 60; n++) {
    const list = await (await context.request.get(`${url}/dev/mail`)).text()
    for (const row of list.split('<tr>')) {
      const id = row.includes(address) && /\/dev\/mail\/([^"/]+)"/.exec(row)?.[1]
      if (!id) continue
      const html = await (await context.request.get(`${url}/dev/mail/${id}/html`)).text()
      const link = /\/invitation#([A-Za-z0-9_-]+)/.exec(html)
      if (link) return `/invitation#${link[1]}`
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`no mail to ${address}`)
}

export const flows = [
  [
    'organization: invited by mail, through to the first page',
    async (t) => {
      const admin = await at(t, 'misaki', { language: 'ja' })
      const address = `newcomer-${run}@example.com`
      await admin.page.goto('/organization/members')
      await button(admin.page, 'メンバーを招待')
      const dialog = admin.page.getByRole('dialog')
      await dialog.getByLabel('メールアドレス').fill(`新人 <${address}>\nnobody`)
      await dialog.getByText('2 件').waitFor()
      await dialog.getByRole('button', { name: '招待を送る' }).click()
      await dialog.getByText('1 件の招待を送信しています。').waitFor()
      await dialog.getByText('nobody: メールアドレスの形式が正しくありません').waitFor()
      assert.equal(await dialog.getByLabel('メールアドレス').inputValue(), 'nobody', 'what was refused stays to be mended')
      const link = await linkInMail(admin.context, t.url, address)
      // In a browser where somebody else is signed in, that is said first.
      await admin.page.goto(link)
      await admin.page.getByText('別の方がサインインしています').waitFor()

      const { page } = await at(t, null, { language: 'en' })
      const asked = []
      page.on('request', (r) => asked.push(`${r.url()} ${r.headers().referer ?? ''}`))
      await page.goto(link)
      await page.getByRole('heading', { name: /^Join / }).waitFor()
      await page.getByLabel('Your name').fill('Hina Newcomer')
      await page.getByLabel('Password', { exact: true }).fill('short')
      await button(page, 'Create the account and join')
      await page.getByText('This is too short.').waitFor()
      await page.getByLabel('Password', { exact: true }).fill(`four words for ${run}`)
      await button(page, 'Create the account and join')
      await page.getByRole('heading', { name: 'Home', level: 1 }).or(page.getByRole('heading', { level: 1, name: /Hina/ })).first().waitFor()
      assert.equal(new URL(page.url()).hash, '', 'the secret has left the address')
      assert.deepEqual(asked.filter((a) => a.includes('kki_')).map((a) => a.replace(/kki_\S+/, '…')), [], 'and was in none of the addresses that were asked for')
      await page.goto(link)
      await page.getByText('You have joined already').waitFor()
      await page.goto('/invitation#kki_nothing')
      await page.getByText('This link leads nowhere').waitFor()
      await admin.page.goto(`/organization/members?q=${encodeURIComponent('Hina')}`)
      await admin.page.getByText(address).waitFor()
    },
  ],
  [
    'organization: settings changed in two tabs',
    async (t) => {
      const one = await at(t, 'misaki', { language: 'en' })
      const other = await one.context.newPage()
      await one.page.goto('/organization/settings')
      await one.page.getByLabel('Days of grace').fill('９')
      await other.goto('/organization/settings')
      const name = other.getByLabel('Name', { exact: true })
      const before = await name.inputValue()
      await call(one.context, t.url, 'PATCH', '/organization', { revision: (await call(one.context, t.url, 'GET', '/organization')).revision, cadence: 'biweekly', grace_days: 5 })
      await button(one.page, 'Save')
      const dialog = one.page.getByRole('dialog')
      await dialog.getByText('One field was changed by both of you.').waitFor()
      await dialog.getByText('Every two weeks').waitFor()
      await dialog.getByRole('button', { name: 'Save the result' }).click()
      await dialog.waitFor({ state: 'hidden' })
      const now = await call(one.context, t.url, 'GET', '/organization')
      assert.deepEqual([now.name, now.cadence, now.grace_days], [before, 'biweekly', 9], 'theirs and mine')
      await call(one.context, t.url, 'PATCH', '/organization', { revision: now.revision, cadence: 'weekly', grace_days: 7 })
    },
  ],
  [
    'organization: a month without tokens, and models switched off',
    async (t) => {
      const { page, context } = await at(t, 'misaki', { language: 'ja' })
      await page.goto('/organization/settings')
      await page.getByLabel('月間トークン数の上限').fill('1000')
      await button(page, '保存')
      await page.getByText('今月のトークンを使い切りました。').waitFor()
      const settings = await call(context, t.url, 'GET', '/organization')
      assert.equal(settings.ai_monthly_tokens, 1000)
      await page.getByLabel('月間トークン数の上限').fill('')
      await button(page, '保存')
      await page.getByText('（上限なし）').waitFor()
    },
  ],
  [
    'organization: the audit is searched, and says what was before',
    async (t) => {
      const { page, context } = await at(t, 'misaki', { language: 'en' })
      const team = await call(context, t.url, 'POST', '/teams', { name: `Audited ${run}` })
      await call(context, t.url, 'PATCH', `/teams/${team.id}`, { revision: 1, name: `Renamed ${run}` })
      await page.goto('/organization/audit')
      await page.getByLabel('What', { exact: true }).fill('team.updated')
      await page.keyboard.press('Enter')
      await page.getByLabel('Id of the thing').fill(team.id)
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => new URLSearchParams(location.search).has('target'))
      await page.getByRole('button', { name: /^Details:/ }).nth(1).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /^Details: Team: changed/ }).waitFor()
      await page.getByRole('button', { name: /^Details:/ }).click()
      await page.getByRole('cell', { name: `Audited ${run}` }).waitFor()
      await page.getByRole('cell', { name: `Renamed ${run}` }).waitFor()
      const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download as CSV')])
      const text = Buffer.concat(await (await file.createReadStream()).toArray()).toString()
      assert.match(text, /^\ufeffhappened_at,/)
      assert.equal(text.trim().split('\r\n').length, 2)
    },
  ],
  [
    'organization: a webhook is made, tried out and deleted',
    async (t) => {
      const { page } = await at(t, 'misaki', { language: 'en' })
      await page.goto('/organization/webhooks')
      await button(page, 'New webhook')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Address').fill('http://hooks.example.com/x')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('This is no address of a page.').waitFor()
      await dialog.getByLabel('Address').fill(`https://hooks.example.com/${run}`)
      await dialog.getByLabel('Teams').check()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText(/^kkw_/).waitFor()
      await button(page, 'I have kept it')
      await page.getByRole('heading', { name: 'Webhook', level: 1 }).waitFor()
      await page.getByText('Teams', { exact: true }).waitFor()
      await button(page, 'Send a test')
      await page.getByText('webhook.test').first().waitFor()
      await button(page, 'Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.waitForURL('**/organization/webhooks')
      await page.getByText(`https://hooks.example.com/${run}`).waitFor({ state: 'hidden' })
    },
  ],
  [
    'organization: a password that is not right, and one calendar',
    async (t) => {
      const { page } = await at(t, 'noah', { language: 'en' })
      await page.goto('/account')
      await page.getByLabel('Present password').fill('wrong wrong wrong')
      await page.getByLabel('New password').fill(password)
      await button(page, 'Change the password')
      await page.getByText('This is not right.').waitFor()
      await button(page, 'Make an address')
      await page.getByRole('dialog').getByRole('button', { name: 'Make an address' }).click()
      await page.getByText(/\/api\/v1\/calendar\/kkc_/).waitFor()
      assert.ok(people.noah)
    },
  ],
]
