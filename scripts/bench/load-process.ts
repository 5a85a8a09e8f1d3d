// Runs the load generator as a process of its own, and watches what the daemon needs meanwhile.
import { type Figure, info, toFloor } from './figure.ts'
import type { LoadInput, LoadResult } from './load.ts'
import { busySeconds, cpuSecondsOf } from './procfs.ts'
import { nextMessage, type Workplace } from './workplace.ts'

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
  const child = work.fork('load.ts', input)
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
const microsecondsEach = ({ daemonCpuSeconds, requests }: Loaded) =>
  (1e6 * daemonCpuSeconds) / requests

/** What stands behind a rate: latency, and who was busy. */
export function loadFigures(label: string, loaded: Loaded, floor?: Loaded): Figure[] {
  const each = info(`${label} CPU of the daemon, each`, microsecondsEach(loaded), 'µs')
  const { seconds } = loaded
  return [
    info(`${label} latency p50`, loaded.p50Ms, 'ms'),
    info(`${label} latency p99`, loaded.p99Ms, 'ms'),
    info(`${label} CPU of the daemon`, (100 * loaded.daemonCpuSeconds) / seconds, '%'),
    info(`${label} CPU of the generator`, (100 * loaded.generatorCpuSeconds) / seconds, '%'),
    info(`${label} CPU of others`, (100 * loaded.otherCpuSeconds) / seconds, '%'),
    floor ? toFloor(each, microsecondsEach(floor)) : each,
  ]
}
