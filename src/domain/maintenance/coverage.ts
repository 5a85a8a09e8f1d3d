// Coverage: the time in which the maintenance windows of an organization cover a monitor.

import type { MonitorId } from '../../base/ids.ts'
import { perObject } from '../../base/per-object.ts'
import { dayMs } from '../health/span.ts'
import { limits } from '../limits/limits.ts'
import { contains, type Interval, merged } from './interval.ts'
import { occurrencesIn, perDayMax, type WindowTimes } from './occurrences.ts'

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

/** What a window is for. */
export type WindowScope = Pick<Covering, 'monitorIds' | 'tags'>

/** Whether it is for every monitor of the organization. */
export const isForEvery = ({ monitorIds, tags }: WindowScope) =>
  monitorIds.length === 0 && tags.length === 0

export function isFor({ monitorIds, tags }: WindowScope, monitor: CoveredMonitor): boolean {
  if (isForEvery({ monitorIds, tags })) return true
  return isAmong(monitorIds, monitor.id) || monitor.tags.some((tag) => tags.includes(tag))
}

const idSets = new WeakMap<readonly MonitorId[], ReadonlySet<MonitorId>>()

/** A window for more monitors than these finds them by a set. */
const maintenanceIdsListed = 20

/** Each check of a monitor asks for each window that is on: a long list becomes a set. */
function isAmong(ids: readonly MonitorId[], id: MonitorId): boolean {
  if (ids.length <= maintenanceIdsListed) return ids.includes(id)
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
  const earliestMs = Math.max(fromMs, toMs - countedMs(coverings, toMs - fromMs))
  return clipped(touching(coverings, monitor, earliestMs, toMs), earliestMs, toMs)
}

/** Occurrences of all windows that are counted in a stretch of time; in a day, all are. */
const maintenanceCounted = 50_000

/** How much of a long time is counted, its newest part: more of many windows would take too long. */
function countedMs(coverings: readonly Covering[], lengthMs: number): number {
  if (lengthMs <= dayMs) return lengthMs
  const perDay = coverings.reduce((sum, { times }) => sum + perDayMax(times), 0)
  const days = Math.floor(maintenanceCounted / Math.max(1, perDay))
  return Math.max(1, Math.min(days, limits.spanDaysMax)) * dayMs
}

/** Whether a window covers the monitor at that time. */
export function isCovered(
  coverings: readonly Covering[],
  monitor: CoveredMonitor,
  atMs: number,
): boolean {
  return coverings.some((one) => isOn(one, atMs) && isFor(one, monitor))
}

/** How long a joined time is remembered, and for how many sets of windows of an organization. */
const maintenanceJoinedKeptMs = 60_000
const maintenanceJoinedKept = 1_000

/**
 * The whole time in which the monitor is covered without a break around a moment; else null. Windows that
 * join it more than a day away are left out.
 */
export function coverageAt(
  coverings: readonly Covering[],
  monitor: CoveredMonitor,
  atMs: number,
): Interval | null {
  if (!isCovered(coverings, monitor, atMs)) return null
  const known = joinedTimes(coverings)
  const key = coverings.flatMap((one, n) => (isFor(one, monitor) ? n : [])).join()
  const before = known.get(key)
  const isNear = before && Math.abs(atMs - before.atMs) < maintenanceJoinedKeptMs
  if (isNear && contains(before.around, atMs)) return before.around
  const around = joinedAround(coverings, monitor, atMs)
  if (around === null) return null
  if (known.size >= maintenanceJoinedKept) known.clear()
  known.set(key, { atMs, around })
  return around
}

interface JoinedTime {
  readonly atMs: number
  readonly around: Interval
}

/**
 * Joined times by the coverings of a monitor: many monitors of a list have the same, and lists are read
 * often.
 */
const joinedTimes = perObject((_coverings: readonly Covering[]) => new Map<string, JoinedTime>())

/** How far around a moment windows that touch each other are joined: further, if that is not enough. */
const maintenanceJoinedMs = [0, 3_600_000, 4 * 3_600_000, 24 * 3_600_000] as const

function joinedAround(
  coverings: readonly Covering[],
  monitor: CoveredMonitor,
  atMs: number,
): Interval | null {
  // Windows that touch each other are one time: what is looked at grows until nothing touches it.
  for (const lookMs of maintenanceJoinedMs) {
    const range = { fromMs: atMs - lookMs, toMs: atMs + 1 + lookMs }
    const found = touching(coverings, monitor, range.fromMs, range.toMs)
    const around = found.find((one) => contains(one, atMs))
    if (!around) return null
    const isWhole = around.fromMs > range.fromMs && around.toMs < range.toMs
    if (isWhole || lookMs === maintenanceJoinedMs.at(-1)) return around
  }
  return null
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
