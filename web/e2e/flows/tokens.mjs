// Tokens that members make for other programs.
import assert from 'node:assert/strict'
import { at, button, run } from '../steps.mjs'

/** A request of another program: no cookie, only what it was given. */
async function as(url, token, method, path, body) {
  const answer = await fetch(`${url}/api/v1${path}`, { method, headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) }, body: body && JSON.stringify(body) })
  return { status: answer.status, body: await answer.json().catch(() => null) }
}

export const flows = [
  [
    'tokens: made, used, revoked',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const name = `Nightly report ${run}`
      await page.goto('/account')
      await button(page, 'Make a token')
      const dialog = page.getByRole('dialog')
      await button(dialog, 'Make a token')
      await dialog.getByText('Please fill this in.').waitFor()
      await dialog.getByLabel('What is it for?').fill(name)
      await page.reload()
      await button(page, 'Make a token')
      assert.equal(await dialog.getByLabel('What is it for?').inputValue(), name, 'what was typed is kept')
      await dialog.getByRole('radio', { name: 'Read only' }).check()
      await page.screenshot({ path: `${t.output}token-form-en.png` })
      await button(dialog, 'Make a token')
      const secret = await dialog.getByLabel('The token', { exact: true }).inputValue()
      assert.match(secret, /^kkt_[A-Za-z0-9_-]{64}$/)
      await page.keyboard.press('Escape')
      await page.screenshot({ path: `${t.output}token-shown-en.png` })
      await button(dialog, 'Copy')
      await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret)
      await button(dialog, 'I have copied it')
      await dialog.waitFor({ state: 'hidden' })
      assert.equal((await page.content()).includes(secret), false, 'it is shown once')
      assert.equal(await page.evaluate((s) => JSON.stringify(localStorage).includes(s), secret), false, 'and kept nowhere')

      const session = await as(t.url, secret, 'GET', '/session')
      assert.equal(session.status, 200)
      assert.equal(session.body.token_scope, 'read')
      const refused = await as(t.url, secret, 'PATCH', '/mail-settings', { digest: 'off' })
      assert.deepEqual([refused.status, refused.body.type], [403, 'token-scope'])
      assert.equal((await as(t.url, secret, 'POST', '/tokens', { name: 'More', scope: 'write' })).body.type, 'session-needed')

      await button(page, `Revoke: ${name}`)
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
      await page.getByText('Revoked', { exact: true }).waitFor()
      await page.getByText(name).waitFor({ state: 'detached' })
      assert.equal((await as(t.url, secret, 'GET', '/session')).status, 401)
    },
  ],
  [
    'tokens: an admin revokes a member’s',
    async (t) => {
      const member = await at(t, 'shota', { language: 'en' })
      const made = await (await member.context.request.post(`${t.url}/api/v1/tokens`, { data: { name: `連携 ${run}`, scope: 'write', days: 3 } })).json()
      assert.equal((await as(t.url, made.secret, 'GET', '/session')).status, 200)
      const { page } = await at(t, 'misaki', { language: 'ja' })
      await page.goto('/account')
      await page.getByRole('radiogroup', { name: '表示するトークン' }).getByText('全員').click()
      await page.getByText(`連携 ${run}`).scrollIntoViewIfNeeded()
      await page.screenshot({ path: `${t.output}tokens-all-ja.png` })
      await page.setViewportSize({ width: 360, height: 780 })
      await page.getByText(`連携 ${run}`).scrollIntoViewIfNeeded()
      await page.screenshot({ path: `${t.output}tokens-all-ja-360.png` })
      await button(page, `取り消す: 連携 ${run}`)
      await page.getByRole('dialog').getByRole('button', { name: '取り消す', exact: true }).click()
      await page.getByText('取り消しました').waitFor()
      assert.equal((await as(t.url, made.secret, 'GET', '/session')).status, 401)
      await button(page, 'トークンを作成')
      await page.getByRole('dialog').getByLabel('用途').fill('夜間の集計')
      await page.screenshot({ path: `${t.output}token-form-ja-360.png` })
      await button(page.getByRole('dialog'), 'トークンを作成')
      await page.getByRole('dialog').getByLabel('トークン', { exact: true }).waitFor()
      await page.screenshot({ path: `${t.output}token-shown-ja-360.png` })
      await button(page, 'コピーしました。閉じる')
    },
  ],
]
