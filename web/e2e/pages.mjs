// Every page: axe finds nothing serious, nothing runs over the edge at 320 px, no word of the other language; and pictures for people to look at.
import { AxeBuilder } from '@axe-core/playwright'
import assert from 'node:assert/strict'
import { open, people, signIn } from './browser.mjs'

const objective = '019b76da-a800-7005-8001-000000000009'
const draft = '019b76da-a800-7005-8001-00000000000e'

// name, path, and who looks; the demo has the same ids wherever it is loaded.
export const shown = [
  ['sign-in', '/sign-in', null],
  ['home', '/', 'shota'],
  ['home-lead', '/', 'misaki'],
  ['search', '/search?q=顧客', 'aya'],
  ['search-empty', '/search', 'aya'],
  ['objectives', '/objectives', 'aya'],
  ['objective', `/objectives/${objective}`, 'aya'],
  ['objective-coach', `/objectives/${objective}?tab=coach`, 'aya'],
  ['objective-comments', `/objectives/${objective}?tab=comments`, 'aya'],
  ['objective-history', `/objectives/${objective}?tab=history`, 'aya'],
  ['objective-new', '/objectives/new', 'shota'],
  ['objective-edit', `/objectives/${draft}/edit`, 'shota'],
  ['dialogue', '/dialogues/019b76da-a800-700a-8001-000000000004', 'shota'],
  ['inbox', '/inbox', 'shota'],
  ['meetings', '/meetings', 'aya'],
  ['meeting-new', '/meetings/new', 'aya'],
  ['meeting-edit', firstOf('/meetings', '/meetings/', '/edit'), 'aya'],
  ['meeting-times', firstOf('/meetings', '/meetings/', '?all=true'), 'aya'],
  ['occurrence', first('/occurrences?from=2020-01-01T00:00:00Z&before=2021-01-01T00:00:00Z'), 'aya'],
  ['broadcasts', '/broadcasts', 'misaki'],
  ['broadcast-new', '/broadcasts/new', 'misaki'],
  ['broadcast', '/broadcasts/019b76da-a800-7015-8001-000000000001', 'misaki'],
  ['members', '/organization/members', 'misaki'],
  ['teams', '/organization/teams', 'misaki'],
  ['team', firstOf('/teams', '/teams/'), 'misaki'],
  ['cycle', ofCycle(''), 'misaki'],
  ['cycle-past', ofCycle('?as_of=DAY'), 'shota'],
  ['tree', ofCycle(`?tab=tree&focus=${objective}`), 'misaki'],
  ['objective-past', ofCycle('?as_of=DAY', objective), 'aya'],
  ['cycles', '/organization/cycles', 'misaki'],
  ['cycle-scores', inCycle('active', (id) => `/cycles/${id}/scores`), 'misaki'],
  ['carry-over', inCycle('closed', (id) => `/cycles/${id}/carry-over?scope=cycle`), 'misaki'],
  ['imports', '/organization/import', 'misaki'],
  ['export', '/export', 'misaki'],
  ['import-columns', brought(false), 'misaki'],
  ['import-checked', brought(true), 'misaki'],
  ['jobs', '/organization/jobs', 'misaki'],
  ['audit', '/organization/audit', 'misaki'],
  ['settings', '/organization/settings', 'misaki'],
  ['webhooks', '/organization/webhooks', 'misaki'],
  ['webhook', aWebhook(), 'misaki'],
  ['invitation', '/invitation#kki_nothing', null],
  ['account', '/account', 'shota'],
  ['not-found', '/nothing/here', 'shota'],
]

function firstOf(list, prefix, behind = '') {
  return async (context, url) => prefix + (await (await context.request.get(`${url}/api/v1${list}`)).json()).items[0].id + behind
}

/** In the first of the demo's cycles that is in a state. */
function inCycle(state, path) {
  return async (context, url) => path((await (await context.request.get(`${url}/api/v1/cycles`)).json()).items.find((c) => c.state === state).id)
}

/** A file that was brought, with a row that is refused; checked, or still to be. */
function brought(checked) {
  return async (context, url) => {
    const { items: cycles } = await (await context.request.get(`${url}/api/v1/cycles`)).json()
    const cycle = cycles.find((c) => c.state === 'active')
    const rows = ['Objective,Owner,Cycle,Key result,Baseline,Target,Memo', `"お客さまに選ばれ続ける",shota.tanaka@example.com,${cycle.name},NPS,30,45,`, `Calls are answered,nobody@example.com,${cycle.name},Calls,many,10,=1+1`]
    let i = await (await context.request.post(`${url}/api/v1/imports?file_name=okr.csv`, { headers: { 'Content-Type': 'text/csv' }, data: Buffer.from(rows.join('\r\n')) })).json()
    if (checked) {
      await context.request.post(`${url}/api/v1/imports/${i.id}/check`, { data: { revision: i.revision } })
      for (let n = 0; n < 60 && i.state !== 'checked'; n++) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        i = await (await context.request.get(`${url}/api/v1/imports/${i.id}`)).json()
      }
    }
    return `/organization/import/${i.id}`
  }
}

/** A webhook with something on its way. */
function aWebhook() {
  return async (context, url) => {
    const list = await (await context.request.get(`${url}/api/v1/webhooks`)).json()
    const id = list.items[0]?.id ?? (await (await context.request.post(`${url}/api/v1/webhooks`, { data: { url: 'https://hooks.example.com/kakeai', kinds: ['objective.', 'team.created'] } })).json()).webhook.id
    await context.request.post(`${url}/api/v1/webhooks/${id}/test`)
    return `/organization/webhooks/${id}`
  }
}

/** The page of the active cycle, or of an objective, where DAY stands for one of its days that was recorded. */
function ofCycle(query, id) {
  return async (context, url) => {
    const read = async (path) => (await context.request.get(`${url}/api/v1${path}`)).json()
    const cycle = (await read('/cycles')).items.find((c) => c.state === 'active')
    const { days } = await read(`/cycles/${cycle.id}/progress`)
    return (id ? `/objectives/${id}` : `/cycles/${cycle.id}`) + query.replace('DAY', days.at(-3)?.day ?? days[0]?.day ?? '')
  }
}

/** The occurrence that is nearest to now, of whoever looks. */
function first() {
  return async (context, url) => {
    const now = Date.now()
    const day = 86_400_000
    const query = new URLSearchParams({ from: new Date(now - 60 * day).toISOString(), before: new Date(now + 60 * day).toISOString(), limit: '200' })
    const { items } = await (await context.request.get(`${url}/api/v1/occurrences?${query}`)).json()
    const past = items.filter((o) => Date.parse(o.starts_at) < now)
    const one = past.at(-1) ?? items[0]
    return one ? `/occurrences/${one.id}` : '/meetings'
  }
}

async function settle(page) {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]') && document.images.length >= 0, null, { timeout: 10_000 })
  await page.waitForTimeout(350)
}

export const pages = shown.map(([name, path, who]) => [
  `page ${name}`,
  async (t) => {
    for (const language of ['ja', 'en']) {
      for (const colors of ['light', 'dark']) {
        if (t.once && (language !== 'ja' || colors !== 'light')) continue
        if (t.quick && (language === 'ja') !== (colors === 'light')) continue
        const o = t.keep(await open(t.browser, t.url, { language, colors }))
        if (who) await signIn(o.context, t.url, people[who])
        const address = typeof path === 'string' ? path : await path(o.context, t.url)
        await o.page.goto(address)
        await settle(o.page)
        await o.page.screenshot({ path: `${t.output}${name}-${language}-${colors}-1280.png`, fullPage: true })
        const found = (await new AxeBuilder({ page: o.page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze()).violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')
        assert.deepEqual(found.map((v) => `${v.id} (${language}, ${colors}): ${v.nodes.map((n) => `${n.target.join(' ')} ${n.any[0]?.message ?? ''}`).slice(0, 4).join(' | ')}`), [])
        await o.page.setViewportSize({ width: 320, height: 720 })
        await o.page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth, null, { timeout: 8000 }).catch(() => assert.fail(`runs over the edge at 320 px (${language})`))
        await o.page.setViewportSize({ width: 360, height: 740 })
        await o.page.waitForTimeout(150)
        await o.page.screenshot({ path: `${t.output}${name}-${language}-${colors}-360.png`, fullPage: true })
        await o.context.close()
      }
    }
  },
])
