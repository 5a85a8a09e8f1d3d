// How far a thread is with a file: it counts in memory that the daemon reads whenever somebody asks.

/** How much is done of something; both are bytes of all passes over the file. */
export interface BytesDone {
  readonly doneBytes: number
  readonly totalBytes: number
}

/** A backup is walked through, packed, unpacked, and walked through again. */
export const backupPasses = 4

const unitBytes = 4_096
const countBytes = Int32Array.BYTES_PER_ELEMENT

/** `memory` is that of the one who reads. */
export function createByteCount(
  { passBytes, passes }: { readonly passBytes: number; readonly passes: number },
  memory = new SharedArrayBuffer(countBytes),
) {
  const done = new Int32Array(memory)
  const passUnits = Math.ceil(passBytes / unitBytes)
  let pass = -1
  let seenBytes = 0
  return {
    memory,
    /** The next pass begins, however much of the one before was read. */
    next(): void {
      pass = Math.min(passes - 1, pass + 1)
      seenBytes = 0
      Atomics.store(done, 0, pass * passUnits)
    },
    add(bytes: number): void {
      seenBytes += bytes
      const units = Math.min(passUnits, Math.floor(seenBytes / unitBytes))
      Atomics.store(done, 0, Math.max(0, pass) * passUnits + units)
    },
    read: (): BytesDone => ({
      doneBytes: Atomics.load(done, 0) * unitBytes,
      totalBytes: passes * passUnits * unitBytes,
    }),
  }
}
