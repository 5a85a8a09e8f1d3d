// One provider: what is asked of it, what is believed, and what happens while it fails.
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { limits } from '../../src/domain/limits/limits.ts'
import {
  boundedFetch,
  createOidcProvider,
  createOidcSecrets,
  oidcMetadataMs,
  oidcResponseBytesMax,
} from '../../src/oidc/provider.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { type IssuerOptions, serviceUrl, startIssuer } from '../support/oidc-issuer.ts'

const redirectUri = `${serviceUrl}/api/v1/auth/oidc/company/callback`

/** A server that answers as the test says, and counts. */
async function startServer(t: Test, answer: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function whoCameBack(t: Test, options: IssuerOptions, login = 'alice') {
  const issuer = await startIssuer(t, options)
  issuer.people.set('nobody', { name: 'x'.repeat(500) })
  const provider = createOidcProvider(issuer.client, new FakeClock())
  const secrets = createOidcSecrets()
  const url = await provider.authorizationUrl(redirectUri, secrets)
  const person = await provider.redeem(await issuer.signIn(url, login), secrets)
  return { issuer, person }
}

t.test('the person is identified by issuer and subject', async (t) => {
  for (const options of [{}, { inIdToken: true }, { authMethod: 'client_secret_post' }] as const) {
    const { issuer, person } = await whoCameBack(t, options)
    t.same(person, {
      issuer: issuer.url,
      subject: 'alice',
      name: 'alice',
      email: 'alice@example.com',
      isEmailVerified: true,
    })
  }
  const { person } = await whoCameBack(t, {}, 'nobody')
  t.match(person, { subject: 'nobody', email: null, isEmailVerified: false })
  t.equal(person.name?.length, limits.nameCharsMax)
})

t.test('a wrong secret is a matter for the operator, not for the person', async (t) => {
  const issuer = await startIssuer(t)
  const client = { ...issuer.client, clientSecret: 'another-one' }
  const provider = createOidcProvider(client, new FakeClock())
  const secrets = createOidcSecrets()
  const back = await issuer.signIn(await provider.authorizationUrl(redirectUri, secrets))
  const error = await provider.redeem(back, secrets).catch((caught: unknown) => caught)
  t.match(error, { kind: 'unavailable', message: /rejects our client id/ })
  t.notMatch(String(error), 'another-one')
})

t.test('an ID token is verified by its signature, issuer, audience, times and nonce', async (t) => {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const evil = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let idToken = ''
  const server = await startServer(t, (request, response) => {
    const at = `http://${request.headers.host}`
    const key = { ...own.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer: at,
        authorization_endpoint: `${at}/auth`,
        token_endpoint: `${at}/token`,
        jwks_uri: `${at}/jwks`,
      },
      '/jwks': { keys: [key] },
      '/token': { access_token: 'a', token_type: 'bearer', id_token: idToken },
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(documents[request.url ?? ''] ?? {}))
  })
  const client = { name: 'x', label: 'X', clientId: 'us', clientSecret: 's', scopes: 'openid' }
  const provider = createOidcProvider({ ...client, issuer: server.url }, new FakeClock())
  const secrets = createOidcSecrets()
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const right = {
    iss: server.url,
    aud: 'us',
    sub: 'alice',
    nonce: secrets.nonce,
    iat: nowSeconds,
    exp: nowSeconds + 600,
    email: 'a@example.com',
    email_verified: true,
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  function redeem(claims: object, header: object = {}, key = own.privateKey) {
    const signed = `${part({ alg: 'RS256', kid: 'k', ...header })}.${part(claims)}`
    const signature = sign('sha256', Buffer.from(signed), key).toString('base64url')
    idToken = `${signed}.${signature}`
    return provider.redeem(new URL(`${redirectUri}?code=c&state=${secrets.state}`), secrets)
  }
  t.match(await redeem(right), { subject: 'alice', isEmailVerified: true })
  const refused = { name: 'OidcProblem', kind: 'refused' }
  await t.rejects(redeem(right, {}, evil.privateKey), refused, 'signed by somebody else')
  for (const claims of [
    { iss: 'https://evil.example' },
    { aud: 'somebody else' },
    { aud: ['us', 'them'] },
    { exp: nowSeconds - 3_600 },
    { nbf: nowSeconds + 3_600 },
    { nonce: 'another' },
    { nonce: undefined },
    { sub: undefined },
  ]) {
    await t.rejects(redeem({ ...right, ...claims }), refused, JSON.stringify(claims))
  }
  for (const header of [{ alg: 'none' }, { alg: 'HS256' }, { kid: 'unknown' }]) {
    await t.rejects(redeem(right, header), { name: 'OidcProblem' }, JSON.stringify(header))
  }
})

t.test('the metadata is requested once for many, and again after an hour', async (t) => {
  const issuer = await startIssuer(t)
  let isDown = true
  const { asked, url } = await startServer(t, async (_request, response) => {
    if (isDown) return response.writeHead(503).end('busy')
    const found = await fetch(`${issuer.url}/.well-known/openid-configuration`)
    const metadata = (await found.text()).replace(`"issuer":"${issuer.url}"`, `"issuer":"${url}"`)
    return response.writeHead(200, { 'content-type': 'application/json' }).end(metadata)
  })
  const clock = new FakeClock()
  const provider = createOidcProvider({ ...issuer.client, issuer: url }, clock)
  const leave = () => provider.authorizationUrl(redirectUri, createOidcSecrets())
  await t.rejects(leave(), { kind: 'unavailable', message: /^discovery: / })
  isDown = false
  await Promise.all(Array.from({ length: 5 }, leave))
  t.same(asked.length, 2)
  await clock.advance(oidcMetadataMs - 1)
  await leave()
  t.same(asked.length, 2)
  await clock.advance(1)
  isDown = true
  t.ok(await leave(), 'what was known still does')
  t.same(asked.length, 3)
})

t.test('a server that does not speak the protocol is not used for sign-ins', async (t) => {
  const json = { 'content-type': 'application/json' }
  const answers: Record<string, RequestListener> = {
    'another issuer': (_request, response) =>
      response.writeHead(200, json).end('{"issuer":"https://evil.example"}'),
    'no JSON': (_request, response) => response.writeHead(200).end('<html>'),
    'a redirect': (_request, response) => response.writeHead(302, { location: '/x' }).end(),
    'an endless answer': (_request, response) => {
      response.writeHead(200, json)
      const chunk = 'x'.repeat(64 * 1024)
      response.on('drain', () => response.write(chunk))
      while (response.write(chunk));
    },
    'a broken line': (request) => request.socket.destroy(),
  }
  for (const [name, answer] of Object.entries(answers)) {
    const { url } = await startServer(t, answer)
    const client = { name: 'x', label: 'X', clientId: 'x', clientSecret: 'x', scopes: 'openid' }
    const provider = createOidcProvider({ ...client, issuer: url }, new FakeClock())
    const leave = provider.authorizationUrl(redirectUri, createOidcSecrets())
    await t.rejects(leave, { name: 'OidcProblem', kind: 'unavailable' }, name)
  }
})

t.test('an answer is read whole, up to its bound', async (t) => {
  const bytes = oidcResponseBytesMax
  const { url } = await startServer(t, (request, response) =>
    response.writeHead(201, { 'x-mark': 'kept' }).end('x'.repeat(Number(request.url?.slice(1)))),
  )
  const ask = (count: number) =>
    boundedFetch(`${url}/${count}`, { method: 'GET', headers: {}, redirect: 'manual' })
  const whole = await ask(bytes)
  t.equal((await whole.text()).length, bytes)
  t.equal(whole.status, 201)
  t.equal(whole.headers.get('x-mark'), 'kept')
  t.equal((await (await ask(0)).text()).length, 0)
  await t.rejects(ask(bytes + 1), /more than/)
})
