// The schedule: when a monitor is due. At a fixed rate, without drift, herds or bursts.
import type { MonitorId } from '../../base/ids.ts'
import type { PlaceId } from '../locations/place.ts'

/** The retry of a check that could not be made, if its interval is longer. */
export const unseenRetryMs = 300_000
/** A check whose result was set aside is repeated within this time. */
export const stalledRetryMs = 10_000

/**
 * The first due time of an actor: at once for a monitor just `created`; after a `start` of the
 * daemon its slot, so that the fleet starts evenly. The slot is a hash of the id on a grid that
 * begins in 1970, so every start finds the same one.
 */
export function firstDueAtMs(
  monitorId: MonitorId,
  intervalMs: number,
  nowMs: number,
  phase: 'created' | 'start',
  offsetMs = 0,
): number {
  if (phase === 'created') return nowMs
  return gridPointAfter(slotOf(monitorId, intervalMs) + offsetMs, intervalMs, nowMs - 1)
}

/** How much later than at the first one a monitor is checked at one of its places: evenly spread. */
export function offsetOf(
  monitor: { readonly locations: readonly PlaceId[]; readonly intervalSeconds: number },
  place: PlaceId,
): number {
  const { locations, intervalSeconds } = monitor
  const index = Math.max(0, locations.indexOf(place))
  return Math.floor((intervalSeconds * 1_000 * index) / Math.max(1, locations.length))
}

/**
 * When to check again after a check ended: at the retry interval while something is being
 * confirmed, else at the monitor's next slot, independent of when the last run was. Missed slots are
 * skipped. Setting the wall clock far back does not stall the monitor.
 */
export function dueAfterCheck(check: {
  readonly monitorId: MonitorId
  readonly previousDueAtMs: number
  readonly intervalMs: number
  readonly retryMs: number
  readonly isConfirming: boolean
  readonly nowMs: number
  /** How much later than at the first place. */
  readonly offsetMs?: number
}): number {
  const { monitorId, previousDueAtMs, intervalMs, nowMs, offsetMs = 0 } = check
  if (check.isConfirming) return nowMs + check.retryMs
  const afterMs = laterOf(previousDueAtMs, intervalMs, nowMs)
  return gridPointAfter(slotOf(monitorId, intervalMs) + offsetMs, intervalMs, afterMs)
}

/** A timer that fires early must not run a slot twice, so this counts from the due time. */
function laterOf(previousDueAtMs: number, intervalMs: number, nowMs: number): number {
  const isPlausible = previousDueAtMs - nowMs < intervalMs
  return isPlausible ? Math.max(previousDueAtMs, nowMs) : nowMs
}

/** The first time strictly after `afterMs` at a whole number of intervals from `originMs`. */
export function gridPointAfter(originMs: number, intervalMs: number, afterMs: number): number {
  return originMs + (Math.floor((afterMs - originMs) / intervalMs) + 1) * intervalMs
}

/** A stable position within the interval: FNV-1a of the id, mixed once more. */
export function slotOf(monitorId: MonitorId, intervalMs: number): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < monitorId.length; at++) {
    hash = Math.imul(hash ^ monitorId.charCodeAt(at), 0x01000193)
  }
  // The ids of one import differ only in their last characters, which FNV-1a alone spreads badly;
  // this is the finalizer of MurmurHash3.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  hash ^= hash >>> 16
  return Math.floor(((hash >>> 0) / 2 ** 32) * intervalMs)
}
