// What somebody opened last, for the palette; in this browser, under the person's own name.

export interface Recent {
  path: string
  title: string
}

const atMost = 8
const thing = /^\/(objectives|teams|dialogues|meetings|occurrences|broadcasts|cycles)\/[0-9a-f-]{36}$/

export function recentOf(owner: string): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(`kakeai:recent:${owner}`) ?? '[]')
    return Array.isArray(kept) ? (kept as Recent[]) : []
  } catch {
    return []
  }
}

/** Only things are noted: what the pages are, everybody knows. */
export function noteRecent(owner: string, path: string, title: string) {
  if (!thing.test(path)) return
  try {
    localStorage.setItem(`kakeai:recent:${owner}`, JSON.stringify([{ path, title }, ...recentOf(owner).filter((r) => r.path !== path)].slice(0, atMost)))
  } catch {
    // then it is not remembered
  }
}
