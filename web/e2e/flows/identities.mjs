// What opens an account: identities at a provider, added and removed.
import { AxeBuilder } from '@axe-core/playwright'
import assert from 'node:assert/strict'
import { open, password, people, signIn } from '../browser.mjs'
import { start } from '../kakeai.mjs'
import { freePort, identityProvider } from '../outside.mjs'
import { button } from '../steps.mjs'

/** Does some work with a program of its own that people sign in to through a provider. */
async function withProvider(t, who, work) {
  const provider = await identityProvider(who)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const kakeai = await start({ KAKEAI_ENV: 'development', KAKEAI_ADDR: `127.0.0.1:${port}`, KAKEAI_URL: url, KAKEAI_OIDC_ISSUER: provider.url, KAKEAI_OIDC_CLIENT_ID: 'kakeai', KAKEAI_OIDC_NAME: 'Minato ID' })
  t.forgive(new RegExp(`left the origin: ${provider.url}`)) // to the provider, where it is to go
  try {
    await work(url, provider)
  } finally {
    await kakeai.stop()
    provider.stop()
  }
}

async function looksRight(o, name, t) {
  await o.page.screenshot({ path: `${t.output}${name}.png` })
  const found = (await new AxeBuilder({ page: o.page }).analyze()).violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')
  assert.deepEqual(found.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`), [], name)
}

export const flows = [
  [
    'identities: added with a proof, signed in with, refused to another, removed',
    (t) =>
      withProvider(t, { sub: 'shota', email: 'shota.private@example.net' }, async (url, provider) => {
        const at = async (who, options) => {
          const o = t.keep(await open(t.browser, url, options))
          if (who) await signIn(o.context, url, people[who])
          return o
        }
        const one = await at('shota', { language: 'en' })
        const { page } = one
        const ways = page.getByRole('region', { name: 'How you sign in' })
        await page.goto('/account')
        await ways.getByRole('button', { name: 'Add Minato ID' }).waitFor()
        await ways.scrollIntoViewIfNeeded()
        await page.screenshot({ path: `${t.output}identities-none-en.png` })

        // Long after signing in, the password is asked for.
        await page.route('**/api/v1/account/identities', (route) => (route.request().method() === 'POST' ? route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify({ type: 'confirmation-needed', title: 'Prove', status: 403 }) }) : route.continue()))
        await button(ways, 'Add Minato ID')
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Present password', { exact: true }).fill('not this one')
        await page.unroute('**/api/v1/account/identities')
        await looksRight(one, 'identities-proof-en', t)
        await button(dialog, 'Continue')
        await dialog.getByText('This is not right.').waitFor()
        await dialog.getByLabel('Present password', { exact: true }).fill(password)
        await page.keyboard.press('Enter')
        await page.getByText('You can sign in with Minato ID from now on.').waitFor()
        assert.equal(new URL(page.url()).search, '', 'reloading says it no more')
        await ways.getByText('shota.private@example.net').waitFor()
        await looksRight(one, 'identities-added-en', t)

        // The provider refuses, and the same identity is nobody else's.
        const other = await at('aya', { language: 'ja', colors: 'dark' })
        await other.page.goto('/account')
        await button(other.page, 'Minato ID を追加')
        await other.page.getByText('ほかの方のサインインに使われています').waitFor()
        await looksRight(other, 'identities-taken-ja-dark', t)
        await other.page.setViewportSize({ width: 320, height: 700 })
        assert.equal(await other.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'nothing runs over the edge')
        await other.page.screenshot({ path: `${t.output}identities-taken-ja-320.png` })
        provider.who = null
        await button(other.page, 'Minato ID を追加')
        await other.page.getByText('もう一度お試しください').waitFor()

        // Signed in with it, in another browser.
        provider.who = { sub: 'shota', email: 'shota.private@example.net' }
        const elsewhere = await at(null, { language: 'en' })
        await elsewhere.page.goto('/sign-in')
        await elsewhere.page.getByRole('link', { name: 'Sign in with Minato ID' }).click()
        await elsewhere.page.getByRole('heading', { level: 1, name: /Shota|翔太/ }).waitFor()

        await page.goto('/account')
        await ways.getByRole('button', { name: /^Remove: Minato ID/ }).click()
        await looksRight(one, 'identities-remove-en', t)
        await button(dialog, 'Remove')
        await page.getByText('Minato ID is removed; you are signed out everywhere else').waitFor()
        await ways.getByText('shota.private@example.net').waitFor({ state: 'detached' })
        assert.equal((await elsewhere.context.request.get(`${url}/api/v1/session`)).status(), 401)
        assert.equal((await one.context.request.get(`${url}/api/v1/session`)).status(), 200)
      }),
  ],
  [
    'identities: pictures',
    (t) =>
      withProvider(t, { sub: 'shota', email: 'shota.private@example.net' }, async (url) => {
        for (const [language, colors] of [['ja', 'light'], ['en', 'dark']]) {
          const o = t.keep(await open(t.browser, url, { language, colors }))
          await signIn(o.context, url, people.shota)
          const session = await o.context.request.get(`${url}/api/v1/account/identities`)
          if ((await session.json()).items.length === 0) {
            await o.page.goto('/account')
            await button(o.page, 'Minato ID を追加')
          } else await o.page.goto('/account')
          const added = o.page.getByText('shota.private@example.net')
          await added.waitFor()
          for (const width of [1280, 360]) {
            await o.page.setViewportSize({ width, height: 800 })
            await added.scrollIntoViewIfNeeded()
            await looksRight(o, `identities-${language}-${colors}-${width}`, t)
          }
          await o.page.getByRole('button', { name: /Minato ID, shota/ }).click()
          await o.page.getByRole('dialog').waitFor()
          await looksRight(o, `identities-remove-${language}-${colors}-360`, t)
        }
      }),
  ],
]
