// Case (d): a start with many monitors. When is it ready, and are all checked soon and evenly?
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type CaseResult, info } from '../world/figure.ts'
import { memoryOf } from '../world/procfs.ts'
import type { Workplace } from '../world/workplace.ts'
import { startChecked } from './checked.ts'

export interface StartOptions {
  readonly monitors: number
  readonly intervalSeconds: number
  readonly nodeArgs: readonly string[]
}

/** What a check may take beyond its slot before it counts as missing. */
const graceSeconds = 1

export async function measureStart(work: Workplace, options: StartOptions): Promise<CaseResult> {
  const { monitors, intervalSeconds, nodeArgs } = options
  const asked = { name: 'start', count: monitors, intervalSeconds, nodeArgs }
  const { target, daemon, stop } = await startChecked(work, asked)
  const readyAtMs = Date.now()
  await sleep((intervalSeconds + graceSeconds) * 1_000)
  const arrivals = await target.report()
  const memory = memoryOf(daemon.pid)
  const stopMs = await stop()
  const mean = monitors / intervalSeconds
  const coveredSeconds = (arrivals.lastNewAtMs - readyAtMs) / 1_000
  return {
    title: `start: ${monitors} monitors at ${intervalSeconds} s`,
    figures: [
      info('process start to first answer', daemon.answersMs, 'ms'),
      info('process start to /readyz 200', daemon.readyMs, 'ms'),
      atMost('monitors not checked in one interval', monitors - arrivals.monitors, '', 0),
      info('ready to the last first check', coveredSeconds, 's'),
      atMost('busiest second', Math.max(...arrivals.perSecond) / mean, '× mean', 3),
      info('resident memory per monitor, all', memory.rssKb / monitors, 'KB'),
      info('SIGTERM to exit', stopMs, 'ms'),
    ],
    details: { options, arrivals, memory },
  }
}
