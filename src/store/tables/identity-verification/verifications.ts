// Identity verifications by [user, verification], and separately the submitted details.
import type { UserId, VerificationId } from '../../../base/ids.ts'
import type { KycState, Verification } from '../../../domain/identity-verification/kyc.ts'
import type { Env } from '../../engine/env.ts'
import type { RangeOptions } from '../../engine/ranges.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** The encrypted submission. It is deleted separately: the case outlives it. */
export interface SealedFields {
  /** The master key that wraps the data key. */
  readonly keyId: string
  readonly wrappedKey: Uint8Array
  readonly content: Uint8Array
}

type VerificationKey = Pick<Verification, 'userId' | 'id'>
/** A place, and the master key that wraps its data key. */
export type WrappedCase = VerificationKey & Pick<SealedFields, 'keyId'>
type CaseOwner = { readonly userId: UserId }

const everything = { prefix: [], limit: Number.MAX_SAFE_INTEGER }
// Sorts after every id.
const beyond = '\uffff'

export function openVerifications(env: Env) {
  const cases = openTable<Verification>(env, { name: 'verifications' })
  const owners = openTable<CaseOwner>(env, { name: 'verificationOwners' })
  const byState = openTable<CaseOwner>(env, { name: 'verificationsByState' })
  // Cases to be sent to the provider, by when the next attempt is due.
  const byDue = openTable<CaseOwner>(env, { name: 'verificationsByDue' })
  // Decided cases with stored details, by the time of the decision.
  const byDecision = openTable<CaseOwner>(env, { name: 'verificationsByDecision' })
  const sealed = openTable<SealedFields>(env, { name: 'verificationFields' })
  const byKey = openTable<1>(env, { name: 'verificationFieldsByKey' })

  const get = (userId: UserId, id: VerificationId) => cases.get([userId, id])

  /** The cases whose ids are the last part of an index's keys. */
  const casesOf = (index: typeof byState, range: RangeOptions): Verification[] =>
    index
      .entries(range)
      .flatMap(({ key, record }) => cases.readable([record.userId, String(key.at(-1))]) ?? [])

  function dropIndexes(tx: Tx, { id, state, sending, decidedAtMs }: Verification): void {
    byState.remove(tx, [state, id])
    if (sending?.dueAtMs != null) byDue.remove(tx, [sending.dueAtMs, id])
    if (decidedAtMs !== null) byDecision.remove(tx, [decidedAtMs, id])
  }

  function dropAllIndexes(tx: Tx, id: VerificationId): void {
    for (const index of [byState, byDue, byDecision]) {
      for (const key of index.keys(everything)) if (key.at(-1) === id) index.remove(tx, key)
    }
  }

  function putIndexes(tx: Tx, verification: Verification): void {
    const { id, userId, state, sending, decidedAtMs, erasedAtMs } = verification
    byState.put(tx, [state, id], { userId })
    if (sending?.dueAtMs != null) byDue.put(tx, [sending.dueAtMs, id], { userId })
    if (decidedAtMs !== null && erasedAtMs === null) {
      byDecision.put(tx, [decidedAtMs, id], { userId })
    }
  }

  function removeFields(tx: Tx, { userId, id }: VerificationKey): void {
    const before = sealed.readable([userId, id])
    const wrappedBy = before
      ? [[before.keyId, userId, id]]
      : sealed.isDamaged([userId, id])
        ? byKey.keys(everything).filter((key) => key.at(-1) === id)
        : []
    for (const key of wrappedBy) byKey.remove(tx, key)
    sealed.remove(tx, [userId, id])
  }

  return {
    get,

    /** Finds a case by its id alone, as a provider names it. */
    find(id: VerificationId): Verification | undefined {
      const owner = owners.get([id])
      return owner && get(owner.userId, id)
    },

    /** Newest first. */
    listOfUser: (userId: UserId, limit: number): Verification[] =>
      cases.range({ prefix: [userId], reverse: true, limit }),

    /** Cases of all users, newest first; `after` is the last id of the previous page. */
    list({ state, limit, after }: ListOptions): Verification[] {
      return state === undefined
        ? casesOf(owners, { prefix: [], reverse: true, limit, after })
        : casesOf(byState, { prefix: [state], reverse: true, limit, after })
    },

    /** The cases in one state, oldest first. */
    oldest: (state: KycState, limit: number): Verification[] =>
      casesOf(byState, { prefix: [state], limit }),

    /** Decided cases with stored details, oldest decision first. */
    longestHeld: (limit: number): Verification[] => casesOf(byDecision, { prefix: [], limit }),

    /** Cases to be sent to the provider, next due first. */
    owed: (limit: number): Verification[] => casesOf(byDue, { prefix: [], limit }),

    put(tx: Tx, verification: Verification): void {
      const { userId, id } = verification
      const before = get(userId, id)
      if (before) dropIndexes(tx, before)
      putIndexes(tx, verification)
      owners.put(tx, [id], { userId })
      cases.put(tx, [userId, id], verification)
    },

    remove(tx: Tx, verification: Verification): void {
      dropIndexes(tx, verification)
      removeFields(tx, verification)
      owners.remove(tx, [verification.id])
      cases.remove(tx, [verification.userId, verification.id])
    },

    /** Deletes every case of a deleted user. Of a damaged one, the state and times are unknown. */
    forgetUser(tx: Tx, userId: UserId): void {
      for (const key of cases.keys({ prefix: [userId], limit: everything.limit })) {
        const id = key[1] as VerificationId
        const verification = cases.readable(key)
        if (verification) dropIndexes(tx, verification)
        else dropAllIndexes(tx, id)
        removeFields(tx, { userId, id })
        owners.remove(tx, [id])
        cases.remove(tx, key)
      }
    },

    fields: ({ userId, id }: VerificationKey) => sealed.get([userId, id]),

    putFields(tx: Tx, place: VerificationKey, fields: SealedFields): void {
      removeFields(tx, place)
      byKey.put(tx, [fields.keyId, place.userId, place.id], 1)
      sealed.put(tx, [place.userId, place.id], fields)
    },

    removeFields,

    /** Places with fields that another master key wraps, in slices. */
    wrappedByOthers(keyId: string, limit: number, after?: WrappedCase): WrappedCase[] {
      const last = after && [after.keyId, after.userId, after.id]
      const lower = byKey
        .keys({ prefix: [], limit, after: last })
        .filter(([wrappedBy]) => String(wrappedBy) < keyId)
      const rest = limit - lower.length
      const from = last && after.keyId > keyId ? last : [keyId, beyond]
      const higher = rest > 0 ? byKey.keys({ prefix: [], after: from, limit: rest }) : []
      return [...lower, ...higher].map(([wrappedBy, userId, id]) => ({
        keyId: String(wrappedBy),
        userId: userId as UserId,
        id: id as VerificationId,
      }))
    },
  }
}

interface ListOptions {
  readonly state?: KycState | undefined
  readonly limit: number
  readonly after?: VerificationId | undefined
}
