// The way to a target that does not answer: which routers pass packets on, and where they end. It is made
// while a check still waits for its answer, so that no result is late, and once for all failures in a row.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { acquireWithin, createGate } from '../../base/gate.ts'
import { atMostEntries } from '../../base/memory/bounds.ts'
import { laterTurn } from '../../base/yielding.ts'
import { hopsMax, type TracedHop, type Traceroute } from '../../domain/checks/reading.ts'
import type { HopResult, Pinger } from './ping-command.ts'

export type Tracer = ReturnType<typeof createTracer>

/** Processes are few where systemd bounds them, and the checks themselves need them first. */
const tracesMax = 1
/** Processes of one trace at once. */
const askedAtOnceMax = 10
/** No router is asked that is farther behind the last one that answered. */
export const silentInARowMax = 10
/** How long a trace takes at most. */
export const traceMsMax = 3_000
/** In less time, silence says nothing about a router. */
const traceMsMin = 500
/** How many ways are remembered, each of at most 3 KB. */
const keptMax = 500
/** After that, the way to a target that is still silent is looked at again. */
export const traceKeptMs = 3_600_000

interface KeptTrace {
  readonly hops: readonly TracedHop[]
  readonly madeMs: number
}

export function createTracer({
  pinger,
  clock,
}: {
  readonly pinger: Pinger
  readonly clock: Clock
}) {
  const gate = createGate({ total: tracesMax, perKey: 1 })
  const kept = new LRUCache<string, KeptTrace>(atMostEntries(keptMax))

  function keptOf(address: string): Traceroute | undefined {
    const found = kept.get(address)
    if (found === undefined) return undefined
    const ageMs = clock.monoMs() - found.madeMs
    return ageMs < traceKeptMs ? { ageMs, hops: found.hops } : undefined
  }

  /** Asks one router after the other, those in reach at once. Undefined if this ping cannot tell. */
  async function walk(
    address: string,
    untilMs: number,
    signal: AbortSignal,
  ): Promise<readonly TracedHop[] | undefined> {
    const hops: TracedHop[] = []
    let isUnable = false
    let asked = 0
    let running = 0
    let farthest = 0
    let end = hopsMax

    async function ask(ttl: number): Promise<void> {
      running += 1
      const found = await pinger.hop(address, ttl, untilMs - clock.monoMs(), signal)
      running -= 1
      hops[ttl - 1] = hopOf(found)
      if (found === 'unable') isUnable = true
      if (typeof found !== 'string') {
        farthest = Math.max(farthest, ttl)
        if (found.outcome !== 'passed') end = Math.min(end, ttl)
      }
      await askOn()
    }

    async function askOn(): Promise<void> {
      const started: Promise<void>[] = []
      while (running < askedAtOnceMax && asked < Math.min(end, farthest + silentInARowMax)) {
        if (isUnable || signal.aborted || clock.monoMs() >= untilMs) break
        asked += 1
        started.push(ask(asked))
        // Starting a process takes a moment, in which nothing else runs here.
        await laterTurn()
      }
      await Promise.all(started)
    }

    await askOn()
    return isUnable ? undefined : hops.slice(0, Math.min(farthest, end))
  }

  return {
    /** Its way is of no interest any more: it has answered. */
    forget(address: string): void {
      kept.delete(address)
    },
    /**
     * The way to a target that is silent: as it was found at the first failure, else made now within `budgetMs`.
     * Undefined if too many are being made, or this ping cannot tell.
     */
    async trace(
      address: string,
      budgetMs: number,
      signal: AbortSignal,
    ): Promise<Traceroute | undefined> {
      const known = keptOf(address)
      if (known !== undefined) return known
      const untilMs = clock.monoMs() + budgetMs
      const waitMs = budgetMs - traceMsMin
      const request = { key: address, dueAtMs: untilMs }
      if (waitMs <= 0 || !(await acquireWithin(gate, request, clock, waitMs))) return undefined
      try {
        const meanwhile = keptOf(address)
        if (meanwhile !== undefined) return meanwhile
        const hops = await walk(address, untilMs, signal)
        if (hops === undefined || signal.aborted) return undefined
        kept.set(address, { hops, madeMs: clock.monoMs() })
        return { ageMs: 0, hops }
      } finally {
        gate.leave(address)
      }
    },
  }
}

function hopOf(found: HopResult): TracedHop {
  if (typeof found === 'string') return { outcome: 'silent' }
  const { outcome, address, roundTripMs } = found
  return { outcome, address, ...(roundTripMs === null ? {} : { roundTripMs }) }
}
