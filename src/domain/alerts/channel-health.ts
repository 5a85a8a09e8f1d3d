// The health of a channel, derived from its attempts: whether it works, and when to try it again.
import type { ChannelId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'
import type { Channel } from './channel.ts'
import { type Delivery, retryWaitMs } from './delivery.ts'

export interface ChannelHealth {
  /** Failed attempts since the last delivery. */
  readonly failures: number
  /** When the first of them was, or of those that `toldBy` is about; null if there is none. */
  readonly failingSinceMs: number | null
  /** A message was given up since the last delivery. */
  readonly hasDeadLetter: boolean
  readonly lastError: string | null
  readonly lastDeliveredAtMs: number | null
  /** When it worked again after it had been failing. */
  readonly recoveredAtMs: number | null
  /** While the channel fails again and again, nothing is sent before this. */
  readonly probeAtMs: number | null
  /**
   * The channels by which the organization was told that this one is failing, and is told when it
   * works again; empty if a letter told it, null if it was not told.
   */
  readonly toldBy: readonly ChannelId[] | null
}

export const unused: ChannelHealth = {
  failures: 0,
  failingSinceMs: null,
  hasDeadLetter: false,
  lastError: null,
  lastDeliveredAtMs: null,
  recoveredAtMs: null,
  probeAtMs: null,
  toldBy: null,
}

export const channelStates = ['ok', 'failing', 'disabled'] as const
export type ChannelState = (typeof channelStates)[number]

export function isFailing({ failures, hasDeadLetter }: ChannelHealth): boolean {
  return failures >= limits.channelFailuresFailing || hasDeadLetter
}

/** After a message arrived. */
export function working(health: ChannelHealth, nowMs: number): ChannelHealth {
  return {
    ...unused,
    lastDeliveredAtMs: nowMs,
    recoveredAtMs: isFailing(health) ? nowMs : health.recoveredAtMs,
  }
}

/**
 * After a failed attempt, or a message that was given up without one; `delivery` is as it is then.
 * From the fifth failure in a row on, whatever the messages, the channel is tried at the times at
 * which a single message would be: one message, and none behind it. `random` is from 0 to 1.
 */
export function afterFailure(
  health: ChannelHealth,
  delivery: Pick<Delivery, 'state' | 'lastError' | 'dueAtMs'>,
  nowMs: number,
  random: number,
): ChannelHealth {
  const failures = health.failures + 1
  const isOpen = failures >= limits.channelFailuresOpen
  const probeAtMs = nowMs + retryWaitMs(health.failures, random)
  const isPending = delivery.state === 'pending'
  return {
    ...health,
    failures,
    failingSinceMs: failures === 1 ? nowMs : (health.failingSinceMs ?? nowMs),
    hasDeadLetter: health.hasDeadLetter || delivery.state === 'dead',
    lastError: delivery.lastError,
    // A receiver that asks for a longer pause gets it.
    probeAtMs: isOpen ? Math.max(probeAtMs, isPending ? delivery.dueAtMs : 0) : null,
  }
}

/** Whether nothing but failures came from the channel for so long that it is switched off. */
export function isHopelessChannel(
  { failures, failingSinceMs }: ChannelHealth,
  nowMs: number,
): boolean {
  if (failingSinceMs === null || failures < limits.channelFailuresOff) return false
  return nowMs - failingSinceMs >= limits.channelFailingMsMax
}

/**
 * A person switched the channel on again: earlier failures count no more. Those who were told of them
 * are told, with the beginning and the reason, once it works.
 */
export function afresh(health: ChannelHealth): ChannelHealth {
  const { lastDeliveredAtMs, toldBy, failingSinceMs, lastError } = health
  if (toldBy === null) return { ...unused, lastDeliveredAtMs }
  return { ...unused, lastDeliveredAtMs, toldBy, failingSinceMs, lastError }
}

/** The channel may be tried at once: a person corrected it. The failures still count. */
export function mayProbe(health: ChannelHealth): ChannelHealth {
  return { ...health, probeAtMs: null }
}

/** The health of a channel as people see it. */
export interface HealthReport {
  readonly state: ChannelState
  /** Since when it is so; null if it never failed. */
  readonly sinceMs: number | null
  readonly consecutiveFailures: number
  readonly lastError: string | null
  readonly lastDeliveredAtMs: number | null
  /** When the oldest message that waits for it was made. */
  readonly oldestPendingAtMs: number | null
  readonly pending: number
}

export function healthReport(
  { isActive, disabledReason }: Pick<Channel, 'isActive' | 'disabledReason'>,
  health: ChannelHealth,
  waiting: Pick<HealthReport, 'oldestPendingAtMs' | 'pending'>,
): HealthReport {
  const isDisabled = !isActive && disabledReason !== null
  const isBad = isDisabled || isFailing(health)
  return {
    state: isDisabled ? 'disabled' : isBad ? 'failing' : 'ok',
    sinceMs: isBad ? health.failingSinceMs : health.recoveredAtMs,
    consecutiveFailures: health.failures,
    lastError: isBad || health.failures > 0 ? health.lastError : null,
    lastDeliveredAtMs: health.lastDeliveredAtMs,
    ...waiting,
  }
}
