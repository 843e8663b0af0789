import { act, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, describe, expect, it } from 'vitest'
import { keepDraft, readDraft, sweepDrafts, useDraft, type Draft } from './draft'

;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true

let draft: Draft<string>

function Form({ name }: { name: string }) {
  // eslint-disable-next-line react-hooks/globals -- the test looks at what a page would have
  draft = useDraft(name, 'start')
  return null
}

async function show(name: string) {
  const root = createRoot(document.createElement('div'))
  const render = (n: string) => act(async () => root.render(<StrictMode><Form name={n} /></StrictMode>))
  await render(name)
  return { render, close: () => act(async () => root.unmount()) }
}

beforeEach(() => localStorage.clear())

describe('a draft', () => {
  it('is there again after the page was closed', async () => {
    const page = await show('a')
    expect([draft.value, draft.restored]).toEqual(['start', false])
    expect(readDraft('a')).toBeUndefined()
    await act(async () => draft.set('typed'))
    await page.close()
    await show('a')
    expect([draft.value, draft.restored]).toEqual(['typed', true])
  })
  it('is forgotten once it was sent', async () => {
    await show('a')
    await act(async () => draft.set((before) => before + '!'))
    expect(readDraft('a')).toBe('start!')
    await act(async () => draft.clear())
    expect(readDraft('a')).toBeUndefined()
    expect(draft.value).toBe('start')
  })
  it('belongs to its form alone', async () => {
    keepDraft('b', 'of b')
    const page = await show('a')
    await act(async () => draft.set('of a'))
    await page.render('b')
    expect([draft.value, draft.restored]).toEqual(['of b', true])
    expect(readDraft('a')).toBe('of a')
  })
  it('does not stay for ever', () => {
    keepDraft('old', 'x')
    sweepDrafts(Date.now() + 59 * 86_400_000)
    expect(readDraft('old')).toBe('x')
    sweepDrafts(Date.now() + 61 * 86_400_000)
    expect(readDraft('old')).toBeUndefined()
  })
})
