// A response that is written in parts: without an end, such as live events, or a file that is made while
// it is sent. It is cut if its reader is too slow.
import type { HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../base/clock.ts'

/**
 * The open response to a reader. Every method may be called at any time; after the end it does
 * nothing.
 */
export interface OpenLine {
  write(text: string): void
  /**
   * Writes the text at once if nothing was written for a while, else together with texts that follow
   * within streamGatherMs. Each write wakes the reader, and costs far more than its bytes.
   */
  writeSoon(text: string): void
  /** The bytes of a file; the next ones follow once these are `taken`. */
  writeBytes(bytes: Uint8Array): void
  /** Resolves to whether the reader has taken what was written, within a time. */
  taken(msMax: number): Promise<boolean>
  /** Ends the response properly. */
  close(): void
  /** Ends the connection: the reader learns that something is missing. */
  cut(): void
  /** Called once, however the line ended. */
  onClosed(listener: () => void): void
}

/** The line of a HEAD request, which has no body. */
export const closedLine: OpenLine = {
  write() {},
  writeSoon() {},
  writeBytes() {},
  taken: async () => false,
  close() {},
  cut() {},
  onClosed: (listener) => listener(),
}

/** The unsent bytes at which a client that does not read is disconnected. */
export const streamBufferBytesMax = 256 * 1024
/** How long an event may wait for others, so that many are sent as one. */
export const streamGatherMs = 100

/** Opens the line after the head was written. `signal` is aborted when the reader disconnects. */
export function openLine(
  res: HttpResponse,
  signal: AbortSignal,
  clock: Pick<Clock, 'monoMs' | 'setTimeout' | 'clearTimeout'>,
  bytesMax: number = streamBufferBytesMax,
): OpenLine {
  const listeners: (() => void)[] = []
  const takers = new Set<(isTaken: boolean) => void>()
  let waiting: string[] = []
  let waitingBytes = 0
  let isStalled = false
  let isOpen = true
  let gathered = ''
  let gathering: unknown
  let writtenMonoMs = Number.NEGATIVE_INFINITY

  function closed(): void {
    if (!isOpen) return
    isOpen = false
    waiting = []
    clock.clearTimeout(gathering)
    gathered = ''
    for (const taker of takers) taker(false)
    for (const listener of listeners.splice(0)) listener()
  }

  /** Returns false if the reader is too slow, so that uWebSockets.js had to buffer the part. */
  function put(part: string | Uint8Array): void {
    res.cork(() => {
      isStalled = !res.write(part)
    })
  }

  signal.addEventListener('abort', closed, { once: true })
  res.onWritable(() => {
    isStalled = false
    const texts = waiting
    waiting = []
    waitingBytes = 0
    if (isOpen && texts.length > 0) put(texts.join(''))
    if (!isStalled) for (const taker of takers) taker(true)
    return true
  })

  function write(text: string): void {
    if (!isOpen) return
    if (!isStalled) {
      put(text)
      return
    }
    waiting.push(text)
    waitingBytes += Buffer.byteLength(text)
    if (waitingBytes <= bytesMax) return
    // The reader can reconnect and name the last event it got. Keeping the connection would only
    // cost memory.
    closed()
    res.close()
  }

  function writeGathered(): void {
    const text = gathered
    gathered = ''
    gathering = undefined
    writtenMonoMs = clock.monoMs()
    if (text !== '') write(text)
  }

  return {
    write(text) {
      // In order.
      if (gathered !== '') gathered += text
      else write(text)
    },
    writeSoon(text) {
      if (!isOpen) return
      gathered += text
      if (gathering !== undefined) return
      const waitMs = writtenMonoMs + streamGatherMs - clock.monoMs()
      if (waitMs <= 0) writeGathered()
      else gathering = clock.setTimeout(writeGathered, waitMs)
    },
    writeBytes(bytes) {
      if (isOpen) put(bytes)
    },
    taken(msMax) {
      if (!isOpen || !isStalled) return Promise.resolve(isOpen)
      return new Promise((resolve) => {
        const settle = (isTaken: boolean) => {
          takers.delete(settle)
          clock.clearTimeout(timer)
          resolve(isTaken)
        }
        const timer = clock.setTimeout(() => settle(false), msMax)
        takers.add(settle)
      })
    },
    cut() {
      if (!isOpen) return
      closed()
      res.close()
    },
    close() {
      if (!isOpen) return
      writeGathered()
      closed()
      res.cork(() => res.end())
    },
    onClosed(listener) {
      if (isOpen) listeners.push(listener)
      else listener()
    },
  }
}
