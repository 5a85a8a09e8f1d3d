// A response without an end, such as live events: written in parts, and cut if its reader is too
// slow.
import type { HttpResponse } from 'uWebSockets.js'
import { limits } from '../../domain/limits/limits.ts'

/**
 * The open response to a reader. Every method may be called at any time; after the end it does
 * nothing.
 */
export interface OpenLine {
  write(text: string): void
  /** Ends the response properly. */
  close(): void
  /** Called once, however the line ended. */
  onClosed(listener: () => void): void
}

/** The line of a HEAD request, which has no body. */
export const closedLine: OpenLine = {
  write() {},
  close() {},
  onClosed: (listener) => listener(),
}

/** Opens the line after the head was written. `signal` is aborted when the reader disconnects. */
export function openLine(
  res: HttpResponse,
  signal: AbortSignal,
  bytesMax: number = limits.streamBufferBytesMax,
): OpenLine {
  const listeners: (() => void)[] = []
  let waiting: string[] = []
  let waitingBytes = 0
  let isStalled = false
  let isOpen = true

  function closed(): void {
    if (!isOpen) return
    isOpen = false
    waiting = []
    for (const listener of listeners.splice(0)) listener()
  }

  /** Returns false if the reader is too slow, so that uWebSockets.js had to buffer the text. */
  function put(text: string): void {
    res.cork(() => {
      isStalled = !res.write(text)
    })
  }

  signal.addEventListener('abort', closed, { once: true })
  res.onWritable(() => {
    isStalled = false
    const texts = waiting
    waiting = []
    waitingBytes = 0
    if (isOpen && texts.length > 0) put(texts.join(''))
    return true
  })

  return {
    write(text) {
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
    },
    close() {
      if (!isOpen) return
      closed()
      res.cork(() => res.end())
    },
    onClosed(listener) {
      if (isOpen) listeners.push(listener)
      else listener()
    },
  }
}
