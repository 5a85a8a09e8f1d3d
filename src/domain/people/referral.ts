// Referrals: who referred whom, and the codes that identify the referrers.
import { asId, type UserId } from '../../base/ids.ts'
import { isReservedLabel } from '../pages/page-address.ts'

/** `registered` from the start; `active` once an organization of the new user ran a check. */
export type ReferralStatus = 'registered' | 'active'

export interface Referral {
  readonly referrerId: UserId
  readonly userId: UserId
  readonly joinedAtMs: number
  /** Once set it stays, even if the organization is deleted. */
  readonly activatedAtMs: number | null
}

/** The codes of a person who once chose one. */
export interface ReferralCodes {
  readonly userId: UserId
  readonly code: string
  /** Earlier codes, newest first: they no longer work, and nobody else can have them. */
  readonly retired: readonly string[]
}

const referralCodeCharsMin = 4
const referralCodeCharsMax = 32

const shape = new RegExp(
  `^(?=.{${referralCodeCharsMin},${referralCodeCharsMax}}$)[a-z0-9]+(?:-[a-z0-9]+)*$`,
)
const prefix = 'usr_'

/** The normalized form for look-ups, because codes are read aloud and typed. */
export function normalizedCode(code: string): string {
  return code.trim().toLowerCase()
}

/** The code of a person who never chose one: the user's id, so nothing must be stored. */
export function firstCode(userId: UserId): string {
  return userId.slice(prefix.length)
}

/** The user whose first code this would be. */
export function ownerOfFirstCode(code: string): UserId | undefined {
  return asId('user', prefix + code)
}

/** What is wrong with a normalized code that a person chose, or null if it is allowed. */
export function codeProblem(code: string): { keyword: string; message: string } | null {
  if (!shape.test(code)) {
    const message = `must be ${referralCodeCharsMin} to ${referralCodeCharsMax} characters: a-z, 0-9 and single inner hyphens`
    return { keyword: 'pattern', message }
  }
  if (isReservedLabel(code) || ownerOfFirstCode(code) !== undefined) {
    return { keyword: 'reserved', message: 'is reserved' }
  }
  return null
}

const referralCodesRetiredMax = 10

/** The codes after a change: the previous one is retired, and the oldest of many is released. */
export function withCode(before: ReferralCodes, code: string): ReferralCodes {
  const retired = [before.code, ...before.retired].filter((one) => one !== code)
  return { ...before, code, retired: retired.slice(0, referralCodesRetiredMax) }
}
