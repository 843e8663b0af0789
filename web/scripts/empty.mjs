// Empties dist, but for the placeholder that lets the Go program compile without a build.
import { readdir, rm } from 'node:fs/promises'

const dist = new URL('../dist/', import.meta.url)
for (const name of await readdir(dist)) {
  if (name !== '.placeholder') await rm(new URL(name, dist), { recursive: true })
}
