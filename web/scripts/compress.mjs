// Compresses what gets smaller by it, once and well, so that the server has nothing to compress.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url)
for (const name of await readdir(dist, { recursive: true })) {
  if (!/\.(js|css|svg|json)$/.test(name)) continue
  const content = await readFile(new URL(name, dist))
  const small = gzipSync(content, { level: 9 })
  if (small.length < content.length * 0.9) await writeFile(new URL(name + '.gz', dist), small)
}
