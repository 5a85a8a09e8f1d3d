// Referrals: a code to share, its sign-ups, and whether they became active.
import { randomInt } from 'node:crypto'
import { Fault, invalidField } from '../../base/fault.ts'
import type { UserId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import { countedMailbox, type User } from '../../domain/people/person.ts'
import {
  codeProblem,
  firstCode,
  normalizedCode,
  ownerOfFirstCode,
  type Referral,
  type ReferralStatus,
  withCode,
} from '../../domain/people/referral.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { OpenReferral } from '../../store/tables/people/referrals.ts'
import type { SignedInCaller } from '../context.ts'
import type { Core } from '../core.ts'

export interface ReferralCode {
  readonly code: string
  /** The link to share: the base address with the code in `ref`. */
  readonly url: string
}

export interface ReferralOverview extends ReferralCode {
  readonly counts: Readonly<Record<ReferralStatus, number>>
  /** Newest first. The identities of the referred people are not shown. */
  readonly referrals: readonly { readonly joinedAtMs: number; readonly status: ReferralStatus }[]
}

const codeAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

export type Referrals = ReturnType<typeof createReferrals>

export function createReferrals(core: Core) {
  const { store, clock, baseUrl } = core
  const codeOf = (userId: UserId) => store.referrals.codesOf(userId)?.code ?? firstCode(userId)
  const toPassOn = (code: string): ReferralCode => ({ code, url: `${baseUrl}/?ref=${code}` })

  function statusOf({ activatedAtMs, userId }: Referral): ReferralStatus {
    return activatedAtMs !== null || hasChecked(store, userId) ? 'active' : 'registered'
  }

  /** The current owner of the code. */
  function referrerBy(code: string): User | undefined {
    const userId = store.referrals.ownerOf(code) ?? ownerOfFirstCode(code)
    const user = userId && store.users.get(userId)
    return user && !user.isDisabled && codeOf(user.id) === code ? user : undefined
  }

  return {
    of({ principal: { userId } }: SignedInCaller): ReferralOverview {
      const referrals = store.referrals
        .list(userId)
        .map((referral) => ({ joinedAtMs: referral.joinedAtMs, status: statusOf(referral) }))
      const active = referrals.filter(({ status }) => status === 'active').length
      const counts = { registered: referrals.length - active, active }
      return { ...toPassOn(codeOf(userId)), counts, referrals }
    },

    /** The previous one stops working. Throws validation_failed, conflict for a taken code. */
    changeCode: createChangeCode(core, toPassOn),

    /** Counts a new user once. Throws validation_failed at /referralCode. */
    note(tx: Tx, user: User, typed: string): void {
      const referrer = referrerBy(normalizedCode(typed))
      if (!referrer) throw invalidField('/referralCode', 'unknown', 'is not a known referral code')
      const isSelf = countedMailbox(referrer.email) === countedMailbox(user.email)
      if (isSelf || referrer.id === user.id) {
        throw invalidField('/referralCode', 'own', 'must not be your own code')
      }
      if (store.referrals.hasReferrer(user.id)) return
      // Beyond this number, new users can register but are no longer counted.
      if (store.referrals.count(referrer.id) >= limits.referralsPerUserMax) return
      store.referrals.put(tx, {
        referrerId: referrer.id,
        userId: user.id,
        joinedAtMs: clock.nowMs(),
        activatedAtMs: null,
      })
    },

    /** Continues after the previous call; resolves with how many of `limit` became active. */
    settle: createSettle(core),
  }
}

function createChangeCode({ store, audit }: Core, toPassOn: (code: string) => ReferralCode) {
  function wanted(userId: UserId, code: string): string {
    const owner = store.referrals.ownerOf(code)
    if (owner === undefined || owner === userId) return code
    throw new Fault('conflict', 'This code is taken; choose another one.')
  }

  function fresh(): string {
    for (;;) {
      const code = randomCode()
      if (codeProblem(code) === null && store.referrals.ownerOf(code) === undefined) return code
    }
  }

  return async (
    caller: SignedInCaller,
    { code: typed }: { readonly code?: string | undefined },
  ): Promise<ReferralCode> => {
    const { userId } = caller.principal
    const chosen = typed === undefined ? undefined : normalizedCode(typed)
    const problem = chosen === undefined ? null : codeProblem(chosen)
    if (problem) throw invalidField('/code', problem.keyword, problem.message)
    return store.write((tx) => {
      // The account may have been deleted after the request was authenticated.
      if (!store.users.get(userId)) throw new Fault('unauthenticated')
      const before = store.referrals.codesOf(userId)
      const code = chosen === undefined ? fresh() : wanted(userId, chosen)
      if (before?.code === code) return toPassOn(code)
      store.referrals.putCodes(tx, before ? withCode(before, code) : { userId, code, retired: [] })
      audit.noteIn(tx, 'system', caller, { action: 'referral_code.changed', objectId: userId })
      return toPassOn(code)
    })
  }
}

function createSettle({ store, clock }: Core) {
  // In memory: after a restart it starts over, which only costs reads.
  let after: OpenReferral | undefined

  return async (limit: number): Promise<number> => {
    const slice = store.referrals.openSlice(limit, after)
    after = slice.length < limit ? undefined : slice.at(-1)
    const due = slice.filter(({ userId }) => hasChecked(store, userId))
    if (due.length === 0) return 0
    return store.write((tx) => {
      const activatedAtMs = clock.nowMs()
      const found = due.flatMap((one) => store.referrals.get(one) ?? [])
      for (const referral of found) store.referrals.put(tx, { ...referral, activatedAtMs })
      return found.length
    })
  }
}

/** Monitors of an organization that are examined for a first check. */
const referralMonitorsMax = 20

/** Whether an organization that the person owns has run a check. */
function hasChecked(store: Store, userId: UserId): boolean {
  const memberships = store.memberships.listOfUser(userId, limits.organizationsPerUserMax)
  return memberships
    .filter(({ role }) => role === 'owner')
    .some(({ orgId }) =>
      store.monitorStates
        .slice(orgId, referralMonitorsMax)
        .some(({ monitorState }) => monitorState.lastAtMs !== null),
    )
}

/** The length of a generated code. */
const referralCodeCharsNew = 10

function randomCode(): string {
  const chars = Array.from({ length: referralCodeCharsNew }, () =>
    codeAlphabet.charAt(randomInt(codeAlphabet.length)),
  )
  return chars.join('')
}
