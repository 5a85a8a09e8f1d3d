// An OpenID provider on loopback, and a person with a browser who signs in there.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error: the library brings no types
import * as oidcProvider from 'oidc-provider'
import type { Test } from 'tap'
import type { OidcClient } from '../../src/domain/sign-in/oidc.ts'

/** The address that the service under test has, as far as the provider knows. */
export const serviceUrl = 'http://127.0.0.1:8080'

/** What the provider says of somebody; the login is the subject. */
interface Claims {
  readonly email?: string
  readonly email_verified?: unknown
  readonly name?: string
}

export interface Issuer {
  readonly url: string
  /** What to set up at the service. */
  readonly client: OidcClient
  /** By login; whoever is not here has an address of that name, confirmed. */
  readonly people: Map<string, Claims>
  /** Follows the provider's pages as `login`; returns the address that leads back. */
  signIn(authorizationUrl: string, login?: string): Promise<URL>
  /** The same, by somebody who does not want to. */
  giveUp(authorizationUrl: string): Promise<URL>
  stop(): Promise<void>
}

export interface IssuerOptions {
  /** The address lies in the ID token, not at the userinfo endpoint only. */
  readonly inIdToken?: boolean
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post'
}

const usual = {
  name: 'company',
  label: 'Company',
  clientId: 'stillup',
  clientSecret: 'a-secret-of-the-client',
  scopes: 'openid email profile',
}

// The part of the library that is used here.
type ProviderClass = new (issuer: string, settings: object) => { callback(): RequestListener }

export async function startIssuer(t: Test, options: IssuerOptions = {}): Promise<Issuer> {
  const { inIdToken = false, authMethod = 'client_secret_basic' } = options
  const people = new Map<string, Claims>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const Provider = oidcProvider.Provider as ProviderClass
  const claimsOf = (login: string) =>
    people.get(login) ?? { email: `${login}@example.com`, email_verified: true, name: login }
  const provider = new Provider(url, {
    clients: [
      {
        client_id: usual.clientId,
        client_secret: usual.clientSecret,
        redirect_uris: [`${serviceUrl}/api/v1/auth/oidc/company/callback`],
        token_endpoint_auth_method: authMethod,
      },
    ],
    clientAuthMethods: [authMethod],
    conformIdTokenClaims: !inIdToken,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a-key-of-the-test'] },
    findAccount: (_context: unknown, login: string) => ({
      accountId: login,
      claims: () => ({ sub: login, ...claimsOf(login) }),
    }),
  })
  server.on('request', provider.callback())

  async function stop(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  t.teardown(stop)
  return {
    url,
    people,
    stop,
    client: { ...usual, issuer: url },
    signIn: (authorizationUrl, login = 'alice') => walk(url, authorizationUrl, login),
    giveUp: (authorizationUrl) => walk(url, authorizationUrl, null),
  }
}

/** Goes from page to page like a browser, until one leads to another site. */
async function walk(issuer: string, from: string, login: string | null): Promise<URL> {
  const cookies = new Map<string, string>()
  let next: { url: URL; form?: URLSearchParams } = { url: new URL(from) }
  for (let steps = 0; steps < 20; steps += 1) {
    if (next.url.origin !== issuer) return next.url
    const response: Response = await fetch(next.url, {
      method: next.form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form ? { body: next.form } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const page = await response.text()
    next = { url: new URL(response.headers.get('location') ?? '', next.url) }
    if (response.headers.has('location')) continue
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
    const abort = /href="([^"]+\/abort)"/.exec(page)?.[1]
    if (!action || !abort) throw new Error(`${response.status}: ${page}`)
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
    const form = new URLSearchParams({ prompt, login: login ?? '', password: 'any' })
    next = login === null ? { url: new URL(abort) } : { url: new URL(action), form }
  }
  throw new Error('the provider goes round in circles')
}
