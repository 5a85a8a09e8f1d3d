// Tells the provider of the cases it is owed, the next due first, until it answers or time is up.
import type { Clock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import type { VerificationId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import {
  afterFailedSending,
  type KycContent,
  type Verification,
} from '../../domain/identity-verification/kyc.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { KycProvider, ProviderAnswer, ProviderVerdict } from '../../kyc/provider.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'

export interface Cases {
  /** Something became owed and is on disk; also takes up what was owed before the last stop. */
  wake(): void
  /** Sends nothing new; resolves when what is under way is recorded, or was given up. */
  stop(): Promise<void>
}

export interface CasesDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** A random number in 0..1, for the jitter of retries. */
  readonly unit: () => number
  readonly send: NonNullable<KycProvider['send']>
  /** What was submitted. Throws Fault where it cannot be opened; undefined where it is gone. */
  readonly open: (verification: Verification) => KycContent | undefined
  /** Brings the provider's verdict into the record, in the transaction given. */
  readonly conclude: (tx: Tx, verification: Verification, verdict: ProviderVerdict) => void
}

export function createCases(deps: CasesDeps): Cases {
  const { store, clock, log } = deps
  const underWay = new Map<VerificationId, Promise<void>>()
  const stopping = new AbortController()
  let isStopping = false
  let timer: unknown

  /** Launches what is due, as far as there is room, and comes back when the next will be. */
  function look(): void {
    clock.clearTimeout(timer)
    const owed = store.verifications.owed(limits.kycSendsMax + 1)
    for (const verification of owed) {
      if (isStopping || underWay.size >= limits.kycSendsMax) return
      if (underWay.has(verification.id)) continue
      const waitMs = (verification.sending?.dueAtMs ?? 0) - clock.nowMs()
      if (waitMs > 0) {
        timer = clock.setTimeout(look, waitMs)
        return
      }
      launch(verification)
    }
  }

  function launch(verification: Verification): void {
    const { id } = verification
    const done = attempt(verification).then(
      () => leave(id),
      (error: unknown) => {
        // A bug of ours must not make a loop without a pause; the disk's failure ends the process.
        log.error('a verification could not be sent', { verificationId: id, error })
        clock.setTimeout(() => leave(id), limits.actorRestartMs)
      },
    )
    underWay.set(id, done)
  }

  function leave(id: VerificationId): void {
    underWay.delete(id)
    if (!isStopping) look()
  }

  async function attempt(verification: Verification): Promise<void> {
    const answer = await ask(verification)
    // Cut off by the stop: nothing is known, so the next start sends it again under the same id.
    if (stopping.signal.aborted) return
    await store.write((tx) => record(tx, verification, answer))
  }

  async function ask(verification: Verification): Promise<ProviderAnswer> {
    try {
      const content = deps.open(verification)
      if (!content) return { kind: 'failed', reason: 'The submitted details are gone.' }
      const one = { verification, fields: content.fields }
      return await deps.send(one, stopping.signal)
    } catch (error) {
      if (error instanceof Fault) return { kind: 'failed', reason: error.message }
      throw error
    }
  }

  /** The case may have been decided or erased while the provider was asked. */
  function record(tx: Tx, { userId, id }: Verification, answer: ProviderAnswer): void {
    const before = store.verifications.get(userId, id)
    if (!before?.sending) return
    if (answer.kind === 'answered') {
      deps.conclude(tx, before, answer.verdict)
      return
    }
    const at = { nowMs: clock.nowMs(), unit: deps.unit() }
    const after = afterFailedSending(before, before.sending, answer.reason, at)
    store.verifications.put(tx, after)
    if (after.sending?.dueAtMs === null) {
      log.warn('the provider could not be reached: decide this case manually', {
        verificationId: id,
      })
    }
  }

  return {
    wake() {
      if (!isStopping) look()
    },
    async stop() {
      isStopping = true
      clock.clearTimeout(timer)
      const deadline = clock.setTimeout(() => stopping.abort(), limits.deliveryDrainMs / 2)
      await Promise.all(underWay.values())
      clock.clearTimeout(deadline)
    },
  }
}
