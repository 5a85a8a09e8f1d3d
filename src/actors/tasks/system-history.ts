// Remembers how the daemon was: measures once a minute, and stores the points in batches.
import type { Clock } from '../../base/clock.ts'
import {
  foldedPoints,
  type PackedPoint,
  packedPoint,
  quantileOf,
  type SystemPoint,
  systemHourMs,
  systemHoursKeptMs,
  systemMinuteMs,
  systemMinutesKeptMs,
  unpackedPoint,
} from '../../domain/system/system-history.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'

/** What is measured. Counts are since the daemon runs. */
interface SystemMeter {
  readonly checksCommitted: () => number
  /** The delays of checks by bucket; the last has no bound. */
  readonly latenessCounts: () => readonly number[]
  readonly latenessBoundsMs: readonly number[]
  /** Alerts that wait to be sent. */
  readonly waiting: () => number
  readonly memoryBytes: () => number
  readonly dataBytes: () => number
  readonly diskFreeBytes: () => number
  /** The delay since the last call. */
  readonly takeLoopDelayP99Ms: () => number
  readonly errorsLogged: () => number
}

export interface SystemHistoryDeps {
  readonly store: Pick<Store, 'systemHistory' | 'write' | 'writeSoon'>
  readonly clock: Clock
  readonly meter: SystemMeter
}

export type SystemHistory = ReturnType<typeof startSystemHistory>

/** Minutes that are stored together. */
const minutesBlockMs = 10 * systemMinuteMs
/** Hours that are stored together. */
const hoursBlockMs = 24 * systemHourMs

export function startSystemHistory({ store, clock, meter }: SystemHistoryDeps) {
  const { systemHistory } = store
  /** Points that are not stored yet, all of one block. */
  let unstored: readonly SystemPoint[] = []
  /** Points whose transaction has not ended. */
  let storing: readonly SystemPoint[] = []
  /** Up to when hours are made of the minutes. */
  let hoursUntilMs = (storedHours().at(-1)?.fromMs ?? -systemHourMs) + systemHourMs
  let before = counts()
  let timer: unknown

  function storedHours(): readonly SystemPoint[] {
    return systemHistory.all('hours').map(unpackedPoint)
  }

  function counts() {
    return {
      monoMs: clock.monoMs(),
      checks: meter.checksCommitted(),
      lateness: [...meter.latenessCounts()],
      errors: meter.errorsLogged(),
    }
  }

  function measure(fromMs: number): SystemPoint {
    const now = counts()
    const seconds = Math.max(1, now.monoMs - before.monoMs) / 1_000
    const late = now.lateness.map((count, at) => count - (before.lateness[at] ?? 0))
    const latenessOf = (share: number) => quantileOf(late, meter.latenessBoundsMs, share)
    const point: SystemPoint = {
      fromMs,
      checksPerSecond: rounded((now.checks - before.checks) / seconds),
      latenessP50Ms: latenessOf(0.5),
      latenessP99Ms: latenessOf(0.99),
      waiting: meter.waiting(),
      memoryBytes: meter.memoryBytes(),
      dataBytes: meter.dataBytes(),
      diskFreeBytes: meter.diskFreeBytes(),
      loopDelayP99Ms: rounded(meter.takeLoopDelayP99Ms()),
      errors: now.errors - before.errors,
    }
    before = now
    return point
  }

  function again(): void {
    const nowMs = clock.nowMs()
    const nextMs = (Math.round(nowMs / systemMinuteMs) + 1) * systemMinuteMs
    timer = clock.setTimeout(tick, nextMs - nowMs)
  }

  function tick(): void {
    // A timer may come a little early or late.
    const fromMs = (Math.round(clock.nowMs() / systemMinuteMs) - 1) * systemMinuteMs
    if (
      blockOf(fromMs, minutesBlockMs) !== blockOf(unstored[0]?.fromMs ?? fromMs, minutesBlockMs)
    ) {
      keep()
    }
    unstored = [...unstored, measure(fromMs)]
    if ((fromMs + systemMinuteMs) % minutesBlockMs === 0) keep()
    again()
  }

  /** If a write fails, the store ends the process, so there is nothing to handle here. */
  function keep(): void {
    flush(store.writeSoon).catch(() => {})
  }

  async function flush(write: Store['write']): Promise<void> {
    const points = unstored
    const [first] = points
    if (!first) return
    unstored = []
    storing = [...storing, ...points]
    await write((tx) => {
      add(tx, 'minutes', blockOf(first.fromMs, minutesBlockMs), points)
      foldHours(tx, points.at(-1) ?? first)
      tx.afterCommit(() => {
        storing = storing.filter((one) => !points.includes(one))
      })
    })
  }

  function add(
    tx: Tx,
    length: 'minutes' | 'hours',
    blockMs: number,
    points: readonly SystemPoint[],
  ): void {
    const stored: readonly PackedPoint[] = systemHistory.block(length, blockMs)
    systemHistory.put(tx, length, blockMs, [...stored, ...points.map(packedPoint)])
  }

  /** Makes hours of the minutes, once they are over, and removes what is too old. */
  function foldHours(tx: Tx, newest: SystemPoint): void {
    const endMs = newest.fromMs + systemMinuteMs
    const untilMs = blockOf(endMs, systemHourMs)
    if (untilMs <= hoursUntilMs) return
    const minutes = systemHistory
      .all('minutes')
      .map(unpackedPoint)
      .filter(({ fromMs }) => fromMs >= hoursUntilMs && fromMs < untilMs)
    const hours = foldedPoints(minutes, systemHourMs)
    for (const [blockMs, points] of Map.groupBy(hours, ({ fromMs }) =>
      blockOf(fromMs, hoursBlockMs),
    )) {
      add(tx, 'hours', blockMs, points)
    }
    hoursUntilMs = untilMs
    systemHistory.removeBefore(tx, 'minutes', endMs - systemMinutesKeptMs - minutesBlockMs)
    systemHistory.removeBefore(tx, 'hours', endMs - systemHoursKeptMs - hoursBlockMs)
  }

  function minutes(): readonly SystemPoint[] {
    const stored = systemHistory.all('minutes').map(unpackedPoint)
    const lastMs = stored.at(-1)?.fromMs ?? 0
    return [...stored, ...[...storing, ...unstored].filter(({ fromMs }) => fromMs > lastMs)]
  }

  again()
  return {
    /** A point a minute, oldest first. */
    minutes,
    /** A point an hour, oldest first; the last one may be of an hour that is not over. */
    hours(): readonly SystemPoint[] {
      const newest = minutes().filter(({ fromMs }) => fromMs >= hoursUntilMs)
      return [...storedHours(), ...foldedPoints(newest, systemHourMs)]
    },
    /** Resolves once all points are stored. */
    async stop(): Promise<void> {
      clock.clearTimeout(timer)
      await flush(store.write)
    },
  }
}

const blockOf = (atMs: number, lengthMs: number) => Math.floor(atMs / lengthMs) * lengthMs

/** Three digits after the point are enough. */
const rounded = (value: number) => Math.round(value * 1_000) / 1_000
