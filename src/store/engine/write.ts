// The only way to write: one body, one transaction, durable before the promise resolves.
import { AsyncLocalStorage } from 'node:async_hooks'
import { assert } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { holdExit } from '../../base/exit.ts'
import { currentOwner } from '../../base/waiting/behalf.ts'
import { createFairQueue } from '../../base/waiting/fair-queue.ts'
import { laterTurn } from '../../base/yielding.ts'
import type { Env } from './env.ts'
import type { RecordChange, Redo, RedoEntry } from './redo.ts'

/** Proof that the code runs inside store.write; tables require it for every change. */
export interface Tx {
  /**
   * Calls `run` once the transaction is on disk, before the promise of the write resolves; never
   * after a rollback. Functions run in the order of registration, and the same one only once. Their
   * exceptions go to the writer's `onError`: the write stands.
   */
  afterCommit(run: () => void): void
  /** What tables have changed so far, where copies of the data are made of it, or it was in a log. */
  readonly changes?: RecordChange[]
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

/** A write that has a transaction of its own, or waits for one. */
interface WriteStart {
  readonly owner: string | undefined
  readonly start: () => void
}

/** Stands for the result of a write that was postponed: its body did not run. */
const postponed = Symbol('postponed')

export interface WriterOptions {
  readonly clock: Clock
  readonly commitDelayMs: number
  /** Called once when the disk failed: nothing may be retried on this environment. */
  readonly onFatal: (error: unknown) => void
  /** Called with an exception from a function given to `afterCommit`. */
  readonly onError: (error: unknown) => void
  /** Makes a record of each transaction, and puts it into a log before anybody hears of it. */
  readonly redo?: Redo | undefined
  /** Runs in the first transaction that changes what copies of the data have, too, behind its body. */
  readonly atFirstChange?: ((tx: Tx) => void) | undefined
}

/** What the bodies of one transaction changed, and how it reaches the log. */
interface Batch {
  readonly changes: RecordChange[]
  /** Resolves when the transaction is on disk; undefined until its bodies have been started. */
  sealed: Promise<RedoEntry | undefined> | undefined
  appended: Promise<void> | undefined
}

/**
 * How long the bodies of a transaction run, all in one turn of the event loop; the others wait for
 * the next transaction. One runs whatever it takes.
 */
export const writeTurnMsMax = 20
/** How many writes share a transaction, even if they take no time. */
const writesSharedMax = 1_024

export function createWriter(
  { lmdb, epochs }: Pick<Env, 'lmdb' | 'epochs'>,
  options: WriterOptions,
) {
  const { clock, commitDelayMs, onFatal, onError, redo } = options
  const soon: QueuedWrite[] = []
  const together: QueuedWrite[] = []
  const inFlight = new Set<Promise<unknown>>()
  /** Writes whose bodies share the transaction in progress, and how many of them have run. */
  let inProgress = 0
  let ran = 0
  /** That transaction's; only with `redo`. */
  let batch: Batch | undefined
  /** When the first of them began; undefined before. */
  let turnSinceMs: number | undefined
  /** How many may share one: fewer after a turn in which some were postponed. */
  let sharedMax: number = writesSharedMax
  /** LMDB has begun that transaction: later writes wait for the next. */
  let isBegun = false
  const waiting = createFairQueue<WriteStart>()
  /** Writes that were postponed, in their order: they go before the writes in `waiting`. */
  const postponedStarts: WriteStart[] = []
  const companions = new AsyncLocalStorage<Companion>()
  let soonTimer: unknown
  let hasFailed = false
  let { atFirstChange } = options

  /**
   * Starts the write at once if it can still join the transaction in progress, else after that has
   * ended. LMDB would begin the next transaction earlier; but if a commit fails, a transaction begun
   * behind it never ends, and then the process cannot end either.
   */
  function inTurn(write: WriteStart): void {
    if (isBegun || inProgress >= sharedMax) {
      waiting.add(write.owner, write)
      return
    }
    if (inProgress === 0) {
      const begun: Batch | undefined = redo && {
        changes: [],
        sealed: undefined,
        appended: undefined,
      }
      batch = begun
      // lmdb also starts the writes of a turn in an immediate, which runs after this one.
      setImmediate(() => {
        isBegun = inProgress > 0
        if (!begun) return
        begun.sealed = sealed(begun)
        // The bodies' own promises tell of a failed commit.
        begun.sealed.catch(() => {})
      })
    }
    inProgress += 1
    write.start()
  }

  function endOne(): void {
    inProgress -= 1
    if (inProgress > 0) return
    isBegun = false
    // Starting a write that is then postponed is work, too.
    sharedMax =
      postponedStarts.length > 0 ? Math.max(1, ran) : Math.min(2 * sharedMax, writesSharedMax)
    ran = 0
    turnSinceMs = undefined
    for (const write of postponedStarts.splice(0).reverse()) waiting.addFirst(write.owner, write)
    for (let started = 0; started < sharedMax; started += 1) {
      const next = waiting.take()
      if (!next) break
      inTurn(next)
    }
  }

  /**
   * Whether the bodies of this transaction have used up its time. All of them run in one turn of the
   * event loop, and nothing else does meanwhile.
   */
  function isTurnOver(): boolean {
    const nowMs = clock.monoMs()
    turnSinceMs ??= nowMs
    return nowMs - turnSinceMs >= writeTurnMsMax
  }

  /** Makes the record of the transaction in progress, behind all its bodies and within it. */
  async function sealed({ changes }: Batch): Promise<RedoEntry | undefined> {
    return lmdb.childTransaction(() => redo?.seal(changes))
  }

  /** Resolves once the log has what the transaction changed. */
  function appended(batch: Batch): Promise<void> {
    const append = async () => {
      const entry = await batch.sealed
      if (entry) await redo?.append(entry)
    }
    batch.appended ??= append()
    return batch.appended
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

  function writeAlone<T>(owner: string | undefined, body: Body<T>): Promise<T> {
    const writing = new Promise<T>((resolve, reject) => {
      const settle = (result: T | typeof postponed) => {
        if (result === postponed) return
        // Otherwise what follows many writes of one transaction would all run in one turn.
        if (owner !== undefined && ran > 1) void laterTurn().then(() => resolve(result))
        else resolve(result)
      }
      // The end of another write may start it, in the context of another request.
      const start = AsyncLocalStorage.bind(() => {
        void commit(body, write).then(settle, reject).then(endOne)
      })
      const write: WriteStart = { owner, start }
      inTurn(write)
    })
    inFlight.add(writing)
    const forget = () => inFlight.delete(writing)
    writing.then(forget, forget)
    return writing
  }

  /** Postpones the write, without a call of its body, if the transaction has no time left for it. */
  async function commit<T>(body: Body<T>, write: WriteStart): Promise<T | typeof postponed> {
    // An environment whose commit failed accepts everything and stores nothing.
    if (hasFailed) throw new Error('the disk failed: nothing is written any more')
    let thrown: { error: unknown } | undefined
    const followUps = new Set<() => void>()
    let isOpen = true
    const current = batch
    const changes: RecordChange[] | undefined = current || atFirstChange ? [] : undefined
    const tx: Tx = {
      afterCommit(run) {
        assert(isOpen, 'the transaction is still open')
        followUps.add(run)
      },
      ...(changes && { changes }),
    }
    try {
      // Only a child transaction rolls back when its callback throws; lmdb's plain ones keep the
      // writes before the exception.
      const committed = lmdb.childTransaction(() => {
        try {
          // One always runs, whatever it takes.
          if (isTurnOver() && ran > 0) {
            postponedStarts.push(write)
            return postponed
          }
          ran += 1
          const result = epochs.outside(() => body(tx))
          if (changes) current?.changes.push(...changes)
          if (changes && changes.length > 0) {
            atFirstChange?.(tx)
            atFirstChange = undefined
          }
          return result
        } catch (error) {
          thrown = { error }
          throw error
        } finally {
          isOpen = false
        }
      })
      const release = holdExit()
      let result: T | typeof postponed
      try {
        result = (await committed) as T | typeof postponed
      } finally {
        release()
      }
      if (current) await appended(current)
      // Before anything that follows reads again.
      epochs.next()
      for (const run of followUps) follow(run)
      return result
    } catch (error) {
      if (thrown) throw thrown.error
      failOnce(error)
      throw error
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

  /**
   * Runs what is in `line` when its transaction begins; what there is no time for follows in the
   * next. Never rejects: bodies have promises.
   */
  async function writeGroup(line: QueuedWrite[]): Promise<void> {
    let group: readonly QueuedWrite[] = []
    let isMoreLeft = false
    try {
      const results = await writeAlone(undefined, (tx) => {
        const done: unknown[] = []
        let begun = 0
        try {
          for (const { body } of line) {
            if (begun > 0 && isTurnOver()) break
            begun += 1
            done.push(body(tx))
          }
        } finally {
          group = line.splice(0, begun)
          isMoreLeft = line.length > 0
        }
        return done
      })
      for (const [index, { resolve }] of group.entries()) resolve(results[index])
    } catch (error) {
      // If the disk failed earlier, the transaction never began, and they are still in the line.
      if (hasFailed) group = [...group, ...line.splice(0)]
      const isFinal = hasFailed || group.length === 1
      await Promise.all(
        group.map(({ body, resolve, reject }) =>
          isFinal ? reject(error) : writeAlone(undefined, body).then(resolve, reject),
        ),
      )
    }
    if (isMoreLeft && line.length > 0) await writeGroup(line)
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
     * rejects the promise. Writes in the same turn of the event loop share a commit, as long as their
     * bodies have time in it; the writes of one owner keep their order.
     */
    write: <T>(body: Body<T>): Promise<T> => writeAlone(currentOwner(), accompanied(body)),

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
        else await writeAlone(currentOwner(), (tx) => join(tx, result))
        return result
      } finally {
        companion.join = undefined
      }
    },

    /** Runs work of which no write is the one that `writeJoined` waits for. */
    apart: <T>(work: () => Promise<T>): Promise<T> => companions.exit(work),

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
