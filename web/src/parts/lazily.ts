import { lazy, type ComponentType } from 'react'

/** A part of the page that is loaded when it is needed. Where the connection is gone just then, it is tried again for a while before anybody is told. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as React declares it
export function lazily<T extends ComponentType<any>>(load: () => Promise<{ default: T }>) {
  return lazy(async () => {
    for (let n = 0; ; n++) {
      try {
        return await load()
      } catch (error) {
        if (n === 5) throw error
        await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** n))
      }
    }
  })
}
