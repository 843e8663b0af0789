// How soon a page takes input when somebody opens it first, on a slow laptop, and what moves on it meanwhile. Prints a table and, as its last line, one JSON object.
//   node e2e/speed.mjs                       the main pages of the demo
//   node e2e/speed.mjs --people=10000        those of an organisation of that many, as its owner; --objectives=20000 of theirs
//   node e2e/speed.mjs --only=WORD           the pages whose names hold WORD
//   node e2e/speed.mjs --why                 what moved, and how long each part of a load took
//   node e2e/speed.mjs --runs=3 --cpu=4 --mbit=10 --latency=40   the profile
import { cpus, loadavg } from 'node:os'
import { launch, open, password, people, signIn } from './browser.mjs'
import { start } from './kakeai.mjs'
import { shown } from './pages.mjs'
import { shiftsOf, watchShifts } from './shifts.mjs'

const given = (name, otherwise) => process.argv.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise
const only = given('only', '')
const why = process.argv.includes('--why')
const runs = Number(given('runs', 3))
const profile = { cpu_slowdown: Number(given('cpu', 4)), mbit_per_s: Number(given('mbit', 10)), latency_ms: Number(given('latency', 40)) }
const size = { people: Number(given('people', 0)), objectives: Number(given('objectives', 2 * given('people', 0))) }
const limits = { interactive_ms: 2000, layout_shift: 0.02 }

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

const named = new Map(shown.map(([name, path, who]) => [name, { path, who }]))
const main = ['sign-in', 'home', 'home-lead', 'objectives', 'objective', 'cycle', 'tree', 'dialogue', 'meetings', 'inbox', 'members', 'teams'].map((name) => ({ name, ...named.get(name) }))

/** The same of a large organisation, which has no dialogues and meetings. */
const read = async (context, url, path) => (await context.request.get(`${url}/api/v1${path}`)).json()
const active = async (context, url) => (await read(context, url, '/cycles')).items.find((c) => c.state === 'active').id
const large = [
  ['home', '/'],
  ['objectives', '/objectives'],
  ['objective', async (context, url) => `/objectives/${(await read(context, url, `/objectives?cycle_id=${await active(context, url)}&state=approved&limit=1`)).items[0].id}`],
  ['cycle', async (context, url) => `/cycles/${await active(context, url)}`],
  ['tree', async (context, url) => `/cycles/${await active(context, url)}?tab=tree`],
  ['scores', async (context, url) => `/cycles/${await active(context, url)}/scores`],
  ['members', '/organization/members'],
  ['teams', '/organization/teams'],
  ['audit', '/organization/audit'],
].map(([name, path]) => ({ name, path, who: 'owner' }))

/** Runs in the page: notes when its main content first is there and the main thread is free, for 50 ms both. */
function watch() {
  window.speed = { interactive: null, whole: null }
  const there = () => document.querySelector('h1') && !document.querySelector('[aria-busy="true"], [role="status"] .mantine-Loader-root, .mantine-Skeleton-root')
  let since = null // when the content came that is there now
  let last = performance.now()
  const channel = new MessageChannel()
  const look = () => {
    const now = performance.now()
    const held = now - last > 50 // something has kept the main thread longer than a click should wait
    last = now
    if (!there()) {
      since = null
      window.speed.whole = null
    } else if (since === null || (held && window.speed.interactive === null)) since = now
    else if (now - since >= 50) {
      window.speed.interactive ??= since
      window.speed.whole ??= since
    }
    setTimeout(() => channel.port2.postMessage(null), 4)
  }
  channel.port1.onmessage = look
  look()
}

async function load(browser, url, page, who) {
  const o = await open(browser, url, { language: 'ja', width: 1366, height: 768 })
  try {
    if (page.who) await signIn(o.context, url, who(page.who))
    const address = typeof page.path === 'string' ? page.path : await page.path(o.context, url)
    const devtools = await o.context.newCDPSession(o.page)
    await devtools.send('Network.enable')
    const bytes = (profile.mbit_per_s * 1e6) / 8
    await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: profile.latency_ms, downloadThroughput: bytes, uploadThroughput: bytes })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: profile.cpu_slowdown })
    await watchShifts(o.page)
    await o.page.addInitScript(watch)
    await o.page.goto(address, { waitUntil: 'commit' })
    await o.page.waitForFunction(() => window.speed?.interactive != null, null, { timeout: 60_000, polling: 100 })
    // What comes later may still move what is there: whatever is loaded after the page.
    await o.page.waitForFunction(() => window.speed.whole !== null && performance.now() - window.speed.whole > 2500, null, { timeout: 60_000, polling: 100 })
    const { interactive, whole } = await o.page.evaluate(() => window.speed)
    const shifts = await shiftsOf(o.page)
    // A click, as the browser tells how long it waited.
    await o.page.evaluate(() => addEventListener('pointerdown', (e) => (window.answered = performance.now() - e.timeStamp), { once: true, capture: true }))
    await o.page.mouse.click(683, 5)
    const answered = await o.page.evaluate(() => window.answered)
    const parts = why ? await o.page.evaluate(() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((e) => `${String(Math.round(e.startTime)).padStart(6)} ${String(Math.round(e.responseEnd)).padStart(6)} ${String(e.transferSize).padStart(8)}  ${e.name.replace(location.origin, '')}`)) : []
    const paints = why ? await o.page.evaluate(() => performance.getEntriesByType('paint').map((e) => `${e.name} ${Math.round(e.startTime)}`)) : []
    return { interactive, whole, answered, shifts, parts, paints, mistakes: o.mistakes }
  } finally {
    await o.context.close()
  }
}

const kakeai = await start()
const browser = await launch()
const ms = (n) => `${Math.round(n)} ms`.padStart(12)
try {
  let pages = main
  let who = (name) => people[name]
  if (size.people > 0) {
    const began = Date.now()
    await kakeai.bootstrap('owner@example.com', password, '--name', 'みなと重工業', '--locale', 'ja', '--time-zone', 'Asia/Tokyo', '--people', String(size.people), '--objectives', String(size.objectives))
    console.log(`an organisation of ${size.people} people and ${size.objectives} objectives was made in ${((Date.now() - began) / 1000).toFixed(0)} s`)
    pages = large
    who = () => 'owner@example.com'
  }
  pages = pages.filter((p) => p.name.includes(only))
  const load1 = loadavg()[0]
  console.log(`slow laptop: ${profile.cpu_slowdown} times slower than this machine (${cpus().length} × ${cpus()[0].model}, load ${load1.toFixed(1)}), ${profile.mbit_per_s} Mbit/s, ${profile.latency_ms} ms; Chromium ${browser.version()}; median of ${runs}`)
  console.log(`${'interactive'.padStart(12)}${'whole'.padStart(12)}${'click'.padStart(12)}${'moved'.padStart(9)}  page`)
  if (pages.length > 0) await load(browser, kakeai.url, pages[0], who) // the program's own first time
  const found = []
  for (const page of pages) {
    const all = []
    for (let n = 0; n < runs; n++) all.push(await load(browser, kakeai.url, page, who))
    const worst = all.toSorted((a, b) => b.shifts.sum - a.shifts.sum)[0]
    const row = {
      page: page.name,
      interactive_ms: Math.round(median(all.map((x) => x.interactive))),
      whole_ms: Math.round(median(all.map((x) => x.whole))),
      click_ms: Math.round(median(all.map((x) => x.answered))),
      layout_shift: Number(median(all.map((x) => x.shifts.sum)).toFixed(4)),
      layout_shift_worst: Number(worst.shifts.sum.toFixed(4)),
    }
    found.push(row)
    const over = [row.interactive_ms > limits.interactive_ms && 'slow', row.layout_shift > limits.layout_shift && 'moves'].filter(Boolean).join(', ')
    console.log(`${ms(row.interactive_ms)}${ms(row.whole_ms)}${ms(row.click_ms)}${row.layout_shift.toFixed(3).padStart(9)}  ${page.name}${over && `  (${over})`}`)
    if (why) {
      for (const s of worst.shifts.all) console.log(`    ${s.value.toFixed(4)} at ${s.at} ms: ${s.moved.join(' | ')}`)
      console.log(`    ${all[0].paints.join(', ')}\n${all[0].parts.join('\n')}`)
    }
    const mistakes = [...new Set(all.flatMap((x) => x.mistakes))]
    if (mistakes.length > 0) console.log(`    the page made mistakes: ${mistakes.join(' | ')}`)
  }
  console.log(JSON.stringify({ profile, machine: { processors: cpus().length, model: cpus()[0].model, load: Number(load1.toFixed(2)), chromium: browser.version() }, runs, ...(size.people > 0 ? size : {}), limits, pages: found }))
} finally {
  await browser.close()
  await kakeai.stop()
}
