// Sends a file while it is made: a part is made once the reader has taken the one before.
import type { OpenLine } from '../edge/stream.ts'

export interface Poured {
  readonly parts: AsyncIterable<Uint8Array>
  /** Called once no part is wanted any more, also after the last one. */
  readonly close: () => void
  /** Whether the reader still has a right to the rest. */
  readonly mayGoOn: () => boolean
}

/** A reader that takes nothing for so long is disconnected. */
export const pourStallMsMax = 60_000

/**
 * Resolves once the file is sent, or its reader has left. A file that does not become whole ends with its
 * connection, so that no reader takes a part for all of it. Rejects if a part cannot be made.
 */
export async function pour(line: OpenLine, { parts, close, mayGoOn }: Poured): Promise<void> {
  let hasLeft = false
  line.onClosed(() => {
    hasLeft = true
  })
  try {
    if (hasLeft) return
    for await (const part of parts) {
      if (hasLeft || !mayGoOn()) return
      line.writeBytes(part)
      if (!(await line.taken(pourStallMsMax))) return
    }
    line.close()
  } finally {
    line.cut()
    close()
  }
}
