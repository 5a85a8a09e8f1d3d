// The URL of a server: a host, a port that is usual for its protocol, and options in the query.
import { type Options, parsePlaceUrl, readOptions, type UrlFault } from '../run/place-url.ts'

type KnownOptions = Readonly<Record<string, readonly string[] | null>>

export interface ServerUrl<Known> {
  readonly scheme: string
  readonly host: string
  readonly port: number
  /** Its first slash is left out. */
  readonly path: string
  readonly options: Options<Known>
  readonly problem?: never
}

export interface ServerUrlForm<Known extends KnownOptions> {
  /** The usual port of each scheme. */
  readonly ports: Readonly<Record<string, number>>
  /** What its options may be; null: anything. */
  readonly options: Known
  readonly hasPath?: true
}

/** Reads `scheme://host[:port][?…]`. */
export function parseServerUrl<const Known extends KnownOptions>(
  text: string,
  { ports, options: known, hasPath }: ServerUrlForm<Known>,
): ServerUrl<Known> | UrlFault {
  const url = parsePlaceUrl(text, Object.keys(ports))
  if (url.problem !== undefined) return url
  const { scheme, host, query } = url
  const path = url.path.slice(1)
  if (path !== '' && !hasPath) return { problem: 'must not have a path' }
  if (query !== '' && Object.keys(known).length === 0) return { problem: 'must not have a query' }
  const options = readOptions(query, known)
  if ('problem' in options) return options as UrlFault
  return { scheme, host, port: url.port ?? ports[scheme] ?? 0, path, options }
}
