// What moves while a page loads, as Cumulative Layout Shift has it; what somebody has just caused by typing or pressing is not counted.

/** Begins to watch; before the page is opened. */
export async function watchShifts(page) {
  await page.addInitScript(() => {
    window.shifts = []
    const named = (node) => {
      const e = node?.nodeType === 1 ? node : node?.parentElement
      if (!e) return '?'
      const text = (e.getAttribute('aria-label') ?? e.textContent ?? '').trim().slice(0, 30)
      return `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ''}${[...e.classList].filter((c) => !/^m_/.test(c)).map((c) => `.${c}`).join('')}${text ? ` “${text}”` : ''}`
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.hadRecentInput) continue
        const box = (r) => `${Math.round(r.x)},${Math.round(r.y)} ${Math.round(r.width)}×${Math.round(r.height)}`
        window.shifts.push({ at: Math.round(entry.startTime), value: entry.value, moved: entry.sources.map((s) => `${named(s.node)}: ${box(s.previousRect)} → ${box(s.currentRect)}`) })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** What has moved so far: the sum, and each time what it was. */
export async function shiftsOf(page) {
  const all = await page.evaluate(() => window.shifts)
  return { sum: all.reduce((n, s) => n + s.value, 0), all }
}
