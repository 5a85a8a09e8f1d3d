// The oracle of moves: it learns what was answered, stored and named, and uses no code of cells and directory.
import type { SimTime } from '../../fleet/sim-clock.ts'

/** What no fault explains: a sender that gets no answer asks again after 7 s, and may have to do so four times. */
const slackMs = 4 * 7_000
/** An answer may have been on its way when the cell was lost. */
const answerMs = 100

export type Oracle = ReturnType<typeof createOracle>

interface Acknowledged {
  readonly key: string
  readonly atMs: number
}

export interface Outage {
  readonly fromMs: number
  /** Infinite while it lasts. */
  toMs: number
}

export function createOracle(time: SimTime, backupEveryMs: number) {
  const owners = new Map<string, { cell: string; epoch: number }>()
  const acknowledged = new Map<string, Acknowledged[]>()
  const outages: Outage[] = []
  const losses: { readonly org: string; readonly atMs: number }[] = []
  const problems: string[] = []
  let longestMs = 0
  let longestCalmMs = 0
  const say = (problem: string) => {
    problems.push(`${(time.elapsedMs / 1_000).toFixed(1)} s: ${problem}`)
  }

  /** The part of a time in which something was broken. */
  function brokenMs(fromMs: number, toMs: number): number {
    let [sum, doneMs] = [0, fromMs]
    for (const outage of outages.toSorted((one, other) => one.fromMs - other.fromMs)) {
      const beginMs = Math.max(doneMs, outage.fromMs)
      const endMs = Math.min(toMs, outage.toMs)
      if (endMs <= beginMs) continue
      sum += endMs - beginMs
      doneMs = endMs
    }
    return sum
  }

  return {
    problems,
    longestMs: () => longestMs,
    longestCalmMs: () => longestCalmMs,
    owns: (org: string, cell: string, epoch: number) => {
      const before = owners.get(org)
      if (before && epoch < before.epoch) say(`the epoch of ${org} went back to ${epoch}`)
      if (before?.epoch === epoch && before.cell !== cell) {
        say(`${org} belongs to ${before.cell} and ${cell} at epoch ${epoch}`)
      }
      owners.set(org, { cell, epoch })
    },
    /** A cell stored a write under this epoch. */
    appended: (cell: string, org: string, epoch: number) => {
      const owner = owners.get(org)
      if (owner?.cell !== cell) {
        say(
          `${cell} stored a write of ${org} at epoch ${epoch}; ${owner?.cell} owns it at ${owner?.epoch}`,
        )
      }
    },
    /** A sender was told that its write is stored; it asked for it first at that time. */
    acknowledged: (org: string, key: string, askedAtMs: number, usuallyFrozenMs: number) => {
      const list = acknowledged.get(org) ?? []
      list.push({ key, atMs: time.elapsedMs })
      acknowledged.set(org, list)
      const tookMs = time.elapsedMs - askedAtMs
      const explainedMs = brokenMs(askedAtMs, time.elapsedMs)
      longestMs = Math.max(longestMs, tookMs)
      if (explainedMs === 0) longestCalmMs = Math.max(longestCalmMs, tookMs)
      if (tookMs > explainedMs + usuallyFrozenMs + slackMs) {
        say(
          `${org} could not store ${key} for ${tookMs} ms, of which faults explain ${explainedMs}`,
        )
      }
    },
    /** Something is broken from now on; ended by setting when it was repaired. */
    broken: (): Outage => {
      const outage = { fromMs: time.elapsedMs, toMs: Number.POSITIVE_INFINITY }
      outages.push(outage)
      return outage
    },
    /** The machines and the log of the cell that owned it are lost. */
    lost: (org: string, atMs: number) => {
      losses.push({ org, atMs })
    },
    /** Compares what the owner of an organization has at the end. Returns how many writes went with lost cells. */
    compare: (org: string, keys: readonly string[]): number => {
      const there = new Set(keys)
      if (there.size !== keys.length) say(`${org} has a write twice`)
      const bySender = Map.groupBy(keys, (key) => key.slice(0, 1))
      for (const [sender, own] of bySender) {
        const numbers = own.map((key) => Number(key.slice(1)))
        const isSorted = numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0))
        if (!isSorted) say(`the writes of sender ${sender} of ${org} are not in their order`)
      }
      let gone = 0
      for (const { key, atMs } of acknowledged.get(org) ?? []) {
        if (there.has(key)) continue
        const isExcused = losses.some(
          (loss) =>
            loss.org === org && atMs <= loss.atMs + answerMs && atMs >= loss.atMs - backupEveryMs,
        )
        if (isExcused) gone += 1
        else say(`${org} lost ${key}, which was acknowledged at ${(atMs / 1_000).toFixed(1)} s`)
      }
      return gone
    },
  }
}
