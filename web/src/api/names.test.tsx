import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { keyResultOf, nameQuery, useNames, type Nameable } from './names'

;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true

/** What the server has: a status, or a body. */
let there: Record<string, number | object>
let asked: string[]

beforeEach(() => {
  asked = []
  there = { '/members/aya': { name: '山田 彩' }, '/members/ben': { name: 'Ben' }, '/teams/sales': { name: '営業' }, '/objectives/o': { title: '解約を減らす', key_results: [{ id: 'k', title: '解約率' }] }, '/members/hidden': 404, '/teams/broken': 500 }
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url)
    const path = pathname.replace('/api/v1', '')
    const ids = searchParams.get('ids')?.split(',')
    asked.push(ids ? `${path} ${ids.join(' ')}` : path)
    const one = (id: string) => there[`${path}/${id}`] ?? 404
    const answer = ids ? (ids.map(one).find((a) => a === 500) ?? { items: ids.flatMap((id) => (typeof one(id) === 'object' ? [{ id, ...(one(id) as object) }] : [])) }) : (there[path] ?? 404)
    return typeof answer === 'number' ? new Response('{}', { status: answer }) : new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } })
  })
})

async function page(...wanted: [Nameable, string][]) {
  const client = new QueryClient()
  const shown: string[] = []
  function Names() {
    const nameOf = useNames()
    shown.push(wanted.map(([kind, id]) => nameOf(kind, id)).join(' '))
    return null
  }
  const root = createRoot(document.createElement('div'))
  const draw = () => act(async () => root.render(<QueryClientProvider client={client}><Names /></QueryClientProvider>))
  await draw()
  await act(async () => void (await vi.waitFor(() => expect(shown.at(-1)).not.toContain('…'))))
  return { client, shown, draw, close: () => act(async () => root.unmount()) }
}

describe('names', () => {
  it('are an ellipsis until they are read, each once, and those of people together', async () => {
    const p = await page(['person', 'aya'], ['person', 'ben'], ['team', 'sales'], ['person', 'aya'], ['objective', 'o'])
    expect([p.shown[0], p.shown.at(-1)]).toEqual(['… … … … …', '山田 彩 Ben 営業 山田 彩 解約を減らす'])
    expect(asked.toSorted()).toEqual(['/members aya ben', '/objectives/o', '/teams sales'])
    const drawn = p.shown.length
    await p.draw()
    expect(asked).toHaveLength(3)
    expect(p.shown.length - drawn).toBe(1)
    await p.close()
  })
  it('are not waited for where nobody may see them, or they cannot be read', async () => {
    const p = await page(['person', 'hidden'], ['team', 'broken'])
    expect(p.shown.at(-1)).toBe('– –')
    await p.close()
  })
  it('are known at once where somebody has read them before', async () => {
    const client = new QueryClient()
    client.setQueryData(nameQuery('person', 'aya').queryKey, 'Aya')
    let shown = ''
    function Names() {
      const nameOf = useNames()
      shown = nameOf('person', 'aya')
      return null
    }
    await act(async () => createRoot(document.createElement('div')).render(<QueryClientProvider client={client}><Names /></QueryClientProvider>))
    expect([shown, asked]).toEqual(['Aya', []])
  })
  it('are read for a part that is drawn later than the page it is on', async () => {
    let shown = ''
    let open: () => void
    function Later({ nameOf }: { nameOf: (kind: Nameable, id: string) => string }) {
      const [opened, set] = useState(false)
      open = () => set(true)
      shown = opened ? nameOf('person', 'aya') : ''
      return null
    }
    function Names() {
      return <Later nameOf={useNames()} />
    }
    await act(async () => createRoot(document.createElement('div')).render(<QueryClientProvider client={new QueryClient()}><Names /></QueryClientProvider>))
    await act(async () => open())
    await act(async () => void (await vi.waitFor(() => expect(shown).toBe('山田 彩'))))
  })
  it('of key results are read with their objective, which may be there already', async () => {
    const p = await page(['key_result', keyResultOf('o', 'k')], ['key_result', keyResultOf('o', 'taken out')], ['key_result', keyResultOf('hidden', 'k')])
    expect(p.shown.at(-1)).toBe('解約率 – –')
    expect(asked.toSorted()).toEqual(['/objectives/hidden', '/objectives/o'])
    await p.close()
  })
})
