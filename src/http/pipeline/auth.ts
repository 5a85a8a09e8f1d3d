// Authentication: the credentials of a request, protection against cross-site requests, and the
// principal.
import { hash, timingSafeEqual } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import type { Principal } from '../../domain/access.ts'
import type { Caller, OrgScope } from '../../services/context.ts'
import type { Identity } from '../../services/identity.ts'
import { needRecentSignIn } from '../../services/sudo.ts'
import type { Exchange, HeaderSource } from '../edge/exchange.ts'
import type { AccessRule } from '../routing/route.ts'

/** The headers that contain credentials. */
export const credentialHeaders = ['cookie', 'x-api-key', 'authorization'] as const

export const sessionCookieName = 'auth-token'
const anonymous: Principal = { kind: 'anonymous' }
const system: Principal = { kind: 'system' }

interface BroughtCredentials {
  readonly apiKey: string
  readonly sessionToken: string
  /**
   * Whether the session came in a cookie. Browsers send cookies by themselves, so another site may
   * have caused the request.
   */
  readonly isFromCookie: boolean
}

/** The parts of a request that authentication reads. */
type CredentialSource = HeaderSource & Partial<Pick<Exchange, 'address'>>

export interface Authenticator {
  /**
   * The principal. Throws unauthenticated, csrf_rejected, or invalid_parameter for contradictory
   * credentials.
   */
  authenticate(who: AccessRule, method: string, from: CredentialSource, nowMs: number): Principal
  /**
   * Throws csrf_rejected if another site sent the form, whether or not it needs the session: a
   * foreign form could sign the browser in as somebody else.
   */
  refuseForeignForm(from: HeaderSource): void
}

export interface AuthenticatorDeps {
  readonly identity: Identity
  /** Whether the text is the system token. */
  readonly isSystemToken: (text: string) => boolean
  /** The origin that browsers know the service by. */
  readonly baseOrigin: string
  /** No setting names that origin: whatever name a browser uses for the service is right. */
  readonly isBaseGuessed: boolean
}

/** Whether the browser says that a page of another site caused the request. */
export function isFromOtherSite(from: HeaderSource): boolean {
  const site = from.header('sec-fetch-site')
  return site !== '' && site !== 'same-origin' && site !== 'none'
}

/**
 * Refuses what a page of another site posts to a host that need not be the service's own. Throws
 * csrf_rejected.
 */
export function refuseForeignPost(from: HeaderSource): void {
  if (isFromOtherSite(from)) throw new Fault('csrf_rejected', 'Another site caused this request')
  if (from.header('sec-fetch-site') !== '') return
  const origin = from.header('origin')
  if (origin === '' || isOriginOf(origin, from.header('host'))) return
  throw new Fault('csrf_rejected', 'The Origin is another site')
}

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { identity, isSystemToken, baseOrigin, isBaseGuessed } = deps

  function visitor(from: HeaderSource, nowMs: number): Principal {
    const sessionToken = oneCookie(from.header('cookie'), sessionCookieName)
    if (sessionToken === '') return anonymous
    try {
      return identity.authenticate({ sessionToken }, nowMs)
    } catch (error) {
      // Somebody whose session has ended must still find the way to sign in.
      if (error instanceof Fault && error.code === 'unauthenticated') return anonymous
      throw error
    }
  }

  function refuseOtherSites(from: HeaderSource): void {
    if (isFromOtherSite(from)) throw new Fault('csrf_rejected', 'Another site caused this request')
    if (from.header('sec-fetch-site') !== '') return
    // Recent browsers send Sec-Fetch-Site or Origin. A client that sends neither is a script, not a
    // page of another site.
    const origin = from.header('origin')
    if (origin === '' || origin === baseOrigin) return
    if (isBaseGuessed && isOriginOf(origin, from.header('host'))) return
    throw new Fault('csrf_rejected', 'The Origin is another site')
  }

  return {
    refuseForeignForm: refuseOtherSites,
    authenticate(who, method, from, nowMs) {
      if ('public' in who || 'pathToken' in who || 'probe' in who) return anonymous
      if ('visitor' in who) return visitor(from, nowMs)
      const brought = readCredentials(from, 'tokenHeader' in who)
      const { apiKey, sessionToken } = brought
      if (apiKey === '' && sessionToken === '') {
        if ('optional' in who) return anonymous
        throw new Fault('unauthenticated', 'This requires a credential')
      }
      if (apiKey !== '' && from.header('authorization') !== '' && isSystemToken(apiKey))
        return system
      if (apiKey === '' && brought.isFromCookie && isUnsafe(method)) refuseOtherSites(from)
      const { address } = from
      return identity.authenticate(apiKey === '' ? { sessionToken } : { apiKey, address }, nowMs)
    },
  }
}

/**
 * Throws if the principal must not use the route. Otherwise returns its scope in the organization,
 * if there is one.
 */
export function authorize(
  who: AccessRule,
  caller: Caller,
  orgId: string | undefined,
  identity: Identity,
  nowMs: number,
): OrgScope | undefined {
  const { principal } = caller
  if ('role' in who) {
    if ((who.sessionOnly || who.sudo) && principal.kind === 'key') throw notByKey()
    const scope = identity.scope(caller, orgId ?? '', who.role)
    if (who.sudo) needRecentSignIn(principal, nowMs)
    return scope
  }
  if ('user' in who) {
    if (principal.kind === 'key') throw notByKey()
    if (principal.kind !== 'session') {
      throw new Fault('forbidden', 'This requires the session of a signed-in person')
    }
    if (who.sudo) needRecentSignIn(principal, nowMs)
  }
  if ('system' in who) {
    const isAdmin = principal.kind === 'session' && principal.isSystemAdmin
    if (principal.kind !== 'system' && !isAdmin) {
      throw new Fault('forbidden', 'This requires the system administrator')
    }
    if (who.sudo) needRecentSignIn(principal, nowMs)
  }
  return undefined
}

/** Compares with a token in constant time. */
export function tokenTest(token: string | undefined): (text: string) => boolean {
  if (token === undefined || token === '') return () => false
  // Hashes have equal length, so the comparison does not reveal the length of the token either.
  const hashed = (text: string) => hash('sha256', text, 'buffer')
  const expected = hashed(token)
  return (text) => timingSafeEqual(hashed(text), expected)
}

/** The token of an Authorization header; '' for another scheme. */
export function bearerToken(authorization: string): string {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
}

/** The password of an Authorization header; '' for another scheme. */
export function basicPassword(authorization: string): string {
  const encoded = /^basic +(\S+) *$/i.exec(authorization)?.[1] ?? ''
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return password
}

function readCredentials(from: HeaderSource, takesTokenHeader: boolean): BroughtCredentials {
  const keyHeader = from.header('x-api-key')
  const authorization = from.header('authorization')
  const bearer = authorization === '' ? '' : bearerToken(authorization)
  if (keyHeader !== '' && bearer !== '' && keyHeader !== bearer) {
    throw new Fault('invalid_parameter', 'X-Api-Key and Authorization name different keys')
  }
  const apiKey = keyHeader || bearer
  // With an API key the cookie is ignored, even if it is invalid.
  if (apiKey !== '') return { apiKey, sessionToken: '', isFromCookie: false }
  // A route that takes the session from a header ignores the cookie.
  if (takesTokenHeader) {
    return { apiKey, sessionToken: from.header(sessionCookieName), isFromCookie: false }
  }
  return {
    apiKey,
    sessionToken: oneCookie(from.header('cookie'), sessionCookieName),
    isFromCookie: true,
  }
}

/** A cookie's value; '' if it is missing. Throws invalid_parameter if it came twice. */
export function oneCookie(cookies: string, cookieName: string): string {
  if (!cookies.includes(cookieName)) return ''
  const values = cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${cookieName}=`))
    .map((cookie) => cookie.slice(cookieName.length + 1))
  if (values.length > 1) {
    throw new Fault('invalid_parameter', `The cookie ${cookieName} came twice`)
  }
  return values[0] ?? ''
}

/** Whether a page of this origin sent the request to its own host. A proxy may have done the TLS. */
function isOriginOf(origin: string, host: string): boolean {
  return host !== '' && origin.replace(/^https?:\/\//, '') === host.toLowerCase()
}

function isUnsafe(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

function notByKey(): Fault {
  return new Fault('forbidden', 'API keys may not do this: sign in')
}
