// Coverage: the time in which the maintenance windows of an organization cover a monitor.
import type { MonitorId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'
import { contains, type Interval, merged } from './interval.ts'
import { occurrencesIn, type WindowTimes } from './occurrences.ts'

/**
 * A window as far as it matters to checks. A change makes another one of it, so that what it covered
 * before stays covered: the time since the last result of a monitor is counted at its next result.
 */
export interface Covering {
  readonly times: WindowTimes
  /** With `tags` also empty: every monitor. */
  readonly monitorIds: readonly MonitorId[]
  readonly tags: readonly string[]
  readonly coversFromMs: number
  /** Infinity for a window as it is now. */
  readonly coversToMs: number
}

/** The fields of a monitor that a window goes by. */
export interface CoveredMonitor {
  readonly id: MonitorId
  readonly tags: readonly string[]
}

export function isFor(
  { monitorIds, tags }: Pick<Covering, 'monitorIds' | 'tags'>,
  monitor: CoveredMonitor,
): boolean {
  if (monitorIds.length === 0 && tags.length === 0) return true
  return isAmong(monitorIds, monitor.id) || monitor.tags.some((tag) => tags.includes(tag))
}

const idSets = new WeakMap<readonly MonitorId[], ReadonlySet<MonitorId>>()

/** Each check of a monitor asks for each window that is on: a long list becomes a set. */
function isAmong(ids: readonly MonitorId[], id: MonitorId): boolean {
  if (ids.length <= limits.maintenanceIdsListed) return ids.includes(id)
  const set = idSets.get(ids) ?? new Set(ids)
  idSets.set(ids, set)
  return set.has(id)
}

/** Whether it covers its monitors at that time. */
export function isOn({ times, coversFromMs, coversToMs }: Covering, atMs: number): boolean {
  if (atMs < coversFromMs || atMs >= coversToMs) return false
  return occurrencesIn(times, atMs, atMs + 1).length > 0
}

/** The parts of a stretch of time in which the monitor is covered, in order. */
export function coverage(
  coverings: readonly Covering[],
  monitor: CoveredMonitor,
  fromMs: number,
  toMs: number,
): readonly Interval[] {
  // Most organizations have no windows, and every check comes here.
  if (coverings.length === 0 || toMs <= fromMs) return nothing
  const earliestMs = Math.max(fromMs, toMs - limits.spanDaysMax * 86_400_000)
  return clipped(touching(coverings, monitor, earliestMs, toMs), earliestMs, toMs)
}

/**
 * The whole time in which the monitor is covered without a break around a moment; else null. What
 * joins it more than a day away is left out.
 */
export function coverageAt(
  coverings: readonly Covering[],
  monitor: CoveredMonitor,
  atMs: number,
): Interval | null {
  if (coverings.length === 0) return null
  let around: Interval | undefined
  let range: Interval = { fromMs: atMs, toMs: atMs + 1 }
  // Windows that touch each other are one time; each round finds those that touch it.
  for (let round = 0; round < limits.maintenanceJoinedMax; round += 1) {
    const found = touching(coverings, monitor, range.fromMs, range.toMs)
    const wider = found.find((one) => contains(one, atMs))
    if (!wider) return null
    if (around?.fromMs === wider.fromMs && around.toMs === wider.toMs) break
    around = wider
    // Windows that never end together would be followed for years.
    const { maintenanceJoinedMsMax: farMs } = limits
    if (wider.toMs - atMs > farMs || atMs - wider.fromMs > farMs) break
    range = { fromMs: wider.fromMs - 1, toMs: wider.toMs + 1 }
  }
  return around ?? null
}

/** When something next begins or ends for any monitor; null if nothing ever does. */
export function nextTurnAtMs(coverings: readonly Covering[], afterMs: number): number | null {
  let nextMs = Number.POSITIVE_INFINITY
  const note = (atMs: number) => {
    if (atMs > afterMs && atMs < nextMs) nextMs = atMs
  }
  for (const { times, coversFromMs, coversToMs } of coverings) {
    note(coversFromMs)
    note(coversToMs)
    const untilMs = Math.min(coversToMs, afterMs + limits.maintenanceLookMs)
    for (const { fromMs, toMs } of occurrencesIn(times, afterMs, untilMs)) {
      note(fromMs)
      note(toMs)
    }
  }
  return nextMs === Number.POSITIVE_INFINITY ? null : nextMs
}

const nothing: readonly Interval[] = []

/** Clipped to the time of each covering, and joined. */
function touching(
  coverings: readonly Covering[],
  monitor: CoveredMonitor,
  fromMs: number,
  toMs: number,
): readonly Interval[] {
  let found: Interval[] | undefined
  for (const covering of coverings) {
    const { coversFromMs, coversToMs } = covering
    if (coversToMs <= fromMs || coversFromMs >= toMs) continue
    const latestMs = Math.min(toMs, coversToMs)
    const occurrences = occurrencesIn(covering.times, Math.max(fromMs, coversFromMs), latestMs)
    if (occurrences.length === 0 || !isFor(covering, monitor)) continue
    found ??= []
    found.push(...clipped(occurrences, coversFromMs, coversToMs))
  }
  return found === undefined ? nothing : merged(found)
}

function clipped(intervals: readonly Interval[], fromMs: number, toMs: number): Interval[] {
  return intervals.flatMap((one) => {
    const clip = { fromMs: Math.max(one.fromMs, fromMs), toMs: Math.min(one.toMs, toMs) }
    return clip.toMs > clip.fromMs ? [clip] : []
  })
}
