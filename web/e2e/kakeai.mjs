// Runs the program that is tested, on a port and with data of its own.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
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
    stop: async () => {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
