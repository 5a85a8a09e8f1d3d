// Runs the load generator as a process of its own, and watches what the daemon needs meanwhile.
import { atMost, type Figure, info, toFloor } from '../world/figure.ts'
import { busySeconds, cpuSecondsOf } from '../world/procfs.ts'
import { nextMessage, type Workplace } from '../world/workplace.ts'
import type { LoadInput, LoadResult } from './load.ts'

export interface Loaded extends LoadResult {
  readonly perSecond: number
  readonly daemonCpuSeconds: number
  /** What everything else on this machine took: it should be next to nothing. */
  readonly otherCpuSeconds: number
}

/** What load is put on: the daemon, or a server of the floor. */
export interface Served {
  readonly pid: number
  readonly port: number
}

const spareMs = 15_000

export async function runLoad(
  work: Workplace,
  { pid, port }: Served,
  load: Omit<LoadInput, 'port'>,
): Promise<Loaded> {
  const input: LoadInput = { ...load, port }
  const child = work.fork('load/load.ts', input)
  await nextMessage(child, load.warmupSeconds * 1_000 + spareMs)
  const cpuBefore = cpuSecondsOf(pid)
  const busyBefore = busySeconds()
  const result = await nextMessage<LoadResult>(child, load.seconds * 1_000 + spareMs)
  const daemonCpuSeconds = cpuSecondsOf(pid) - cpuBefore
  const ours = daemonCpuSeconds + result.generatorCpuSeconds
  const otherCpuSeconds = Math.max(0, busySeconds() - busyBefore - ours)
  return {
    ...result,
    daemonCpuSeconds,
    otherCpuSeconds,
    perSecond: result.requests / result.seconds,
  }
}

/** What a request costs the server: less moved by what else this machine does than a rate is. */
const microsecondsEach = ({ daemonCpuSeconds, requests }: Loaded, besidesCpu = 0) =>
  (1e6 * (daemonCpuSeconds - besidesCpu)) / requests

interface LoadContext {
  readonly floor?: Loaded
  /** Seconds of the daemon's own CPU that went into other work. */
  readonly besidesCpu?: number
  /** What is promised. */
  readonly p99MsMax?: number
}

/** What stands behind a rate: latency, and who was busy. */
export function loadFigures(
  label: string,
  loaded: Loaded,
  { floor, besidesCpu, p99MsMax }: LoadContext = {},
): Figure[] {
  const each = info(`${label} CPU of the daemon, each`, microsecondsEach(loaded, besidesCpu), 'µs')
  const { seconds, p99Ms } = loaded
  const p99 = `${label} latency p99`
  return [
    info(`${label} latency p50`, loaded.p50Ms, 'ms'),
    p99MsMax === undefined ? info(p99, p99Ms, 'ms') : atMost(p99, p99Ms, 'ms', p99MsMax),
    info(`${label} CPU of the daemon`, (100 * loaded.daemonCpuSeconds) / seconds, '%'),
    info(`${label} CPU of the generator`, (100 * loaded.generatorCpuSeconds) / seconds, '%'),
    info(`${label} CPU of others`, (100 * loaded.otherCpuSeconds) / seconds, '%'),
    floor ? toFloor(each, microsecondsEach(floor)) : each,
  ]
}
