// Makes thousands of checks in a process of its own, and tells what is left of them.
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { resolverTo } from '../../../test/support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../../test/support/make-target.ts'
import { fairMs } from '../../../test/support/starvation.ts'
import { memoryOf } from '../world/procfs.ts'

export interface LeaksInput {
  readonly targets: readonly TargetFields[]
  readonly warmup: number
  readonly checks: number
  readonly atOnce: number
}

/** Kilobytes. */
interface MemoryLeft {
  /** What the allocator holds, which is never quite what is used. */
  readonly rss: number
  /** What JavaScript holds: objects, and buffers outside of its heap. */
  readonly used: number
}

export interface LeaksReport {
  readonly seconds: number
  /** By outcome and kind. */
  readonly ends: Readonly<Record<string, number>>
  /** How much later than its timeout the latest check ended, where the machine let it run. */
  readonly lateMsMax: number
  readonly before: MemoryLeft
  readonly after: MemoryLeft
  /** Sockets, requests and whatever else but timers keeps a process alive. */
  readonly resourcesLeft: number
}

const { targets, warmup, checks, atOnce } = JSON.parse(process.argv[2] ?? '{}') as LeaksInput
const clock = startClock()
const { probe } = createProbes({
  guard: createGuard({ targets: 'any' }),
  clock,
  resolver: resolverTo('127.0.0.1'),
})
const ends: Record<string, number> = {}
let lateMsMax = 0

async function check(fields: TargetFields): Promise<void> {
  const target = makeTarget(fields)
  const startedMs = fairMs()
  const { result, error } = await probe(target, { clock })
  lateMsMax = Math.max(lateMsMax, fairMs() - startedMs - target.timeoutMs)
  const end = error === undefined ? result : `${result} ${error.kind}`
  ends[end] = (ends[end] ?? 0) + 1
}

async function checkAll(count: number): Promise<void> {
  let next = 0
  const run = async (): Promise<void> => {
    while (next < count) {
      const fields = targets[next++ % targets.length]
      if (fields) await check(fields)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run))
}

/** The memory that is in use, after garbage was collected; Node must be started with --expose-gc. */
async function memoryLeft(): Promise<MemoryLeft> {
  // What ended just now is garbage a moment later.
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    globalThis.gc?.()
  }
  const { heapUsed, external } = process.memoryUsage()
  return { rss: memoryOf(process.pid).rssKb, used: (heapUsed + external) / 1_024 }
}

/** A timer that was just set in the wheel comes and goes. */
const openHandles = () => process.getActiveResourcesInfo().filter((one) => one !== 'Timeout').length

async function report(): Promise<LeaksReport> {
  await checkAll(warmup)
  const before = await memoryLeft()
  const resources = openHandles()
  for (const end of Object.keys(ends)) delete ends[end]
  const startedMs = performance.now()
  await checkAll(checks)
  const seconds = (performance.now() - startedMs) / 1_000
  const after = await memoryLeft()
  const resourcesLeft = openHandles() - resources
  return { seconds, ends, lateMsMax, before, after, resourcesLeft }
}

process.send?.(await report())
clock.stop()
process.disconnect()
