// Prints what a first load fetches, and fails where that is more script than 250 kB as it travels.
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

const limit = 250_000 // bytes of script, compressed, on any page that somebody opens first
const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(await readFile(new URL('manifest.json', dist), 'utf8'))

const sizes = new Map()
async function size(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(await readFile(new URL(file, dist)), { level: 9 }).length)
  return sizes.get(file)
}

// reach adds a chunk and all that it imports at once to the files.
function reach(key, files) {
  const chunk = manifest[key]
  if (files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const css of chunk.css ?? []) files.add(css)
  for (const other of chunk.imports ?? []) reach(other, files)
  return files
}

// The frame stands around every page but the sign-in.
const frame = Object.keys(manifest).find((key) => key.endsWith('src/shell/Frame.tsx'))
const entry = Object.keys(manifest).find((key) => manifest[key].isEntry)
const words = Object.keys(manifest).filter((key) => /i18n\/(en|ja)\.ts$/.test(key))
const areas = Object.keys(manifest).filter((key) => /i18n\/areas\/\w+\.(en|ja)\.ts$/.test(key))
const largest = async (keys) => Math.max(0, ...(await Promise.all(keys.map((key) => size(manifest[key].file)))))
// The areas of messages that a page is loaded with, as routes.tsx names them.
const routes = await readFile(new URL('../src/routes.tsx', import.meta.url), 'utf8')
const areasOf = new Map([...routes.matchAll(/page\(\(\) => import\('\.\/([\w/]+)'\)((?:, '\w+')*)\)/g)].map(([, page, names]) => [`src/${page}.tsx`, [...names.matchAll(/\w+/g)].map(([name]) => name)]))
const pages = Object.keys(manifest).filter((key) => areasOf.has(key) && key !== frame)
let worst = 0
console.log('script'.padStart(9) + 'style'.padStart(9) + '  first load of')
for (const page of [null, ...pages]) {
  let script = 0
  let style = 0
  const files = reach(entry, new Set())
  if (!page?.endsWith('/SignIn.tsx')) reach(frame, files)
  if (page) reach(page, files)
  for (const file of files) {
    if (file.endsWith('.js')) script += await size(file)
    if (file.endsWith('.css')) style += await size(file)
  }
  script += await largest(words)
  for (const area of areasOf.get(page) ?? []) script += await largest(areas.filter((key) => new RegExp(`/${area}\\.(en|ja)\\.ts$`).test(key)))
  worst = Math.max(worst, script)
  console.log(`${(script / 1000).toFixed(1)} kB`.padStart(9) + `${(style / 1000).toFixed(1)} kB`.padStart(9) + `  ${page ?? 'the frame alone'}`)
}
console.log(JSON.stringify({ script_bytes_worst: worst, script_bytes_limit: limit }))
if (worst > limit) {
  console.error(`over the budget by ${worst - limit} bytes`)
  process.exit(1)
}
