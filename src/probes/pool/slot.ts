// One place for a thread of checks: starts it, and another one when it ends by itself.
import type { WorkerOptions } from 'node:worker_threads'
import { startWorker } from '../../base/assets.ts'
import { type Clock, sharedMs } from '../../base/clock.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import type { ClockWatch } from '../../net/connection/clock-trust.ts'
import type { Checked, CheckOptions } from '../checks.ts'
import type { FromThread, PoolJob, PoolRules, ToThread } from './messages.ts'
import type { ThreadStart } from './thread.ts'

export interface SlotDeps {
  readonly clock: Clock
  readonly start: ThreadStart
  /** Default: starts the thread of the file. */
  readonly startThread?: (path: string, options: WorkerOptions) => ThreadHandle
  /** The same object as long as they are the same. */
  readonly rules: () => PoolRules
  readonly hidesPrivate: () => boolean
  readonly clockWatch: ClockWatch
  readonly onBug: (error: unknown) => void
  /** A thread ended by itself; the next one starts after `restartMs`. */
  readonly onDeath: (error: unknown, restartMs: number) => void
}

/** What is used of a worker. */
export interface ThreadHandle {
  on(event: 'message', listener: (message: FromThread) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'exit', listener: (code: number) => void): unknown
  postMessage(message: ToThread): void
  terminate(): Promise<unknown>
}

interface PendingCheck {
  readonly atMs: number
  /** When it is certain that no result comes, monotonic. */
  readonly overdueAtMs: number
  resolve(checked: Checked): void
  reject(error: unknown): void
}

/** Threads that end one after another without a result. */
const deathsMax = 3
const restartMsFirst = 100
const restartMsMax = 10_000
/** Beyond the timeout of a check: its examination may wait for its turn as long. */
const overdueMs = 120_000
const lookMs = 10_000
const resourceLimits = { maxOldGenerationSizeMb: 512 }

export type Slot = ReturnType<typeof createSlot>

export function createSlot(deps: SlotDeps) {
  const { clock, startThread = startWorker } = deps
  const pending = new Map<number, PendingCheck>()
  let jobs: PoolJob[] = []
  let stopped: number[] = []
  let isSending = false
  let newestId = 0
  let deaths = 0
  let worker: ThreadHandle | undefined
  let rulesTold: PoolRules | undefined
  let timer: unknown
  let isStopped = false

  function open(): void {
    rulesTold = undefined
    let cause: unknown
    const opened: ThreadHandle = startThread('probes/pool/thread', {
      name: 'checks',
      workerData: deps.start,
      resourceLimits,
    })
    worker = opened
    opened.on('message', take)
    opened.on('error', (error) => {
      cause = error
    })
    opened.on('exit', (code) => died(cause ?? new Error(`the thread ended with ${code}`)))
    if (jobs.length > 0) sendSoon()
    lookLater()
  }

  function take({ done, clock: told, bugs }: FromThread): void {
    for (const error of bugs) deps.onBug(error)
    if (told === 'confirmed') deps.clockWatch.confirmed()
    else if (told !== undefined) deps.clockWatch.doubted(told)
    for (const { id, ...result } of done) {
      const check = pending.get(id)
      if (check === undefined) continue
      pending.delete(id)
      deaths = 0
      if ('error' in result) check.reject(result.error)
      // The clock of the thread may show another time than the one of the daemon.
      else check.resolve({ ...result, reading: { ...result.reading, atMs: check.atMs } })
    }
  }

  function died(cause: unknown): void {
    worker = undefined
    clock.clearTimeout(timer)
    const isWaiting = new Set(jobs.map(({ id }) => id))
    for (const [id, check] of pending) {
      if (isWaiting.has(id)) continue
      pending.delete(id)
      check.resolve({ reading: lostReading(check.atMs), stalledMs: 0 })
    }
    if (isStopped) return
    deaths += 1
    // Checks cannot be made: the supervisor starts this process again.
    if (deaths >= deathsMax) throw new Error('the threads of checks end by themselves', { cause })
    const restartMs = Math.min(restartMsFirst * 10 ** (deaths - 1), restartMsMax)
    deps.onDeath(cause, restartMs)
    timer = clock.setTimeout(open, restartMs)
  }

  /** What is given in one turn travels in one message. */
  function sendSoon(): void {
    if (isSending) return
    isSending = true
    setImmediate(() => {
      isSending = false
      send()
    })
  }

  function send(): void {
    if (worker === undefined) return
    const rules = deps.rules()
    const changed = rules === rulesTold ? {} : { rules }
    const message: ToThread = { ...changed, hidesPrivate: deps.hidesPrivate(), jobs, stopped }
    rulesTold = rules
    jobs = []
    stopped = []
    worker.postMessage(message)
  }

  /** A thread that owes a result for so long is stuck. */
  function lookLater(): void {
    timer = clock.setTimeout(() => {
      const nowMs = clock.monoMs()
      const isStuck = [...pending.values()].some(({ overdueAtMs }) => overdueAtMs < nowMs)
      if (isStuck) void worker?.terminate()
      else lookLater()
    }, lookMs)
  }

  open()
  return {
    check(target: EndpointTarget, { signal, keepsAnswer }: CheckOptions): Promise<Checked> {
      const id = ++newestId
      return new Promise<Checked>((resolve, reject) => {
        const overdueAtMs = clock.monoMs() + target.timeoutMs + overdueMs
        pending.set(id, { atMs: clock.nowMs(), overdueAtMs, resolve, reject })
        jobs.push({ id, givenAtMs: sharedMs(), target, keepsAnswer })
        sendSoon()
        const stop = () => {
          if (!pending.has(id)) return
          stopped.push(id)
          sendSoon()
        }
        if (signal.aborted) stop()
        else signal.addEventListener('abort', stop)
      })
    },

    /** Tells the thread rules that have changed. */
    tellRules: sendSoon,

    /** Ends the thread: what it checks becomes `unknown`. */
    async stop(): Promise<void> {
      isStopped = true
      clock.clearTimeout(timer)
      jobs = []
      await worker?.terminate()
    },
  }
}

/** The reading of a check whose thread ended: nothing is known of the target, and it is looked at soon. */
function lostReading(atMs: number): Reading {
  const message = 'not counted: the thread of this check ended before it had a result'
  return { atMs, durationMs: 0, result: 'unknown', message, isSetAside: true }
}
