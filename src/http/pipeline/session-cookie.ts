// The cookies of a sign-in (RFC 6265), and the renewal of sessions.
import { limits } from '../../domain/limits/limits.ts'
import type { Services } from '../../services/assembly/services.ts'
import type { SignedIn } from '../../services/sign-in/sign-in.ts'
import type { Endpoint, Exchange, HeaderSource } from '../edge/exchange.ts'
import { headerLines, type WireReply } from '../edge/reply.ts'
import type { Route } from '../routing/route.ts'
import type { Admission } from './admission.ts'
import { oneCookie } from './auth.ts'

const deviceName = 'known-device'
const trustName = 'trusted-device'
// The device cookie is needed only at sign-in, so browsers send it only to the API.
const devicePath = '/api/v1'

/** Sets the session cookie; null clears it. It has no Domain, so that only this host receives it. */
export function sessionCookie(token: string | null, baseUrl: string) {
  const maxAgeSeconds = token === null ? 0 : limits.sessionMsMax / 1_000
  const lifetime = `Path=/; Max-Age=${maxAgeSeconds}`
  return cookie(`auth-token=${token ?? ''}; ${lifetime}`, baseUrl)
}

/** The cookies of a sign-in: the session, and the mark of a known device. */
export function signInCookies(
  { user, token, trust }: SignedIn,
  { devices, trustedDevices, baseUrl }: Services,
) {
  const lifetime = `Path=${devicePath}; Max-Age=${limits.knownDeviceMs / 1_000}`
  const device = cookie(`${deviceName}=${devices.mint(user.id)}; ${lifetime}`, baseUrl)
  const cookies = [sessionCookie(token, baseUrl), device]
  if (trust === undefined) return cookies
  const trusted = `Path=${devicePath}; Max-Age=${trustedDevices.days() * secondsOfDay}`
  return [...cookies, cookie(`${trustName}=${trust}; ${trusted}`, baseUrl)]
}

const secondsOfDay = limits.dailyMs / 1_000

/** The device mark from an earlier sign-in; undefined if there is none. */
export function deviceOf(from: HeaderSource): string | undefined {
  return oneCookie(from.header('cookie'), deviceName) || undefined
}

/** The mark of a device that needs no code; undefined if there is none. */
export function trustOf(from: HeaderSource): string | undefined {
  return oneCookie(from.header('cookie'), trustName) || undefined
}

export const codeCookieName = 'sign-in-code'

/** The cookie between the password and the code; null clears it. Only the second step gets it. */
export function codeCookie(flow: string | null, action: string, baseUrl: string) {
  const maxAgeSeconds = flow === null ? 0 : limits.secondStepMs / 1_000
  return cookie(
    `${codeCookieName}=${flow ?? ''}; Path=${action}; Max-Age=${maxAgeSeconds}`,
    baseUrl,
  )
}

export const passkeyCookieName = 'passkey-challenge'

/** The cookie of what a browser was asked to do with a passkey; null clears it. */
export function passkeyCookie(flow: string | null, baseUrl: string) {
  const maxAgeSeconds = flow === null ? 0 : limits.passkeyMs / 1_000
  const lifetime = `Path=${devicePath}/auth/passkeys; Max-Age=${maxAgeSeconds}`
  return cookie(`${passkeyCookieName}=${flow ?? ''}; ${lifetime}`, baseUrl)
}

export const flowCookieName = 'oidc-flow'

/**
 * The cookie that identifies an OpenID flow while the user is at the provider; null clears it.
 * SameSite is Lax, because another site starts the return, and the path is that of the return URL
 * only.
 */
export function flowCookie(flow: string | null, path: string, baseUrl: string) {
  const maxAgeSeconds = flow === null ? 0 : limits.oidcFlowMs / 1_000
  const lifetime = `Path=${path}; Max-Age=${maxAgeSeconds}`
  return cookie(`${flowCookieName}=${flow ?? ''}; ${lifetime}`, baseUrl)
}

function cookie(content: string, baseUrl: string) {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return ['Set-Cookie', `${content}; HttpOnly; SameSite=Lax${secure}`] as const
}

export type Renewal = (
  exchange: Exchange,
  admission: Admission,
  run: Endpoint<Admission>['run'],
) => WireReply | Promise<WireReply>

/**
 * Renews the caller's session value if that is due: once a day, and after a change of role. Runs
 * before the route, so that every response carries it; a route that sets the cookie itself has
 * precedence. Undefined for a route whose callers send no session cookie.
 */
export function createRenewal(
  { spec }: Pick<Route, 'spec'>,
  { services, baseUrl }: { readonly services: Services; readonly baseUrl: string },
): Renewal | undefined {
  const { who } = spec
  // A client that sends the session in a header would not look for a cookie.
  if ('public' in who || 'pathToken' in who || 'tokenHeader' in who) return undefined

  return (exchange, admission, run) => {
    const principal = admission.caller?.principal
    if (principal?.kind !== 'session' || !principal.mustRenew) return run(exchange, admission)
    return services.sessions.renew(principal).then((token) => {
      if (token !== undefined) exchange.lines += headerLines([sessionCookie(token, baseUrl)])
      return run(exchange, admission)
    })
  }
}
