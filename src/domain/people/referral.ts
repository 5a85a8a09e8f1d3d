// Referrals: who brought whom, and the codes by which they are told apart.
import { asId, type UserId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'
import { isReservedLabel } from '../pages/page-address.ts'

/** `registered` from the start; `active` once an organization of the new user ran a check. */
export type ReferralStatus = 'registered' | 'active'

export interface Referral {
  readonly referrerId: UserId
  readonly userId: UserId
  readonly joinedAtMs: number
  /** Once set it stays, whatever becomes of the organization. */
  readonly activatedAtMs: number | null
}

/** The codes of a person who once chose one. */
export interface ReferralCodes {
  readonly userId: UserId
  readonly code: string
  /** Those before it, newest first: they lead nowhere, and nobody else can have them. */
  readonly retired: readonly string[]
}

const shape = new RegExp(
  `^(?=.{${limits.referralCodeCharsMin},${limits.referralCodeCharsMax}}$)[a-z0-9]+(?:-[a-z0-9]+)*$`,
)
const prefix = 'usr_'

/** One spelling for look-ups: codes are read out and typed again. */
export function normalizedCode(code: string): string {
  return code.trim().toLowerCase()
}

/** The code of whoever never had another: the id itself, so that there is nothing to store. */
export function firstCode(userId: UserId): string {
  return userId.slice(prefix.length)
}

/** Whose first code it would be. */
export function ownerOfFirstCode(code: string): UserId | undefined {
  return asId('user', prefix + code)
}

/** What is wrong with a normalized code that somebody chose, or null where it may be one. */
export function codeProblem(code: string): { keyword: string; message: string } | null {
  if (!shape.test(code)) {
    const { referralCodeCharsMin: min, referralCodeCharsMax: max } = limits
    const message = `must be ${min} to ${max} characters: a-z, 0-9 and single inner hyphens`
    return { keyword: 'pattern', message }
  }
  if (isReservedLabel(code) || ownerOfFirstCode(code) !== undefined) {
    return { keyword: 'reserved', message: 'is reserved' }
  }
  return null
}

/** The codes after a change: the one before is retired, and the oldest of many is given up. */
export function withCode(before: ReferralCodes, code: string): ReferralCodes {
  const retired = [before.code, ...before.retired].filter((one) => one !== code)
  return { ...before, code, retired: retired.slice(0, limits.referralCodesRetiredMax) }
}
