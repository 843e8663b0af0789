import { lazy, type ComponentType } from 'react'
import { needAreas } from '../i18n'
import type { Area } from '../i18n/areas'

/** A part of the page that is loaded when it is needed, with the messages of the areas it needs. Where the connection is gone just then, it is tried again for a while before anybody is told. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as React declares it
export function lazily<T extends ComponentType<any>>(load: () => Promise<{ default: T }>, ...areas: Area[]) {
  return lazy(async () => {
    for (let n = 0; ; n++) {
      try {
        return (await Promise.all([load(), needAreas(areas)]))[0]
      } catch (error) {
        if (n === 5) throw error
        await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** n))
      }
    }
  })
}
