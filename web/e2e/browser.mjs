// Debian's Chromium, as somebody's browser: a language, a theme, a size, and a time zone.
import { access } from 'node:fs/promises'
import { chromium } from 'playwright-core'

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export async function launch() {
  for (const path of places) {
    if (!path) continue
    try {
      await access(path)
    } catch {
      continue
    }
    return chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-gpu', '--font-render-hinting=none'] })
  }
  throw new Error('no Chromium: apt-get install chromium, or set CHROMIUM')
}

export const password = 'minato-demo-password'
export const people = { misaki: 'misaki.takahashi@example.com', shota: 'shota.tanaka@example.com', aya: 'aya.nakamura@example.com', noah: 'noah.bennett@example.com', yoko: 'yoko.suzuki@example.com' }

/** Somebody's browser. What goes wrong in its pages is kept in .mistakes. */
export async function open(browser, url, { language = 'en', colors = 'light', width = 1280, height = 900 } = {}) {
  const context = await browser.newContext({ baseURL: url, locale: language === 'ja' ? 'ja-JP' : 'en-GB', timezoneId: 'Asia/Tokyo', colorScheme: colors, viewport: { width, height }, reducedMotion: 'reduce' })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const mistakes = []
  page.on('pageerror', (e) => mistakes.push(String(e)))
  page.on('console', (m) => {
    if (m.type() === 'error' && !/status of (4\d\d|503)|ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(m.text())) mistakes.push(m.text())
  })
  page.on('request', (r) => {
    if (!r.url().startsWith(url) && !r.url().startsWith('data:') && !r.url().startsWith('blob:')) mistakes.push(`left the origin: ${r.url()}`)
  })
  return { context, page, mistakes }
}

const sessions = new Map() // one for each person and program: signing in is rationed

/** Signs in without the page, for whatever is not about signing in. */
export async function signIn(context, url, email) {
  const key = `${url} ${email}`
  if (!sessions.has(key)) {
    const answer = await context.request.post(`${url}/api/v1/session`, { data: { email, password } })
    if (!answer.ok()) throw new Error(`cannot sign in as ${email}: ${answer.status()}`)
    sessions.set(key, (await context.cookies()).filter((c) => url.includes(c.domain)))
  }
  await context.addCookies(sessions.get(key))
}
