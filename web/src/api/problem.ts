import type { components } from './schema.gen'

export type Schemas = components['schemas']
export type ProblemBody = Schemas['Problem']

/** An answer that is not the one asked for, or none at all (status 0). */
export class Problem extends Error {
  readonly status: number
  readonly body: Partial<ProblemBody>

  constructor(status: number, body: Partial<ProblemBody>) {
    super(body.title ?? `status ${status}`)
    this.status = status
    this.body = body
  }

  get type(): string {
    return this.body.type ?? (this.status === 0 ? 'offline' : 'internal')
  }

  /** What the server says of each field, by JSON pointer; the first word on a field stands. */
  fields(): Record<string, string> {
    const codes: Record<string, string> = {}
    for (const e of this.body.errors ?? []) codes[e.pointer] ??= e.code
    return codes
  }

  /** Somebody else has changed the thing: what it is now, and who did it when. */
  stale<T>(): { present: T; by?: Schemas['Person']; at?: string } | undefined {
    if (this.type !== 'stale-revision' && this.type !== 'superseded') return undefined
    if (!this.body.present) return undefined
    return { present: this.body.present as T, by: this.body.changed_by, at: this.body.changed_at }
  }
}

export function problemOf(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem(0, { type: error instanceof TypeError ? 'offline' : 'internal', title: String(error) })
}
