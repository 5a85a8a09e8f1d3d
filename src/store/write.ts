// The only door for writes: one body, one transaction, durable before the promise resolves.
import type { Clock } from '../base/clock.ts'
import type { Env } from './env.ts'

declare const inTransaction: unique symbol
/** Proof that the code runs inside store.write; tables ask for it before they change anything. */
export interface Tx {
  readonly [inTransaction]: true
}

// A transaction has no state of its own: lmdb keeps the current one. The token only proves the place.
const tx = Object.freeze({}) as unknown as Tx

export interface Writer {
  /**
   * Runs `body` in a transaction of its own: all of it or nothing. Resolves once it is on disk.
   * `body` is synchronous; what it throws rolls it back and rejects the promise. Writes asked for in
   * one turn of the event loop share one commit.
   */
  write<T>(body: (tx: Tx) => T): Promise<T>
  /**
   * The same, for work that nobody waits for: it may lie up to `limits.commitDelayMs` so that many
   * share one fsync. An urgent write that comes meanwhile does not wait for it.
   */
  writeSoon<T>(body: (tx: Tx) => T): Promise<T>
  /** Starts every delayed write now and resolves when all writes so far are on disk. */
  flush(): Promise<void>
}

interface Delayed {
  readonly body: (tx: Tx) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface WriterOptions {
  readonly clock: Clock
  readonly commitDelayMs: number
  /** Called once when the disk failed: nothing may be retried on this environment. */
  readonly onFatal: (error: unknown) => void
}

export function createWriter(env: Env, options: WriterOptions): Writer {
  const { clock, commitDelayMs, onFatal } = options
  let delayed: Delayed[] = []
  let timer: unknown
  const inFlight = new Set<Promise<unknown>>()

  async function write<T>(body: (tx: Tx) => T): Promise<T> {
    let thrown: { error: unknown } | undefined
    // Only a child transaction rolls back when its callback throws; lmdb's plain ones keep the
    // writes that came before the throw.
    const committed = env.childTransaction(() => {
      try {
        return body(tx)
      } catch (error) {
        thrown = { error }
        throw error
      }
    })
    inFlight.add(committed)
    try {
      return (await committed) as T
    } catch (error) {
      if (thrown) throw thrown.error
      // The rejection carries a second promise that rejects on its own.
      const commitError = (error as { commitError?: Promise<unknown> }).commitError
      commitError?.catch?.(() => {})
      onFatal(error)
      throw error
    } finally {
      inFlight.delete(committed)
    }
  }

  function startDelayed(): void {
    clock.clearTimeout(timer)
    timer = undefined
    const batch = delayed
    delayed = []
    for (const { body, resolve, reject } of batch) write(body).then(resolve, reject)
  }

  return {
    write,
    writeSoon<T>(body: (tx: Tx) => T) {
      return new Promise<T>((resolve, reject) => {
        delayed.push({ body, resolve: resolve as (value: unknown) => void, reject })
        timer ??= clock.setTimeout(startDelayed, commitDelayMs)
      })
    },
    async flush() {
      startDelayed()
      await Promise.allSettled(inFlight)
    },
  }
}
