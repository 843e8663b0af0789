// What stands outside of the program and is asked by it: a mail server that refuses some, a model that takes its time, and an identity provider.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer as http } from 'node:http'
import { createServer as tcp } from 'node:net'

const listening = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))

/** A port that nobody listens on just now. */
export async function freePort() {
  const server = tcp()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A mail server on loopback. It refuses mail to the addresses in refused, which may change. */
export async function mailServer(refused) {
  const taken = []
  const sockets = new Set()
  const server = tcp((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    const say = (line) => socket.write(`${line}\r\n`)
    let rest = ''
    let to = null
    let inData = false
    say('220 mail.example.com ESMTP')
    socket.on('data', (data) => {
      rest += data
      for (let end; (end = rest.indexOf('\r\n')) >= 0; ) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (inData) {
          if (line !== '.') continue
          inData = false
          taken.push(to)
          say('250 taken')
          continue
        }
        const verb = line.slice(0, 4).toUpperCase()
        if (verb === 'EHLO' || verb === 'HELO') say('250 mail.example.com')
        else if (verb === 'RCPT') {
          to = /<([^>]*)>/.exec(line)?.[1] ?? ''
          say(refused.has(to) ? '550 no such user' : '250 ok')
        } else if (verb === 'DATA') {
          inData = true
          say('354 go on')
        } else if (verb === 'QUIT') {
          say('221 bye')
          socket.end()
        } else say('250 ok')
      }
    })
  })
  const port = await listening(server)
  return { url: `smtp://127.0.0.1:${port}`, taken, stop: () => (sockets.forEach((s) => s.destroy()), server.close()) }
}

/** A model on loopback that says some words and then nothing more, until somebody hangs up. */
export async function slowModel(words) {
  let hungUp = 0
  const server = http((request, response) => {
    request.resume()
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    const chunk = (content) => response.write(`data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'slow', choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] })}\n\n`)
    let said = false
    const timer = setInterval(() => {
      chunk(said ? '.' : words)
      said = true
    }, 300)
    response.on('close', () => {
      clearInterval(timer)
      hungUp++
    })
  })
  const port = await listening(server)
  return { url: `http://127.0.0.1:${port}/v1`, hungUp: () => hungUp, stop: () => (server.closeAllConnections(), server.close()) }
}

/** An identity provider on loopback. Whoever comes to it is signed in there already, with the claims in who, which may change; null has it refuse. */
export async function identityProvider(who) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const codes = new Map()
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = (claims) => {
    const body = `${encode({ alg: 'ES256', kid: '1' })}.${encode(claims)}`
    return `${body}.${sign('sha256', Buffer.from(body), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }
  const server = http((request, response) => {
    const at = new URL(request.url, url)
    const json = (value) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
    if (at.pathname === '/.well-known/openid-configuration') json({ issuer: url, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token`, jwks_uri: `${url}/keys`, id_token_signing_alg_values_supported: ['ES256'] })
    else if (at.pathname === '/keys') json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', alg: 'ES256', use: 'sig' }] })
    else if (at.pathname === '/authorize') {
      const back = new URL(at.searchParams.get('redirect_uri'))
      back.searchParams.set('state', at.searchParams.get('state'))
      if (provider.who) {
        const code = randomUUID()
        codes.set(code, { ...provider.who, iss: url, aud: at.searchParams.get('client_id'), nonce: at.searchParams.get('nonce') })
        back.searchParams.set('code', code)
      } else back.searchParams.set('error', 'access_denied')
      response.writeHead(302, { Location: back.href }).end()
    } else if (at.pathname === '/token') {
      let body = ''
      request.on('data', (data) => (body += data))
      request.on('end', () => {
        const now = Math.floor(Date.now() / 1000)
        json({ access_token: randomUUID(), token_type: 'Bearer', id_token: signed({ ...codes.get(new URLSearchParams(body).get('code')), iat: now, exp: now + 300 }) })
      })
    } else response.writeHead(404).end()
  })
  const url = `http://127.0.0.1:${await listening(server)}`
  const provider = { url, who, stop: () => (server.closeAllConnections(), server.close()) }
  return provider
}
