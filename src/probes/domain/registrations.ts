// Registrations of domains (RDAP, RFC 9083): queried rarely, for all monitors together, and cached.
import { LRUCache } from 'lru-cache'
import { clip } from '../../base/clip.ts'
import type { Clock } from '../../base/clock.ts'
import { createGate } from '../../base/gate.ts'
import { atMostEntries } from '../../base/memory/bounds.ts'
import type { ErrorKind } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Failure, failure } from '../../net/failure.ts'
import type { JsonAnswer, JsonClient } from '../../net/http-client/get-json.ts'
import { type RdapBootstrap, rdapTimeoutMs } from './rdap-bootstrap.ts'

interface RegisteredDomain {
  readonly kind: 'registered'
  readonly registration: DomainRegistration
  readonly readAtMs: number
}

/** The registry could not be queried, or did not answer: that says nothing about the domain. */
export interface UnknownDomain {
  readonly kind: 'unknown'
  readonly failure: Failure
}

export type RegistryAnswer = RegisteredDomain | UnknownDomain | { readonly kind: 'unregistered' }

interface RegistrationsDeps {
  readonly client: JsonClient
  readonly bootstrap: RdapBootstrap
  readonly clock: Clock
  /** Aborted when the daemon stops. */
  readonly signal?: AbortSignal
}

interface RememberedDomain {
  /** The newest answer; `unknown` if there never was one. */
  readonly found: RegistryAnswer
  /** Why the registry gave no newer answer. */
  readonly noNewer?: UnknownDomain
  readonly readMs: number
  /** The registry is not queried again before this. Monotonic, because clocks get set. */
  readonly askAtMs: number
}

/** How long a domain's registration is cached before its registry is queried again. */
const rdapKeptMs = 6 * 3_600_000
/** The same for bad news, which may end soon. */
const rdapBadNewsKeptMs = 3_600_000
/** The same if the domain does not exist or there was no answer. */
const rdapNoneKeptMs = 15 * 60_000
const rdapDomainsRemembered = 20_000

/** A query outlives the checks that wait for it, since others will use its answer. */
export function createRegistrations(deps: RegistrationsDeps) {
  const { clock } = deps
  const remembered = new LRUCache<string, RememberedDomain>(atMostEntries(rdapDomainsRemembered))
  const inProgress = new Map<string, Promise<RegistryAnswer>>()
  const ask = createAsk(deps)

  async function lookUp(domain: string): Promise<RegistryAnswer> {
    const found = await ask(domain)
    const ms = clock.monoMs()
    const before = remembered.get(domain)
    // For some time, an old answer is more useful than none.
    const isOld = found.kind === 'unknown' && before?.found.kind === 'registered'
    const next = isOld
      ? { ...before, noNewer: found, askAtMs: ms + rdapNoneKeptMs }
      : { found, readMs: ms, askAtMs: ms + cacheMs(found, clock.nowMs()) }
    remembered.set(domain, next)
    return answerFrom(next, clock)
  }

  return {
    /** The registration of a registrable domain. Never rejects. */
    async find(domain: string): Promise<RegistryAnswer> {
      const known = remembered.get(domain)
      if (known !== undefined && clock.monoMs() < known.askAtMs) return answerFrom(known, clock)
      let asked = inProgress.get(domain)
      if (asked === undefined) {
        asked = lookUp(domain).finally(() => inProgress.delete(domain))
        inProgress.set(domain, asked)
      }
      return asked
    },
  }
}

/** The maximum age of an answer that replaces a missing one. */
const rdapStaleMsMax = 48 * 3_600_000

/**
 * What is known about a domain. If the registry gives no newer answer, an old one is used, unless
 * it is very old, or the domain has expired since and may have been renewed.
 */
function answerFrom({ found, noNewer, readMs }: RememberedDomain, clock: Clock): RegistryAnswer {
  if (noNewer === undefined || found.kind !== 'registered') return found
  if (clock.monoMs() - readMs > rdapStaleMsMax) return noNewer
  const { expiresAtMs } = found.registration
  const wasValid = expiresAtMs !== null && expiresAtMs > found.readAtMs
  return wasValid && expiresAtMs <= clock.nowMs() ? noNewer : found
}

/** A registration is kept at most until it expires, a problem for an hour. */
function cacheMs(found: RegistryAnswer, nowMs: number): number {
  if (found.kind !== 'registered') return rdapNoneKeptMs
  const { registration } = found
  if (registrationProblem(registration, nowMs) !== null) return rdapBadNewsKeptMs
  return Math.min(rdapKeptMs, (registration.expiresAtMs ?? Number.MAX_VALUE) - nowMs)
}

/** A missing answer says nothing about the domain. */
export function notKnown(kind: ErrorKind, message: string): UnknownDomain {
  return { kind: 'unknown', failure: { result: 'unknown', kind, message } }
}

function unasked({ kind, message }: Failure): UnknownDomain {
  return notKnown(kind, `the registry could not be queried: ${message}`)
}

/** Queries in progress: to all registries, and to one. */
const rdapAsksMax = 16
const rdapAsksPerRegistryMax = 4
/** How long to pause queries to a registry that answers "too many requests" without a time. */
const rdapPauseMs = 60_000
const rdapPauseMsMax = 3_600_000
const rdapListItemsMax = 20
const rdapTextCharsMax = 200

/** Queries registries: few at once, and no registry that has asked for a pause. */
function createAsk({ client, bootstrap, clock, signal }: RegistrationsDeps) {
  const gate = createGate({ total: rdapAsksMax, perKey: rdapAsksPerRegistryMax })
  /** The time until which each registry asked us to pause; there are as many entries as registries. */
  const restingUntilMs = new Map<string, number>()

  async function get(base: string, domain: string): Promise<JsonAnswer> {
    await gate.enter(base, clock.monoMs())
    try {
      if (clock.monoMs() < (restingUntilMs.get(base) ?? 0)) return { status: 429 }
      const accept = 'application/rdap+json'
      const request = {
        accept,
        timeoutMs: rdapTimeoutMs,
        ...(signal === undefined ? {} : { signal }),
      }
      const answer = await client.get(`${base}domain/${domain}`, request)
      if (answer.status === 429 || answer.status === 503) {
        const pauseMs = Math.min(answer.retryAfterMs ?? rdapPauseMs, rdapPauseMsMax)
        restingUntilMs.set(base, clock.monoMs() + pauseMs)
      }
      return answer
    } finally {
      gate.leave(base)
    }
  }

  return async (domain: string): Promise<RegistryAnswer> => {
    const base = bootstrap.baseFor(domain)
    if (base === undefined) return unasked(failure('dns', 'the top-level domain offers no RDAP'))
    const answer = await get(base, domain)
    if (answer.failure !== undefined) return unasked(answer.failure)
    const { status, document } = answer
    if (status === 404) return { kind: 'unregistered' }
    if (status === 429) return unasked(failure('status', 'it limits the rate of queries (429)'))
    if (status !== 200) return unasked(failure('status', `it answered with status ${status}`))
    const registration = registrationIn(document, domain)
    if (registration === undefined) {
      return unasked(failure('invalid_response', 'its answer is not about this domain'))
    }
    return { kind: 'registered', registration, readAtMs: clock.nowMs() }
  }
}

export interface DomainRegistration {
  /** The registered domain, in ASCII and lower case. */
  readonly name: string
  /** Null if the registry does not report it. */
  readonly expiresAtMs: number | null
  readonly registeredAtMs: number | null
  readonly changedAtMs: number | null
  readonly registrar: string | null
  /** The words are those of RFC 8056, such as `client transfer prohibited`; sorted. */
  readonly status: readonly string[]
  readonly nameServers: readonly string[]
  /** Whether the parent zone signs it; null if the registry does not report it. */
  readonly isSigned: boolean | null
}

/** The registration in a response about `asked`, or undefined for another kind of response. */
export function registrationIn(document: unknown, asked: string): DomainRegistration | undefined {
  const domain = fieldsOf(document)
  if (domain === undefined || domain.objectClassName !== 'domain') return undefined
  const name = nameIn(domain) ?? asked
  if (asked !== name && !asked.endsWith(`.${name}`)) return undefined
  const signed = fieldsOf(domain.secureDNS)?.delegationSigned
  return {
    name,
    expiresAtMs: eventAtMs(domain, 'expiration'),
    registeredAtMs: eventAtMs(domain, 'registration'),
    changedAtMs: eventAtMs(domain, 'last changed'),
    registrar: registrarOf(domain),
    status: inOrder(listOf(domain.status).map((one) => (isText(one) ? statusWords(one) : null))),
    nameServers: inOrder(listOf(domain.nameservers).map((one) => nameIn(fieldsOf(one)))),
    isSigned: typeof signed === 'boolean' ? signed : null,
  }
}

type RdapFields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): RdapFields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return value as RdapFields
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function nameIn(fields: RdapFields | undefined): string | undefined {
  const name = fields?.ldhName
  if (!isText(name) || name === '') return undefined
  return clip(name.toLowerCase().replace(/\.$/, ''), rdapTextCharsMax)
}

function eventAtMs(domain: RdapFields, action: string): number | null {
  for (const event of listOf(domain.events)) {
    const { eventAction, eventDate } = fieldsOf(event) ?? {}
    if (!isText(eventAction) || eventAction.toLowerCase() !== action || !isText(eventDate)) continue
    const atMs = Date.parse(eventDate)
    if (!Number.isNaN(atMs)) return atMs
  }
  return null
}

/** The full name in the vCard (RFC 7095) of the registrar's entity. */
function registrarOf(domain: RdapFields): string | null {
  for (const entity of listOf(domain.entities)) {
    const { roles, vcardArray } = fieldsOf(entity) ?? {}
    if (!listOf(roles).includes('registrar')) continue
    const properties = listOf(listOf(vcardArray)[1]).map(listOf)
    const name = properties.find(([property]) => property === 'fn')?.[3]
    if (isText(name) && name.trim() !== '') return clip(name.trim(), rdapTextCharsMax)
  }
  return null
}

/** Some registries write statuses in EPP form: `clientHold`. */
function statusWords(text: string): string {
  const words = text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]/g, ' ')
  return clip(words.toLowerCase().trim(), rdapTextCharsMax)
}

function inOrder(texts: readonly (string | null | undefined)[]): readonly string[] {
  const known = new Set(texts.filter(isText))
  return [...known].sort().slice(0, rdapListItemsMax)
}

/** Statuses (RFC 3915 and RFC 5731) under which a domain does not work, or soon will not. */
const badStatuses: readonly [status: string, problem: (name: string) => string][] = [
  ['pending delete', (name) => `${name} is about to be deleted by its registry (pending delete)`],
  [
    'redemption period',
    (name) => `${name} was deleted and can only be redeemed (redemption period)`,
  ],
  ['server hold', (name) => `${name} was taken out of DNS by its registry (server hold)`],
  ['client hold', (name) => `${name} was taken out of DNS by its registrar (client hold)`],
]

/** What is wrong with a registration, as a sentence, or null. */
export function registrationProblem(
  registration: DomainRegistration,
  nowMs: number,
): string | null {
  const { name, status, expiresAtMs } = registration
  const shown = clip(name, limits.quotedCharsMax)
  const bad = badStatuses.find(([one]) => status.includes(one))
  if (bad !== undefined) return bad[1](shown)
  if (expiresAtMs === null || expiresAtMs > nowMs) return null
  return `the registration of ${shown} expired on ${dayOf(expiresAtMs)}`
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
