// Runs the program that is tested, on a port and with data of its own.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const binary = fileURLToPath(new URL('../../bin/kakeai', import.meta.url))
const within = 180_000 // the first start on a machine unpacks PostgreSQL

/** Starts `kakeai dev`, with some settings more, and returns once it says where it is. */
export async function start(more = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'kakeai-e2e-'))
  const server = spawn(binary, ['dev'], { env: { PATH: process.env.PATH, HOME: process.env.HOME ?? folder, KAKEAI_ADDR: '127.0.0.1:0', KAKEAI_DATA_DIR: folder, KAKEAI_LOG_LEVEL: 'warn', ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const url = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`kakeai dev was not ready in time:\n${said}`)), within)
    const hear = (data) => {
      said += data
      const m = /Address\s+(http:\/\/\S+)/.exec(said)
      if (m) {
        clearTimeout(timer)
        resolve(m[1])
      }
    }
    server.stdout.on('data', hear)
    server.stderr.on('data', hear)
    server.once('exit', () => reject(new Error(`kakeai dev ended:\n${said}`)))
  })
  return {
    url,
    log: () => said,
    /** One more organisation, empty but for its owner, who signs in with the password; as an operator makes it. */
    bootstrap: async (email, password, ...flags) => {
      const { kakeai_owner: owner } = JSON.parse(await readFile(join(folder, 'passwords.json'), 'utf8'))
      const port = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[3]
      const made = spawnSync(binary, ['org', 'bootstrap', '--owner-email', email, '--password-stdin', ...flags], { input: `${password}\n`, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: process.env.HOME ?? folder, DATABASE_OWNER_URL: `postgres://kakeai_owner:${owner}@127.0.0.1:${port}/kakeai?sslmode=disable` } })
      if (made.status !== 0) throw new Error(`kakeai org bootstrap: ${made.stderr}`)
    },
    stop: async () => {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
