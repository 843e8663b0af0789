import { describe, expect, it } from 'vitest'
import { en } from './en'
import { firstLanguage } from './index'
import { ja } from './ja'

function flat(o: object, prefix = ''): Record<string, string> {
  return Object.assign({}, ...Object.entries(o).map(([k, v]) => (typeof v === 'string' ? { [prefix + k]: v } : flat(v as object, `${prefix}${k}.`))))
}

const areas = import.meta.glob<object>('./areas/*.{en,ja}.ts', { import: 'default', eager: true })
const areaFiles = (language: string) => Object.entries(areas).filter(([path]) => path.endsWith(`.${language}.ts`)).map(([, messages]) => messages)
const english = flat(Object.assign({}, en, ...areaFiles('en')))
const japanese = flat(Object.assign({}, ja, ...areaFiles('ja')))
// What is the same in every language: names, keys of a keyboard, and patterns of nothing but a name.
const alike = new Set(['app.name', 'app.title', 'app.paletteKeys', 'checkIn.by', 'history.by', 'meetings.onDays', 'trail.deed'])
const japaneseText = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
// Latin words that Japanese readers expect as they are.
const kept = /Kakeai|CSV|JSON|UTF-8|BOM|Shift_JIS|Excel|xlsx|KB|ID|API|Webhook|URL|PNG|JPEG|GIF|WebP|MB|Ctrl K/g

describe('the languages', () => {
  it('have the same messages', () => {
    expect(Object.keys(japanese).sort()).toEqual(Object.keys(english).filter((k) => !k.endsWith('_one')).sort())
  })
  it.each(Object.keys(japanese))('say %s with the same values, and nothing of the other language', (key) => {
    const values = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort()
    expect(values(japanese[key]!)).toEqual(values(english[key]!))
    expect(english[key]).not.toMatch(japaneseText)
    if (alike.has(key)) return
    expect(japanese[key]).toMatch(japaneseText)
    expect(japanese[key]!.replace(/\{\{\w+\}\}/g, '').replace(kept, '')).not.toMatch(/[A-Za-z]{2}/)
  })
  it('have each key in one file', () => {
    for (const [shared, language] of [[en, 'en'], [ja, 'ja']] as const) {
      const keys = [shared, ...areaFiles(language)].flatMap((messages) => Object.keys(messages))
      expect(keys.filter((key, n) => keys.indexOf(key) !== n)).toEqual([])
    }
  })
  it('count in English', () => {
    for (const key of Object.keys(english).filter((k) => k.endsWith('_other'))) expect(english[key.replace('_other', '_one')], key).toBeTruthy()
  })
  it('begin with what was chosen, or what the browser prefers', () => {
    expect(firstLanguage('ja', ['en-US'])).toBe('ja')
    expect(firstLanguage(null, ['fr', 'ja-JP', 'en'])).toBe('ja')
    expect(firstLanguage('xx', [])).toBe('en')
  })
})
