// A three-way merge by field. Values are compared as they travel, so decimals that are written differently count as different.

export interface Field {
  path: string
  value: unknown
}

export type Fields = ReadonlyMap<string, unknown>

export interface Change {
  path: string
  base: unknown
  mine: unknown
  theirs: unknown
  kind: 'mine' | 'theirs' | 'both' // who changed it; both: to different values
}

export const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** What differs between the three, in the order of the fields. What both changed alike is no change between them. */
export function compare(base: Fields, mine: Fields, theirs: Fields): Change[] {
  const changes: Change[] = []
  for (const path of new Set([...base.keys(), ...theirs.keys(), ...mine.keys()])) {
    const b = base.get(path)
    const m = mine.get(path)
    const t = theirs.get(path)
    if (same(m, t)) continue
    const kind = same(m, b) ? 'theirs' : same(t, b) ? 'mine' : 'both'
    changes.push({ path, base: b, mine: m, theirs: t, kind })
  }
  return changes
}

/** The fields that result: theirs, with what I changed; where both did, as chosen. */
export function merge(base: Fields, mine: Fields, theirs: Fields, choose: (path: string) => 'mine' | 'theirs'): Map<string, unknown> {
  const result = new Map(theirs)
  for (const c of compare(base, mine, theirs)) {
    if (c.kind === 'mine' || (c.kind === 'both' && choose(c.path) === 'mine')) result.set(c.path, c.mine)
  }
  return result
}
