// The README's pictures, as small as they can be.
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { open, people, signIn } from './browser.mjs'

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))

export async function pictures(t) {
  await mkdir(folder, { recursive: true })
  const objective = '/objectives/019b76da-a800-7005-8001-000000000009'
  const dialogue = '/dialogues/019b76da-a800-700a-8001-000000000003'
  const cycle = async (o) => {
    const { items } = await (await o.context.request.get(`${t.url}/api/v1/cycles`)).json()
    return `/cycles/${items.find((c) => c.state === 'active').id}`
  }
  for (const [name, path, language, colors, who] of [
    ['home', '/', 'en', 'light', 'misaki'],
    ['objective', objective, 'ja', 'light', 'aya'],
    ['cycle', cycle, 'ja', 'dark', 'misaki'],
    ['dialogue', dialogue, 'en', 'dark', 'misaki'],
  ]) {
    const o = t.keep(await open(t.browser, t.url, { language, colors, width: 1120, height: 760 }))
    await signIn(o.context, t.url, people[who])
    await o.page.goto(typeof path === 'string' ? path : await path(o))
    await o.page.getByRole('heading', { level: 1 }).waitFor()
    await o.page.waitForTimeout(1500)
    await o.page.reload() // with the fonts that the first visit has fetched
    await o.page.getByRole('heading', { level: 1 }).waitFor()
    await o.page.waitForTimeout(1200)
    if (name === 'dialogue') await o.page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await o.page.waitForTimeout(300)
    await o.page.screenshot({ path: `${folder}${name}.png` })
  }
}
