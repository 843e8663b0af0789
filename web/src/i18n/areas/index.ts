import type broadcasts from './broadcasts.en'
import type budget from './budget.en'
import type coach from './coach.en'
import type cycles from './cycles.en'
import type entrance from './entrance.en'
import type exchange from './exchange.en'
import type find from './find.en'
import type firstRun from './firstRun.en'
import type front from './front.en'
import type hooks from './hooks.en'
import type invitation from './invitation.en'
import type lists from './lists.en'
import type meetings from './meetings.en'
import type news from './news.en'
import type own from './own.en'
import type pace from './pace.en'
import type people from './people.en'
import type progress from './progress.en'
import type settings from './settings.en'
import type talk from './talk.en'
import type things from './things.en'
import type tokens from './tokens.en'
import type trail from './trail.en'
import type tree from './tree.en'
import type versions from './versions.en'

// Messages that only some pages need, in files of their own, so that they burden no other page's first load. routes.tsx says which areas a page has.

/** The messages of all areas. No two areas have a key in common. */
export type AreaMessages = typeof broadcasts & typeof budget & typeof coach & typeof cycles & typeof entrance & typeof exchange & typeof find & typeof firstRun & typeof front & typeof hooks & typeof invitation & typeof lists & typeof meetings & typeof news & typeof own & typeof pace & typeof people & typeof progress & typeof settings & typeof talk & typeof things & typeof tokens & typeof trail & typeof tree & typeof versions

export type Area = 'broadcasts' | 'budget' | 'coach' | 'cycles' | 'entrance' | 'exchange' | 'find' | 'firstRun' | 'front' | 'hooks' | 'invitation' | 'lists' | 'meetings' | 'news' | 'own' | 'pace' | 'people' | 'progress' | 'settings' | 'talk' | 'things' | 'tokens' | 'trail' | 'tree' | 'versions'

const files = import.meta.glob<object>('./*.{en,ja}.ts', { import: 'default' })

/** Loads the messages of an area in a language. */
export function loadArea(area: Area, language: 'en' | 'ja'): Promise<object> {
  return files[`./${area}.${language}.ts`]!()
}
