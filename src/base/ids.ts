// Ids: a type prefix, '_' and a lower-case ULID. Branded, so that the compiler keeps kinds apart.
import { randomFillSync } from 'node:crypto'
import { nounIdPrefixes } from './nouns.ts'

declare const kind: unique symbol
export type Id<Kind extends string> = string & { readonly [kind]: Kind }

export const idPrefixes = {
  ...nounIdPrefixes,
  org: 'org',
  user: 'usr',
  update: 'upd',
  delivery: 'dlv',
  session: 'ses',
  verification: 'kyc',
  audit: 'aud',
  letter: 'ltr',
  error: 'err',
  request: 'req',
} as const

export type IdKind = keyof typeof idPrefixes

export type OrgId = Id<'org'>
export type UserId = Id<'user'>
export type MonitorId = Id<'monitor'>
export type IncidentId = Id<'incident'>
export type ChannelId = Id<'channel'>
export type DeliveryId = Id<'delivery'>
export type PageId = Id<'page'>
export type KeyId = Id<'key'>
export type SessionId = Id<'session'>
export type InviteId = Id<'invite'>
export type VerificationId = Id<'verification'>
export type AuditId = Id<'audit'>
export type LetterId = Id<'letter'>
export type ErrorId = Id<'error'>

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
const pairs = Array.from({ length: 1_024 }, (_, number) => base32(number, 2))
const headRandomDigits = 12
/** The last four digits of an id count upwards, from the lower half on. */
const tailEnd = 2 ** 20
const tailBeginMax = 2 ** 19

/** The newest id: its millisecond, all but its last four digits, and these as a number. */
const newest = { ms: 0, head: '', tail: tailEnd }
const random = Buffer.alloc(headRandomDigits + 4)

function base32(number: number, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest = Math.floor(rest / 32)) {
    text = digits.charAt(rest % 32) + text
  }
  return text
}

/**
 * A ULID has ten digits of time and 16 random ones; within the same millisecond it is the previous
 * one plus one. If a millisecond is full, or the clock was set back, the id uses the next
 * millisecond.
 */
function nextUlid(nowMs: number): string {
  newest.tail += 1
  if (nowMs > newest.ms || newest.tail >= tailEnd) {
    newest.ms = Math.max(nowMs, newest.ms + 1)
    randomFillSync(random)
    newest.head = base32(newest.ms, 10)
    for (let at = 0; at < headRandomDigits; at += 1) {
      newest.head += digits.charAt((random[at] ?? 0) % 32)
    }
    newest.tail = random.readUInt32LE(headRandomDigits) % tailBeginMax
  }
  const { head, tail } = newest
  return `${head}${pairs[tail >> 10]}${pairs[tail % 1_024]}`
}

/** Makes a new id of a kind. Later ids sort later, even within one millisecond. */
export function newId<Kind extends IdKind>(kindName: Kind, nowMs: number): Id<Kind> {
  return `${idPrefixes[kindName]}_${nextUlid(nowMs)}` as Id<Kind>
}

const ulidPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Returns the text as an id of the kind, or undefined if it is none. */
export function asId<Kind extends IdKind>(kindName: Kind, text: string): Id<Kind> | undefined {
  const prefix = `${idPrefixes[kindName]}_`
  if (!text.startsWith(prefix) || !ulidPattern.test(text.slice(prefix.length))) return undefined
  return text as Id<Kind>
}

/** Returns the pattern of a kind's ids, for schemas. */
export function idPattern(kindName: IdKind): string {
  return `^${idPrefixes[kindName]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`
}
