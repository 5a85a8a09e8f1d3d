// Identity verifications by [user, verification], and apart from them what the people submitted.
import type { UserId, VerificationId } from '../../../base/ids.ts'
import type { KycState, Verification } from '../../../domain/identity-verification/kyc.ts'
import type { Env } from '../../engine/env.ts'
import { openTable, type RangeOptions } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** What a person submitted, sealed. Forgotten by itself: the case outlives it. */
export interface SealedFields {
  /** The master key that wraps the data key. */
  readonly keyId: string
  readonly wrappedKey: Uint8Array
  readonly content: Uint8Array
}

export type VerificationsTable = ReturnType<typeof openVerifications>

type Place = Pick<Verification, 'userId' | 'id'>
/** And the master key that wraps the data key of what is kept there. */
export type WrappedPlace = Place & Pick<SealedFields, 'keyId'>
type Owner = { readonly userId: UserId }

// Sorts after every id.
const beyond = '\uffff'

export function openVerifications(env: Env) {
  const cases = openTable<Verification>(env, { name: 'verifications', version: 1 })
  const owners = openTable<Owner>(env, { name: 'verificationOwners', version: 1 })
  const byState = openTable<Owner>(env, { name: 'verificationsByState', version: 1 })
  // Those that the provider is still to be told of, by when the next attempt is due.
  const byDue = openTable<Owner>(env, { name: 'verificationsByDue', version: 1 })
  // Those that were decided and of which something is held, by when that was.
  const byDecision = openTable<Owner>(env, { name: 'verificationsByDecision', version: 1 })
  const sealed = openTable<SealedFields>(env, { name: 'verificationFields', version: 1 })
  const byKey = openTable<1>(env, { name: 'verificationFieldsByKey', version: 1 })

  const get = (userId: UserId, id: VerificationId) => cases.get([userId, id])

  /** The cases that an index names with its last part. */
  const casesOf = (index: typeof byState, range: RangeOptions): Verification[] =>
    index
      .entries(range)
      .flatMap(({ key, record }) => cases.get([record.userId, String(key.at(-1))]) ?? [])

  function dropIndexes(tx: Tx, { id, state, sending, decidedAtMs }: Verification): void {
    byState.remove(tx, [state, id])
    if (sending?.dueAtMs != null) byDue.remove(tx, [sending.dueAtMs, id])
    if (decidedAtMs !== null) byDecision.remove(tx, [decidedAtMs, id])
  }

  function putIndexes(tx: Tx, verification: Verification): void {
    const { id, userId, state, sending, decidedAtMs, erasedAtMs } = verification
    byState.put(tx, [state, id], { userId })
    if (sending?.dueAtMs != null) byDue.put(tx, [sending.dueAtMs, id], { userId })
    if (decidedAtMs !== null && erasedAtMs === null) {
      byDecision.put(tx, [decidedAtMs, id], { userId })
    }
  }

  function removeFields(tx: Tx, { userId, id }: Place): void {
    const before = sealed.get([userId, id])
    if (before) byKey.remove(tx, [before.keyId, userId, id])
    sealed.remove(tx, [userId, id])
  }

  return {
    get,

    /** The case of an id alone, as a provider names it. */
    find(id: VerificationId): Verification | undefined {
      const owner = owners.get([id])
      return owner && get(owner.userId, id)
    },

    /** Newest first. */
    listOfUser: (userId: UserId, limit: number): Verification[] =>
      cases.range({ prefix: [userId], reverse: true, limit }),

    /** Of everybody, newest first; `after` is the last id of the page before. */
    list({ state, limit, after }: ListOptions): Verification[] {
      if (state === undefined) {
        const range = { prefix: [], reverse: true, limit, ...(after ? { after: [after] } : {}) }
        return casesOf(owners, range)
      }
      const range = { prefix: [state], reverse: true, limit }
      return casesOf(byState, { ...range, ...(after ? { after: [state, after] } : {}) })
    },

    /** In one state, oldest first. */
    oldest: (state: KycState, limit: number): Verification[] =>
      casesOf(byState, { prefix: [state], limit }),

    /** Those decided of which something is held, longest ago first. */
    longestHeld: (limit: number): Verification[] => casesOf(byDecision, { prefix: [], limit }),

    /** Those the provider is to be told of, the next due first. */
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

    fields: ({ userId, id }: Place) => sealed.get([userId, id]),

    putFields(tx: Tx, place: Place, fields: SealedFields): void {
      removeFields(tx, place)
      byKey.put(tx, [fields.keyId, place.userId, place.id], 1)
      sealed.put(tx, [place.userId, place.id], fields)
    },

    removeFields,

    /** Places whose fields are wrapped by another master key than this one, in slices. */
    wrappedByOthers(keyId: string, limit: number, after?: WrappedPlace): WrappedPlace[] {
      const last = after && [after.keyId, after.userId, after.id]
      const lower = byKey
        .keys({ prefix: [], limit, ...(last ? { after: last } : {}) })
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
