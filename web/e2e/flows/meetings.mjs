// Meetings from the invitation to the minutes, broadcasts to those who were not reached, and the inbox.
import assert from 'node:assert/strict'
import { open, people, signIn } from '../browser.mjs'
import { start } from '../kakeai.mjs'
import { freePort, mailServer, slowModel } from '../outside.mjs'
import { at, button, call, run } from '../steps.mjs'

const zone = 'Asia/Tokyo'
const tokyo = (ms) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' }).format(new Date(ms)).replace(' ', 'T')

async function memberID(context, url, email) {
  const found = await call(context, url, 'GET', `/search?kind=person&q=${encodeURIComponent(email)}`)
  return found.people.items[0].id
}

/** Does some work with a program of its own, to which others answer from outside. */
async function apart(t, settings, work) {
  const kakeai = await start(settings)
  try {
    await work(kakeai.url)
  } finally {
    await kakeai.stop()
  }
}

export const flows = [
  [
    'a meeting: called with a survey, answered, checked in together, minutes by two, follow-up',
    async (t) => {
      const one = await at(t, 'aya', { language: 'en' })
      const { page } = one
      await page.goto('/meetings/new')
      await page.getByLabel('Title', { exact: true }).fill(`Weekly ${run}`)
      const day = tokyo(Date.now() + 86_400_000).slice(0, 10)
      await page.getByLabel('Date', { exact: true }).fill(day)
      const attendees = page.getByRole('combobox', { name: 'Attendees' })
      await attendees.click()
      await attendees.fill('翔太')
      await page.getByRole('option', { name: /翔太/ }).click()
      await page.keyboard.press('Escape')
      await button(page, 'Add a point')
      await page.getByLabel('Point 1', { exact: true }).fill('Numbers of the week')
      await button(page, 'Add a link')
      await page.getByLabel('Link 1', { exact: true }).fill('https://example.com/report')
      await button(page, 'Add a question')
      await page.getByLabel('Question 1', { exact: true }).fill('How was the week?')
      await button(page, 'Create the meeting')
      await page.getByRole('heading', { level: 1, name: `Weekly ${run}` }).waitFor()
      const address = page.url()
      const id = address.split('/').pop()

      const other = await at(t, 'shota', { language: 'ja' })
      await other.page.goto(address)
      await other.page.getByText('出席', { exact: true }).click()
      await other.page.getByRole('radiogroup', { name: 'How was the week?' }).getByText('7', { exact: true }).click()
      await button(other.page, '回答を送信')
      await other.page.getByText('回答 1 件').waitFor()

      await page.getByRole('button', { name: /^Check in: / }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(/^Value now/).fill('70')
      await dialog.getByLabel('What happened?').fill('Said in the meeting')
      await button(dialog, 'Check in')
      await page.getByText('Said in the meeting').waitFor()
      await page.getByText(/^1 of \d+ checked in$/).waitFor()

      await button(page, 'Write minutes')
      await page.getByRole('textbox', { name: 'Minutes' }).fill('Mine')
      const occurrence = await call(other.context, t.url, 'GET', `/occurrences/${id}`)
      await call(other.context, t.url, 'PUT', `/occurrences/${id}/minutes`, { revision: occurrence.revision, minutes: 'Theirs', decisions: ['We go on'] })
      await button(page, 'Save the minutes')
      const conflict = page.getByRole('dialog', { name: 'Somebody else has changed this' })
      await conflict.getByText('Theirs', { exact: true }).first().waitFor()
      await button(conflict, 'Save the result')
      await page.getByText('We go on').waitFor()
      assert.equal((await call(one.context, t.url, 'GET', `/occurrences/${id}`)).minutes, 'Mine')

      await button(page, 'Add a follow-up')
      await page.getByLabel('What is to be done').fill('Send the numbers')
      await button(page, 'Add')
      await page.getByRole('checkbox', { name: 'Send the numbers' }).check()
      await page.getByText(/^done /).waitFor()
      await page.getByRole('checkbox', { name: 'Send the numbers' }).uncheck()
      await page.getByText(/^done /).waitFor({ state: 'detached' })

      await button(page, 'Change: Send the numbers')
      const change = page.getByRole('dialog', { name: 'Change the follow-up' })
      await change.getByLabel('What is to be done').fill('Send the numbers to everybody')
      await change.getByLabel('By whom').fill('翔太')
      await page.getByRole('option', { name: /翔太/ }).first().click()
      await change.getByText('Whoever it is given to is told.').waitFor()
      const [followUp] = (await call(one.context, t.url, 'GET', `/occurrences/${id}`)).follow_ups
      await call(one.context, t.url, 'PATCH', `/follow-ups/${followUp.id}`, { revision: followUp.revision, due_on: '2030-01-31' })
      await button(change, 'Save')
      const both = page.getByRole('dialog', { name: 'Somebody else has changed this' })
      await both.getByText('Your changes and theirs touch different fields.').waitFor()
      await button(both, 'Save the result')
      await page.getByRole('checkbox', { name: 'Send the numbers to everybody' }).waitFor()
      const [saved] = (await call(one.context, t.url, 'GET', `/occurrences/${id}`)).follow_ups
      const me = await call(other.context, t.url, 'GET', '/session')
      assert.deepEqual([saved.assignee.id, saved.due_on], [me.user.id, '2030-01-31'])
      await other.page.goto('/inbox')
      await other.page.getByText('フォローアップを任されました').first().waitFor()
    },
  ],
  [
    'a meeting: the times at which it took place',
    async (t) => {
      const { page, context } = await at(t, 'aya', { language: 'en' })
      const range = new URLSearchParams({ from: new Date(Date.now() - 60 * 86_400_000).toISOString(), before: new Date().toISOString() })
      const { items } = await call(context, t.url, 'GET', `/occurrences?${range}`)
      const last = items.at(-1)
      await page.goto(`/meetings/${last.meeting_id}?all=true`)
      const past = page.getByRole('region', { name: 'Past' })
      const address = await past.getByRole('link').first().getAttribute('href')
      const latest = items.findLast((o) => o.meeting_id === last.meeting_id)
      assert.equal(address, `/occurrences/${latest.id}`, 'the latest first')
      await past.getByRole('link').first().click()
      await page.getByRole('heading', { level: 1, name: last.title }).waitFor()
    },
  ],
  [
    'a series across daylight saving: one time moved, one called off, then all changed',
    async (t) => {
      const { page, context } = await at(t, 'aya', { language: 'en' })
      const m = await call(context, t.url, 'POST', '/meetings', { title: `Berlin ${run}`, time_zone: 'Europe/Berlin', starts_at_local: `${tokyo(Date.now() + 7 * 86_400_000).slice(0, 10)}T10:00`, duration_minutes: 30, recurrence: 'FREQ=WEEKLY' })
      await page.goto(`/meetings/${m.id}`)
      await page.getByText(/10:00 (AM )?on the clock in Europe\/Berlin/).waitFor()
      await button(page, 'More')
      await page.getByRole('menuitem', { name: 'Move this one' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Begins at').fill('15:30')
      await button(dialog, 'Move')
      await page.getByText('Moved', { exact: true }).waitFor()
      await page.getByText(/15:30|\b3:30/).first().waitFor()
      await button(page, 'More')
      await page.getByRole('menuitem', { name: 'Call this one off' }).click()
      await button(page.getByRole('dialog'), 'Call this one off')
      await page.getByText('Cancelled', { exact: true }).waitFor()
      await page.goto(`/meetings/${m.id}?all=true`)
      await page.getByText('Next', { exact: true }).waitFor()
      const winterAndSummer = (await page.locator('.rows .row').allInnerTexts()).map((x) => /(\d\d:\d\d)(?: [AP]M)? Europe/.exec(x)?.[1])
      assert.deepEqual([...new Set(winterAndSummer.slice(1))], ['10:00'], 'ten o’clock on the wall, winter and summer')
      await page.goto(`/meetings/${m.id}/edit`)
      await page.getByLabel('Title', { exact: true }).fill(`Berlin renamed ${run}`)
      await call(context, t.url, 'PATCH', `/meetings/${m.id}`, { revision: (await call(context, t.url, 'GET', `/meetings/${m.id}`)).revision, place: 'Room 3' })
      await button(page, 'Save')
      const conflict = page.getByRole('dialog')
      await conflict.getByText('Your changes and theirs touch different fields.').waitFor()
      await button(conflict, 'Save the result')
      await page.getByRole('heading', { level: 1, name: `Berlin renamed ${run}` }).waitFor()
      await page.getByText('Room 3').waitFor()
    },
  ],
  [
    'a broadcast: previewed, sent, and sent again to those whom it failed to reach',
    async (t) => {
      const refused = new Set([people.shota])
      const mail = await mailServer(refused)
      try {
        const address = `127.0.0.1:${await freePort()}`
        await apart(t, { KAKEAI_ADDR: address, KAKEAI_URL: `http://${address}`, KAKEAI_SMTP_URL: mail.url, KAKEAI_MAIL_FROM: 'Kakeai <kakeai@example.com>' }, async (url) => {
          const { page, context } = t.keep(await open(t.browser, url, { language: 'en' }))
          await signIn(context, url, people.misaki)
          const members = [await memberID(context, url, people.shota), await memberID(context, url, people.aya)]
          const b = await call(context, url, 'POST', '/broadcasts', { title: `To two ${run}`, body: 'Hello', audience: { kind: 'people', member_ids: members }, by_mail: true })
          await page.goto(`/broadcasts/${b.id}`)
          await page.getByText('reaches 2 people').waitFor()
          await page.getByText('田中 翔太').waitFor()
          await button(page, 'Send now')
          await button(page.getByRole('dialog'), 'Send now')
          await page.getByText('Failed 1').waitFor({ timeout: 60_000 })
          await page.getByText(/no such user/).first().waitFor()
          refused.clear()
          await button(page, 'Send again to those who failed')
          const dialog = page.getByRole('dialog')
          await dialog.getByText('田中 翔太').waitFor()
          await button(dialog, 'Send again to 1 person')
          await page.getByText('Delivered 2').waitFor({ timeout: 60_000 })
          assert.equal(mail.taken.filter((to) => to === people.aya).length, 1, 'nobody gets it twice')
        })
      } finally {
        mail.stop()
      }
    },
  ],
  [
    'a model that takes its time: its words appear, one leaves and comes back, and stops it',
    async (t) => {
      const model = await slowModel('{"text": "Thinking about churn')
      try {
        await apart(t, { OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'slow', OPENAI_API_KEY: 'none' }, async (url) => {
          const { page, context } = t.keep(await open(t.browser, url, { language: 'en' }))
          await signIn(context, url, people.shota)
          const { items } = await call(context, url, 'GET', '/cycles')
          const o = await call(context, url, 'POST', '/objectives', { cycle_id: items.find((c) => c.state === 'active').id, title: `Slow ${run}` })
          const d = await call(context, url, 'POST', `/objectives/${o.id}/dialogues`, { title: 'Numbers' })
          await page.goto(`/dialogues/${d.id}`)
          await page.getByLabel('Your message').fill('Cut churn from 5% to 3%.')
          await button(page, 'Propose key results')
          await page.getByText('The coach is drafting key results').waitFor()
          await page.getByText('Thinking about churn').waitFor({ timeout: 30_000 })
          await button(page, 'Give feedback') // another question at the same time
          await page.getByText('The coach is reading the objective').waitFor()
          await page.goto('/objectives')
          await page.getByRole('heading', { level: 1 }).waitFor()
          await page.goBack()
          await page.getByText('The coach is drafting key results').waitFor()
          assert.equal(await page.getByRole('button', { name: 'Propose key results' }).isDisabled(), true, 'one at a time of a kind')
          await page.getByRole('button', { name: 'Stop' }).first().click()
          await page.getByText('The question was stopped.').waitFor()
          await page.getByRole('button', { name: 'Ask again' }).first().waitFor()
          for (let n = 0; n < 50 && model.hungUp() === 0; n++) await new Promise((resolve) => setTimeout(resolve, 200))
          assert.ok(model.hungUp() > 0, 'the model is not kept waiting')
        })
      } finally {
        model.stop()
      }
    },
  ],
  [
    'the inbox by day and kind: marked, and on to the place',
    async (t) => {
      const writer = await at(t, 'aya', { language: 'en' })
      const { page, context } = await at(t, 'shota', { language: 'ja' })
      const shota = await memberID(writer.context, t.url, people.shota)
      const objective = (await call(context, t.url, 'GET', '/objectives?limit=1')).items[0]
      await call(writer.context, t.url, 'POST', `/objectives/${objective.id}/comments`, { body: `@[田中 翔太](member:${shota}) inbox ${run}` })
      await page.goto('/inbox')
      await page.getByRole('region', { name: '今日' }).getByText(`inbox ${run}`).waitFor({ timeout: 20_000 })
      await page.getByText('ミーティング', { exact: true }).last().click()
      await page.getByText(`inbox ${run}`).waitFor({ state: 'detached' })
      assert.match(page.url(), /about=meetings/)
      await page.getByText('コメント・指名', { exact: true }).click()
      await page.getByText(`inbox ${run}`).click()
      await page.getByRole('article').getByText(`inbox ${run}`).waitFor()
      assert.match(page.url(), /tab=comments/)
    },
  ],
]
