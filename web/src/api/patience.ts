// One way out: every request waits where the server asks it to wait, is sent again where that is safe, and goes on after a new sign-in.

import { Problem } from './problem'

export interface Waiting {
  reason: 'busy' | 'unreachable'
  until: number // milliseconds since 1970
}

/** What the frame shows of requests that wait. */
export class Quiet {
  private waiting = new Map<symbol, Waiting>()
  private listeners = new Set<() => void>()
  private shown: Waiting | null = null

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  current = () => this.shown

  async wait(ms: number, reason: Waiting['reason'], signal?: AbortSignal | null) {
    const key = Symbol()
    this.waiting.set(key, { reason, until: Date.now() + ms })
    this.tell()
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, ms)
        signal?.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(signal.reason as Error)
        })
      })
    } finally {
      this.waiting.delete(key)
      this.tell()
    }
  }

  private tell() {
    let last: Waiting | null = null
    for (const w of this.waiting.values()) if (!last || w.until > last.until) last = w
    this.shown = last
    for (const listener of this.listeners) listener()
  }
}

/** Keys of unsafe requests whose end is not known yet: pressing the button once more sends the same key, so it happens once. */
export class Keys {
  private kept = new Map<string, string>()

  key(request: string): string {
    let key = this.kept.get(request)
    if (!key) this.kept.set(request, (key = randomID()))
    return key
  }

  settled(request: string) {
    this.kept.delete(request)
  }
}

/** A random UUID; crypto.randomUUID is missing where the page came by plain HTTP. */
export function randomID(): string {
  const b = crypto.getRandomValues(new Uint8Array(16))
  b[6] = (b[6]! & 0x0f) | 0x40
  b[8] = (b[8]! & 0x3f) | 0x80
  const hex = Array.from(b, (x) => x.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const safe = new Set(['GET', 'HEAD'])
const nameless = /\/occurrences\/[^/]+\/answers$/ // answers to a survey may be anonymous, and a key would be kept beside a name
const never = new Set(['provider-unavailable', 'not-in-production']) // 503 that waiting does not mend

export interface Patience {
  send: (request: Request) => Promise<Response>
  quiet: Quiet
  keys: Keys
  /** Asks the person to sign in again; false when they would rather leave. */
  signInAgain: (request: Request) => Promise<boolean>
  /** How long a request waits in all, in milliseconds. */
  limit?: number
  now?: () => number
}

export function patient({ send, quiet, keys, signInAgain, limit = 90_000, now = Date.now }: Patience) {
  return async function fetchPatiently(original: Request): Promise<Response> {
    const unsafe = !safe.has(original.method)
    const body = unsafe ? await original.clone().text() : ''
    const name = `${original.method} ${original.url} ${body}`
    if (unsafe && !nameless.test(original.url) && !original.headers.has('Idempotency-Key')) original.headers.set('Idempotency-Key', keys.key(name))
    const started = now()
    let lost = 0
    for (;;) {
      let response: Response
      try {
        response = await send(original.clone())
      } catch (error) {
        if (original.signal.aborted) throw error
        // The connection broke. The key makes sending again safe; how often depends on whether somebody is waiting for it.
        lost++
        if (lost > 3) throw new Problem(0, { type: 'offline', title: 'no connection' })
        await quiet.wait(lost * 1500, 'unreachable', original.signal)
        continue
      }
      if (response.status === 503 || response.status === 429) {
        const type = await typeOf(response)
        const seconds = Number(response.headers.get('Retry-After') ?? '2')
        if (!never.has(type) && now() - started + seconds * 1000 <= limit) {
          await quiet.wait(Math.max(0.25, seconds) * 1000, 'busy', original.signal)
          continue
        }
        return response
      }
      if (response.status === 401 && (await typeOf(response)) === 'signed-out' && (await signInAgain(original))) continue
      if (response.status < 500) keys.settled(name)
      return response
    }
  }
}

async function typeOf(response: Response): Promise<string> {
  try {
    return ((await response.clone().json()) as { type?: string }).type ?? ''
  } catch {
    return ''
  }
}
