// Which registry answers for a domain: IANA's list (RFC 9224), shipped and kept fresh where wished.
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'
import { urlShapeProblem } from '../../net/guard.ts'
import type { JsonClient } from '../../net/http/get-json.ts'
// As published at the address that it names as its source; only these fields of it.
import shipped from '../../net/iana-rdap-dns.json' with { type: 'json' }

export interface RdapBootstrap {
  /** The base URL of the RDAP service of the longest suffix that has one; https, with a slash. */
  baseFor(name: string): string | undefined
  /** When the list was published, as IANA says it. */
  published(): string
  /** Fetches the list where that was last tried a day ago. Never rejects; keeps what it has. */
  freshen(): Promise<void>
}

export interface RdapBootstrapOptions {
  /** Without a client the list is never fetched. */
  readonly client?: JsonClient
  readonly clock?: Clock
  readonly url?: string
  /** The list to begin with, in the form of RFC 9224; the shipped one where absent. */
  readonly list?: unknown
  /** Aborted when the daemon stops. */
  readonly signal?: AbortSignal
}

interface Registries {
  readonly published: string
  /** From a suffix, in ASCII and lower case, to its base URL. */
  readonly bases: ReadonlyMap<string, string>
}

let shippedRegistries: Registries | undefined

/** Read when it is first asked for. */
function readShipped(): Registries {
  shippedRegistries ??= registriesIn(shipped) ?? { published: '', bases: new Map() }
  return shippedRegistries
}

/** A list that is not in the form of RFC 9224 is taken as an empty one. */
export function createRdapBootstrap(options: RdapBootstrapOptions = {}): RdapBootstrap {
  const { client, clock, url = shipped.source, list, signal } = options
  let registries: Registries | undefined
  let askedMs: number | undefined
  const known = (): Registries => {
    registries ??= list === undefined ? readShipped() : registriesIn(list)
    registries ??= { published: '', bases: new Map() }
    return registries
  }
  return {
    baseFor: (name) => baseIn(known(), name),
    published: () => known().published,
    async freshen() {
      if (client === undefined || clock === undefined) return
      const nowMs = clock.monoMs()
      if (askedMs !== undefined && nowMs - askedMs < limits.rdapBootstrapMs) return
      askedMs = nowMs
      const { rdapTimeoutMs: timeoutMs } = limits
      const request = { accept: 'application/json', timeoutMs, ...(signal ? { signal } : {}) }
      const answer = await client.get(url, request)
      if (answer.failure !== undefined || answer.status !== 200) return
      const found = registriesIn(answer.document)
      if (found !== undefined && mayReplace(known(), found)) registries = found
    },
  }
}

/** An older list, or one that lost half of what there was, is a mistake of somebody's. */
function mayReplace(known: Registries, found: Registries): boolean {
  return found.published >= known.published && found.bases.size * 2 >= known.bases.size
}

/** The registries of a document in the form of RFC 9224, or undefined where it is none. */
function registriesIn(document: unknown): Registries | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  if (!('publication' in document) || !('services' in document)) return undefined
  const publishedAtMs = Date.parse(String(document.publication))
  if (Number.isNaN(publishedAtMs) || !Array.isArray(document.services)) return undefined
  const bases = new Map<string, string>()
  for (const service of document.services as readonly unknown[]) {
    const [suffixes, urls] = Array.isArray(service) ? (service as unknown[]) : []
    if (!isTexts(suffixes) || !isTexts(urls)) return undefined
    // What is asked decides over alarms, so it is not asked where anybody on the way could answer.
    const base = urls.find((url) => url.startsWith('https://') && urlShapeProblem(url) === null)
    if (base === undefined) continue
    for (const suffix of suffixes) bases.set(suffix.toLowerCase(), base.replace(/\/?$/, '/'))
  }
  return { published: new Date(publishedAtMs).toISOString(), bases }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function baseIn({ bases }: Registries, name: string): string | undefined {
  const labels = name.split('.')
  for (let from = 1; from < labels.length; from++) {
    const base = bases.get(labels.slice(from).join('.'))
    if (base !== undefined) return base
  }
  return undefined
}

/**
 * Why nobody can be asked about a domain, as a sentence without its subject; null where somebody
 * can. The shipped list decides where no bootstrap is given.
 */
export function rdapProblem(name: string, bootstrap?: RdapBootstrap): string | null {
  const base = bootstrap ? bootstrap.baseFor(name) : baseIn(readShipped(), name)
  if (base !== undefined) return null
  const suffix = name.slice(name.lastIndexOf('.') + 1)
  return `names a domain below .${suffix}, whose registry cannot be queried (it offers no RDAP)`
}
