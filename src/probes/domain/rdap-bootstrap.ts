// The registry of each domain: IANA's list (RFC 9224), shipped with the daemon and optionally
// refreshed.
import type { Clock } from '../../base/clock.ts'
import { urlShapeProblem } from '../../net/egress-policy.ts'
import type { JsonClient } from '../../net/http-client/get-json.ts'
// The file is what IANA published, reduced to these fields; `source` is its URL.
import shipped from '../../net/iana-rdap-dns.json' with { type: 'json' }

export type RdapBootstrap = ReturnType<typeof createRdapBootstrap>

export interface RdapBootstrapOptions {
  /** The client that fetches the list; if there is none, the list is never fetched. */
  readonly client?: JsonClient
  readonly clock?: Clock
  readonly url?: string
  /** The initial list, in the form of RFC 9224; default: the shipped one. */
  readonly list?: unknown
  /** Aborted when the daemon stops. */
  readonly signal?: AbortSignal
}

interface Registries {
  readonly published: string
  /** The base URL of each suffix, which is in ASCII and lower case. */
  readonly bases: ReadonlyMap<string, string>
}

let shippedRegistries: Registries | undefined

/** Read on first use. */
function readShipped(): Registries {
  shippedRegistries ??= registriesIn(shipped) ?? { published: '', bases: new Map() }
  return shippedRegistries
}

export const rdapTimeoutMs = 20_000
/** How often the list of registries is fetched. */
const rdapBootstrapMs = 86_400_000

/** A list that is not in the form of RFC 9224 counts as empty. */
export function createRdapBootstrap(options: RdapBootstrapOptions = {}) {
  const { client, clock, url = shipped.source, list, signal } = options
  let registries: Registries | undefined
  let askedMs: number | undefined
  const known = (): Registries => {
    registries ??= list === undefined ? readShipped() : registriesIn(list)
    registries ??= { published: '', bases: new Map() }
    return registries
  }
  return {
    /** The RDAP base URL for the longest matching suffix; https, with a trailing slash. */
    baseFor: (name: string) => baseIn(known(), name),
    /** When the list was published, according to IANA. */
    published: () => known().published,
    /** Fetches the list at most once a day. Never rejects; on failure keeps the current one. */
    async freshen(): Promise<void> {
      if (client === undefined || clock === undefined) return
      const nowMs = clock.monoMs()
      if (askedMs !== undefined && nowMs - askedMs < rdapBootstrapMs) return
      askedMs = nowMs
      const request = {
        accept: 'application/json',
        timeoutMs: rdapTimeoutMs,
        ...(signal ? { signal } : {}),
      }
      const answer = await client.get(url, request)
      if (answer.failure !== undefined || answer.status !== 200) return
      const found = registriesIn(answer.document)
      if (found !== undefined && mayReplace(known(), found)) registries = found
    },
  }
}

/**
 * Whether a list may replace the known one. One that is older, or lost half of its entries, is
 * probably a mistake.
 */
function mayReplace(known: Registries, found: Registries): boolean {
  return found.published >= known.published && found.bases.size * 2 >= known.bases.size
}

/** The registries in a document of RFC 9224, or undefined if it is not one. */
function registriesIn(document: unknown): Registries | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  if (!('publication' in document) || !('services' in document)) return undefined
  const publishedAtMs = Date.parse(String(document.publication))
  if (Number.isNaN(publishedAtMs) || !Array.isArray(document.services)) return undefined
  const bases = new Map<string, string>()
  for (const service of document.services as readonly unknown[]) {
    const [suffixes, urls] = Array.isArray(service) ? (service as unknown[]) : []
    if (!isTexts(suffixes) || !isTexts(urls)) return undefined
    // An answer may cause alerts, so it is fetched only over https, where others cannot change it.
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
 * Why no registry can be queried for a domain, as a sentence without its subject; null if one can.
 * Without a bootstrap the shipped list decides.
 */
export function rdapProblem(name: string, bootstrap?: RdapBootstrap): string | null {
  const base = bootstrap ? bootstrap.baseFor(name) : baseIn(readShipped(), name)
  if (base !== undefined) return null
  const suffix = name.slice(name.lastIndexOf('.') + 1)
  return `names a domain below .${suffix}, whose registry cannot be queried (it offers no RDAP)`
}
