// The only way to write: one body, one transaction, durable before the promise resolves.
import { AsyncLocalStorage } from 'node:async_hooks'
import { assert } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { holdExit } from '../../base/exit.ts'
import type { Env } from './env.ts'

/** Proof that the code runs inside store.write; tables require it for every change. */
export interface Tx {
  /**
   * Calls `run` once the transaction is on disk, before the promise of the write resolves; never
   * after a rollback. Functions run in the order of registration, and the same one only once. Their
   * exceptions go to the writer's `onError`: the write stands.
   */
  afterCommit(run: () => void): void
}

/** The work of a transaction: synchronous; an exception rolls it back. */
export type Body<T> = (tx: Tx) => T

/** What joins the first write of some work. */
interface Companion {
  /** Undefined once it has run, or its work has ended. */
  join: ((tx: Tx, result: unknown) => void) | undefined
}

export type Writer = ReturnType<typeof createWriter>

interface QueuedWrite {
  readonly body: Body<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface WriterOptions {
  readonly clock: Clock
  readonly commitDelayMs: number
  /** Called once when the disk failed: nothing may be retried on this environment. */
  readonly onFatal: (error: unknown) => void
  /** Called with an exception from a function given to `afterCommit`. */
  readonly onError: (error: unknown) => void
}

export function createWriter({ lmdb }: Env, options: WriterOptions) {
  const { clock, commitDelayMs, onFatal, onError } = options
  const soon: QueuedWrite[] = []
  const together: QueuedWrite[] = []
  const inFlight = new Set<Promise<unknown>>()
  /** Writes whose bodies share the transaction in progress. */
  let inProgress = 0
  /** LMDB has begun that transaction: later writes wait for the next. */
  let isBegun = false
  const waiting: (() => void)[] = []
  const companions = new AsyncLocalStorage<Companion>()
  let soonTimer: unknown
  let hasFailed = false

  /**
   * Calls `start` at once if its write can still join the transaction in progress, else after that
   * has ended. LMDB would begin the next transaction earlier; but if a commit fails, a transaction
   * begun behind it never ends, and then the process cannot end either.
   */
  function inTurn(start: () => void): void {
    if (isBegun) {
      waiting.push(start)
      return
    }
    if (inProgress === 0) {
      // lmdb also starts the writes of a turn in an immediate, which runs after this one.
      setImmediate(() => {
        isBegun = inProgress > 0
      })
    }
    inProgress += 1
    start()
  }

  function endOne(): void {
    inProgress -= 1
    if (inProgress > 0) return
    isBegun = false
    for (const start of waiting.splice(0)) inTurn(start)
  }

  /** `body`, followed by the companion of the work that writes it. */
  function accompanied<T>(body: Body<T>): Body<T> {
    const companion = companions.getStore()
    if (!companion?.join) return body
    return (tx) => {
      const result = body(tx)
      companion.join?.(tx, result)
      // After a rollback it waits for the next write.
      companion.join = undefined
      return result
    }
  }

  function writeAlone<T>(body: Body<T>): Promise<T> {
    const writing = new Promise<T>((resolve, reject) => {
      inTurn(() => void commit(body).then(resolve, reject).then(endOne))
    })
    inFlight.add(writing)
    const forget = () => inFlight.delete(writing)
    writing.then(forget, forget)
    return writing
  }

  async function commit<T>(body: Body<T>): Promise<T> {
    // An environment whose commit failed accepts everything and stores nothing.
    if (hasFailed) throw new Error('the disk failed: nothing is written any more')
    let thrown: { error: unknown } | undefined
    const followUps = new Set<() => void>()
    let isOpen = true
    const tx: Tx = {
      afterCommit(run) {
        assert(isOpen, 'the transaction is still open')
        followUps.add(run)
      },
    }
    const release = holdExit()
    try {
      // Only a child transaction rolls back when its callback throws; lmdb's plain ones keep the
      // writes before the exception.
      const committed = lmdb.childTransaction(() => {
        try {
          return body(tx)
        } catch (error) {
          thrown = { error }
          throw error
        } finally {
          isOpen = false
        }
      })
      const result = (await committed) as T
      for (const run of followUps) follow(run)
      return result
    } catch (error) {
      if (thrown) throw thrown.error
      failOnce(error)
      throw error
    } finally {
      release()
    }
  }

  function follow(run: () => void): void {
    try {
      run()
    } catch (error) {
      onError(error)
    }
  }

  function failOnce(error: unknown): void {
    // The rejection contains a second promise that rejects on its own.
    const commitError = (error as { commitError?: Promise<unknown> }).commitError
    commitError?.catch?.(() => {})
    if (hasFailed) return
    hasFailed = true
    onFatal(error)
  }

  /** Runs everything in `line` when its transaction begins. Never rejects: bodies have promises. */
  async function writeGroup(line: QueuedWrite[]): Promise<void> {
    let group: readonly QueuedWrite[] = []
    try {
      const results = await writeAlone((tx) => {
        group = line.splice(0)
        return group.map(({ body }) => body(tx))
      })
      for (const [index, { resolve }] of group.entries()) resolve(results[index])
    } catch (error) {
      // If the disk failed earlier, the transaction never began, and they are still in the line.
      if (hasFailed) group = [...group, ...line.splice(0)]
      const isFinal = hasFailed || group.length === 1
      await Promise.all(
        group.map(({ body, resolve, reject }) =>
          isFinal ? reject(error) : writeAlone(body).then(resolve, reject),
        ),
      )
    }
  }

  function startGroup(line: QueuedWrite[]): void {
    if (line.length === 0) return
    const writing = writeGroup(line)
    inFlight.add(writing)
    void writing.then(() => inFlight.delete(writing))
  }

  function startTogether(): void {
    startGroup(together)
  }

  function startSoon(): void {
    clock.clearTimeout(soonTimer)
    soonTimer = undefined
    startGroup(soon)
  }

  function queue<T>(line: QueuedWrite[], body: Body<T>, start: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (line.length === 0) start()
      line.push({ body, resolve: resolve as (value: unknown) => void, reject })
    })
  }

  return {
    /**
     * Runs `body` in its own transaction, all or nothing. Resolves once it is on disk; an exception
     * rejects the promise. Writes in the same turn of the event loop share a commit.
     */
    write: <T>(body: Body<T>): Promise<T> => writeAlone(accompanied(body)),

    /**
     * Runs `work`, which returns what its first `write` returns, and `join` in the transaction of
     * that write: a crash leaves both or neither. Work that writes nothing is joined afterwards. The
     * work need not know of it.
     */
    async writeJoined<T>(work: () => Promise<T>, join: (tx: Tx, result: T) => void): Promise<T> {
      let joined: { readonly result: unknown } | undefined
      const companion: Companion = {
        join(tx, result) {
          join(tx, resultOfWork<T>(result))
          joined = { result }
        },
      }
      try {
        const result = await companions.run(companion, work)
        if (joined) assert(joined.result === result, 'the work returns what its write returned')
        else await writeAlone((tx) => join(tx, result))
        return result
      } finally {
        companion.join = undefined
      }
    },

    /**
     * Cheaper for many small writes: bodies of the same turn share one transaction. If one throws,
     * all run again, each in its own; so a body may only read and write tables.
     */
    writeTogether: <T>(body: Body<T>): Promise<T> =>
      queue(together, body, () => setImmediate(startTogether)),

    /**
     * writeTogether for work that nobody waits for: it may be delayed by `commitDelayMs`, so that
     * many share one fsync. Urgent writes do not wait for it.
     */
    writeSoon: <T>(body: Body<T>): Promise<T> =>
      queue(soon, body, () => {
        soonTimer = clock.setTimeout(startSoon, commitDelayMs)
      }),

    /** Starts every delayed write now; resolves when all writes so far are on disk. */
    async flush(): Promise<void> {
      startTogether()
      startSoon()
      await Promise.allSettled(inFlight)
    },
  }
}

/** The work returns the same value, which `writeJoined` asserts. */
function resultOfWork<T>(result: unknown): T {
  return result as T
}
