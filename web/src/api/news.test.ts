import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { News } from './news'

// Tabs of one browser: each has the module for itself, and they share channels, the lock and nothing else.

class Channel {
  static all = new Set<Channel>()
  heard: ((e: { data: unknown }) => void)[] = []
  constructor(readonly name: string) {
    Channel.all.add(this)
  }
  addEventListener(_: 'message', listener: (e: { data: unknown }) => void) {
    this.heard.push(listener)
  }
  postMessage(data: unknown) {
    for (const c of Channel.all) if (c !== this && c.name === this.name) for (const listener of c.heard) listener({ data: structuredClone(data) })
  }
  close() {
    Channel.all.delete(this)
  }
}

class Source {
  static open: Source[] = []
  readyState = 1
  private heard = new Map<string, ((e: { data: string }) => void)[]>()
  constructor(readonly url: string) {
    Source.open.push(this)
  }
  addEventListener(kind: string, listener: (e: { data: string }) => void) {
    this.heard.set(kind, [...(this.heard.get(kind) ?? []), listener])
  }
  sends(kind: string, data: unknown = null) {
    for (const listener of this.heard.get(kind) ?? []) listener({ data: JSON.stringify(data) })
  }
  close() {
    this.readyState = 2
    Source.open = Source.open.filter((s) => s !== this)
  }
}

/** One lock: whoever asks next has it when the one before is done, unless they have given up. */
class Locks {
  private last: Promise<unknown> = Promise.resolve()
  request(_: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>) {
    const mine = this.last.then(() => (signal.aborted ? undefined : hold()))
    this.last = mine.catch(() => undefined)
    return mine
  }
}

async function tab() {
  vi.resetModules()
  return import('./news')
}

/** A tab that notes what it hears. */
async function listening() {
  const news = await tab()
  const heard: News[] = []
  const stop = news.followNews((n) => heard.push(n))
  await settled()
  return { ...news, heard, stop }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

beforeEach(() => {
  Channel.all.clear()
  Source.open = []
  vi.stubGlobal('BroadcastChannel', Channel)
  vi.stubGlobal('EventSource', Source)
  Object.defineProperty(navigator, 'locks', { value: new Locks(), configurable: true })
})
afterEach(() => vi.unstubAllGlobals())

describe('tabs of a browser', () => {
  it('hear what another one has written, and not what they wrote themselves', async () => {
    const [writer, reader] = [await listening(), await listening()]
    writer.tellTabs()
    expect(reader.heard).toEqual([{ kind: 'written', by: expect.any(String) as string }])
    expect(writer.heard).toEqual([])
    reader.stop()
    writer.tellTabs()
    expect(reader.heard).toHaveLength(1)
  })
  it('share one stream, which another one follows once its tab is gone', async () => {
    const [first, second] = [await listening(), await listening()]
    expect(Source.open).toHaveLength(1)
    Source.open[0]!.sends('summary')
    expect([first.heard, second.heard]).toEqual([[{ kind: 'summary' }], [{ kind: 'summary' }]])
    first.stop()
    await settled()
    expect(Source.open).toHaveLength(1)
    Source.open[0]!.sends('notification', { id: 'n' })
    expect(second.heard[1]).toEqual({ kind: 'notification', notification: { id: 'n' } })
    expect(first.heard).toHaveLength(1)
    second.stop()
    await settled()
    expect(Source.open).toHaveLength(0)
  })
  it('have only what they need where a browser has no channels', async () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    const alone = await listening()
    alone.tellTabs()
    Source.open[0]!.sends('summary')
    expect(alone.heard).toEqual([{ kind: 'summary' }])
    alone.stop()
  })
  it('are told of what was done, and neither of what was read nor of what was refused', async () => {
    const other = await listening()
    vi.resetModules()
    const answers = [200, 200, 422, 204]
    vi.stubGlobal('fetch', async () => {
      const status = answers.shift()!
      return new Response(status === 204 ? null : '{}', { status, headers: { 'Content-Type': 'application/json' } })
    })
    const { api } = await import('./client')
    await api.GET('/owed')
    expect(other.heard).toHaveLength(0)
    await api.POST('/calendar-feed')
    expect(other.heard).toHaveLength(1)
    await api.POST('/calendar-feed')
    expect(other.heard).toHaveLength(1)
    await api.DELETE('/calendar-feed')
    expect(other.heard).toHaveLength(2)
    other.stop()
  })
})

describe('news', () => {
  const stale = async (news: News) => {
    const client = new QueryClient()
    const keys = [['owed'], ['notifications', 'summary'], ['objective', 'o'], ['objective', 'p'], ['objectives', 'dashboard'], ['cycles', 'all'], ['occurrence', 'm']]
    for (const key of keys) client.setQueryData(key, 1)
    ;(await tab()).refresh(client, news)
    return keys.filter((key) => client.getQueryState(key)?.isInvalidated).map((key) => key.join(' '))
  }
  const about = (subject_kind: string, subject_id: string, path: string) => ({ kind: 'notification', notification: { subject_kind, subject_id, path } }) as News
  it('of another tab have everything read again, since it may be anything', async () => {
    expect(await stale({ kind: 'written', by: 'another' })).toHaveLength(7)
  })
  it('of a thing have that thing read again, and what hangs on it', async () => {
    expect(await stale({ kind: 'summary' })).toEqual(['notifications summary'])
    expect(await stale(about('objective', 'o', '/objectives/o'))).toEqual(['owed', 'notifications summary', 'objective o', 'objectives dashboard'])
    expect(await stale(about('occurrence', 'm', '/occurrences/m'))).toEqual(['owed', 'notifications summary', 'occurrence m'])
  })
})
