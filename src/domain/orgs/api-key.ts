// The life of an API key: what it may do, when to warn of its expiry, and when a replaced one ends.
import { type KeyRole, keyRoleUnder } from '../access.ts'
import { dayMs } from '../health/span.ts'
import { limits } from '../limits/limits.ts'
import type { ApiKey, Membership, User } from '../people/person.ts'

/** Why a key does nothing any more. */
export const keyEndings = [
  'expired',
  'maker_left',
  'maker_switched_off',
  'maker_deleted',
  'maker_unreadable',
] as const
export type KeyEnding = (typeof keyEndings)[number]

/** What is stored now about the person who answers for a key. */
export interface KeyMaker {
  readonly account: Pick<User, 'isDisabled'> | undefined
  readonly membership: Pick<Membership, 'role' | 'joinedAtMs'> | undefined
}

/** What a key may do, or why it does nothing. */
export type KeyStanding =
  | { readonly role: KeyRole; readonly ending?: undefined }
  | { readonly ending: KeyEnding; readonly role?: undefined }

/**
 * A key may do what its role allows, at most what its maker may do now. It ends with its maker; a maker
 * who comes back later brings no key back. `maker` is undefined if the records of the maker are damaged:
 * then the key may do nothing.
 */
export function keyStanding(key: ApiKey, maker: KeyMaker | undefined, nowMs: number): KeyStanding {
  if (isEnded(key, nowMs)) return { ending: 'expired' }
  if (!maker) return { ending: 'maker_unreadable' }
  const { account, membership } = maker
  if (!account) return { ending: 'maker_deleted' }
  if (!membership || membership.joinedAtMs > (key.backedSinceMs ?? key.createdAtMs)) {
    return { ending: 'maker_left' }
  }
  if (account.isDisabled) return { ending: 'maker_switched_off' }
  return { role: keyRoleUnder(membership.role, key.role) }
}

/** Letters warn this many days before a key expires. */
const keyWarningDays = [30, 7] as const

const warnings = keyWarningDays

/** When something is next due for the key; null: never. */
export function keyDueAtMs(key: ApiKey): number | null {
  const { expiresAtMs, replacedBy, warnedDays } = key
  if (expiresAtMs === null) return null
  if (replacedBy !== null) return expiresAtMs
  const next = warnings.find((days) => warnedDays === null || days < warnedDays)
  return next === undefined ? null : expiresAtMs - next * dayMs
}

/** The last warning that is due; null if all are still ahead. */
export function warnedDaysAt(expiresAtMs: number | null, nowMs: number): number | null {
  if (expiresAtMs === null) return null
  return warnings.findLast((days) => expiresAtMs - days * dayMs <= nowMs) ?? null
}

/** The number of days left, counting the current one. */
export function daysLeft(expiresAtMs: number, nowMs: number): number {
  return Math.ceil((expiresAtMs - nowMs) / dayMs)
}

export function isEnded({ expiresAtMs }: ApiKey, nowMs: number): boolean {
  return expiresAtMs !== null && nowMs >= expiresAtMs
}

/** The default expiry of a key, so that a forgotten one does not work forever. */
export function usualKeyEndMs(nowMs: number): number {
  return nowMs + limits.keyDefaultDays * dayMs
}
