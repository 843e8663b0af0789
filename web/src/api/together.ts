/** Reads that are begun in one turn are one request, or as many as it takes with so many each: a page draws a name in each of its rows. */
export function together<T>(read: (ids: string[]) => Promise<Map<string, T>>, most: number): (id: string) => Promise<T | null> {
  let waiting = new Map<string, Promise<T | null>>()
  let begun: { id: string; found: (of: Map<string, T>) => void; failed: (error: unknown) => void }[] = []
  const send = () => {
    const all = begun
    begun = []
    waiting = new Map()
    for (let n = 0; n < all.length; n += most) {
      const some = all.slice(n, n + most)
      read(some.map((x) => x.id)).then(
        (of) => some.forEach((x) => x.found(of)),
        (error: unknown) => some.forEach((x) => x.failed(error)),
      )
    }
  }
  return (id) => {
    const there = waiting.get(id)
    if (there) return there
    if (begun.length === 0) queueMicrotask(send)
    const promise = new Promise<T | null>((resolve, reject) => begun.push({ id, found: (of) => resolve(of.get(id) ?? null), failed: reject }))
    waiting.set(id, promise)
    return promise
  }
}
