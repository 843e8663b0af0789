// Every page: axe finds nothing serious, nothing jumps while it is loading, nothing runs over the edge at 320 px, no word of the other language; and pictures for people to look at.
import { AxeBuilder } from '@axe-core/playwright'
import assert from 'node:assert/strict'
import { open, password, people, signIn } from './browser.mjs'
import { shiftsOf, watchShifts } from './shifts.mjs'
import { call, run } from './steps.mjs'

const objective = '019b76da-a800-7005-8001-000000000009'
const mayMove = 0.05 // of what is in sight, as Cumulative Layout Shift counts it
const draft = '019b76da-a800-7005-8001-00000000000e'

// name, path, who looks, and what is done before the page is opened and then on it; the demo has the same ids wherever it is loaded.
export const shown = [
  ['sign-in', '/sign-in', null],
  ['home', '/', 'shota'],
  ['home-lead', '/', 'misaki'],
  ['home-past', ofCycle('?as_of=DAY', () => '/'), 'shota'],
  ['search', '/search?q=お客様', 'aya'],
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
  ['objective-past', ofCycle('?as_of=DAY', () => `/objectives/${objective}`), 'aya'],
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

  // What opens over a page.
  ['palette', '/', 'shota', { then: (page) => page.keyboard.press('Control+k') }],
  ['person-menu', '/', 'shota', { then: (page) => page.getByRole('button', { name: /マイアカウント|My account/ }).click() }],
  ['check-in', `/objectives/${objective}`, 'aya', { then: (page) => page.getByRole('button', { name: /^(チェックイン|Check in): / }).first().click() }],
  ['move-submit', `/objectives/${draft}`, 'shota', { then: (page) => page.getByRole('button', { name: /^(レビューに出す|Submit for review)$/ }).click() }],
  ['move-close', `/objectives/${objective}`, 'aya', { then: (page) => page.getByRole('button', { name: /^(完了にする|Close)$/ }).click() }],
  ['key-result-form', '/objectives/new', 'shota', { then: (page) => page.getByRole('button', { name: /^(主要な成果を追加|Add a key result)$/ }).click() }],
  ['objective-parent', contributing((o) => `/objectives/${o.id}/edit`), 'misaki'],
  ['contributors', contributing((o) => `/objectives/${o.parent_objective_id}`), 'misaki', { then: (page) => page.getByRole('button', { name: /^(貢献する目標|What contributes)/ }).first().click() }],
  ['follow-up', withFollowUp(), 'aya', { then: (page) => page.getByRole('button', { name: /(Change: |」を変更$)/ }).first().click() }],
  ['invite', '/organization/members', 'misaki', { then: (page) => page.getByRole('button', { name: /^(招待|メンバーを招待|Invite)/ }).first().click() }],
  ['cycle-new', '/organization/cycles?new=true', 'misaki'],

  // What is not there, not yet, or not for everybody.
  ['loading', '/objectives', 'shota', { before: held(/\/api\/v1\/objectives\?/), busy: true }],
  ['loading-home', '/', 'shota', { before: held(/\/api\/v1\/(dashboard|owed|feed)/), busy: true }],
  ['failed', '/objectives', 'shota', { before: broken(/\/api\/v1\/objectives\?/) }],
  ['failed-home', '/', 'shota', { before: broken(/\/api\/v1\/(dashboard|owed|feed)/) }],
  ['filtered-empty', '/objectives?text=zzzzzz', 'shota'],
  ['search-none', '/search?q=zzzzzz', 'shota'],
  ['viewer-home', '/', viewer],
  ['viewer-objective', `/objectives/${objective}`, viewer],
  ['viewer-coach', `/objectives/${objective}?tab=coach`, viewer],
  ['viewer-members', '/organization/members', viewer],
  ['viewer-cycles', '/organization/cycles', viewer],
  ['viewer-settings', '/organization/settings', viewer],
  ['empty-home', '/', empty],
  ['empty-objectives', '/objectives', empty],
  ['empty-objective-new', '/objectives/new', empty],
  ['empty-cycle', '/cycles', empty],
  ['empty-meetings', '/meetings', empty],
  ['empty-broadcasts', '/broadcasts', empty],
  ['empty-inbox', '/inbox', empty],
  ['empty-members', '/organization/members', empty],
  ['empty-teams', '/organization/teams', empty],
  ['empty-cycles', '/organization/cycles', empty],
  ['empty-imports', '/organization/import', empty],
  ['empty-jobs', '/organization/jobs', empty],
  ['empty-webhooks', '/organization/webhooks', empty],
  ['empty-audit', '/organization/audit', empty],

  // Long names and large numbers.
  ['long-home', '/', long],
  ['long-objectives', '/objectives', long],
  ['long-objective', longOne(''), long],
  ['long-edit', longOne('/edit'), long],
  ['long-coach', longOne('?tab=coach'), long],
  ['long-history', longOne('?tab=history'), long],
  ['long-check-in', longOne(''), long, { then: (page) => page.getByRole('button', { name: /^(チェックイン|Check in): / }).first().click() }],
  ['long-cycle', '/cycles', long],
  ['long-tree', longTree(), long],
  ['long-team', firstOf('/teams', '/teams/'), long],
  ['long-teams', '/organization/teams', long],
  ['long-members', '/organization/members', long],
  ['long-search', '/search?q=%E5%8F%97%E6%B3%A8', long],
]

/** Answers that never come. */
function held(address) {
  return (page) => page.route(address, () => undefined)
}

function broken(address) {
  return (page) => page.route(address, (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"type":"internal","title":"broken","status":500,"request_id":"0193f0a1"}' }))
}

async function viewer(t, context) {
  await signIn(context, t.url, people.yoko)
}

const made = new Map() // organisations beside the demo, by program and name

function organization(t, name, make) {
  const key = `${t.url} ${name}`
  if (!made.has(key)) made.set(key, make(`${name}-${run}@example.com`))
  return made.get(key)
}

/** The owner of an organisation in which nothing has happened yet. */
async function empty(t, context) {
  const email = await organization(t, 'empty', async (email) => {
    await t.bootstrap(email, password, '--name', '株式会社あおぞら', '--owner-name', '加藤 蓮', '--locale', 'ja', '--time-zone', 'Asia/Tokyo')
    return email
  })
  await signIn(context, t.url, email)
}

const longTitle = '受注から出荷までのあらゆる段階でお客さまをお待たせしない仕組みを、東北・関東・中部・関西・九州の全拠点と協力会社の皆さまと一緒につくり上げ、問い合わせの前に答えが届いている状態を当たり前にして、繁忙期であっても約束した納期を必ず守り、安心して次のご注文をいただける関係を、今期のうちに、特別な努力なしに続けられるところまで育てる（そのために必要な権限と予算を現場に渡す）'.padEnd(200, '。').slice(0, 200)
const longName = 'Maximiliana Alexandrowna von Hohenlohe-Schillingsfürst-Waldenburg'.slice(0, 60)

/** The owner of an organisation in which everything is as long, and as large, as it may reasonably be. */
async function long(t, context) {
  const { email } = await organization(t, 'long', async (email) => {
    await t.bootstrap(email, password, '--name', '株式会社あおぞら総合ロジスティクスソリューションズホールディングス東日本', '--owner-name', longName, '--locale', 'ja', '--time-zone', 'Asia/Tokyo')
    await signIn(context, t.url, email)
    const ask = (method, path, data) => call(context, t.url, method, path, data)
    const me = (await ask('GET', '/session')).user
    const day = (n) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10)
    const cycle = await ask('POST', '/cycles', { name: '2026年度下期 全社横断業務改革プログラム 第2フェーズ（10月〜3月）', starts_on: day(-60), ends_on: day(60) })
    await ask('PATCH', `/cycles/${cycle.id}`, { revision: cycle.revision, state: 'active' })
    const team = await ask('POST', '/teams', { name: '東日本ロジスティクス統括本部 受注出荷業務改革推進プロジェクトチーム（兼 品質保証分科会）', description: '受注から出荷までの全体を、一つのチームとして見ます。' })
    await ask('PUT', `/teams/${team.id}/members/${me.id}`, { role: 'lead' })
    const parent = await ask('POST', '/objectives', { cycle_id: cycle.id, team_id: team.id, title: 'https://example.com/averyveryverylongaddresswithoutanyplacewhereitcouldbebroken/andanother/part/of/it?and=more のとおりに進める', key_results: [{ title: 'A', kind: 'milestone', steps: [{ title: 'one' }, { title: longTitle }] }] })
    const o = await ask('POST', '/objectives', {
      cycle_id: cycle.id, team_id: team.id, parent_objective_id: parent.id, title: longTitle, description: `${longTitle}\n\n${longTitle}`,
      key_results: [
        { title: `年間の総受注金額（返品、値引き、為替の影響を除いた、連結対象の全拠点の合計。${longTitle}`.slice(0, 200), kind: 'metric', unit: '百万ベトナムドン', baseline: '-1234567890.5', target: '1234567890.5', stretch: '9876543210.25', weight: '12.5' },
        { title: 'Kraftfahrzeughaftpflichtversicherungsgesellschaftsbeitragsbemessungsgrundlage', kind: 'threshold', unit: 'Kilowattstunden', at_least: '0.000001', at_most: '1234567890.5', tolerance: '1000000' },
        { title: '段階', kind: 'milestone', steps: [{ title: longTitle, weight: '3' }, { title: '次の段階' }] },
      ],
    })
    let moved = await ask('POST', `/objectives/${o.id}/actions/submit`, { revision: o.revision })
    moved = await ask('POST', `/objectives/${o.id}/actions/approve`, { revision: moved.revision })
    const [money, band, steps] = moved.key_results
    await ask('POST', `/key-results/${money.id}/check-ins`, { value: '-987654321.25', confidence: 3, note: longTitle })
    await ask('POST', `/key-results/${money.id}/check-ins`, { value: '1234567.5', confidence: 7 })
    await ask('POST', `/key-results/${band.id}/check-ins`, { value: '1234567891.5', confidence: 10, note: 'https://example.com/averyveryverylongaddresswithoutanyplacewhereitcouldbebroken/andanother' })
    await ask('POST', `/key-results/${steps.id}/check-ins`, { done_step_ids: [steps.steps[0].id], confidence: 0 })
    return { email, objective: o.id, cycle: cycle.id }
  })
  await signIn(context, t.url, email)
}

function longOne(behind) {
  return async (context, url) => `/objectives/${(await made.get(`${url} long`)).objective}${behind}`
}

function longTree() {
  return async (context, url) => {
    const { objective: o, cycle } = await made.get(`${url} long`)
    return `/cycles/${cycle}?tab=tree&focus=${o}`
  }
}

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
function ofCycle(query, path = (cycle) => `/cycles/${cycle.id}`) {
  return async (context, url) => {
    const read = async (path) => (await context.request.get(`${url}/api/v1${path}`)).json()
    const cycle = (await read('/cycles')).items.find((c) => c.state === 'active')
    const { days } = await read(`/cycles/${cycle.id}/progress`)
    return path(cycle) + query.replace('DAY', days.at(-3)?.day ?? days[0]?.day ?? '')
  }
}

/** The first objective of the active cycle that contributes to a key result of another. */
function contributing(path) {
  return async (context, url) => {
    const read = async (at) => (await context.request.get(`${url}/api/v1${at}`)).json()
    const cycle = (await read('/cycles')).items.find((c) => c.state === 'active')
    for (const o of (await read(`/objectives?limit=200&cycle_id=${cycle.id}`)).items) {
      const whole = await read(`/objectives/${o.id}`)
      if (whole.parent_key_result_id) return path(whole)
    }
    throw new Error('no objective contributes to a key result')
  }
}

/** That occurrence, with something that was agreed. */
function withFollowUp() {
  return async (context, url) => {
    const path = await first()(context, url)
    const at = `${url}/api/v1${path}`
    const { user } = await (await context.request.get(`${url}/api/v1/session`)).json()
    if ((await (await context.request.get(at)).json()).follow_ups.length === 0) await context.request.post(`${at}/follow-ups`, { data: { title: 'ヘルプの見出しを、お客さまの言葉に直す', assignee_id: user.id, due_on: '2026-12-18' } })
    return path
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

async function settle(page, busy) {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  if (!busy) await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]') && document.images.length >= 0, null, { timeout: 10_000 })
  await page.waitForTimeout(350)
}

export const pages = shown.map(([name, path, who, { before, then, busy } = {}]) => [
  `page ${name}`,
  async (t) => {
    if (before) t.forgive(/status of 500/)
    for (const language of ['ja', 'en']) {
      for (const colors of ['light', 'dark']) {
        if (t.once && (language !== 'ja' || colors !== 'light')) continue
        if (t.quick && (language === 'ja') !== (colors === 'light')) continue
        const o = t.keep(await open(t.browser, t.url, { language, colors }))
        if (typeof who === 'function') await who(t, o.context)
        else if (who) await signIn(o.context, t.url, people[who])
        const address = typeof path === 'string' ? path : await path(o.context, t.url)
        await before?.(o.page)
        await watchShifts(o.page)
        await o.page.goto(address)
        await settle(o.page, busy)
        const { sum, all } = await shiftsOf(o.page)
        assert.ok(sum <= mayMove, `${sum.toFixed(3)} moved while it was loading (${language}, ${colors}): ${all.map((s) => `${s.value.toFixed(3)} ${s.moved.join(' | ')}`).join('; ')}`)
        if (then) {
          await then(o.page)
          await o.page.waitForTimeout(600)
        }
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
