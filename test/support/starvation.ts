// How long the machine kept a process from running, so that a test judges us and not the machine.
import { readFileSync } from 'node:fs'
import { startClock, startWork } from '../../src/base/clock.ts'

const tickMs = 10

/** What Linux tells of the main thread of a process; undefined elsewhere, and of one that is gone. */
function queuedMs(pid: number | 'self'): number | undefined {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')
    return Number(waitedNs) / 1e6
  } catch {
    return undefined
  }
}

/**
 * For systems that do not tell: a tick that comes late was held up by others, except for what this
 * thread computed itself. It takes what only waits, for a disk say, for starved.
 */
export function startTicks(): () => number {
  const now = () => {
    const { user, system } = process.threadCpuUsage()
    return { ms: performance.now(), computedMs: (user + system) / 1_000 }
  }
  let sumMs = 0
  let last = now()
  const look = () => {
    const { ms, computedMs } = now()
    sumMs += Math.max(0, ms - last.ms - tickMs - (computedMs - last.computedMs))
    last = { ms, computedMs }
    return sumMs
  }
  setInterval(look, tickMs).unref()
  return look
}

const ownStarvedMs = queuedMs('self') === undefined ? startTicks() : () => queuedMs('self') ?? 0

/**
 * Milliseconds so far in which a process was ready to run and the machine ran others: this one, or
 * a child. Whoever computes, sleeps or waits is not starved, so that nothing of ours is excused.
 */
export function starvedMs(pid?: number): number {
  return pid === undefined ? ownStarvedMs() : (queuedMs(pid) ?? 0)
}

/**
 * Monotonic milliseconds that stand still while this process is starved: on an idle machine the
 * same as `performance.now()`. For whatever must not take longer than so and so long.
 */
export function fairMs(): number {
  for (;;) {
    const before = ownStarvedMs()
    const nowMs = performance.now()
    // Where the machine turned to others between the two readings, they do not belong together.
    if (ownStarvedMs() - before < 0.5) return nowMs - before
  }
}

/**
 * Milliseconds that work without waits takes at its quickest, by the clock or of computing, whichever
 * is less: neither other programs nor a page that comes from the disk count. It is tried again only
 * while it takes more than `enoughMs`.
 */
export function leastMs(enoughMs: number, work: () => unknown, triesMax = 3): number {
  // Without timers it holds nothing.
  const clock = startClock()
  let ms = Number.POSITIVE_INFINITY
  for (let left = triesMax; left > 0 && ms > enoughMs; left--) {
    const workedMs = startWork(clock)
    work()
    ms = Math.min(ms, workedMs())
  }
  return ms
}

/** What comes of it, and the fair milliseconds that it took. */
export async function timed<T>(run: () => Promise<T>): Promise<readonly [result: T, ms: number]> {
  const startedMs = fairMs()
  const result = await run()
  return [result, fairMs() - startedMs]
}

/** How often something is done until it was as quick as it has to be. */
const roundsMax = 5

/**
 * The least that each of several things took, by name, in a few rounds: no more of them once all were
 * below the bound. For what a browser or a disk takes part in, whose starvation `fairMs()` does not
 * see: whatever only waits for a later question or a timer is late in every round.
 */
export async function leastOfRounds(
  boundMs: number,
  run: (round: number) => Promise<Readonly<Record<string, number>>>,
): Promise<ReadonlyMap<string, number>> {
  const least = new Map<string, number>()
  for (let round = 0; round < roundsMax; round += 1) {
    for (const [name, ms] of Object.entries(await run(round))) {
      least.set(name, Math.min(ms, least.get(name) ?? ms))
    }
    if ([...least.values()].every((ms) => ms < boundMs)) break
  }
  return least
}
