// How a check of HTTP signs in: by Basic, Digest and OAuth 2, against servers that others wrote.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
// @ts-expect-error: the library brings no types
import * as oidcProvider from 'oidc-provider'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { MonitorAuth } from '../../../src/domain/monitors/monitor-fields.ts'
import { completedInput, inputProblems } from '../../../src/domain/monitors/monitor-input.ts'
import { challengeIn, digestAnswer } from '../../../src/probes/http/digest.ts'
import { kindOf } from '../../../src/probes/registry.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import { skipWithout } from '../../support/programs.ts'
import { skipWithoutGrpc, startGrpcServer } from '../../support/servers/grpc.ts'
import { startLighttpd } from '../../support/servers/lighttpd.ts'
import { skipWithoutVersitygw, startVersitygw } from '../../support/servers/versitygw.ts'
import { answer, startTarget } from '../../support/target.ts'
import { startTickingClock } from '../../support/ticking-clock.ts'
import { until } from '../../support/until.ts'
import { welcome } from '../../support/websocket.ts'

const clock = startClock()
t.after(() => clock.stop())
const probe = openProbe(t, clock)
const look = (fields: TargetFields) =>
  probe(makeTarget({ timeoutMs: 8_000, ...fields }), { clock, keepsAnswer: true })
const expect = { bodyContains: 'in ' }
const login = { username: 'ada', password: 's3cret: "x"', expect }
const digest: MonitorAuth = { type: 'digest' }

t.test('a server that asks for a sign-in', { skip: skipWithout('lighttpd') }, async (t) => {
  const url = `http://127.0.0.1:${await startLighttpd(t)}`
  const resultOf = async (fields: TargetFields) => {
    const { result, error, status } = await look({ ...login, ...fields })
    return error === undefined ? result : `${status} ${error.message}`
  }
  t.equal(await resultOf({ url: `${url}/basic` }), 'good')
  t.equal(await resultOf({ url: `${url}/basic`, auth: { type: 'basic' } }), 'good')
  t.match(await resultOf({ url: `${url}/basic`, username: null }), /^401 /)
  for (const path of ['md5', 'sha256', 'to-sha256']) {
    t.equal(await resultOf({ url: `${url}/${path}`, auth: digest }), 'good', path)
    t.match(await resultOf({ url: `${url}/${path}` }), /^401 /, `${path}, not by Basic`)
  }
  // The server takes a second for each: they wait together.
  const wrong = [
    { url: `${url}/basic`, password: 'wrong' },
    ...['md5', 'sha256', 'to-sha256'].map((path) => {
      return { url: `${url}/${path}`, auth: digest, password: 'no' }
    }),
  ]
  await Promise.all(
    wrong.map(async (fields) => t.match(await resultOf(fields), /^401 /, fields.url)),
  )
  const post = { method: 'POST', body: 'a=b', expect: { acceptedStatuses: ['405'] } } as const
  t.equal(await resultOf({ url: `${url}/sha256`, auth: digest, ...post }), 'good', 'with a body')
})

t.test('digests are those of RFC 7616', async (t) => {
  const rest =
    'realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", ' +
    'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
  const asked = [`Digest ${rest}, algorithm=MD5, Digest ${rest}, algorithm=SHA-256`]
  const request = {
    ...{ username: 'Mufasa', password: 'Circle of Life', method: 'GET', uri: '/dir/index.html' },
    ...{ count: 1, cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' },
  }
  const answered = (values: readonly string[]) => {
    const challenge = challengeIn(values)
    return challenge && digestAnswer(challenge, request)
  }
  t.match(
    answered(asked),
    'algorithm=SHA-256, response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"',
  )
  t.match(answered([`Basic realm="x"`, `Digest ${rest}`]), '8ca523f5e9506fed4657c9700eebdbec')
  t.match(answered(['Digest realm="a", nonce="b"']), /^(?!.*qop)/, 'the older form')
  for (const value of ['', 'Basic realm="Digest nonce"', 'Digest realm="a"', 'Negotiate abc']) {
    t.equal(answered([value]), undefined, value)
  }
  t.equal(answered(['Digest nonce="a", algorithm=MD4']), undefined)
  t.equal(answered(['Digest nonce="a", qop="auth-int"']), undefined)
})

interface Serving {
  readonly url: string
  readonly seen: (string | undefined)[]
}

/** A server that answers by what it is told; `seen`: the credentials of each request. */
async function serve(
  t: Pick<typeof import('tap')['default'], 'teardown'>,
  answer: (request: IncomingMessage) => {
    status: number
    headers?: Record<string, string>
    text?: string
  },
): Promise<Serving> {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    const { status, headers = {}, text = '' } = answer(request)
    response.writeHead(status, headers).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

t.test('credentials stay with the server that they are for', async (t) => {
  const challenge = { 'www-authenticate': 'Digest realm="a", nonce="b", qop="auth"' }
  const stranger = await serve(t, () => ({ status: 401, headers: challenge }))
  const own = await serve(t, ({ headers }) =>
    headers.authorization === undefined
      ? { status: 401, headers: challenge }
      : { status: 302, headers: { location: stranger.url } },
  )
  for (const auth of [null, digest]) {
    const reading = await look({ ...login, url: own.url, auth })
    t.equal(reading.status, 401)
    t.same(stranger.seen.splice(0), [undefined], `${auth?.type ?? 'basic'}`)
  }
  t.match(own.seen, [/^Basic /, undefined, /^Digest /])
})

t.test('what a server repeats of the credentials is masked', async (t) => {
  const echo = await serve(t, ({ headers }) => ({
    status: 500,
    text: `${headers.authorization} ${Buffer.from(headers.authorization?.slice(6) ?? '', 'base64')}`,
  }))
  const reading = await look({ ...login, url: echo.url })
  t.equal(reading.result, 'failed')
  t.notMatch(JSON.stringify(reading), /s3cret|YWRhOnMzY3JldDog/)
})

t.test('a service that verifies signatures of AWS', { skip: skipWithoutVersitygw }, async (t) => {
  const { url, bucket, data, region, accessKey, secretKey } = await startVersitygw(t)
  const folder = join(data, bucket, "caf\u00e9 (1)'s")
  mkdirSync(folder)
  writeFileSync(join(folder, 'a+b.txt'), 'in the bucket')
  const auth: MonitorAuth = { type: 'awsSigV4', region, service: 's3' }
  const aws = { username: accessKey, password: secretKey, auth, expect }
  const resultOf = async (path: string, fields: TargetFields = {}) => {
    const { result, error, status, evidence } = await look({
      ...aws,
      url: `${url}${path}`,
      ...fields,
    })
    return error === undefined ? result : `${status} ${evidence?.body ?? error.message}`
  }
  await until(async () => (await resultOf('/backups', { expect: {} })) === 'good')
  const path = "/backups/caf%C3%A9%20(1)'s/a+b.txt"
  t.equal(await resultOf(path), 'good')
  t.equal(await resultOf('/backups/caf%c3%a9%20%281%29%27s/a%2Bb.txt'), 'good', 'encoded otherwise')
  const put = {
    method: 'PUT',
    body: 'in it',
    expect: {},
    headers: { 'X-Amz-Meta-A': ' 1   2 ' },
  } as const
  t.equal(await resultOf('/backups/sent.txt', put), 'good', 'with a body and headers')
  const listed = { expect: { bodyContains: '<Prefix>caf\u00e9 (1)' } }
  const query = '?list-type=2&prefix=caf\u00e9+(1)&max-keys=9&delimiter=%2F'
  t.equal(await resultOf(`/backups${query}`, listed), 'good', 'in any order')
  t.match(await resultOf(path, { password: 'another' }), /^403 .*SignatureDoesNotMatch/s)
  t.match(await resultOf(path, { username: 'AKIDOTHER' }), /^40[34] .*access key/is)
  t.match(await resultOf(path, { auth: { ...auth, region: 'us-east-1' } }), /^40[03] .*region/s)
  t.match(await resultOf(path, { auth: null }), /^(?!good)/, 'by Basic')
})

t.test('each request to the server of the monitor is signed, and no other', async (t) => {
  const stranger = await serve(t, () => ({ status: 200 }))
  const heads: IncomingMessage['headers'][] = []
  const own = await serve(t, ({ url = '', headers }) => {
    heads.push(headers)
    if (url.startsWith('/a')) return { status: 307, headers: { location: '/b?x=1&a=b+c' } }
    return { status: 302, headers: { location: stranger.url }, text: `${headers.authorization}` }
  })
  const auth: MonitorAuth = { type: 'awsSigV4', region: 'eu-central-1', service: 'execute-api' }
  const headers = { 'X-Amz-Security-Token': 'a-session-token', 'X-Own': 'y' }
  const aws = { username: 'AKID', password: 's3cret', auth, headers, url: `${own.url}/a` }
  t.equal((await look(aws)).result, 'good')
  t.same(stranger.seen, [undefined])
  const names = 'host;x-amz-content-sha256;x-amz-date;x-amz-security-token'
  const scope = /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/execute-api\/aws4_request,/
  t.equal(heads.length, 2)
  for (const { authorization = '', ...others } of heads) {
    t.match(authorization, scope)
    t.match(authorization, `,SignedHeaders=${names},`)
    t.match(others, { 'x-amz-security-token': 'a-session-token', 'x-own': 'y' })
  }
  t.not(heads[0]?.authorization, heads[1]?.authorization)
  const shown = await look({ ...aws, url: `${own.url}/c`, followRedirects: false })
  const signature = heads.at(-1)?.authorization?.split('Signature=')[1] ?? ''
  t.match(shown.evidence?.body, 'Signature=')
  t.notMatch(JSON.stringify(shown), signature, 'what it repeats is masked')
})

type ProviderClass = new (issuer: string, settings: object) => { callback(): RequestListener }

t.test('a token of OAuth 2', async (t) => {
  const { url: issuer, seen: asked } = await startProvider(t)
  let valid: string | undefined
  const target = await serve(t, ({ headers }) => {
    const token = headers.authorization ?? ''
    valid ??= token
    return token === valid
      ? { status: 200, text: 'in ' }
      : { status: 401, text: `${token} is not valid` }
  })
  const auth: MonitorAuth = { type: 'oauth2', tokenUrl: `${issuer}/token`, scope: 'read' }
  const oauth = { url: target.url, username: 'check:1', password: 'a secret+of/it', auth, expect }
  const ticking = startTickingClock(t)
  const probe = openProbe(t, ticking)
  const lookOnce = (fields: TargetFields = {}) =>
    probe(makeTarget({ timeoutMs: 8_000, ...oauth, ...fields }), {
      clock: ticking,
      keepsAnswer: true,
    })

  await t.test('is fetched once, and kept', async (t) => {
    t.equal((await lookOnce()).error, undefined)
    t.equal((await lookOnce()).result, 'good')
    t.match(target.seen, [/^Bearer \S+$/, target.seen[0]])
    t.equal(asked.length, 1)
  })

  const inThreads = process.env.CHECK_THREADS === '1' && 'another thread has no simulated time'
  await t.test('is fetched anew once it has expired', { skip: inThreads }, async (t) => {
    await ticking.advance(600_000)
    valid = undefined
    t.equal((await lookOnce()).result, 'good')
    t.equal(asked.length, 2)
    t.not(target.seen.at(-1), target.seen[0])
  })

  await t.test('is fetched anew once if the target refuses it', async (t) => {
    asked.length = 0
    valid = undefined
    target.seen.length = 0
    const old = await lookOnce()
    t.equal(old.result, 'good')
    valid = 'Bearer other'
    const refused = await lookOnce()
    t.equal(refused.status, 401)
    t.equal(asked.length, 1)
    t.notMatch(JSON.stringify(refused), target.seen.at(-1)?.slice('Bearer '.length), 'masked')
    valid = undefined
    t.equal((await lookOnce()).result, 'good', 'and the check after that goes on')
  })

  await t.test('belongs to its settings', async (t) => {
    asked.length = 0
    valid = undefined
    await lookOnce()
    t.match((await lookOnce({ password: 'wrong' })).error, {
      kind: 'status',
      message: /^no token from 127\.0\.0\.1:\d+: it answered status 401: invalid_client/,
    })
    t.match((await lookOnce({ auth: { ...auth, scope: 'all' } })).error, {
      message: /it answered status 400: invalid_scope/,
    })
    const gone = { ...auth, tokenUrl: 'http://127.0.0.1:1/token' }
    t.match((await lookOnce({ auth: gone })).error, {
      message: /^no token from 127\.0\.0\.1:1: connection refused/,
    })
    const page = await serve(t, () => ({ status: 200, text: '<p>' }))
    t.match((await lookOnce({ auth: { ...auth, tokenUrl: page.url } })).error, {
      message: /: the answer has no access_token/,
    })
  })

  await t.test('is asked for at no address that checks may not open', async (t) => {
    const strict = openProbe(t, clock, { targets: 'public' })
    const reading = await strict(makeTarget({ ...oauth, url: 'http://127.0.0.1/' }), { clock })
    t.match(reading.error, { kind: 'blocked', message: /^no token from 127\.0\.0\.1:\d+: / })
  })
})

/** A server that gives these tokens, one after another, and the way to sign in with them. */
async function tokensOf(t: Parameters<typeof serve>[0], ...tokens: string[]) {
  const { url, seen } = await serve(t, () => {
    const access_token = tokens.shift()
    return { status: 200, text: JSON.stringify({ access_token }) }
  })
  const auth: MonitorAuth = { type: 'oauth2', tokenUrl: `${url}/token` }
  return { asked: seen, oauth: { username: 'check', password: 'a-secret', auth } }
}

t.test('a token that a WebSocket refuses is fetched anew once', async (t) => {
  const target = await startTarget()
  t.teardown(() => target.close())
  const sent: (string | undefined)[] = []
  target.script = (call) => {
    const { authorization } = call.headers
    sent.push(authorization)
    return (authorization === 'Bearer new' ? welcome() : answer({ status: 401 }))(call)
  }
  const url = target.url.replace('http', 'ws')
  const { asked, oauth } = await tokensOf(t, 'old', 'new', 'worse', 'bad')
  const fields = { checkType: 'websocket', url, ...oauth } as const
  t.equal((await look(fields)).error, undefined)
  t.same(sent.splice(0), ['Bearer old', 'Bearer new'])
  t.equal((await look(fields)).error, undefined)
  t.same(sent.splice(0), ['Bearer new'], 'and kept')
  const other = { ...fields, auth: { ...oauth.auth, scope: 'x' } }
  t.match((await look(other)).error, { message: 'expected status 101, found 401' })
  t.same(sent, ['Bearer worse', 'Bearer bad'])
  t.equal(asked.length, 4)
})

t.test('a token that gRPC refuses is fetched anew once', { skip: skipWithoutGrpc() }, async (t) => {
  const port = await startGrpcServer(t, { token: 'Bearer new' })
  const { asked, oauth } = await tokensOf(t, 'old', 'new', 'worse', 'bad')
  const fields = { checkType: 'grpc', url: `grpc://127.0.0.1:${port}`, ...oauth } as const
  t.match(await look(fields), { result: 'good', found: { value: 'SERVING' } })
  t.equal(asked.length, 2)
  t.equal((await look(fields)).result, 'good')
  t.equal(asked.length, 2, 'and kept')
  const other = { ...fields, auth: { ...oauth.auth, scope: 'x' } }
  t.match((await look(other)).error, { message: /refused the sign-in \(UNAUTHENTICATED\)/ })
  t.equal(asked.length, 4)
})

async function startProvider(t: Pick<typeof import('tap')['default'], 'teardown'>) {
  const seen: string[] = []
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const Provider = oidcProvider.Provider as ProviderClass
  const provider = new Provider(url, {
    clients: [
      {
        client_id: 'check:1',
        client_secret: 'a secret+of/it',
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        scope: 'read',
      },
    ],
    scopes: ['read', 'all'],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    seen.push(request.headers.authorization ?? '')
    void answer(request, response)
  })
  t.teardown(() => server.close())
  return { url, seen }
}

t.test('a monitor says all that its sign-in needs, and nothing twice', async (t) => {
  const problems = (fields: object, checkType = 'endpoint') => {
    const url = checkType === 'websocket' ? 'wss://example.com/' : 'https://example.com/'
    const input = completedInput({ name: 'A', checkType, url, ...fields })
    return inputProblems(input, kindOf(input)).map(
      ({ pointer, message }) => `${pointer} ${message}`,
    )
  }
  const tokenUrl = 'https://id.example.com/token'
  t.same(problems({ username: 'ada', password: 'x' }), [])
  t.same(problems({ username: 'ada' }), [])
  t.same(problems({ username: 'a', password: 'x', auth: { type: 'oauth2', tokenUrl } }), [])
  t.same(problems({ password: 'x' }), ['/username is required'])
  t.same(problems({ username: 'a', auth: { type: 'oauth2' } }), [
    '/password is required',
    '/auth/tokenUrl is required',
  ])
  t.same(problems({ username: 'a', auth: { type: 'digest', scope: 'x' } }), [
    '/auth/scope is only for the type oauth2',
  ])
  const aws = { type: 'awsSigV4', region: 'eu-central-1', service: 's3' }
  t.same(problems({ username: 'AKID', password: 'x', auth: aws }), [])
  t.same(problems({ username: 'AK/ID', password: 'x', auth: { ...aws, region: 'a/b' } }), [
    '/auth/region must consist of letters, digits and hyphens',
    '/username must be an access key id, in ASCII without blanks, commas, slashes and =',
  ])
  t.same(problems({ auth: { type: 'awsSigV4', scope: 'x' } }), [
    '/username is required',
    '/auth/scope is only for the type oauth2',
    '/password is required',
    '/auth/region is required',
    '/auth/service is required',
  ])
  t.same(problems({ username: 'a', auth: { type: 'digest', region: 'x' } }), [
    '/auth/region is only for the type awsSigV4',
  ])
  t.same(problems({ username: 'a:b' }), ['/username must not contain a colon'])
  t.same(problems({ username: 'a', headers: { authorization: 'x' } }), [
    '/headers/Authorization must not be given together with a user name',
  ])
  t.same(problems({ username: 'a', auth: { type: 'digest' } }, 'websocket'), [
    '/auth/type does not apply to checkType websocket',
  ])
  t.same(problems({ username: 'a', password: 'x', auth: aws }, 'websocket'), [
    '/auth/type does not apply to checkType websocket',
  ])
})
