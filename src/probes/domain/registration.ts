// A domain's registration: read from an RDAP answer (RFC 9083), and what is wrong with it.
import { clip } from '../../base/clip.ts'
import { limits } from '../../domain/limits/limits.ts'

export interface DomainRegistration {
  /** The registered domain, in ASCII and lower case. */
  readonly name: string
  /** Null if the registry does not report it. */
  readonly expiresAtMs: number | null
  readonly registeredAtMs: number | null
  readonly changedAtMs: number | null
  readonly registrar: string | null
  /** In the words of RFC 8056, such as `client transfer prohibited`; in order. */
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
  return clip(name.toLowerCase().replace(/\.$/, ''), limits.rdapTextCharsMax)
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
    if (isText(name) && name.trim() !== '') return clip(name.trim(), limits.rdapTextCharsMax)
  }
  return null
}

/** Some registries write statuses in EPP form: `clientHold`. */
function statusWords(text: string): string {
  const words = text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]/g, ' ')
  return clip(words.toLowerCase().trim(), limits.rdapTextCharsMax)
}

function inOrder(texts: readonly (string | null | undefined)[]): readonly string[] {
  const known = new Set(texts.filter(isText))
  return [...known].sort().slice(0, limits.rdapListItemsMax)
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
