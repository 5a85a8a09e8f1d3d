// Sends a file while it is made: a part is made once the reader has taken the one before.
import type { Clock } from '../../base/clock.ts'
import type { OpenLine } from '../edge/stream.ts'

export interface Poured {
  readonly parts: AsyncIterable<Uint8Array>
  /** Called once no part is wanted any more, also after the last one. */
  readonly close: () => void
  /** Whether the reader still has a right to the rest. */
  readonly mayGoOn: () => boolean
}

/**
 * A reader that takes nothing for so long is disconnected, and one that takes less than the least speed for so long: few
 * files are made at the same time.
 */
export const pourStallMsMax = 60_000
export const pourBytesPerSecondLeast = 16 * 1024

/**
 * Resolves once the file is sent, or its reader has left. A file that does not become whole ends with its
 * connection, so that no reader takes a part for all of it. Rejects if a part cannot be made.
 */
export async function pour(
  line: OpenLine,
  { parts, close, mayGoOn }: Poured,
  clock: Pick<Clock, 'monoMs'>,
): Promise<void> {
  const keepsUp = createPace(line, clock)
  let hasLeft = false
  line.onClosed(() => {
    hasLeft = true
  })
  try {
    if (hasLeft) return
    for await (const part of parts) {
      if (hasLeft || !mayGoOn()) return
      line.writeBytes(part)
      if (!(await keepsUp(part.length))) return
    }
    line.close()
  } finally {
    line.cut()
    close()
  }
}

/** Resolves to whether the reader has taken a part, and is not too slow. Only the time counts that it is waited for. */
function createPace(line: OpenLine, clock: Pick<Clock, 'monoMs'>) {
  let waitedMs = 0
  let takenBytes = 0
  return async (bytes: number): Promise<boolean> => {
    const fromMs = clock.monoMs()
    const partMs = (bytes / pourBytesPerSecondLeast) * 1_000
    if (!(await line.taken(Math.max(pourStallMsMax, partMs)))) return false
    waitedMs += clock.monoMs() - fromMs
    takenBytes += bytes
    if (waitedMs < pourStallMsMax) return true
    const isFastEnough = takenBytes >= (waitedMs / 1_000) * pourBytesPerSecondLeast
    waitedMs = 0
    takenBytes = 0
    return isFastEnough
  }
}
