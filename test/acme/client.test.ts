// The protocol with certificate authorities: what is signed, and what a refusal says.
import { createPublicKey, verify } from 'node:crypto'
import t from 'tap'
import { type AcmeAccount, createAcmeClient } from '../../src/acme/client.ts'
import { accountKey, mintKey } from '../../src/acme/jws.ts'
import type { WebAnswer, WebRequest } from '../../src/net/http-client/guarded-client.ts'

const at = (path: string) => `https://ca.example${path}`
const keyPem = mintKey()
const account: AcmeAccount = { keyPem, url: at('/account/1') }
const order = { url: at('/order/1'), host: 'a.example', keyPem: mintKey() }
const never = new AbortController().signal

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const problem = (type: string, detail?: string) => ({
  type: `urn:ietf:params:acme:error:${type}`,
  ...(detail === undefined ? {} : { detail }),
})

/** An authority that answers what it is told, with a fresh nonce each time. */
function authority(replies: Readonly<Record<string, Reply | ((count: number) => Reply)>>) {
  const requests: WebRequest[] = []
  const counts = new Map<string, number>()
  const waits: number[] = []
  async function request(asked: WebRequest): Promise<WebAnswer> {
    requests.push(asked)
    const { pathname } = new URL(asked.url)
    const count = (counts.get(pathname) ?? 0) + 1
    counts.set(pathname, count)
    const found = { ...usual, ...replies }[pathname]
    const reply = typeof found === 'function' ? found(count) : (found ?? { status: 404 })
    const { status = 200, headers = {}, body = {} } = reply
    return {
      kind: 'answered',
      status,
      headers: { 'replay-nonce': `nonce-${requests.length}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }
  }
  const client = createAcmeClient({
    directoryUrl: at('/directory'),
    request,
    nowMs: () => Date.UTC(2026, 0, 1),
    wait: async (ms) => void waits.push(ms),
  })
  return { client, requests, waits }
}

const usual: Readonly<Record<string, Reply>> = {
  '/directory': {
    body: { newNonce: at('/nonce'), newAccount: at('/account'), newOrder: at('/order') },
  },
  '/nonce': { status: 204, body: '' },
}

const decoded = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())

t.test('requests are signed as RFC 7515 says, each with a nonce of its own', async (t) => {
  const created = { status: 201, headers: { location: at('/account/1') } }
  const { client, requests } = authority({ '/account': created })
  t.equal(await client.register(keyPem, 'me@up.example', never), at('/account/1'))
  const { body } = requests.at(-1) ?? { body: '' }
  const sent = JSON.parse(body)
  const head = decoded(sent.protected)
  t.match(head, { alg: 'ES256', url: at('/account'), nonce: 'nonce-1', jwk: { crv: 'P-256' } })
  t.same(decoded(sent.payload), { termsOfServiceAgreed: true, contact: ['mailto:me@up.example'] })
  const key = createPublicKey({ key: head.jwk, format: 'jwk' })
  const signed = Buffer.from(`${sent.protected}.${sent.payload}`)
  const signature = Buffer.from(sent.signature, 'base64url')
  t.ok(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature))
  t.match(accountKey(keyPem).thumbprint, /^[\w-]{43}$/)
})

t.test('a refused nonce is replaced by the one that came with the refusal', async (t) => {
  const created = { status: 201, headers: { location: at('/order/1') } }
  const refused = { status: 400, body: problem('badNonce') }
  const { client, requests } = authority({ '/order': (count) => (count < 4 ? refused : created) })
  t.equal(await client.order(account, 'a.example', never), at('/order/1'))
  const nonces = requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => decoded(JSON.parse(body).protected).nonce)
  t.same(nonces, ['nonce-1', 'nonce-2', 'nonce-3', 'nonce-4'])
  const stubborn = authority({ '/order': refused })
  await t.rejects(stubborn.client.order(account, 'a.example', never), { code: 'badNonce' })
})

t.test('a refusal says why, and how long to wait', async (t) => {
  const detail = 'too many certificates already issued'
  const limited = {
    status: 429,
    headers: { 'retry-after': '7200' },
    body: problem('rateLimited', detail),
  }
  const { client } = authority({ '/order': limited })
  await t.rejects(client.order(account, 'a.example', never), {
    code: 'rateLimited',
    retryAfterMs: 7_200_000,
    message: `The certificate authority refused: ${detail}. (rateLimited)`,
  })
  const dated = { ...limited, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' } }
  const other = authority({ '/order': dated })
  await t.rejects(other.client.order(account, 'a.example', never), {
    name: 'AcmeError',
    retryAfterMs: 60_000,
  })
  const broken = authority({ '/order': { status: 502, body: '<html>' } })
  await t.rejects(broken.client.order(account, 'a.example', never), { message: /answered 502/ })
  const noDirectory = authority({ '/directory': { body: {} } })
  await t.rejects(noDirectory.client.order(account, 'a.example', never), {
    message: /directoryUrl/,
  })
})

t.test('an authority that is away is told from one that refuses', async (t) => {
  for (const status of [502, 503, 504]) {
    const body = problem('rateLimited', 'Service busy')
    const { client } = authority({ '/order': { status, headers: { 'retry-after': '60' }, body } })
    await t.rejects(client.order(account, 'a.example', never), {
      code: 'unavailable',
      retryAfterMs: 60_000,
      message: /Service busy/,
    })
  }
  const client = createAcmeClient({
    directoryUrl: at('/directory'),
    request: async () => ({ kind: 'failed', cause: 'timeout', reason: 'No answer.' }),
    nowMs: () => 0,
    wait: async () => {},
  })
  await t.rejects(client.order(account, 'a.example', never), { code: 'unavailable' })
})

t.test('a failed challenge says why, and ends the order', async (t) => {
  const challenge = {
    type: 'http-01',
    url: at('/challenge/1'),
    token: 'token',
    status: 'invalid',
    error: problem('connection', 'Connection refused'),
  }
  const { client } = authority({
    '/order/1': { body: { status: 'pending', authorizations: [at('/authz/1')] } },
    '/authz/1': { body: { status: 'invalid', challenges: [challenge] } },
  })
  await t.rejects(client.finish(account, order, never), {
    code: 'orderGone',
    message: 'The certificate authority refused: Connection refused. (connection)',
  })
  const forgotten = authority({})
  await t.rejects(forgotten.client.finish(account, order, never), { code: 'orderGone' })
})

t.test('an order that takes its time is asked for as slowly as the authority wants', async (t) => {
  const processing = { headers: { 'retry-after': '7' }, body: { status: 'processing' } }
  const valid = { body: { status: 'valid', certificate: at('/certificate/1') } }
  const { client, waits } = authority({
    '/order/1': (count) => (count < 4 ? processing : valid),
    '/certificate/1': { body: 'the chain' },
  })
  t.equal(await client.finish(account, order, never), 'the chain')
  t.same(waits, [7_000, 7_000])
})
