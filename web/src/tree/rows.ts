import type { Schemas } from '../api/problem'

export type Node = Schemas['AlignmentNode']

/** What is known of the objectives beneath one, or, under the empty key, of the roots. */
export interface Level {
  nodes: Node[]
  more: boolean // there are further ones on the server
  loading: boolean
  failed: boolean
}

export type Row =
  | { kind: 'node'; key: string; parent?: string; level: number; node: Node; open?: boolean; place: number; size: number }
  | { kind: 'support'; key: string; parent: string; level: number; node: Node }
  | { kind: 'more' | 'loading' | 'failed' | 'none'; key: string; parent?: string; level: number; of: string; supports?: boolean }

export const root = ''

/** The key of the level that an objective's links make. */
export const supportsOf = (id: string) => `${id}>`

export const hasChildren = (n: Node) => n.child_count > 0 || n.more_children
export const opens = (n: Node) => hasChildren(n) || n.supported_count > 0

/** What stands in the tree, from top to bottom. A level may have a node pinned that its pages have not come to yet; it stands first then. */
export function rowsOf(levels: ReadonlyMap<string, Level>, open: ReadonlySet<string>, pins: ReadonlyMap<string, Node>): Row[] {
  const rows: Row[] = []
  const seen = new Set<string>() // what moves while pages are read may come twice
  const walk = (of: string, depth: number, parent: string | undefined, whole: boolean) => {
    const level = levels.get(of)
    const pin = pins.get(of)
    const nodes = (level?.nodes ?? []).filter((n) => !seen.has(n.id))
    if (pin && !seen.has(pin.id) && !nodes.some((n) => n.id === pin.id)) nodes.unshift(pin)
    for (const n of nodes) seen.add(n.id)
    const size = level && !level.more && !level.loading && whole ? nodes.length : -1
    nodes.forEach((node, i) => {
      const may = opens(node)
      const isOpen = may && open.has(node.id)
      rows.push({ kind: 'node', key: node.id, parent, level: depth, node, open: may ? isOpen : undefined, place: i + 1, size })
      if (!isOpen) return
      if (hasChildren(node)) walk(node.id, depth + 1, node.id, node.supported_count === 0)
      if (node.supported_count > 0) links(node.id, depth + 1)
    })
    state(of, depth, parent, level, nodes.length)
  }
  const links = (id: string, depth: number) => {
    const level = levels.get(supportsOf(id))
    for (const node of level?.nodes ?? []) rows.push({ kind: 'support', key: `${id}>${node.id}`, parent: id, level: depth, node })
    state(supportsOf(id), depth, id, level, level?.nodes.length ?? 0)
  }
  const state = (of: string, depth: number, parent: string | undefined, level: Level | undefined, count: number) => {
    const kind = level?.failed ? 'failed' : !level || level.loading ? 'loading' : level.more ? 'more' : count === 0 ? 'none' : undefined
    if (kind) rows.push({ kind, key: `${of}#state`, parent, level: depth, of })
  }
  walk(root, 1, undefined, true)
  return rows
}

/** Where a key leads from a row; undefined where it leads nowhere. */
export function stepTo(rows: Row[], at: number, key: string, page = 10): number | undefined {
  const here = rows[at]
  if (!here) return undefined
  const within = (n: number) => Math.max(0, Math.min(rows.length - 1, n))
  switch (key) {
    case 'ArrowDown':
      return within(rows[at + 1]?.kind === 'loading' && at + 2 < rows.length ? at + 2 : at + 1) // what is being read is about to be something else
    case 'ArrowUp':
      return within(rows[at - 1]?.kind === 'loading' && at > 1 ? at - 2 : at - 1)
    case 'PageDown':
      return within(at + page)
    case 'PageUp':
      return within(at - page)
    case 'Home':
      return 0
    case 'End':
      return rows.length - 1
    case 'ArrowLeft': {
      if (here.parent === undefined) return undefined
      const parent = rows.findIndex((r) => r.key === here.parent)
      return parent < 0 ? undefined : parent
    }
    case 'ArrowRight':
      return here.kind === 'node' && here.open && rows[at + 1] && rows[at + 1]!.level > here.level ? at + 1 : undefined
    default:
      return undefined
  }
}

/** Of a path the steps that stand in a cycle's tree: from behind the last one that is hidden, archived, or of another cycle. */
export function stepsInTree(steps: Schemas['AlignmentStep'][], cycle: string): string[] {
  const ids: string[] = []
  for (const [i, s] of steps.toReversed().entries()) {
    if (s.hidden || s.id === undefined || (i > 0 && (s.archived || s.cycle_id !== cycle))) break
    ids.unshift(s.id)
  }
  return ids
}

/** An objective as a node. How much contributes to it is not known, so it can be opened. */
export function nodeOf(o: Schemas['Objective'], children: number, through?: Node['parent_key_result']): Node {
  return {
    id: o.id, title: o.title, kind: o.kind, visibility: o.visibility, state: o.state, archived: o.archived, owner: o.owner, team_id: o.team_id, cycle_id: o.cycle_id, parent_objective_id: o.parent_objective_id, parent_key_result_id: o.parent_key_result_id, parent_key_result: through, parent_hidden: o.parent_hidden ?? false,
    progress: o.progress, health: o.health, outdated: o.outdated, any_off_track: o.any_off_track, key_result_count: o.key_results.length, child_count: children, more_children: false, supported_count: 0, supporter_count: 0,
  }
}
