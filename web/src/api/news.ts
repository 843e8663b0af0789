import type { QueryClient } from '@tanstack/react-query'
import { randomID } from './patience'
import type { Schemas } from './problem'

// One stream for all tabs of a browser: it allows few connections to one place. The tab that holds the lock reads, and tells the others.

const channelName = 'kakeai:news'

export type News = { kind: 'written'; by: string } | { kind: 'summary' } | { kind: 'notification'; notification: Schemas['Notification'] }

const tab = randomID()
const written = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(channelName)

/** Tells the other tabs of this browser that something was changed here: nobody notifies people of what they do themselves. */
export function tellTabs() {
  written?.postMessage({ kind: 'written', by: tab } satisfies News)
}

export function followNews(heard: (news: News) => void): () => void {
  const stop = new AbortController()
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(channelName)
  channel?.addEventListener('message', (e: MessageEvent<News>) => {
    if (e.data.kind !== 'written' || e.data.by !== tab) heard(e.data)
  })
  const tell = (news: News) => {
    heard(news)
    channel?.postMessage(news)
  }
  if (navigator.locks) void navigator.locks.request('kakeai:news', { signal: stop.signal }, () => stream(tell, stop.signal)).catch(() => undefined)
  else void stream(tell, stop.signal)
  return () => {
    stop.abort()
    channel?.close()
  }
}

/** Follows until it is stopped. The browser connects again by itself after an end, and this after a refusal, ever more slowly. */
function stream(tell: (news: News) => void, signal: AbortSignal): Promise<void> {
  return new Promise((ended) => {
    let source: EventSource | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let pause = 2000
    const connect = () => {
      source = new EventSource('/api/v1/notifications/events')
      source.addEventListener('open', () => (pause = 2000))
      source.addEventListener('summary', () => tell({ kind: 'summary' }))
      source.addEventListener('notification', (e: MessageEvent<string>) => tell({ kind: 'notification', notification: JSON.parse(e.data) as Schemas['Notification'] }))
      source.addEventListener('error', () => {
        if (source?.readyState !== EventSource.CLOSED) return
        timer = setTimeout(connect, pause * (0.75 + Math.random() / 2))
        pause = Math.min(pause * 2, 120_000)
      })
    }
    connect()
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      source?.close()
      ended()
    })
  })
}

/** Reads again what the news may have changed; what somebody is typing is kept apart from it. */
export function refresh(client: QueryClient, news: News) {
  if (news.kind === 'written') {
    void client.invalidateQueries()
    return
  }
  void client.invalidateQueries({ queryKey: ['notifications'] })
  if (news.kind === 'summary') return
  void client.invalidateQueries({ queryKey: ['owed'] })
  const n = news.notification
  if (n.subject_kind === 'objective' || n.subject_kind === 'key_result') {
    const id = /^\/objectives\/([0-9a-f-]{36})/.exec(n.path)?.[1] ?? n.subject_id
    void client.invalidateQueries({ queryKey: ['objective', id] })
    void client.invalidateQueries({ queryKey: ['objectives'] })
    void client.invalidateQueries({ queryKey: ['check-ins'] })
  }
  if (n.subject_kind === 'occurrence') void client.invalidateQueries({ queryKey: ['occurrence', n.subject_id] })
  if (n.subject_kind === 'dialogue') void client.invalidateQueries({ queryKey: ['dialogue', n.subject_id] })
  if (n.subject_kind === 'broadcast') void client.invalidateQueries({ queryKey: ['broadcasts'] })
}
