import { useCallback, useEffect, useState } from 'react'

/** What somebody has typed and not yet sent. It stays in this browser until it was sent or thrown away. */
export interface Draft<T> {
  value: T
  set: (change: T | ((before: T) => T)) => void
  /** Sent, or not wanted: forgets it, and shows start from now on. */
  clear: (start?: T) => void
  restored: boolean
}

const prefix = 'kakeai:draft:'

export function readDraft<T>(key: string): T | undefined {
  try {
    const kept = localStorage.getItem(prefix + key)
    return kept === null ? undefined : ((JSON.parse(kept) as { value: T }).value)
  } catch {
    return undefined
  }
}

export function keepDraft(key: string, value: unknown) {
  try {
    localStorage.setItem(prefix + key, JSON.stringify({ value, at: Date.now() }))
  } catch {
    // full, or forbidden: it then lives as long as the page
  }
}

export function dropDraft(key: string) {
  try {
    localStorage.removeItem(prefix + key)
  } catch {
    // there is none
  }
}

/** Forgets drafts that nobody has touched for 60 days. */
export function sweepDrafts(now = Date.now()) {
  try {
    for (const name of Object.keys(localStorage)) {
      if (!name.startsWith(prefix)) continue
      const at = (JSON.parse(localStorage.getItem(name) ?? '{}') as { at?: number }).at ?? 0
      if (now - at > 60 * 86_400_000) localStorage.removeItem(name)
    }
  } catch {
    // another time
  }
}

interface State<T> {
  key: string
  value: T
  restored: boolean
  typed: boolean // since it was shown: then there is something to keep
}

function read<T>(key: string, start: T): State<T> {
  const kept = readDraft<T>(key)
  return { key, value: kept ?? start, restored: kept !== undefined, typed: false }
}

/** key names the person, too: several may use one browser. */
export function useDraft<T>(key: string, start: T): Draft<T> {
  const [state, setState] = useState(() => read(key, start))
  let current = state
  if (state.key !== key) {
    current = read(key, start)
    setState(current)
  }
  useEffect(() => {
    if (state.typed) keepDraft(state.key, state.value)
  }, [state])
  const set = useCallback((change: T | ((before: T) => T)) => setState((s) => ({ ...s, typed: true, value: typeof change === 'function' ? (change as (before: T) => T)(s.value) : change })), [])
  const clear = (value: T = start) => {
    dropDraft(key)
    setState({ key, value, restored: false, typed: false })
  }
  return { value: current.value, set, clear, restored: current.restored }
}
