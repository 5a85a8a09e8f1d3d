// A standby: applies what its leader has on disk, until it is promoted or the process ends.
import type { Clock } from '../../base/clock.ts'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import type { SnapshotFile } from '../../domain/standby/protocol.ts'
import { SealBroken } from '../../seal/box.ts'
import type { LogSeal } from '../../seal/log-seal.ts'
import { UnknownRedo } from '../../store/engine/redo.ts'
import { ForeignRedo, type Replica } from '../../store/engine/replica.ts'
import type { LeaderLink } from './leader-link.ts'

export interface FollowDeps {
  readonly clock: Clock
  readonly log: Log
  readonly link: LeaderLink
  readonly seal: LogSeal
  /** The copy as it is now; another one after a snapshot. */
  readonly replica: () => Replica
  /** Throws StartFailure if the data that is here must stay. */
  readonly mustBeReplaceable: () => void
  /** Puts a snapshot in the place of the copy. */
  readonly replace: (file: SnapshotFile, pieces: AsyncIterable<Buffer>) => Promise<void>
  /** The copy has what the leader sent. */
  readonly onApplied: () => Promise<void>
  readonly signal: AbortSignal
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
const snapshotPollMs = 1_000

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

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clock.clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = clock.setTimeout(done, ms)
      signal.addEventListener('abort', done)
    })

  async function takeSnapshot(): Promise<void> {
    mustBeReplaceable()
    note({ hasAll: false })
    log.info('this standby begins with a copy of all data', { leader: link.url })
    for (;;) {
      const snapshot = await link.snapshot(signal)
      note({ heardAtMs: clock.nowMs(), failure: null })
      if (snapshot.state === 'ready') {
        await replace(snapshot.file, link.pieces(snapshot.file, signal))
        return
      }
      await pause(snapshotPollMs)
    }
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
      await pause(pauseMs)
      pauseMs = Math.min(2 * pauseMs, pauseMsMax)
    }
  }
}

/** Why a copy cannot go on by itself. `url`: whose records these are. */
export function whatEnds(error: unknown, url: string): StartFailure {
  const options = { cause: error }
  if (error instanceof SealBroken) {
    const hint = 'Copy its master key file to this machine (data.masterKeyFile).'
    return new StartFailure(exitCodes.config, `${url} has another master key`, { ...options, hint })
  }
  if (error instanceof UnknownRedo) {
    const hint = 'Upgrade this machine: a standby is upgraded before its leader.'
    return new StartFailure(exitCodes.config, `${url} is newer than this standby`, {
      ...options,
      hint,
    })
  }
  return new StartFailure(exitCodes.io, `the copy cannot be written: ${errorText(error)}`, options)
}
