// Runs the browser application in a real browser, against a program of its own. Every step prints a line; one that fails keeps a picture in e2e/output.
//   node e2e/run.mjs               flows, then every page with axe and as pictures
//   node e2e/run.mjs --only=WORD   the steps whose names hold WORD
//   node e2e/run.mjs --quick       each page in Japanese and light, and in English and dark, instead of all four
//   node e2e/run.mjs --flows       the flows, and each page once, in Japanese and light, which is what CI has time for
//   node e2e/run.mjs --pictures    only the README's pictures, into docs/pictures
import { mkdir, readdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { launch } from './browser.mjs'
import { start } from './kakeai.mjs'
import { pages } from './pages.mjs'
import { pictures } from './pictures.mjs'

const only = process.argv.find((a) => a.startsWith('--only='))?.slice(7) ?? ''
const output = fileURLToPath(new URL('output/', import.meta.url))
await rm(output, { recursive: true, force: true })
await mkdir(output, { recursive: true })

const flows = []
for (const name of (await readdir(new URL('flows/', import.meta.url))).sort()) flows.push(...(await import(`./flows/${name}`)).flows)

const kakeai = await start()
const browser = await launch()
let passed = 0
let failed = 0

/** Runs a step in contexts of its own, which work gets by calling open. */
async function step(name, work) {
  if (!name.includes(only)) return
  const opened = []
  const forgiven = [] // mistakes that the step provokes
  const began = Date.now()
  try {
    await work({ quick: process.argv.includes('--quick'), once: process.argv.includes('--flows'), browser, url: kakeai.url, bootstrap: kakeai.bootstrap, output, keep: (o) => (opened.push(o), o), forgive: (pattern) => forgiven.push(pattern) })
    const mistakes = opened.flatMap((o) => o.mistakes).filter((m) => !forgiven.some((pattern) => pattern.test(m)))
    if (mistakes.length > 0) throw new Error(`the page made mistakes:\n${[...new Set(mistakes)].join('\n')}`)
    passed++
    console.log(`ok   ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
  } catch (error) {
    failed++
    console.log(`FAIL ${name}: ${error.stack ?? error}`)
    for (const [n, o] of opened.entries()) await o.page.screenshot({ path: `${output}failed-${name.replaceAll(/\W+/g, '-')}-${n}.png` }).catch(() => undefined)
  } finally {
    for (const o of opened) await o.context.close()
  }
}

try {
  if (process.argv.includes('--pictures')) {
    await step('pictures for the README', pictures)
  } else {
    for (const [name, work] of flows) await step(name, work)
    // Pages change nothing that others show, so two of them are looked at at a time: each waits for most of its own.
    const left = [...pages]
    const look = async () => {
      for (let next = left.shift(); next; next = left.shift()) await step(...next)
    }
    await Promise.all([look(), look()])
  }
} finally {
  await browser.close()
  await kakeai.stop()
}
console.log(`e2e: ${passed} passed, ${failed} failed`)
if (failed > 0) process.exit(1)
