// How a standby begins: with a copy of all data of the leader.
import type { Clock } from '../../base/clock.ts'
import { pause } from '../../base/timeout.ts'
import type { SnapshotFile } from '../../domain/standby/protocol.ts'
import type { LeaderLink } from './leader-link.ts'

export interface CopyLeaderDeps {
  readonly clock: Clock
  readonly link: LeaderLink
  /** Puts a snapshot in the place of the copy. */
  readonly replace: (file: SnapshotFile, pieces: AsyncIterable<Buffer>) => Promise<void>
  /** Called with every answer to the question for a snapshot. */
  readonly onAnswer?: () => void
  readonly signal: AbortSignal
}

const askEveryMs = 1_000

/** Waits until the leader has made a snapshot, and begins with it. Rejects as the link does. */
export async function copyLeader(deps: CopyLeaderDeps): Promise<void> {
  const { clock, link, replace, onAnswer, signal } = deps
  for (;;) {
    const snapshot = await link.snapshot(signal)
    onAnswer?.()
    if (snapshot.state === 'ready') {
      return replace(snapshot.file, link.pieces(snapshot.file, signal))
    }
    await pause(clock, askEveryMs, signal)
  }
}
