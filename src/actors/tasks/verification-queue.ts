// The queue of identity verifications to send to the provider, each on its own.
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
import type { Choice, JobContext } from '../queue/machine.ts'
import { type Queue, runQueue } from '../queue/queue.ts'
import { createSlots } from '../queue/slots.ts'

export type VerificationQueue = Queue<VerificationId>

export interface VerificationQueueDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** A random number from 0 to 1, for the jitter of retries. */
  readonly random: () => number
  readonly send: NonNullable<KycProvider['send']>
  /** The submission. Throws Fault if it cannot be decrypted; undefined if it is gone. */
  readonly open: (verification: Verification) => KycContent | undefined
  /** Writes the provider's verdict into the record. */
  readonly conclude: (tx: Tx, verification: Verification, verdict: ProviderVerdict) => void
}

const kycSendsMax = 4

export function startVerificationQueue(deps: VerificationQueueDeps): VerificationQueue {
  const { store, clock, log } = deps
  const slots = createSlots(kycSendsMax)

  async function choose(id: VerificationId): Promise<Choice> {
    const verification = store.verifications.find(id)
    const dueAtMs = verification?.sending?.dueAtMs ?? null
    if (!verification || dueAtMs === null) return { kind: 'done' }
    if (dueAtMs > clock.nowMs()) return { kind: 'wait', untilMs: dueAtMs }
    return {
      kind: 'send',
      job: {
        async send(sending) {
          const answer = await ask(verification, sending)
          return () => store.write((tx) => record(tx, verification, answer))
        },
      },
    }
  }

  async function ask(
    verification: Verification,
    { signal, within }: JobContext,
  ): Promise<ProviderAnswer> {
    try {
      const content = deps.open(verification)
      if (!content) return { kind: 'failed', reason: 'The submitted details are gone.' }
      const { fields } = content
      return await within(slots, () => deps.send({ verification, fields }, signal))
    } catch (error) {
      if (error instanceof Fault) return { kind: 'failed', reason: error.message }
      throw error
    }
  }

  /** Records the provider's answer, unless the case was decided or erased meanwhile. */
  function record(tx: Tx, { userId, id }: Verification, answer: ProviderAnswer): void {
    const before = store.verifications.get(userId, id)
    if (!before?.sending) return
    if (answer.kind === 'answered') {
      deps.conclude(tx, before, answer.verdict)
      return
    }
    const at = { nowMs: clock.nowMs(), random: deps.random() }
    const after = afterFailedSending(before, before.sending, answer.reason, at)
    store.verifications.put(tx, after)
    if (after.sending?.dueAtMs !== null) return
    tx.afterCommit(() =>
      log.warn('the provider could not be reached: decide this case manually', {
        verificationId: id,
      }),
    )
  }

  return runQueue(
    {
      name: 'verifications',
      keyOf: (id) => id,
      recipients: () => store.verifications.owed(limits.quotaMax).map(({ id }) => id),
      choose,
      drainMs: limits.deliveryDrainMs / 2,
    },
    deps,
  )
}
