// The cookies of a sign-in (RFC 6265): the session, and the mark of a known device.
import { limits } from '../../domain/limits/limits.ts'
import type { SignedIn } from '../../services/sign-in/sign-in.ts'
import type { HeaderSource } from '../edge/exchange.ts'
import type { Services } from '../routing/services.ts'
import { oneCookie } from './auth.ts'

const deviceName = 'known-device'
// It is needed only at sign-in, so it is not sent with other requests.
const devicePath = '/api/v1'

/** Sets it, or clears it if the token is null. No Domain: only this host receives it. */
export function sessionCookie(token: string | null, baseUrl: string) {
  const maxAgeSeconds = token === null ? 0 : limits.sessionMsMax / 1_000
  const lifetime = `Path=/; Max-Age=${maxAgeSeconds}`
  return cookie(`auth-token=${token ?? ''}; ${lifetime}`, baseUrl)
}

/** The cookies of a sign-in: the session, and the mark of a known device. */
export function signInCookies({ user, token }: SignedIn, { devices, baseUrl }: Services) {
  const lifetime = `Path=${devicePath}; Max-Age=${limits.knownDeviceMs / 1_000}`
  const device = cookie(`${deviceName}=${devices.mint(user.id)}; ${lifetime}`, baseUrl)
  return [sessionCookie(token, baseUrl), device]
}

/** The device mark from an earlier sign-in; undefined if there is none. */
export function deviceOf(from: HeaderSource): string | undefined {
  return oneCookie(from.header('cookie'), deviceName) || undefined
}

export const flowCookieName = 'oidc-flow'

/**
 * The cookie of an OpenID flow while its person is at a provider; null clears it. Lax, because the
 * return starts at another site; and only for the return address.
 */
export function flowCookie(flow: string | null, callbackUrl: string) {
  const maxAgeSeconds = flow === null ? 0 : limits.oidcFlowMs / 1_000
  const lifetime = `Path=${new URL(callbackUrl).pathname}; Max-Age=${maxAgeSeconds}`
  return cookie(`${flowCookieName}=${flow ?? ''}; ${lifetime}`, callbackUrl)
}

function cookie(content: string, baseUrl: string) {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return ['Set-Cookie', `${content}; HttpOnly; SameSite=Lax${secure}`] as const
}
