// Ids: a type prefix, '_' and a lower-case ULID. Branded, so that the compiler keeps kinds apart.
import { hash, randomFillSync } from 'node:crypto'
import { decodeTime, encodeTime, monotonicFactory } from 'ulid'
import { nounIdPrefixes, nounIdTitles } from './nouns.ts'

declare const kind: unique symbol
export type Id<Kind extends string> = string & { readonly [kind]: Kind }

export const idPrefixes = {
  ...nounIdPrefixes,
  org: 'org',
  user: 'usr',
  update: 'upd',
  delivery: 'dlv',
  import: 'imp',
  upload: 'upl',
  location: 'loc',
  session: 'ses',
  device: 'dev',
  passkey: 'pky',
  verification: 'kyc',
  audit: 'aud',
  letter: 'ltr',
  notice: 'ntc',
  error: 'err',
  request: 'req',
} as const

export type IdKind = keyof typeof idPrefixes

/** What an id is of, for sentences. */
export const kindTitles: Readonly<Record<IdKind, string>> = {
  ...nounIdTitles,
  org: 'organization',
  user: 'user',
  update: 'update',
  delivery: 'delivery',
  import: 'import',
  upload: 'upload',
  location: 'location',
  session: 'session',
  device: 'device',
  passkey: 'passkey',
  verification: 'verification',
  audit: 'audit entry',
  letter: 'letter',
  notice: 'notice',
  error: 'error',
  request: 'request',
}

export type OrgId = Id<'org'>
export type UserId = Id<'user'>
export type MonitorId = Id<'monitor'>
export type LocationId = Id<'location'>
export type MaintenanceId = Id<'maintenance'>
export type TemplateId = Id<'template'>
export type SecretId = Id<'secret'>
export type IncidentId = Id<'incident'>
export type ChannelId = Id<'channel'>
export type DeliveryId = Id<'delivery'>
export type ImportId = Id<'import'>
export type PageId = Id<'page'>
export type DomainId = Id<'domain'>
export type SubscriberId = Id<'subscriber'>
export type NoticeId = Id<'notice'>
export type KeyId = Id<'key'>
export type SessionId = Id<'session'>
export type DeviceId = Id<'device'>
export type PasskeyId = Id<'passkey'>
export type ProbeId = Id<'probe'>
export type InviteId = Id<'invite'>
export type VerificationId = Id<'verification'>
export type AuditId = Id<'audit'>
export type LetterId = Id<'letter'>
export type ErrorId = Id<'error'>
export type RequestId = Id<'request'>

// A call for each digit's randomness would be slow, so a block of it is used up.
const randomBytes = Buffer.alloc(4096)
let randomOffset = randomBytes.length

function randomUnit(): number {
  if (randomOffset + 4 > randomBytes.length) {
    randomFillSync(randomBytes)
    randomOffset = 0
  }
  const unit = randomBytes.readUInt32LE(randomOffset) / 2 ** 32
  randomOffset += 4
  return unit
}

const nextUlid = monotonicFactory(randomUnit)

/** Makes a new id of a kind. Later ids sort later, even within one millisecond. */
export function newId<Kind extends IdKind>(kindName: Kind, nowMs: number): Id<Kind> {
  return `${idPrefixes[kindName]}_${nextUlid(nowMs).toLowerCase()}` as Id<Kind>
}

const ulidTimeChars = 10
const ulidRandomChars = 16

/** When the id was made. */
export function madeAtMs(id: Id<IdKind>): number {
  return decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase())
}

/** The lowest id of a kind that could be made at a time: a bound for ranges of ids. */
export function lowestId<Kind extends IdKind>(kindName: Kind, atMs: number): Id<Kind> {
  const time = encodeTime(atMs, ulidTimeChars).toLowerCase()
  return `${idPrefixes[kindName]}_${time}${'0'.repeat(ulidRandomChars)}` as Id<Kind>
}

/**
 * The id of something that happened at a time, which is known by a text: the same whenever it is made. It sorts
 * where one that was made then would.
 */
export function idOfPast<Kind extends IdKind>(
  kindName: Kind,
  atMs: number,
  known: string,
): Id<Kind> {
  const time = encodeTime(atMs, ulidTimeChars).toLowerCase()
  const digits = '0123456789abcdefghjkmnpqrstvwxyz'
  const bytes = hash('sha256', known, 'buffer').subarray(0, ulidRandomChars)
  const random = Array.from(bytes, (byte) => digits[byte % digits.length]).join('')
  return `${idPrefixes[kindName]}_${time}${random}` as Id<Kind>
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
