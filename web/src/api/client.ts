import createClient from 'openapi-fetch'
import { tellTabs } from './news'
import { Keys, patient, Quiet } from './patience'
import { Problem, type ProblemBody } from './problem'
import type { paths } from './schema.gen'

export const quiet = new Quiet()

type SignInAgain = () => Promise<boolean>
let signInAgain: SignInAgain | null = null

/** The frame says how somebody whose session has ended signs in again; null while nobody was signed in. */
export function onSignedOut(ask: SignInAgain | null) {
  signInAgain = ask
}

const querySerializer = { array: { style: 'form', explode: false } } as const // commas, as openapi.yaml has it

const send = (request: Request) => globalThis.fetch(request)
const patiently = patient({ send, quiet, keys: new Keys(), signInAgain: async () => (signInAgain ? signInAgain() : false) })

export const api = createClient<paths>({
  baseUrl: new URL('/api/v1', location.href).href,
  querySerializer,
  fetch: async (request) => {
    const response = await patiently(request)
    if (response.ok && request.method !== 'GET') tellTabs()
    return response
  },
})

/** For what happens before anybody is signed in, and must be told of every refusal. */
export const plain = createClient<paths>({
  baseUrl: new URL('/api/v1', location.href).href,
  fetch: patient({ send, quiet, keys: new Keys(), signInAgain: async () => false, limit: 20_000 }),
})

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/** The answer's body; anything else is thrown as a Problem. */
export async function got<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer
  if (!response.ok) throw new Problem(response.status, (typeof error === 'object' && error ? error : {}) as Partial<ProblemBody>)
  return data as T
}
