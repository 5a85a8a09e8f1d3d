// Case (a): many HTTP monitors against a local target. What does a check cost, and is it on time?
import { setTimeout as sleep } from 'node:timers/promises'
import { requestFloor } from '../load/floor.ts'
import type { Arrivals } from '../load/target.ts'
import { startTarget, type Target } from '../load/target-process.ts'
import { type Daemon, startDaemon } from '../world/daemon.ts'
import { atLeast, atMost, type CaseResult, type Figure, info, toFloor } from '../world/figure.ts'
import { checkedMonitor, emptyMemory, prepare } from '../world/prepare.ts'
import { busySeconds, cpuSecondsOf, type Memory, memoryOf } from '../world/procfs.ts'
import { bucketsBetween, quantile, scrape, stallFigures, sumOf } from '../world/scrape.ts'
import type { Workplace } from '../world/workplace.ts'

export interface ChecksOptions {
  readonly monitors: number
  readonly intervalSeconds: number
  readonly warmupSeconds: number
  readonly seconds: number
  readonly nodeArgs: readonly string[]
}

interface Window {
  readonly seconds: number
  readonly before: string
  readonly after: string
  readonly cpuSeconds: number
  readonly targetCpuSeconds: number
  /** What everything else on this machine took: it should be next to nothing. */
  readonly otherCpuSeconds: number
  readonly memory: Memory
  readonly arrivals: Arrivals
}

/** Above this rate the fixed costs of undici alone weigh less as well, and disks are busier. */
const highRate = 1_000
/** What is promised for a machine with two cores. */
const largeFleet = 100_000
const floorSeconds = 6
const checksTotal = 'stillup_checks_total'
const lateness = 'stillup_check_lateness_seconds'

export async function measureChecks(work: Workplace, options: ChecksOptions): Promise<CaseResult> {
  const { monitors, intervalSeconds } = options
  const empty = await emptyMemory(work)
  const target = await startTarget(work)
  const { urlPrefix } = target
  const floor = await requestFloor(work, {
    url: `${urlPrefix}0`,
    perSecond: monitors / intervalSeconds,
    seconds: floorSeconds,
  })
  const monitor = checkedMonitor(urlPrefix, intervalSeconds)
  const made = await prepare(work, { name: 'checks', count: monitors, monitor, urlPrefix })
  const daemon = await startDaemon(work, { dataDir: made.dataDir, nodeArgs: options.nodeArgs })
  await sleep(options.warmupSeconds * 1_000)
  await target.reset(made.slotsMs, intervalSeconds * 1_000)
  const window = await watch(daemon, target, options.seconds)
  await daemon.stop()
  await target.stop()
  const { seconds, arrivals } = window
  return {
    title: `checks: ${monitors} HTTP monitors at ${intervalSeconds} s, ${seconds.toFixed(0)} s`,
    figures: [...startFigures(options, daemon), ...figuresOf(options, window, empty, floor)],
    details: {
      options,
      arrivals,
      emptyMemory: empty,
      memory: window.memory,
      latenessSeconds: bucketsBetween(window.before, window.after, lateness),
    },
  }
}

async function watch(daemon: Daemon, target: Target, seconds: number): Promise<Window> {
  const before = await scrape(daemon)
  const startedMs = performance.now()
  const [daemonCpu, targetCpu, busy] = spent(daemon, target)
  await sleep(seconds * 1_000)
  const [daemonCpuAfter, targetCpuAfter, busyAfter] = spent(daemon, target)
  const memory = memoryOf(daemon.pid)
  const after = await scrape(daemon)
  const elapsedSeconds = (performance.now() - startedMs) / 1_000
  const arrivals = await target.report()
  const cpuSeconds = daemonCpuAfter - daemonCpu
  const targetCpuSeconds = targetCpuAfter - targetCpu
  const otherCpuSeconds = Math.max(0, busyAfter - busy - cpuSeconds - targetCpuSeconds)
  const cpu = { cpuSeconds, targetCpuSeconds, otherCpuSeconds }
  return { seconds: elapsedSeconds, before, after, ...cpu, memory, arrivals }
}

function spent(daemon: Daemon, target: Target) {
  return [cpuSecondsOf(daemon.pid), cpuSecondsOf(target.pid), busySeconds()] as const
}

function startFigures({ monitors }: ChecksOptions, daemon: Daemon): Figure[] {
  const figure = monitors >= largeFleet ? atMost : info
  return [figure('process start to /readyz 200', daemon.readyMs, 'ms', 15_000)]
}

function figuresOf(options: ChecksOptions, window: Window, empty: Memory, floor: number): Figure[] {
  const { monitors, intervalSeconds } = options
  const { before, after, seconds, cpuSeconds, memory, arrivals } = window
  const rate = monitors / intervalSeconds
  const checks = sumOf(after, checksTotal) - sumOf(before, checksTotal)
  const up = 'verdict="up"'
  const good = sumOf(after, checksTotal, up) - sumOf(before, checksTotal, up)
  const buckets = bucketsBetween(before, after, lateness)
  const p50Ms = quantile(buckets, 0.5) * 1_000
  const p99Ms = quantile(buckets, 0.99) * 1_000
  const per = (kb: number) => kb / monitors
  const isLarge = monitors >= largeFleet
  return [
    atLeast('checks committed', checks / seconds, '/s', 0.99 * rate),
    atMost('checks not up', checks - good, '', 0),
    ...(rate < highRate
      ? [
          atMost('start lateness p50', p50Ms, 'ms', 3),
          atMost('start lateness p99', p99Ms, 'ms', 15),
        ]
      : [
          info('start lateness p50', p50Ms, 'ms'),
          (isLarge ? atMost : info)('start lateness p99', p99Ms, 'ms', 500),
        ]),
    info('request at the target, after its slot p50', arrivals.lateness.p50Ms, 'ms'),
    info('request at the target, after its slot p99', arrivals.lateness.p99Ms, 'ms'),
    info('floor: CPU-seconds per 1,000 by undici alone', floor, 's'),
    toFloor(info('CPU-seconds per 1,000 checks', (cpuSeconds / checks) * 1_000, 's'), floor, {
      op: '<=',
      value: rate < highRate ? 1 : 1.4,
    }),
    info('CPU of the daemon', (100 * cpuSeconds) / seconds, '%'),
    ...stallFigures(before, after, seconds),
    info('CPU of the target', (100 * window.targetCpuSeconds) / seconds, '%'),
    info('CPU of others', (100 * window.otherCpuSeconds) / seconds, '%'),
    atMost('resident memory per monitor, growth', per(memory.rssKb - empty.rssKb), 'KB', 20),
    info('anonymous memory per monitor, growth', per(memory.anonKb - empty.anonKb), 'KB'),
    info('resident memory per monitor, all', per(memory.rssKb), 'KB'),
    info('JavaScript heap in use', sumOf(after, 'nodejs_heap_size_used_bytes') / 2 ** 20, 'MB'),
    info('JavaScript heap, all', sumOf(after, 'nodejs_heap_size_total_bytes') / 2 ** 20, 'MB'),
    (isLarge ? atMost : info)('resident memory', memory.rssKb / 1_024, 'MB', 1.2 * 1_024),
    info('resident memory of an empty daemon', empty.rssKb / 1_024, 'MB'),
  ]
}
