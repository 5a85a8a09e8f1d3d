// A thread that makes checks: it has the probes, and nothing of the store.
import { isDeepStrictEqual } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import { sharedMs, startClock } from '../../base/clock.ts'
import { plainReading } from '../../domain/checks/reading.ts'
import { createResolver } from '../../net/dns/resolver.ts'
import { createGuard } from '../../net/egress-policy.ts'
import { endsItsRun } from '../../net/run/stray-errors.ts'
import { createChecks } from '../checks.ts'
import { createProbes } from '../registry.ts'
import type { DoneJob, FromThread, PoolJob, PoolRules, ToThread } from './messages.ts'

/** What a thread is started with. */
export interface ThreadStart {
  /** Certificate authorities in PEM, in place of Node's. */
  readonly ca?: readonly string[] | undefined
  readonly refreshesRegistries: boolean
  /** A time that has certainly passed. */
  readonly pastMs: number | undefined
}

type Mutable<Message> = { -readonly [Field in keyof Message]: Message[Field] }

/** Until the first message, which has the real ones: nothing is checked before. */
const noRules: PoolRules = {
  targets: { targets: 'public' },
  ownListeners: [],
  nameServers: [],
  addedCa: undefined,
}

function startThread({ ca, refreshesRegistries, pastMs }: ThreadStart): void {
  const clock = startClock()
  const running = new Map<number, AbortController>()
  let rules = noRules
  let hidesPrivate = true
  let done: DoneJob[] = []
  let bugs: unknown[] = []
  let clockTold: FromThread['clock']
  let isTelling = false
  const guard = createGuard({
    ...rules.targets,
    ownListeners: () => rules.ownListeners,
    isShared: () => hidesPrivate,
  })
  const resolver = createResolver({ clock })
  const { check } = createChecks(
    createProbes({
      clock,
      guard,
      resolver,
      refreshesRegistries,
      clockWatch: {
        doubted: (doubt) => tellClock(doubt),
        confirmed: () => tellClock('confirmed'),
      },
      addedCa: () => rules.addedCa,
      ...(pastMs === undefined ? {} : { pastMs }),
      ...(ca === undefined ? {} : { ca }),
      hidesPrivate: () => hidesPrivate,
      onBug(error) {
        bugs.push(error)
        tellSoon()
      },
    }),
    clock,
  )

  function tellClock(told: FromThread['clock']): void {
    clockTold = told
  }

  /** What is done in one turn travels in one message. */
  function tellSoon(): void {
    if (isTelling) return
    isTelling = true
    setImmediate(() => {
      isTelling = false
      const message: Mutable<FromThread> = { done, bugs }
      if (clockTold !== undefined) message.clock = clockTold
      done = []
      bugs = []
      clockTold = undefined
      parentPort?.postMessage(message)
    })
  }

  function adopt(next: PoolRules): void {
    const { nameServers } = rules
    rules = next
    guard.setRules(next.targets)
    if (!isDeepStrictEqual(nameServers, next.nameServers)) resolver.setServers(next.nameServers)
  }

  async function run({ id, givenAtMs, target, keepsAnswer }: PoolJob): Promise<void> {
    const waitedMs = sharedMs() - givenAtMs
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const { reading, stalledMs } = await check(target, { signal: controller.signal, keepsAnswer })
      done.push({ id, reading: { ...plainReading(reading), waitedMs }, stalledMs })
    } catch (error) {
      done.push({ id, error })
    }
    running.delete(id)
    tellSoon()
  }

  process.on('uncaughtException', (error) => {
    if (!endsItsRun()) throw error
    bugs.push(error)
    tellSoon()
  })

  parentPort?.on('message', ({ rules: newRules, jobs, stopped, ...told }: ToThread) => {
    if (newRules) adopt(newRules)
    hidesPrivate = told.hidesPrivate
    for (const job of jobs) void run(job)
    for (const id of stopped) running.get(id)?.abort()
  })
}

startThread(workerData as ThreadStart)
