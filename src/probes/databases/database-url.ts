// The URL of a database: a host, a database, and whether TLS is used.
import { parsePlaceUrl, readOptions, type UrlFault } from '../run/place-url.ts'

export interface DatabaseUrl {
  readonly host: string
  readonly port: number
  /** '' if the URL names none. */
  readonly database: string
  /** `preferred`: if the server offers it; `strict`: before everything else. */
  readonly tls: 'preferred' | 'required' | 'off' | 'strict'
  readonly problem?: never
}

export interface DatabaseUrlOptions {
  readonly schemes: readonly string[]
  readonly usualPort: number
  /** Ways of TLS that only some protocols have. */
  readonly ways?: readonly ['strict']
}

export const databaseUrlWords =
  'TLS is used if the server offers it, and its certificate is then judged; with `?tls=required` a server ' +
  'that does not offer it is down, with `?tls=off` it is not asked for'

/** Reads `scheme://host[:port][/database][?tls=required|off]`, and `strict` where the protocol has it. */
export function parseDatabaseUrl(
  text: string,
  { schemes, usualPort, ways }: DatabaseUrlOptions,
): DatabaseUrl | UrlFault {
  const url = parsePlaceUrl(text, schemes)
  if (url.problem !== undefined) return url
  const options = readOptions(url.query, { tls: ['required', 'off', ...(ways ?? [])] })
  if ('problem' in options) return options as UrlFault
  const database = databaseIn(url.path)
  if (database === undefined) {
    return { problem: 'must end after the name of one database, such as /shop' }
  }
  const tls = (options.tls ?? 'preferred') as DatabaseUrl['tls']
  return { host: url.host, port: url.port ?? usualPort, database, tls }
}

/** The name in the path, which is percent-encoded where it has letters that URLs do not. */
export function databaseIn(path: string): string | undefined {
  const name = path.replace(/^\//, '')
  if (name.includes('/')) return undefined
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}
