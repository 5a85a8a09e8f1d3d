// The cookies of a sign-in (RFC 6265): the one that carries the session, and the one that stays.
import { limits } from '../../domain/limits/limits.ts'
import type { SignedIn } from '../../services/sign-in/sign-in.ts'
import type { Services } from '../routing/services.ts'
import { oneCookie } from './auth.ts'

const deviceName = 'known-device'
// It is of use at sign-in only, and need not travel with everything else.
const devicePath = '/api/v1'

/** Sets it, or clears it where the token is null. No Domain: it goes to this very host only. */
export function sessionCookie(token: string | null, baseUrl: string) {
  const maxAgeSeconds = token === null ? 0 : limits.sessionMsMax / 1_000
  const lifetime = `Path=/; Max-Age=${maxAgeSeconds}`
  return cookie(`auth-token=${token ?? ''}; ${lifetime}`, baseUrl)
}

/** What a sign-in sets: the session, and the mark of a device that has signed in before. */
export function signInCookies({ user, token }: SignedIn, { devices, baseUrl }: Services) {
  const lifetime = `Path=${devicePath}; Max-Age=${limits.knownDeviceMs / 1_000}`
  const device = cookie(`${deviceName}=${devices.mint(user.id)}; ${lifetime}`, baseUrl)
  return [sessionCookie(token, baseUrl), device]
}

/** What the device was given at a sign-in before; undefined where it brings none. */
export function deviceOf(from: { header(name: string): string }): string | undefined {
  return oneCookie(from.header('cookie'), deviceName) || undefined
}

export const flowCookieName = 'oidc-flow'

/**
 * What a browser carries while its person is at a provider; null clears it. Lax, because the way
 * back begins at another site, and only for the address that people are sent back to.
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
