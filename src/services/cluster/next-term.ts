// The way of a member to the lead: it follows the log until it has the lease, and everything that the log has.
import { randomUUID } from 'node:crypto'
import { StartFailure } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import { pause } from '../../base/timeout.ts'
import type { Lease } from '../../cluster/lease.ts'
import { LogGap } from '../../cluster/log.ts'
import { ForeignRedo } from '../../store/engine/replica.ts'
import { applyUntil, type FollowedLog } from './followed-log.ts'
import type { MemberWord } from './member-word.ts'

export interface NextTerm extends FollowedLog {
  readonly lease: Lease
  readonly word: () => MemberWord
  readonly log: Log
  readonly version: string
  readonly stopping: AbortSignal
}

/** How long nobody leads after a lease has ended, at most. */
const takeEveryMs = 500

/**
 * Follows; resolves with true once it leads, and with false if it must look where it is. Throws StartFailure if only
 * a person can help, and the reason of `stopping`.
 */
export async function nextTerm(term: NextTerm): Promise<boolean> {
  const { copy, replicated, lease, log, stopping } = term
  const following = new AbortController()
  const signal = AbortSignal.any([stopping, following.signal])
  const applied = follow(term, signal)
  const isForeign = applied.then((isWhole) => !isWhole)
  void isForeign.then(
    (foreign) => foreign && following.abort(),
    () => following.abort(),
  )
  try {
    await takeLease(term, signal)
  } catch (error) {
    if (stopping.aborted) throw stopping.reason
    if (await isForeign) return false
    throw error
  }
  following.abort()
  const held = AbortSignal.any([stopping, AbortSignal.timeout(Math.ceil(lease.msLeft()))])
  try {
    if (await isForeign) {
      await lease.release(held)
      return false
    }
    const last = await replicated.last(held)
    await applyUntil(term, last, held)
    if (!canLead(term)) {
      await lease.release(held)
      return false
    }
    term.clock.notBefore(copy.replica().newestAtMs())
    const mark = copy.replica().mark(term.clock.nowMs())
    const sealed = term.seal.seal(mark.bytes)
    const sequence = await replicated.append({ after: last, bytes: sealed, id: randomUUID() }, held)
    await copy.replica().apply([{ sequence, bytes: mark.bytes }])
    await copy.become('member', null)
    return true
  } catch (error) {
    stopping.throwIfAborted()
    if (error instanceof StartFailure) {
      // Another member may lead at once.
      await lease.release(held).catch(() => {})
      throw error
    }
    log.warn('this member could not begin to lead', { reason: errorText(error) })
    await lease.release(stopping)
    return false
  }
}

/** Applies what comes until the signal; resolves with false if it does not follow from what is here. */
async function follow(term: NextTerm, signal: AbortSignal): Promise<boolean> {
  try {
    await applyUntil(term, Number.POSITIVE_INFINITY, signal)
    return true
  } catch (error) {
    if (signal.aborted) return true
    if (!(error instanceof ForeignRedo || error instanceof LogGap)) throw error
    term.log.warn('the log does not follow what this member has', { reason: error.message })
    return false
  }
}

/** Resolves once it has the lease; rejects with the signal. */
async function takeLease(term: NextTerm, signal: AbortSignal): Promise<void> {
  const { lease, word, clock } = term
  let isTold = false
  for (;;) {
    signal.throwIfAborted()
    const mayLead = canLead(term, isTold)
    isTold ||= !mayLead
    if (mayLead && (await lease.take(JSON.stringify({ ...word(), role: 'leader' }), signal))) return
    await pause(clock, takeEveryMs, signal)
  }
}

/** Whether this program can read the data, which a newer one may have written. */
function canLead({ copy, log, version }: NextTerm, isTold = false): boolean {
  const unreadable = copy.whyUnreadable(version)
  if (unreadable && !isTold) {
    log.warn('this member cannot lead: upgrade it', { reason: unreadable.message })
  }
  return !unreadable
}
