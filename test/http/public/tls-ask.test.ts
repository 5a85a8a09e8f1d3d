// Who may ask for which hosts there may be certificates: the proxy itself, and the operator.
import t from 'tap'
import { domainAnswerRoute } from '../../../src/http/public/pages/domain-answer.ts'
import { tlsAskRoute } from '../../../src/http/public/tls-ask.ts'
import type { RawRequest, RawRoute } from '../../../src/http/routing/raw-route.ts'
import type { Services } from '../../../src/services/assembly/services.ts'

const route = tlsAskRoute({
  isSystemToken: (text) => text === 'the-token-of-the-operator',
  isTrustedProxy: (address) => address === '192.0.2.1',
  mayHaveCertificate: (host) => host === 'known.test',
})

interface Question {
  readonly address?: string
  readonly domain?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function replyOf({ handle }: RawRoute, more: Partial<RawRequest>) {
  const request = {
    path: '/',
    requestId: 'req_1',
    body: Buffer.alloc(0),
    params: {},
    queryText: '',
    header: () => '',
    host: '127.0.0.1',
    address: '127.0.0.1',
    nowMs: 0,
    ...more,
  }
  // These routes use no service.
  return handle(request, {} as Services)
}

async function statusOf(question: Question = {}) {
  const { address = '127.0.0.1', domain = 'known.test', headers = {} } = question
  const header = (name: string) => headers[name] ?? ''
  return (await replyOf(route, { address, queryText: `domain=${domain}`, header })).status
}

t.test('a proxy on this machine, or a trusted one, may ask', async (t) => {
  for (const address of ['127.0.0.1', '::1', '192.0.2.1']) {
    t.equal(await statusOf({ address }), 200, address)
    t.equal(await statusOf({ address, domain: 'other.test' }), 404, address)
    t.equal(await statusOf({ address, domain: '' }), 404, address)
  }
})

t.test('others may not, nor those whose requests a proxy passes on', async (t) => {
  t.equal(await statusOf({ address: '198.51.100.1' }), 401)
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
    t.equal(await statusOf({ headers: { [name]: '198.51.100.1' } }), 401, name)
  }
})

t.test('the operator may ask from anywhere', async (t) => {
  const address = '198.51.100.1'
  const right = { authorization: 'Bearer the-token-of-the-operator' }
  t.equal(await statusOf({ address, headers: right }), 200)
  t.equal(await statusOf({ headers: { authorization: 'Bearer wrong' } }), 401)
})

t.test('the service recognizes itself at its custom domains only', async (t) => {
  const answers = domainAnswerRoute((host, question) =>
    host === 'known.test' ? `${question} at ${host}` : null,
  )
  const question = 'a1'.repeat(16)
  const ask = (host: string, text: string) => replyOf(answers, { host, params: { question: text } })
  t.match(await ask('known.test', question), { status: 200, body: `${question} at known.test` })
  t.equal((await ask('other.test', question)).status, 404)
  t.equal((await ask('known.test', 'no question')).status, 404)
})
