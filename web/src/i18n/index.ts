import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { loadArea, type Area, type AreaMessages } from './areas'
import type { en } from './en'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof en & AreaMessages }
    returnNull: false
    enableSelector: false
  }
}

export type Language = 'ja' | 'en'
const languages: readonly Language[] = ['ja', 'en']
const storageKey = 'kakeai:language'

const load = { ja: async () => (await import('./ja')).ja, en: async () => (await import('./en')).en }

/** What was chosen here, or else the first of the browser's languages that there is. */
export function firstLanguage(chosen: string | null, wanted: readonly string[]): Language {
  for (const tag of [chosen, ...wanted]) {
    const found = languages.find((l) => tag?.toLowerCase().split('-')[0] === l)
    if (found) return found
  }
  return 'en'
}

export function chosenLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

const needed = new Set<Area>() // by the pages that were opened
const loaded = new Set<string>()

async function complete(language: Language) {
  const missing = [...needed].filter((area) => !loaded.has(`${area} ${language}`))
  await Promise.all(
    missing.map(async (area) => {
      i18next.addResourceBundle(language, 'translation', await loadArea(area, language), true)
      loaded.add(`${area} ${language}`)
    }),
  )
}

let started: Promise<void> | null = null

/** Has the messages of areas ready, in the present language and in those that are switched to. */
export async function needAreas(areas: readonly Area[]) {
  for (const area of areas) needed.add(area)
  await started
  await complete(i18next.language as Language)
}

export function startLanguages(): Promise<void> {
  started ??= start()
  return started
}

async function start() {
  const language = firstLanguage(chosenLanguage(), navigator.languages)
  await i18next.use(initReactI18next).init({ lng: language, fallbackLng: false, resources: { [language]: { translation: await load[language]() } }, interpolation: { escapeValue: false }, returnNull: false })
  document.documentElement.lang = language
}

export async function setLanguage(language: Language) {
  if (!i18next.hasResourceBundle(language, 'translation')) i18next.addResourceBundle(language, 'translation', await load[language]())
  await complete(language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // the choice then holds until the page is closed
  }
}
