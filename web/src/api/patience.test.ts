import { describe, expect, it, vi } from 'vitest'
import { Keys, patient, Quiet, randomID } from './patience'

function setup(answers: (Response | Error)[], signIn = false) {
  const sent: Request[] = []
  const quiet = new Quiet()
  const waited: number[] = []
  quiet.wait = async (ms) => void waited.push(ms)
  const keys = new Keys()
  const ask = vi.fn(async () => signIn)
  const fetch = patient({
    send: async (r) => {
      sent.push(r)
      const a = answers.shift()!
      if (a instanceof Error) throw a
      return a
    },
    quiet, keys, signInAgain: ask,
  })
  const post = (body: string) => fetch(new Request('http://kakeai.test/api/v1/objectives', { method: 'POST', body }))
  return { sent, waited, ask, post, get: () => fetch(new Request('http://kakeai.test/api/v1/owed')) }
}

const busy = (seconds: number, type = 'overloaded') => new Response(JSON.stringify({ type }), { status: 503, headers: { 'Retry-After': String(seconds) } })
const ok = () => new Response('{}', { status: 200 })

describe('a patient request', () => {
  it('waits as long as it is told, and sends the same key and body again', async () => {
    const s = setup([busy(2), busy(3), ok()])
    expect((await s.post('{"title":"解約を減らす"}')).status).toBe(200)
    expect(s.waited).toEqual([2000, 3000])
    expect(new Set(s.sent.map((r) => r.headers.get('Idempotency-Key'))).size).toBe(1)
    expect(await s.sent[2]!.text()).toBe('{"title":"解約を減らす"}')
  })
  it('gives up where waiting would take too long, or mends nothing', async () => {
    expect((await setup([busy(120)]).get()).status).toBe(503)
    expect((await setup([busy(1, 'provider-unavailable')]).get()).status).toBe(503)
  })
  it('sends a request whose connection broke again, but not for ever', async () => {
    const broken = () => new TypeError('Failed to fetch')
    expect((await setup([broken(), ok()]).post('{}')).status).toBe(200)
    await expect(setup([broken(), broken(), broken(), broken()]).post('{}')).rejects.toMatchObject({ status: 0 })
  })
  it('keeps the key until the end is known, so that pressing twice does it once', async () => {
    const s = setup([new Response('{}', { status: 500 }), new Response('{}', { status: 422 }), ok(), ok()])
    await s.post('{}')
    await s.post('{}')
    await s.post('{}')
    await s.post('{"other":1}')
    const keys = s.sent.map((r) => r.headers.get('Idempotency-Key'))
    expect(keys[0]).toBe(keys[1])
    expect(keys[2]).not.toBe(keys[1])
    expect(keys[3]).not.toBe(keys[2])
  })
  it('goes on after a new sign-in, and not without one', async () => {
    const out = () => new Response(JSON.stringify({ type: 'signed-out' }), { status: 401 })
    const s = setup([out(), ok()], true)
    expect((await s.post('{}')).status).toBe(200)
    expect(s.ask).toHaveBeenCalledOnce()
    expect((await setup([out()], false).get()).status).toBe(401)
    const wrong = setup([new Response(JSON.stringify({ type: 'wrong-credentials' }), { status: 401 })], true)
    expect((await wrong.post('{}')).status).toBe(401)
    expect(wrong.ask).not.toHaveBeenCalled()
  })
  it('names nobody who answers a survey', async () => {
    let sent: Request | undefined
    const fetch = patient({ send: async (r) => ((sent = r), ok()), quiet: new Quiet(), keys: new Keys(), signInAgain: async () => false })
    await fetch(new Request('http://kakeai.test/api/v1/occurrences/1/answers', { method: 'PUT', body: '{}' }))
    expect(sent!.headers.has('Idempotency-Key')).toBe(false)
  })
  it('makes ids that are UUIDs', () => {
    expect(randomID()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
