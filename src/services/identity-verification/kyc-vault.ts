// Stores the personal part of a verification, each encrypted with its own key.
import { Fault } from '../../base/fault.ts'
import type { KycContent, Verification } from '../../domain/identity-verification/kyc.ts'
import { SealBroken } from '../../seal/box.ts'
import type { Envelopes } from '../../seal/envelope.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { WrappedCase } from '../../store/tables/identity-verification/verifications.ts'

type CaseKey = Pick<Verification, 'userId' | 'id'>

export interface KycVaultDeps {
  readonly store: Store
  readonly envelopes: Envelopes
}

export type KycVault = ReturnType<typeof createKycVault>

export function createKycVault({ store, envelopes }: KycVaultDeps) {
  const { verifications } = store
  // Bound to the person and the case, so that a record cannot replace another.
  const contextOf = ({ userId, id }: CaseKey) => `kyc|v1|${userId}|${id}`

  return {
    keep(tx: Tx, place: CaseKey, content: KycContent): void {
      const envelope = envelopes.seal(contextOf(place), JSON.stringify(content))
      verifications.putFields(tx, place, envelope)
    },
    /** Undefined after erasure. Throws unavailable if it cannot be decrypted. */
    open(place: CaseKey): KycContent | undefined {
      const envelope = verifications.fields(place)
      if (!envelope) return undefined
      try {
        // `keep` wrote it and it is authentic, so it has the stored shape.
        return JSON.parse(envelopes.open(contextOf(place), envelope)) as KycContent
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error
        const detail =
          'The submitted details cannot be decrypted: erase them and submit them again.'
        throw new Fault('unavailable', detail)
      }
    },
    /** Makes it unreadable; after a change of the master key also in old copies. */
    erase: (tx: Tx, place: CaseKey) => verifications.removeFields(tx, place),
    /** Places whose data key an older master key wraps, in slices. */
    wrappedByOlder: (limit: number, after?: WrappedCase): readonly WrappedCase[] =>
      verifications.wrappedByOthers(envelopes.newestKeyId, limit, after),
    /** Wraps the data key with the newest master key; `lost` if no master key opens it. */
    rewrap(tx: Tx, place: CaseKey): 'rewrapped' | 'lost' | 'current' {
      const envelope = verifications.fields(place)
      if (!envelope || envelope.keyId === envelopes.newestKeyId) return 'current'
      const rewrapped = rewrappedOrNot(envelopes, envelope)
      if (!rewrapped) return 'lost'
      verifications.putFields(tx, place, rewrapped)
      return 'rewrapped'
    },
  }
}

/** Undefined if its master key is gone: nobody can decrypt it, and it is deleted with its case. */
function rewrappedOrNot(envelopes: Envelopes, envelope: Parameters<Envelopes['rewrap']>[0]) {
  try {
    return envelopes.rewrap(envelope)
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}
