// The cookie that carries a session (RFC 6265).
import { limits } from '../domain/limits.ts'

/** Sets it, or clears it where the token is null. No Domain: it goes to this very host only. */
export function sessionCookie(token: string | null, baseUrl: string) {
  const maxAgeSeconds = token === null ? 0 : limits.sessionMsMax / 1_000
  const lifetime = `Path=/; Max-Age=${maxAgeSeconds}`
  const value = `auth-token=${token ?? ''}; ${lifetime}; HttpOnly; SameSite=Lax`
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return ['Set-Cookie', value + secure] as const
}
