// A standby: applies what its leader has on disk, until it is promoted or the process ends.
import { StartFailure } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import { pause } from '../../base/timeout.ts'
import type { LogSeal } from '../../seal/log-seal.ts'
import { ForeignRedo, type Replica } from '../../store/engine/replica.ts'
import { type CopyLeaderDeps, copyLeader } from './copy-leader.ts'
import { whatEnds } from './what-ends.ts'

export interface FollowDeps extends Omit<CopyLeaderDeps, 'onAnswer'> {
  readonly log: Log
  readonly seal: LogSeal
  /** The copy as it is now; another one after a snapshot. */
  readonly replica: () => Replica
  /** Throws StartFailure if the data that is here must stay. */
  readonly mustBeReplaceable: () => void
  /** The copy has what the leader sent. */
  readonly onApplied: () => Promise<void>
}

export interface FollowState {
  /** When the leader answered last; null: not yet. */
  readonly heardAtMs: number | null
  /** Why it does not answer; null: it does. */
  readonly failure: string | null
  /** It has had everything of the leader since this process began. */
  readonly hasAll: boolean
}

const pauseMsMin = 500
const pauseMsMax = 10_000

/** Runs until the signal. Throws StartFailure if only a person can help. */
export async function follow(
  { clock, log, link, seal, replica, mustBeReplaceable, replace, onApplied, signal }: FollowDeps,
  onState: (state: FollowState) => void,
): Promise<void> {
  let state: FollowState = { heardAtMs: null, failure: null, hasAll: false }
  let pauseMs = pauseMsMin

  function note(changes: Partial<FollowState>): void {
    const before = state
    state = { ...state, ...changes }
    if (state.failure !== before.failure) {
      if (state.failure === null) log.info('the leader answers', { leader: link.url })
      else log.warn('the leader does not answer', { leader: link.url, reason: state.failure })
    }
    if (state.hasAll && !before.hasAll)
      log.info('this standby has everything', { leader: link.url })
    onState(state)
  }

  async function takeSnapshot(): Promise<void> {
    mustBeReplaceable()
    note({ hasAll: false })
    log.info('this standby begins with a copy of all data', { leader: link.url })
    const onAnswer = () => note({ heardAtMs: clock.nowMs(), failure: null })
    await copyLeader({ clock, link, replace, onAnswer, signal })
  }

  /** Returns whether the copy follows from what it had. */
  async function step(): Promise<boolean> {
    const copy = replica()
    const records = await link.records(copy.position(), state.hasAll, signal)
    if (!records) return false
    note({ heardAtMs: clock.nowMs(), failure: null, hasAll: records.length === 0 || state.hasAll })
    try {
      const received = records.map(({ sequence, sealed }) => ({
        sequence,
        bytes: seal.open(sealed),
      }))
      await copy.apply(received)
      await onApplied()
      return true
    } catch (error) {
      if (!(error instanceof ForeignRedo)) throw whatEnds(error, link.url)
      log.warn('what the leader sends does not follow what this standby has', {
        reason: error.message,
      })
      return false
    }
  }

  while (!signal.aborted) {
    try {
      if (!(await step())) await takeSnapshot()
      pauseMs = pauseMsMin
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof StartFailure) throw error
      note({ failure: errorText(error) })
      await pause(clock, pauseMs, signal)
      pauseMs = Math.min(2 * pauseMs, pauseMsMax)
    }
  }
}
