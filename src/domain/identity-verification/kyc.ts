// Identity verification (KYC): submissions, the states of a case, and what is shown of it.
import { Fault, type FieldProblem } from '../../base/fault.ts'
import type { UserId, VerificationId } from '../../base/ids.ts'
import { retryWaitMs } from '../alerts/delivery.ts'
import { limits } from '../limits/limits.ts'
import { countryCode } from './countries.ts'

export const kycStates = ['pending', 'in_review', 'approved', 'rejected', 'expired'] as const
export type KycState = (typeof kycStates)[number]

/** Undecided states: while a person has such a case, no other case is accepted. */
export const openKycStates = ['pending', 'in_review'] as const satisfies readonly KycState[]

export const kycProviders = ['manual', 'http'] as const
export type KycProviderName = (typeof kycProviders)[number]

export const genders = ['female', 'male', 'other', 'undisclosed'] as const

const addressFields = ['street', 'street2', 'city', 'state', 'postalCode', 'country'] as const

/** What a person submits about themselves. It is stored encrypted, and only while necessary. */
export interface PersonalFields {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly phone?: string | undefined
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string
  /** ISO 3166-1, two letters. */
  readonly country: string
  /** Document numbers, by names that the person chooses, such as `passport`. */
  readonly identityNumbers?: Readonly<Record<string, string>> | undefined
  readonly gender?: (typeof genders)[number] | undefined
  readonly address?:
    | { readonly [Name in (typeof addressFields)[number]]?: string | undefined }
    | undefined
}

/** What a person sends: in an optional field, an empty text means none. */
export interface SubmittedFields extends Omit<PersonalFields, 'gender'> {
  readonly gender?: PersonalFields['gender'] | ''
}

/** The encrypted part of a case, with the reason of a decision, because it may be personal. */
export interface KycContent {
  readonly fields: PersonalFields
  readonly reason: string | null
}

/** The progress of sending a case to the provider. */
export interface SendingProgress {
  readonly attempts: number
  /** When the next attempt is due; null: no more attempts, a person must decide. */
  readonly dueAtMs: number | null
  readonly giveUpAtMs: number
  /** Why the last attempt failed, without personal data. */
  readonly problem: string | null
}

/** A case, without personal data: that is encrypted separately and erased long before the case. */
export interface Verification {
  readonly id: VerificationId
  readonly userId: UserId
  readonly state: KycState
  readonly provider: KycProviderName
  readonly submittedAtMs: number
  /** When it was approved, rejected or expired. */
  readonly decidedAtMs: number | null
  /** When the submission was erased. */
  readonly erasedAtMs: number | null
  /** Null: the provider answered, or does not take part. */
  readonly sending: SendingProgress | null
  readonly revision: number
}

/** A newly submitted case; if there is a provider, it is sent at once. */
export function newVerification(
  ids: Pick<Verification, 'id' | 'userId'>,
  provider: KycProviderName,
  nowMs: number,
): Verification {
  const giveUpAtMs = nowMs + limits.deliveryAgeMsMax
  return {
    ...ids,
    state: 'pending',
    provider,
    submittedAtMs: nowMs,
    decidedAtMs: null,
    erasedAtMs: null,
    sending:
      provider === 'http' ? { attempts: 0, dueAtMs: nowMs, giveUpAtMs, problem: null } : null,
    revision: 1,
  }
}

export function isOpen({ state }: Pick<Verification, 'state'>): boolean {
  return (openKycStates as readonly KycState[]).includes(state)
}

/**
 * The case in its next state: pending → in_review → approved, rejected or expired; the review may
 * be skipped. This also ends sending to the provider. Throws Fault('conflict') for a case that is
 * already in that state or beyond.
 */
export function movedTo(before: Verification, state: KycState, nowMs: number): Verification {
  const isForward = state === 'in_review' ? before.state === 'pending' : isOpen(before)
  if (!isForward || state === 'pending') {
    throw new Fault('conflict', `This verification is ${before.state.replace('_', ' ')} already.`)
  }
  const decidedAtMs = isOpen({ state }) ? null : nowMs
  return { ...before, state, decidedAtMs, sending: null, revision: before.revision + 1 }
}

/** The case after its submission was erased. An open case can no longer be decided: it expires. */
export function erased(before: Verification, nowMs: number): Verification {
  const moved = isOpen(before) ? movedTo(before, 'expired', nowMs) : before
  return { ...moved, erasedAtMs: nowMs, revision: before.revision + 1 }
}

/** The case after a failed attempt to send it: due again, or left to a person. */
export function afterFailedSending(
  before: Verification,
  sending: SendingProgress,
  problem: string,
  at: { readonly nowMs: number; readonly random: number },
): Verification {
  const { attempts, giveUpAtMs } = sending
  const nextAtMs = Math.min(at.nowMs + retryWaitMs(attempts, at.random), giveUpAtMs)
  const dueAtMs = at.nowMs >= giveUpAtMs ? null : nextAtMs
  const next = { attempts: attempts + 1, dueAtMs, giveUpAtMs, problem }
  return { ...before, sending: next, revision: before.revision + 1 }
}

export type KycDecision = 'approve' | 'reject' | 'review'
export const kycDecisions = ['approve', 'reject', 'review'] as const satisfies KycDecision[]

/** The state that each decision leads to. */
export const decisionStates = {
  approve: 'approved',
  reject: 'rejected',
  review: 'in_review',
} as const satisfies Record<KycDecision, KycState>

const kycNumberNameCharsMax = 40

/** The problems that the schema cannot express, in the fields that it accepts. */
export function submissionProblems(
  fields: Partial<SubmittedFields>,
  nowMs: number,
): FieldProblem[] {
  const { dateOfBirth, country } = fields
  const age = dateOfBirth === undefined ? null : birthProblem(dateOfBirth, nowMs)
  const problems: FieldProblem[] = age === null ? [] : [{ pointer: '/dateOfBirth', ...age }]
  if (country !== undefined && countryCode(country) === undefined) {
    const message = 'must be an ISO 3166-1 country code, such as DE or DEU'
    problems.push({ pointer: '/country', keyword: 'country', message })
  }
  for (const name of Object.keys(fields.identityNumbers ?? {})) {
    if (name.trim() !== '' && name.length <= kycNumberNameCharsMax) continue
    const message = `must have names of 1 to ${kycNumberNameCharsMax} characters`
    problems.push({ pointer: '/identityNumbers', keyword: 'propertyNames', message })
    break
  }
  return problems
}

/** Normalizes a submission: trims texts, leaves out empty ones and uses the two-letter country code. */
export function normalizedFields(fields: SubmittedFields): PersonalFields {
  const { phone = '', gender = '', ...plain } = fields
  const identityNumbers = textsOf(fields.identityNumbers)
  const address = textsOf(fields.address)
  return {
    firstName: plain.firstName.trim(),
    lastName: plain.lastName.trim(),
    email: plain.email,
    dateOfBirth: plain.dateOfBirth,
    country: countryCode(plain.country) ?? plain.country,
    ...(phone.trim() === '' ? {} : { phone: phone.trim() }),
    ...(gender === '' ? {} : { gender }),
    ...(identityNumbers && { identityNumbers }),
    ...(address && { address }),
  }
}

/** The texts, trimmed and without empty ones; undefined if there are none. */
function textsOf(
  map: Readonly<Record<string, string | undefined>> = {},
): Readonly<Record<string, string>> | undefined {
  const texts = Object.entries(map)
    .map(([name, text = '']) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '')
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}

const easternmostMs = 14 * 3_600_000
const westernmostMs = 12 * 3_600_000

/**
 * Why a date of birth is refused, or null. It allows for time zones: a birthday begins early in the
 * first one and late in the last one.
 */
function birthProblem(
  text: string,
  nowMs: number,
): { readonly keyword: string; readonly message: string } | null {
  if (!isRealDate(text)) {
    return { keyword: 'date', message: 'must be a valid date as YYYY-MM-DD' }
  }
  const { kycAgeYearsMin, kycAgeYearsMax } = limits
  // Dates as whole numbers: one year is 10,000; 29 February counts as 1 March.
  const birthday = (years: number) => asNumber(text) + years * 10_000
  const isOldEnough = birthday(kycAgeYearsMin) <= asNumber(dateOf(nowMs + easternmostMs))
  const isYoungEnough = birthday(kycAgeYearsMax) >= asNumber(dateOf(nowMs - westernmostMs))
  if (isOldEnough && isYoungEnough) return null
  const message = `must be ${kycAgeYearsMin} to ${kycAgeYearsMax} years ago`
  return { keyword: isOldEnough ? 'minimum' : 'maximum', message }
}

function isRealDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const atMs = Date.parse(`${text}T00:00:00Z`)
  // Node turns 31 February into 3 March: only a date that survives the round trip is valid.
  return !Number.isNaN(atMs) && dateOf(atMs) === text
}

/** 2008-02-29 as 20080229. */
function asNumber(date: string): number {
  return Number(date.replaceAll('-', ''))
}

function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

/** One stored field with its path: `identityNumbers.passport`. */
export interface StoredPersonalField {
  readonly name: string
  readonly value: string
}

/** Every submitted field, in the order of the form. */
export function storedFieldsOf(fields: PersonalFields): StoredPersonalField[] {
  const { identityNumbers = {}, address = {}, ...plain } = fields
  const below = (map: Readonly<Record<string, string | undefined>>, path: string) =>
    Object.entries(map).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name: path + name, value }],
    )
  return [
    ...below(plain, ''),
    ...below(identityNumbers, 'identityNumbers.'),
    ...below(address, 'address.'),
  ]
}

/** The same with values that only the person recognizes: at most the last four characters. */
export function maskedFields(fields: PersonalFields): StoredPersonalField[] {
  return storedFieldsOf(fields).map(({ name, value }) => ({ name, value: masked(name, value) }))
}

const mask = '•••'
const tailChars = 4

function masked(name: string, value: string): string {
  if (name === 'email') return `${value.slice(0, 1)}${mask}${value.slice(value.lastIndexOf('@'))}`
  const showsTail = name === 'phone' || name.startsWith('identityNumbers.')
  // For a short number the tail would be most of it.
  if (!showsTail || [...value].length < 2 * tailChars) return mask
  return mask + [...value].slice(-tailChars).join('')
}
