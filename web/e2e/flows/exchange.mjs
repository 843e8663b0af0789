// Bringing files in, and taking them out.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { at, button, call, run } from '../steps.mjs'

const csv = (rows) => rows.map((r) => r.map((c) => (/[",\n]/.test(c) ? `"${c.replaceAll('"', '""')}"` : c)).join(',')).join('\r\n')

/** 日本 in Shift_JIS, and so on: Node.js does not write it, so the few words that a test needs are here by hand. */
const shiftJIS = Buffer.from([0x96, 0xda, 0x95, 0x57, 0x2c, 0x89, 0xf0, 0x96, 0xf1, 0x97, 0xa6, 0x0d, 0x0a]) // 目標,解約率

async function bring(page, name, content, type = 'text/csv') {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: type, buffer: Buffer.from(content) })
}

export const flows = [
  [
    'import: an Excel workbook, its sheets, and dates as they were typed',
    async (t) => {
      const { page } = await at(t, 'misaki', { language: 'ja' })
      await page.goto('/organization/import')
      await page.locator('input[type=file]').setInputFiles(new URL('../files/okr.xlsx', import.meta.url).pathname)
      await page.getByRole('heading', { name: 'okr.xlsx' }).waitFor()
      const sheet = page.getByLabel('シート', { exact: true })
      assert.equal(await sheet.inputValue(), '第4四半期')
      await page.screenshot({ path: `${t.output}import-workbook-ja.png`, fullPage: true })
      const before = page.url()
      await sheet.selectOption('第3四半期')
      await page.waitForURL((u) => u.href !== before)
      await page.getByText('2026-09-30').first().waitFor()
      assert.equal(await page.getByLabel('シート', { exact: true }).inputValue(), '第3四半期')
      await page.reload() // the file is not at hand any more
      await page.getByText('シート「第3四半期」を読み取りました。').waitFor()
    },
  ],
  [
    'import: bad rows are told by column, the good ones are brought, and the rest is downloaded',
    async (t) => {
      const { page, context } = await at(t, 'misaki', { language: 'en' })
      const { items: cycles } = await call(context, t.url, 'GET', '/cycles')
      const cycle = cycles.find((c) => c.state === 'active')
      await page.goto('/organization/import')
      await page.getByRole('heading', { name: 'Organisation' }).waitFor()
      await bring(
        page,
        'goals.csv',
        csv([
          ['What we want', 'Who', 'Cycle', 'KR', 'Start', 'Goal value'],
          [`Brought one ${run}`, 'shota.tanaka@example.com', cycle.name, 'Churn', '5', '3'],
          [`Brought two ${run}`, 'nobody@example.com', cycle.name, 'NPS', '30', '45'],
          [`Brought three ${run}`, '', cycle.name, 'Calls', 'many', '10'],
        ]),
      )
      await page.getByRole('heading', { name: 'goals.csv' }).waitFor()
      await page.getByText('One column has to be the objective, or the item.').waitFor()
      await page.getByLabel('Meaning of “What we want”').selectOption({ label: 'Objective' })
      await page.getByLabel('Meaning of “Who”').selectOption({ label: 'Owner (e-mail address)' })
      await page.reload() // what was chosen is kept
      await page.getByText('What you typed before has been restored.').waitFor()
      assert.equal(await page.getByLabel('Meaning of “Goal value”').inputValue(), 'target')
      await button(page, 'Check the file')
      await page.getByText('2 rows are refused').waitFor({ timeout: 30_000 })
      await page.getByText('Column “Who”: “nobody@example.com” is not known here.').waitFor()
      await page.getByText('Column “Start”: “many” is not a number.').waitFor()
      const waiting = page.waitForEvent('download')
      await button(page, 'Download the refused rows')
      const refused = await readFile(await (await waiting).path(), 'utf8')
      assert.match(refused, /^\uFEFFWhat we want,Who,Cycle,KR,Start,Goal value,Why it is refused\r\n/)
      assert.equal(refused.trim().split('\r\n').length, 3)
      assert.ok(await page.getByRole('button', { name: 'Import 1 row' }).isDisabled())
      await page.getByLabel('Import the good row only').check()
      await button(page, 'Import 1 row')
      await page.getByText('The import is done').waitFor({ timeout: 30_000 })
      await page.getByRole('link', { name: 'See the objectives' }).click()
      await page.getByRole('link', { name: new RegExp(`Brought one ${run}`) }).waitFor()
      await page.goto('/organization/import')
      await page.getByRole('link', { name: /goals\.csv/ }).first().click()
      await page.getByText('The import is done').waitFor()
    },
  ],
  [
    'import: a file in Shift_JIS, by somebody who brings their own',
    async (t) => {
      const { page } = await at(t, 'shota', { language: 'ja' })
      await page.goto('/organization/import')
      await page.getByRole('heading', { name: '組織' }).waitFor()
      await bring(page, 'book.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))
      await page.getByText(/このブックは読み取れません/).waitFor()
      await bring(page, '目標.csv', Buffer.concat([shiftJIS, Buffer.from([0x89, 0xf0, 0x96, 0xf1, 0x97, 0xa6]), Buffer.from(` ${run},x\r\n`)]))
      await page.getByRole('heading', { name: '目標.csv' }).waitFor()
      await page.getByText('shift_jis').waitFor()
      await page.getByLabel('「目標」の意味').waitFor()
      const cycles = page.getByLabel('サイクルの記載がない行のサイクル')
      await cycles.selectOption({ index: 1 })
      await button(page, 'ファイルを確認する')
      await page.getByText('すべての行を取り込めます').waitFor({ timeout: 30_000 })
      await button(page, '1 行を取り込む')
      await page.getByText('取り込みが完了しました').waitFor({ timeout: 30_000 })
    },
  ],
  [
    'import: left and come back to while it runs, and stopped before anything is written',
    async (t) => {
      const { page, context } = await at(t, 'misaki', { language: 'en' })
      const { items: cycles } = await call(context, t.url, 'GET', '/cycles')
      const cycle = cycles.find((c) => c.state === 'active')
      const rows = Array.from({ length: 6000 }, (_, n) => [`Halted ${run} ${n}`, cycle.name, `Churn ${n}`, '5', '3'])
      await page.goto('/organization/import')
      await page.getByRole('heading', { name: 'Organisation' }).waitFor()
      await bring(page, `many-${run}.csv`, csv([['Objective', 'Cycle', 'Key result', 'Baseline', 'Target'], ...rows]))
      await page.getByRole('heading', { name: `many-${run}.csv` }).waitFor({ timeout: 60_000 })
      await button(page, 'Check the file')
      const bar = page.getByRole('progressbar')
      const comeBack = async (badge) => {
        await page.getByRole('link', { name: 'All imports' }).click()
        await page.getByRole('link', { name: new RegExp(`many-${run}[.]csv.*${badge}`) }).click()
      }
      await bar.waitFor()
      await comeBack('Being checked')
      await bar.waitFor()
      await page.getByText('You can leave this page.').waitFor()
      await page.reload()
      await button(page, 'Import 6000 rows', { timeout: 120_000 })
      await page.getByRole('progressbar', { name: 'Being imported' }).waitFor()
      await comeBack('Being imported')
      await page.getByRole('progressbar', { name: 'Being imported' }).waitFor()
      await button(page, 'Stop')
      await button(page.getByRole('dialog'), 'Stop')
      await page.getByText('Stopped. Change what you like, and check it again.').waitFor({ timeout: 30_000 })
      await page.getByLabel('Meaning of “Objective”').waitFor()
      const { items } = await call(context, t.url, 'GET', `/objectives?text=Halted+${run}`)
      assert.equal(items.length, 0, 'nothing is half imported')
    },
  ],
  [
    'export: downloaded without leaving the page, and brought back without a change',
    async (t) => {
      const { page } = await at(t, 'misaki', { language: 'en' })
      await page.goto('/export')
      await page.getByLabel('What').selectOption({ index: 1 })
      const waiting = page.waitForEvent('download')
      await button(page, 'Download')
      const file = await (await waiting).path()
      await page.getByText(/The file is in your downloads/).waitFor()
      const content = await readFile(file)
      assert.match(content.toString('utf8'), /^\uFEFFobjective_id,objective,/)
      await page.getByRole('link', { name: 'Import', exact: true }).click()
      await page.getByRole('heading', { name: 'Files that were brought' }).waitFor()
      await bring(page, 'back.csv', content)
      await page.getByRole('heading', { name: 'back.csv' }).waitFor()
      await page.getByText('Recognised as Kakeai').waitFor()
      await button(page, 'Check the file')
      await page.getByText('Everything in this file is there already.').waitFor({ timeout: 30_000 })
    },
  ],
]

// Takes minutes, so it is run where KAKEAI_TEST_LARGE says how many rows, such as 100000.
const large = Number(process.env.KAKEAI_TEST_LARGE ?? 0)
if (large > 0)
  flows.push([
    'import: a very large file is left, come back to, cancelled, and its good rows are brought',
    async (t) => {
      const long = { timeout: 600_000 }
      const { page } = await at(t, 'misaki', { language: 'en' })
      const picture = (name) => page.screenshot({ path: `${t.output}import-large-${name}.png`, fullPage: true })
      const took = (what, from) => console.log(`     ${what}: ${((Date.now() - from) / 1000).toFixed(1)} s`)
      const rows = ['objective_id,objective,key_result_id,key_result,baseline,target']
      let bad = 0
      for (let n = 0; n < large; n++) {
        if (n % 5000 === 4999) bad++
        rows.push(`o${Math.floor(n / 3)},Brought ${Math.floor(n / 3)} ${run},k${n},Result ${n},0,${n % 5000 === 4999 ? 'many' : n + 1}`)
      }
      const come = async () => {
        await page.goto('/')
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.goto('/organization/import')
        await page.getByRole('link', { name: /large\.csv/ }).first().click()
      }
      await page.goto('/organization/import')
      let from = Date.now()
      await bring(page, 'large.csv', rows.join('\r\n'))
      await page.getByRole('heading', { name: 'large.csv' }).waitFor(long)
      took('brought', from)
      await page.getByLabel('Cycle of rows that name none').selectOption({ index: 1 })
      await picture('columns')
      await button(page, 'Check the file')
      await page.getByText(/· [1-9][\d,]* (of|\/) [\d,]+/).waitFor(long)
      await picture('checking')
      await come()
      await page.getByText(/· [1-9][\d,]* (of|\/) [\d,]+/).waitFor(long)
      await button(page, 'Stop')
      await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
      await page.getByText('Stopped. Change what you like').waitFor(long)
      await picture('cancelled')
      from = Date.now()
      await button(page, 'Check the file')
      await page.getByText(`${bad} rows are refused`).waitFor(long)
      took('checked', from)
      await picture('checked')
      await page.getByLabel(/Import the [\d,]+ good rows only/).check()
      from = Date.now()
      await page.getByRole('button', { name: /^Import [\d,]+ rows$/ }).click()
      await page.getByText(/· [1-9][\d,]* (of|\/) [\d,]+/).waitFor(long)
      await picture('writing')
      await come()
      await page.getByText('The import is done').waitFor(long)
      took('written', from)
      await picture('done')
      await page.getByRole('link', { name: 'See the objectives' }).click()
      await page.getByRole('link', { name: new RegExp(`Brought \\d+ ${run}`) }).first().waitFor(long)
    },
  ])
