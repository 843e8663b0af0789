// Finding one's way: the first run, search, pickers; and what happens when something is missing for a while.
import assert from 'node:assert/strict'
import { open, password, people } from '../browser.mjs'
import { at, button, call, draft, run } from '../steps.mjs'

const busy = { status: 503, headers: { 'Retry-After': '1', 'Content-Type': 'application/problem+json' }, body: '{"type":"overloaded","title":"busy","status":503}' }

/** Signs in by the page, as somebody whom the demo does not know. */
async function signInAs(t, email, options) {
  const o = t.keep(await open(t.browser, t.url, options))
  const answer = await o.context.request.post(`${t.url}/api/v1/session`, { data: { email, password } })
  assert.ok(answer.ok(), await answer.text())
  return o
}

export const flows = [
  [
    'first run: from nothing to a first objective',
    async (t) => {
      const owner = `first-${run}@example.com`
      await t.bootstrap(owner, password, '--name', `Fresh ${run}`, '--owner-name', 'Ren Kato', '--locale', 'en', '--time-zone', 'Asia/Tokyo')
      const { page } = await signInAs(t, owner, { language: 'en' })
      await page.goto('/')
      await page.getByRole('heading', { name: 'Three minutes to your first objective' }).waitFor()
      await page.screenshot({ path: `${t.output}first-run-en-light-1280.png`, fullPage: true })
      assert.match(await page.getByLabel('Name', { exact: true }).inputValue(), /^Q[1-4] 20\d\d$/)
      await button(page, 'Begin this cycle')
      await page.getByRole('button', { name: 'Make the team' }).waitFor()
      await page.getByLabel('Name', { exact: true }).fill('Product')
      await page.reload() // what is typed and what is done stay
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Product')
      await button(page, 'Make the team')
      await page.getByLabel('E-mail addresses').waitFor()
      await page.getByLabel('E-mail addresses').fill(`mei-${run}@example.com, nobody`)
      await button(page, 'Send the invitations')
      await page.getByRole('link', { name: 'Write the first objective' }).click()
      await page.getByLabel('Objective', { exact: true }).fill(`The first of all ${run}`)
      await button(page, 'Create the draft')
      await page.getByRole('heading', { name: `The first of all ${run}` }).waitFor()
      await page.goto('/')
      await page.getByRole('link', { name: new RegExp(`The first of all ${run}`) }).first().waitFor()
      assert.equal(await page.getByRole('heading', { name: 'Three minutes to your first objective' }).count(), 0)
    },
  ],
  [
    'first run: in Japanese, and dismissed for good',
    async (t) => {
      const owner = `second-${run}@example.com`
      await t.bootstrap(owner, password, '--name', `さくら ${run}`, '--owner-name', '加藤 蓮', '--locale', 'ja', '--time-zone', 'Asia/Tokyo')
      const { page } = await signInAs(t, owner, { language: 'ja', colors: 'dark', width: 360, height: 740 })
      await page.goto('/')
      await page.getByRole('heading', { name: '3 分で最初の目標へ' }).waitFor()
      await page.screenshot({ path: `${t.output}first-run-ja-dark-360.png`, fullPage: true })
      await button(page, 'この案内を閉じる')
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText('進行中のサイクルがありません。').waitFor()
      assert.equal(await page.getByRole('heading', { name: '3 分で最初の目標へ' }).count(), 0)
    },
  ],
  [
    'the palette finds two Japanese characters, people and teams, and knows what was opened last',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'ja' })
      const o = await draft(context, t.url, `休暇の取りやすい職場にする ${run}`)
      await page.goto(`/objectives/${o.id}`)
      await page.getByRole('heading', { name: o.title }).waitFor()
      await page.goto('/meetings')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      const input = page.getByPlaceholder('目標・人・チームの名前の一部')
      await page.getByRole('button', { name: o.title }).waitFor()
      await input.fill('休暇')
      await page.getByRole('button', { name: o.title }).waitFor()
      await page.getByText('「休暇」の検索結果をすべて表示').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: o.title }).waitFor()
      await page.keyboard.press('Control+k')
      await input.fill('aya')
      await page.getByText(people.aya).waitFor()
    },
  ],
  [
    'a page of results is an address: reload and back keep it',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      const titles = Array.from({ length: 12 }, (_, n) => `Zebra${run} ${n}`)
      for (const title of titles) await draft(context, t.url, title)
      await page.goto('/search')
      await page.getByLabel('Search for').fill(`zebra${run}`)
      await page.getByRole('link', { name: new RegExp(`Zebra${run}`) }).first().waitFor()
      assert.equal(await page.getByRole('link', { name: new RegExp(`Zebra${run}`) }).count(), 10)
      await page.getByRole('button', { name: 'Show more: Objectives' }).click()
      await page.getByRole('link', { name: `Zebra${run} 0` }).waitFor()
      await page.waitForFunction(() => document.querySelectorAll('a.row').length === 12)
      assert.equal(new URL(page.url()).searchParams.get('q'), `zebra${run}`)
      await page.getByRole('link', { name: `Zebra${run} 3` }).click()
      await page.getByRole('heading', { name: `Zebra${run} 3` }).waitFor()
      await page.goBack()
      await page.getByRole('link', { name: `Zebra${run} 3` }).waitFor()
      assert.equal(await page.getByLabel('Search for').inputValue(), `zebra${run}`)
    },
  ],
  [
    'a person is picked by what the server finds, never from a list of all',
    async (t) => {
      const { page } = await at(t, 'misaki', { language: 'en' })
      const asked = []
      page.on('request', (r) => {
        const url = new URL(r.url())
        if (url.pathname.endsWith('/members') || url.pathname.endsWith('/search')) asked.push(url.pathname + url.search)
      })
      await page.goto('/objectives')
      await page.getByRole('combobox', { name: 'Owner' }).or(page.getByLabel('Owner', { exact: true })).first().click()
      const found = page.waitForResponse((r) => r.url().includes('q=tanaka'))
      await page.getByLabel('Owner', { exact: true }).first().fill('tanaka')
      await found
      await page.getByRole('option', { name: /shota.tanaka@example.com/ }).click()
      await page.waitForFunction(() => new URL(location.href).searchParams.has('owner'))
      assert.ok(asked.some((a) => a.includes('q=tanaka') && a.includes('kind=person')), asked.join(' '))
      assert.ok(asked.filter((a) => a.includes('/members')).length <= 2 && !asked.some((a) => a.includes('limit=200')), asked.join(' '))
      await page.reload()
      await page.waitForFunction(() => [...document.querySelectorAll('input')].some((i) => i.value.includes('田中') || i.value.includes('Tanaka')))
    },
  ],
  [
    'a busy server: a page that reads waits quietly and then is there; a form sends once and keeps what is typed',
    async (t) => {
      const { page } = await at(t, 'shota', { language: 'en' })
      let reads = 0
      await page.route('**/api/v1/dashboard', (route) => (++reads < 3 ? route.fulfill(busy) : route.fallback()))
      await page.goto('/')
      await page.getByText(/The server is busy/).waitFor()
      await page.getByRole('heading', { name: 'My objectives' }).waitFor()
      assert.equal(reads, 3)
      const keys = []
      await page.route('**/api/v1/objectives', (route) => {
        if (route.request().method() !== 'POST') return route.fallback()
        keys.push(route.request().headers()['idempotency-key'])
        return keys.length < 3 ? route.fulfill({ ...busy, status: keys.length === 1 ? 429 : 503 }) : route.fallback()
      })
      await page.goto('/objectives/new')
      await page.getByLabel('Objective', { exact: true }).fill(`Waited for ${run}`)
      await button(page, 'Create the draft')
      await page.getByText(/The server is busy/).waitFor()
      await page.getByRole('heading', { name: `Waited for ${run}` }).waitFor()
      assert.equal(new Set(keys).size, 1)
      assert.equal(keys.length, 3)
    },
  ],
  [
    'what fails in one card leaves the others standing',
    async (t) => {
      const { page } = await at(t, 'shota', { language: 'en' })
      await page.route('**/api/v1/feed*', (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"type":"internal","title":"broken","status":500,"request_id":"abc"}' }))
      await page.route('**/api/v1/owed', (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{"items":[{"kind":"never-heard-of","id":"x","title":"y","path":"/"}],"count":1,"more":false}' }))
      await page.goto('/')
      await page.getByText('Something went wrong on the server (request abc).').waitFor()
      await page.getByRole('heading', { name: 'My objectives' }).waitFor()
      await page.getByText('This part could not be shown').waitFor()
      t.forgive(/never-heard-of|status of 500|error occurred|Element type|Minified React|undefined/)
    },
  ],
  [
    'the session ends in the midst of an objective: sign in again, and it is sent as typed',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'ja' })
      await page.goto('/objectives/new')
      await page.getByLabel('目標', { exact: true }).fill(`途中で切れても残る ${run}`)
      await button(page, '主要な成果を追加')
      await page.getByLabel('何を測るか').fill('残った割合')
      await page.getByLabel('基準値').fill('0')
      await page.getByLabel('目標値').fill('100')
      await context.clearCookies()
      await button(page, '下書きを作成')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('セッションが終了しました。', { exact: false }).waitFor()
      await dialog.getByLabel('メールアドレス').fill(people.shota)
      await dialog.getByLabel('パスワード', { exact: true }).fill(password)
      await dialog.getByRole('button', { name: 'サインイン', exact: true }).click()
      await page.getByRole('heading', { name: `途中で切れても残る ${run}` }).waitFor()
      await page.getByText('残った割合').first().waitFor()
    },
  ],
  [
    'offline in a form: reload keeps what is typed, and it goes out once',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en' })
      await page.goto('/objectives/new')
      await page.getByLabel('Objective', { exact: true }).fill(`Typed on a train ${run}`)
      await page.reload()
      await page.getByText('What you typed before has been restored.').waitFor()
      assert.equal(await page.getByLabel('Objective', { exact: true }).inputValue(), `Typed on a train ${run}`)
      await context.setOffline(true)
      await page.getByText(/You are offline/).waitFor()
      await button(page, 'Create the draft')
      await page.waitForTimeout(800)
      await context.setOffline(false)
      await page.getByRole('heading', { name: `Typed on a train ${run}` }).waitFor()
      const found = await call(context, t.url, 'GET', `/search?kind=objective&q=${encodeURIComponent(`Typed on a train ${run}`)}`)
      assert.equal(found.objectives.items.length, 1)
    },
  ],
  [
    'two tabs: what is edited in one is learnt by the other',
    async (t) => {
      const one = await at(t, 'shota', { language: 'en' })
      const o = await draft(one.context, t.url, `Two tabs ${run}`)
      await one.page.goto(`/objectives/${o.id}`)
      await one.page.getByRole('heading', { name: o.title }).waitFor()
      const other = await one.context.newPage()
      await other.goto(`/objectives/${o.id}/edit`)
      await other.getByLabel('Objective', { exact: true }).fill(`Renamed in a tab ${run}`)
      await button(other, 'Save')
      await other.getByRole('heading', { name: `Renamed in a tab ${run}` }).waitFor()
      await one.page.getByRole('heading', { name: `Renamed in a tab ${run}` }).waitFor()
    },
  ],
  [
    'back, forward and reload keep filters and the place on the page',
    async (t) => {
      const { page, context } = await at(t, 'shota', { language: 'en', height: 500 })
      for (let n = 0; n < 12; n++) await draft(context, t.url, `Far down ${run} ${n}`)
      await page.goto(`/objectives?text=${encodeURIComponent(`far down ${run}`)}`)
      const link = page.getByRole('link', { name: new RegExp(`Far down ${run} 11`) })
      await link.waitFor()
      await link.scrollIntoViewIfNeeded()
      const place = await page.evaluate(() => scrollY)
      assert.ok(place > 100, `scrolled to ${place}`)
      await link.click()
      await page.getByRole('heading', { name: `Far down ${run} 11` }).waitFor()
      assert.equal(await page.evaluate(() => scrollY), 0)
      await page.goBack()
      await link.waitFor()
      await page.waitForFunction((y) => Math.abs(scrollY - y) < 40, place)
      assert.equal(new URL(page.url()).searchParams.get('text'), `far down ${run}`)
      await page.goForward()
      await page.getByRole('heading', { name: `Far down ${run} 11` }).waitFor()
    },
  ],
  [
    'the main job by the keyboard alone',
    async (t) => {
      const { page } = await at(t, 'shota', { language: 'en' })
      const press = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key)
      }
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '')
      /** Goes on with Tab until what is named has the focus. */
      const reach = async (name) => {
        for (let n = 0; n < 80; n++) {
          await press('Tab')
          if (name.test(await focused())) return
          const label = await page.evaluate(() => document.activeElement?.labels?.[0]?.textContent ?? '')
          if (name.test(label)) return
        }
        assert.fail(`the keyboard does not reach ${name}`)
      }
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await press('Control+k')
      await page.getByPlaceholder('A few words: objectives, people, teams').waitFor()
      await page.keyboard.type('New objective')
      await page.getByRole('button', { name: 'All results for' }).waitFor()
      await press('Enter')
      await page.getByRole('heading', { name: 'New objective', level: 1 }).waitFor()
      await page.getByPlaceholder('A few words: objectives, people, teams').waitFor({ state: 'detached' })
      await reach(/^Objective$/)
      await page.keyboard.type(`By keyboard ${run}`)
      await reach(/^Add a key result$/)
      await press('Enter')
      await page.keyboard.type('Pages that work without a mouse')
      await reach(/^Baseline$/)
      await page.keyboard.type('10')
      await press('Tab')
      await page.keyboard.type('100')
      await reach(/^Create the draft$/)
      await press('Enter')
      await page.getByRole('heading', { name: `By keyboard ${run}` }).waitFor()
      await reach(/^Submit for review$/)
      await press('Enter')
      await page.getByRole('dialog').waitFor()
      await reach(/^Submit for review$/)
      await press('Enter')
      await page.getByText('This waits for a review.').or(page.getByText('You may approve this or return it with a note.')).first().waitFor()
    },
  ],
]
