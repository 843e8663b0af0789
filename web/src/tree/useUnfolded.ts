import { useCallback, useEffect, useState } from 'react'
import { useMe } from '../session/me'

interface Unfolded {
  open: string[]
  pages: Record<string, number>
  current?: string
  arrived?: string // the objective whose path was opened last
}

/** What is unfolded, how far levels have been read, and where one was: kept for the tab, so that the way back leads to the same place. */
export function useUnfolded(cycle: string) {
  const me = useMe()
  const name = `kakeai:tree:${me.draftKey(cycle)}`
  const [kept, setKept] = useState<Unfolded>(() => read(name))
  useEffect(() => {
    try {
      sessionStorage.setItem(name, JSON.stringify({ ...kept, open: kept.open.slice(-500) }))
    } catch {
      // without room it is not kept
    }
  }, [name, kept])
  const change = useCallback((next: (before: Unfolded) => Unfolded) => setKept(next), [])
  return [kept, change] as const
}

function read(name: string): Unfolded {
  try {
    const found = JSON.parse(sessionStorage.getItem(name) ?? '{}') as Partial<Unfolded>
    const pages = Object.fromEntries(Object.entries(found.pages ?? {}).filter(([, n]) => Number.isInteger(n) && n > 0 && n < 1000))
    return { open: (found.open ?? []).filter((x) => typeof x === 'string'), pages, current: typeof found.current === 'string' ? found.current : undefined, arrived: typeof found.arrived === 'string' ? found.arrived : undefined }
  } catch {
    return { open: [], pages: {} }
  }
}
