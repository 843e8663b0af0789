import { api } from '../api/client'
import { randomID } from '../api/patience'
import { Problem, type ProblemBody, type Schemas } from '../api/problem'

export const largest = 64 * 1024 * 1024
const largestWorkbook = 20 * 1024 * 1024
const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export interface Bringing {
  encoding?: 'utf-8' | 'utf-16' | 'shift_jis' | 'windows-1252'
  separator?: 'comma' | 'semicolon' | 'tab'
  sheet?: string
}

async function begins(file: File, ...bytes: number[]) {
  const b = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  return bytes.every((x, n) => b[n] === x)
}

const isWorkbook = (file: File) => begins(file, 0x50, 0x4b, 0x03, 0x04)

/** What can be said of a file without sending it. */
export async function refusedAtSight(file: File): Promise<'workbook-kind' | 'workbook-too-large' | 'too-large' | 'empty' | undefined> {
  if (file.size === 0) return 'empty'
  if (await begins(file, 0xd0, 0xcf, 0x11, 0xe0)) return 'workbook-kind'
  if (file.size > largestWorkbook && (await isWorkbook(file))) return 'workbook-too-large'
  if (file.size > largest) return 'too-large'
  return undefined
}

/** What a file is, by what it begins with: what it is called says less. */
async function typeOf(file: File) {
  if (await isWorkbook(file)) return workbookType
  return /\.json$/i.test(file.name) || file.type === 'application/json' ? 'application/json' : 'text/csv'
}

interface Answer {
  status: number
  body: unknown
  retryAfter: number
}

/** One try. The browser reads the file while it sends it, and XMLHttpRequest alone says how much has gone out. */
function post(address: string, file: File, type: string, key: string, signal: AbortSignal, progress: (share: number) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', address)
    request.responseType = 'json'
    request.setRequestHeader('Content-Type', type)
    request.setRequestHeader('Idempotency-Key', key)
    request.upload.addEventListener('progress', (e) => progress(e.total > 0 ? e.loaded / e.total : 0))
    request.addEventListener('load', () => resolve({ status: request.status, body: request.response as unknown, retryAfter: Number(request.getResponseHeader('Retry-After') ?? '2') }))
    request.addEventListener('error', () => resolve({ status: 0, body: null, retryAfter: 2 }))
    request.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

/** Brings a file. What breaks off is sent again under the same key, so that it is there once. */
export async function upload(file: File, how: Bringing, signal: AbortSignal, progress: (share: number) => void): Promise<Schemas['Import']> {
  const query = new URLSearchParams({ file_name: file.name.normalize('NFC').slice(0, 255) })
  const type = await typeOf(file)
  if (type !== workbookType && how.encoding) query.set('encoding', how.encoding)
  if (type !== workbookType && how.separator) query.set('separator', how.separator)
  if (type === workbookType && how.sheet?.trim()) query.set('sheet', how.sheet.trim())
  const key = randomID()
  for (let tries = 0; ; tries++) {
    const answer = await post(`/api/v1/imports?${query}`, file, type, key, signal, progress)
    if (answer.status === 201) return answer.body as Schemas['Import']
    if (tries < 3) {
      if (answer.status === 401) {
        await api.GET('/imports', { params: { query: { limit: 1 } }, signal }) // has whoever it is sign in again
        continue
      }
      if (answer.status === 0 || answer.status === 503 || answer.status === 429) {
        await pause(Math.min(30, Math.max(1, answer.retryAfter)) * 1000, signal)
        continue
      }
    }
    throw new Problem(answer.status, (typeof answer.body === 'object' && answer.body ? answer.body : {}) as Partial<ProblemBody>)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('', 'AbortError'))
    })
  })
}
