// The health of a channel, derived from its attempts: whether it works, and when to try it again.
import { unreachable } from '../../base/assert.ts'
import type { ChannelId } from '../../base/ids.ts'
import type { Channel } from './channel.ts'
import { type Delivery, retryWaitMs } from './delivery.ts'

export interface ChannelHealth {
  /** Failed attempts since the last delivery. */
  readonly failures: number
  /**
   * When the first of these failures was, or the first of the failures that `toldBy` is about; null if
   * there is none.
   */
  readonly failingSinceMs: number | null
  /** A message was given up since the last delivery. */
  readonly hasDeadLetter: boolean
  readonly lastError: string | null
  /** When the last alert or test arrived. */
  readonly lastDeliveredAtMs: number | null
  /** When the newest test failed; null if something has arrived since, or the config was changed. */
  readonly testFailedAtMs: number | null
  /** The config was changed, and nothing has arrived since. */
  readonly hasNewConfig: boolean
  /** No person chose whether it is a default channel: it becomes one if no other can work. */
  readonly mayBecomeDefault: boolean
  /** When it worked again after it had been failing. */
  readonly recoveredAtMs: number | null
  /** While the channel fails again and again, nothing is sent before this. */
  readonly probeAtMs: number | null
  /**
   * The channels that announced to the organization that this one is failing, and will announce that it
   * works again; empty if a letter did, null if nothing was announced.
   */
  readonly toldBy: readonly ChannelId[] | null
}

export const unused: ChannelHealth = {
  failures: 0,
  failingSinceMs: null,
  hasDeadLetter: false,
  lastError: null,
  lastDeliveredAtMs: null,
  testFailedAtMs: null,
  hasNewConfig: false,
  mayBecomeDefault: false,
  recoveredAtMs: null,
  probeAtMs: null,
  toldBy: null,
}

export const channelStates = ['untested', 'test_failed', 'ok', 'failing', 'disabled'] as const
export type ChannelState = (typeof channelStates)[number]

/** Failures in a row after which a channel is failing, and only one message probes it. */
const channelFailuresFailing = 3
const channelFailuresOpen = 5

export function isFailing({ failures, hasDeadLetter }: ChannelHealth): boolean {
  return failures >= channelFailuresFailing || hasDeadLetter
}

/** Whether something arrived with the present config. */
function isProven({ lastDeliveredAtMs, hasNewConfig }: ChannelHealth): boolean {
  return lastDeliveredAtMs !== null && !hasNewConfig
}

/** The health after a message arrived. */
export function working(health: ChannelHealth, nowMs: number): ChannelHealth {
  return {
    ...unused,
    mayBecomeDefault: health.mayBecomeDefault,
    lastDeliveredAtMs: nowMs,
    recoveredAtMs: isFailing(health) ? nowMs : health.recoveredAtMs,
  }
}

/**
 * The health after a failed attempt, or a message that was given up without one; `delivery` is as it is
 * then. From the fifth failure in a row on, whatever the messages, the channel is tried at the times at
 * which a single message would be: one message, and none behind it. `random` is from 0 to 1.
 */
export function afterFailure(
  health: ChannelHealth,
  delivery: Pick<Delivery, 'state' | 'lastError' | 'dueAtMs'>,
  nowMs: number,
  random: number,
): ChannelHealth {
  const failures = health.failures + 1
  const isOpen = failures >= channelFailuresOpen
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

/** The health after a test that did not arrive. It counts as no failed attempt, because no alert was lost. */
export function afterFailedTest(
  health: ChannelHealth,
  reason: string,
  nowMs: number,
): ChannelHealth {
  return { ...health, testFailedAtMs: nowMs, lastError: reason }
}

/** Another config was stored: earlier tests and deliveries say nothing about it. */
export function withNewConfig(health: ChannelHealth): ChannelHealth {
  return { ...health, testFailedAtMs: null, hasNewConfig: true }
}

/** A channel that only failed for so long, in so many attempts, is switched off. */
const channelFailingMsMax = 5 * 24 * 3_600_000
const channelFailuresOff = 10

/** Whether nothing but failures came from the channel for so long that it is switched off. */
export function isHopelessChannel(
  { failures, failingSinceMs }: ChannelHealth,
  nowMs: number,
): boolean {
  if (failingSinceMs === null || failures < channelFailuresOff) return false
  return nowMs - failingSinceMs >= channelFailingMsMax
}

/**
 * A person switched the channel on again: earlier failures count no more. Once it works, the people who
 * heard of them hear that too, with the beginning and the reason.
 */
export function afresh(health: ChannelHealth): ChannelHealth {
  const { toldBy, failingSinceMs, lastError, ...rest } = health
  const { lastDeliveredAtMs, testFailedAtMs, hasNewConfig, mayBecomeDefault } = rest
  const kept = { lastDeliveredAtMs, testFailedAtMs, hasNewConfig, mayBecomeDefault }
  if (toldBy !== null) return { ...unused, ...kept, toldBy, failingSinceMs, lastError }
  return { ...unused, ...kept, lastError: testFailedAtMs === null ? null : lastError }
}

/** The channel may be tried at once: a person corrected it. The failures still count. */
export function mayProbe(health: ChannelHealth): ChannelHealth {
  return { ...health, probeAtMs: null }
}

/** The health of a channel as people see it. */
export interface HealthReport {
  readonly state: ChannelState
  /** Since when it is so; null if it is untested, or never failed. */
  readonly sinceMs: number | null
  readonly consecutiveFailures: number
  /** Why the newest attempt or test failed; null if that is over. */
  readonly lastError: string | null
  readonly lastDeliveredAtMs: number | null
  /** When the next waiting message is tried; null if none waits, or the channel is off. */
  readonly nextAttemptAtMs: number | null
  /** Settings of the service that this type of channel needs and that are not set. */
  readonly missingSettings: readonly string[]
  /** When the oldest message that waits for it was made. */
  readonly oldestPendingAtMs: number | null
  readonly pending: number
}

type Switch = Pick<Channel, 'isActive' | 'disabledReason'>

/** What the newest attempts and tests say about a channel. */
export function channelState(
  { isActive, disabledReason }: Switch,
  health: ChannelHealth,
): ChannelState {
  if (!isActive && disabledReason !== null) return 'disabled'
  if (isFailing(health)) return 'failing'
  if (health.testFailedAtMs !== null) return 'test_failed'
  if (isProven(health)) return 'ok'
  // It failed and never worked, so the next attempt will probably fail too.
  return health.failures > 0 ? 'failing' : 'untested'
}

export function healthReport(
  channel: Switch,
  health: ChannelHealth,
  waiting: Pick<
    HealthReport,
    'oldestPendingAtMs' | 'pending' | 'nextAttemptAtMs' | 'missingSettings'
  >,
): HealthReport {
  const state = channelState(channel, health)
  const isBad = state !== 'ok' && state !== 'untested'
  return {
    state,
    sinceMs: sinceMs(state, health),
    consecutiveFailures: health.failures,
    lastError: isBad || health.failures > 0 ? health.lastError : null,
    lastDeliveredAtMs: health.lastDeliveredAtMs,
    ...waiting,
  }
}

function sinceMs(state: ChannelState, health: ChannelHealth): number | null {
  switch (state) {
    case 'untested':
      return null
    case 'test_failed':
      return health.testFailedAtMs
    case 'ok':
      return health.recoveredAtMs
    case 'failing':
    case 'disabled':
      return health.failingSinceMs
    default:
      return unreachable(state)
  }
}

/** Whether an alert would probably arrive: nothing speaks against it. */
export function canWork({ state, missingSettings }: HealthReport): boolean {
  return (state === 'ok' || state === 'untested') && missingSettings.length === 0
}
