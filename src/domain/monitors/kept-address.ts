// Addresses at which senders of other products report, and what such a request means. An import brings them, so
// that no sender has to change: paths of Uptime Kuma (server/routers/api-router.js) and of Healthchecks
// (hc/api/urls.py), and of Gatus (api/external_endpoint.go), answered as those products do.
import type { ImportId } from '../../base/ids.ts'
import type { SentReport } from './run.ts'

/** A kept address as it is stored: SHA-256 of the path, and the encrypted path for showing it again. */
export interface KeptAddress {
  readonly hash: string
  readonly box: string
  /** Other monitors of the organization may have it, too: then nobody can report by it. */
  readonly isShared?: true
}

/** What Healthchecks and Uptime Kuma make of a report before it counts. */
export interface KeptRules {
  /** Requests by other methods are only logged. */
  readonly methods?: 'POST'
  /** With it, words of the body decide what a ping says: this if it has none of them. */
  readonly otherwise?: 'ignore' | 'error'
  readonly failureWords?: readonly string[]
  readonly successWords?: readonly string[]
  readonly startWords?: readonly string[]
  /** A paused monitor stays so until somebody resumes it; otherwise the report of a result does. */
  readonly isResumedByHand?: boolean
  /** Kuma: a report of `up` means down, any other report means up, and so does silence. */
  readonly isUpsideDown?: boolean
}

/** A key of Healthchecks that makes monitors: its SHA-256, and its first characters for recognizing it. */
export interface PingKey {
  readonly hash: string
  readonly hint: string
  readonly createdAtMs: number
  /** The import that brought it; earlier ones did not note it. */
  readonly importId?: ImportId
}

export const keptAddressesMax = 5
/** Shared addresses of a monitor, beside those that it has alone. */
export const sharedAddressesMax = 1
/** Monitors that share an address. */
export const keptSharersMax = 100
/** Ping keys of an organization: Healthchecks has one for each project. */
export const pingKeysMax = 100
export const pingKeyCharsMax = 128
/** The longest: a ping key, and a slug. */
export const keptAddressCharsMax = 340
export const keptWordCharsMax = 200
export const keptWordsMax = 100

const kumaAddress = '/api/push/[\\w.~-]{8,100}'
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const pingKey = '[\\w-]{8,128}'
/** Where it keeps its data in SQLite, Healthchecks takes longer ones than its own 100 characters. */
const slug = '[a-z0-9_-]{1,200}'
/** The key of an external endpoint of Gatus, and the token that its senders have in a header. */
const gatusAddress = '/api/v1/endpoints/[a-z0-9_-]{1,100}/external#[\\x21-\\x7e]{8,100}'

/** What may be shared: Healthchecks lets several checks have a slug, and takes no reports by it then. */
export const sharedAddressPattern = `^/ping/${pingKey}/${slug}$`

/** What a kept address may be, as a pattern of JSON Schema. */
export const keptAddressPattern = `^(${kumaAddress}|/ping/${uuid}|/ping/${pingKey}/${slug}|${gatusAddress})$`

/** As much of a ping key as people are shown. */
export function pingKeyHint(key: string): string {
  return key.slice(0, 4)
}

export const pingKeyPattern = `^${pingKey}$`

const addressRegex = new RegExp(keptAddressPattern)
const uuidRegex = new RegExp(`^${uuid}$`, 'i')

/** Whether a monitor may have the address. Those of a UUID alone end there: what follows is a word. */
export function isKeptAddress(path: string): boolean {
  return addressRegex.test(path) && (keptCall(path)?.word ?? '') === ''
}

export function isUuid(text: string): boolean {
  return uuidRegex.test(text)
}

/** A request of a sender of another product. */
export interface KeptCall {
  readonly product: 'kuma' | 'healthchecks' | 'gatus'
  /** The address without what the request says by its end; of Gatus also without its token. */
  readonly address: string
  /** `start`, `fail`, `log`, an exit status, or empty. */
  readonly word: string
  /** Where a monitor may be made for it. */
  readonly pingKey?: string
  readonly slug?: string
}

const kumaPath = /^\/api\/push\/[^/]{0,200}$/
const uuidPath = new RegExp(`^(/ping/${uuid})(?:/(|start|fail|log|\\d+))?$`)
const slugPath = /^\/ping\/([\w-]{1,128})\/([\w-]{1,200})(?:\/(start|fail|log|\d+))?$/

/** Gatus does not look at the case of a key. */
const gatusPath = /^(\/api\/v1\/endpoints\/[\w-]{1,100}\/external)$/

/** The address of a monitor whose senders have the token: both together are known to them alone. */
export function withToken(address: string, token: string): string {
  return `${address}#${token}`
}

/** What a path asks for; undefined if no product has such an address. All of them decode it first. */
export function keptCall(sentPath: string): KeptCall | undefined {
  const path = decoded(sentPath)
  if (kumaPath.test(path)) return { product: 'kuma', address: path, word: '' }
  const [, external] = gatusPath.exec(path) ?? []
  if (external !== undefined) {
    return { product: 'gatus', address: external.toLowerCase(), word: '' }
  }
  const product = 'healthchecks'
  const [, pinged, ended = ''] = uuidPath.exec(path) ?? []
  if (pinged !== undefined) return { product, address: pinged, word: ended }
  const [, pingKey, slug, word = ''] = slugPath.exec(path) ?? []
  if (pingKey === undefined || slug === undefined) return undefined
  return { product, address: `/ping/${pingKey}/${slug}`, word, pingKey, slug }
}

/** As it is if it is not encoded well: then it fits nothing. */
function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The highest exit status that a ping may report. */
export const exitStatusMax = 255

const statuses: Readonly<Record<string, SentReport['status']>> = {
  '': 'ok',
  start: 'start',
  fail: 'error',
  log: 'log',
}

/** What a ping says by its end, its method and its body. `log`: it changes nothing. */
export function pingStatus(
  word: string,
  { methods, otherwise, failureWords, successWords, startWords }: KeptRules,
  { method, text }: { readonly method: string; readonly text: string },
): SentReport['status'] {
  if (methods === 'POST' && method !== 'POST') return 'log'
  if (otherwise === undefined) return statuses[word] ?? (Number(word) === 0 ? 'ok' : 'error')
  const hasAny = (words: readonly string[] = []) => words.some((one) => text.includes(one))
  if (hasAny(failureWords)) return 'error'
  if (hasAny(successWords)) return 'ok'
  if (hasAny(startWords)) return 'start'
  return otherwise === 'error' ? 'error' : 'log'
}
