// The time in which a member leads: it renews the lease, and appends for as long as that lasts.
import type { RunningClock } from '../../base/clock.ts'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import { pause } from '../../base/timeout.ts'
import type { Lease } from '../../cluster/lease.ts'
import { LogRefused, type ReplicatedLog } from '../../cluster/log.ts'
import type { LogSeal } from '../../seal/log-seal.ts'
import type { RedoLog } from '../../store/engine/redo.ts'
import { recordId } from './followed-log.ts'
import type { MemberWord } from './member-word.ts'

export interface TermDeps {
  readonly clock: RunningClock
  readonly log: Log
  /** Ends the process. */
  readonly fail: (failure: StartFailure) => void
  readonly lease: Lease
  readonly leaseMs: number
  readonly replicated: ReplicatedLog
  readonly seal: LogSeal
  readonly epoch: number
  readonly word: () => MemberWord
  /** Called with the sequence of each record that the log has. */
  readonly onRecord: (sequence: number) => void
}

export type Term = ReturnType<typeof beginTerm>

/** A jump of time by which a lease may be over that looks valid. */
const jumpMsMax = 5_000
const slowStartHint =
  'It had not started yet: if that takes longer than the lease, raise cluster.leaseSeconds.'
/** What sealing adds to a record. */
const sealBytes = 28

/** `deps.lease` is held. */
export function beginTerm(deps: TermDeps) {
  const { clock, log, fail, lease, leaseMs, replicated, seal, epoch, word, onRecord } = deps
  const over = new AbortController()
  let isGivenBack = false
  let isStarting = true
  let expiry: unknown

  function end(reason: string): void {
    if (over.signal.aborted) return
    over.abort(new Error(reason))
    clock.clearTimeout(expiry)
    if (isGivenBack) return
    fail(leadsNoMore(reason, isStarting ? { hint: slowStartHint } : {}))
  }

  function expectRenewal(): void {
    clock.clearTimeout(expiry)
    expiry = clock.setTimeout(() => {
      if (lease.msLeft() === 0) end('its lease is over')
      else expectRenewal()
    }, lease.msLeft())
  }

  async function renew(): Promise<void> {
    while (!over.signal.aborted) {
      await pause(clock, leaseMs / 3, over.signal)
      if (over.signal.aborted) return
      const isKept = await lease
        .renew(over.signal, JSON.stringify(word()))
        .catch((error: unknown) => {
          log.warn('the lease could not be renewed', { reason: errorText(error) })
          return false
        })
      if (isKept) expectRenewal()
      else end('its lease is over, or somebody else’s')
    }
  }

  clock.onJump(({ kind, deltaMs }) => {
    if (kind !== 'setBack' && deltaMs > jumpMsMax && lease.msLeft() === 0) end('it stood still')
  })
  expectRenewal()
  void renew()

  const redoLog: RedoLog = {
    keepsNewest: true,
    sequenceAfter: (after, bytes) => after + replicated.partsOf(bytes + sealBytes),
    async append({ after, sequence, bytes }) {
      const record = { after, bytes: seal.seal(bytes), id: recordId(epoch, sequence) }
      try {
        await replicated.append(record, over.signal)
      } catch (error) {
        const isFenced = error instanceof LogRefused
        const reason = isFenced ? 'another member leads' : 'the log does not answer'
        throw leadsNoMore(reason, { cause: error })
      }
      onRecord(sequence)
    },
  }

  return {
    redoLog,
    /** The daemon runs: nothing of its start delays the lease any more. */
    hasStarted(): void {
      isStarting = false
    },
    /** Gives the place back; after the last append. Never rejects. */
    async release(): Promise<void> {
      isGivenBack = true
      const signal = AbortSignal.timeout(Math.ceil(lease.msLeft()) + 1)
      await lease.release(signal).catch(() => {})
      end('it stops')
    },
  }
}

/** Why the process ends. */
export function leadsNoMore(
  reason: string,
  options: { readonly hint?: string; readonly cause?: unknown } = {},
): StartFailure {
  return new StartFailure(exitCodes.deposed, `this member leads no more: ${reason}`, {
    hint: 'It is started again as a standby.',
    ...options,
  })
}
