// The README's pictures, as small as they can be.
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { open, people, signIn } from './browser.mjs'

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))

export async function pictures(t) {
  await mkdir(folder, { recursive: true })
  const objective = '/objectives/019b76da-a800-7005-8001-000000000009'
  const dialogue = '/dialogues/019b76da-a800-700a-8001-000000000003'
  for (const [name, path, language, colors, who] of [['objective', objective, 'ja', 'light', 'aya'], ['dialogue', dialogue, 'en', 'dark', 'misaki']]) {
    const o = t.keep(await open(t.browser, t.url, { language, colors, width: 1120, height: 760 }))
    await signIn(o.context, t.url, people[who])
    await o.page.goto(path)
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
