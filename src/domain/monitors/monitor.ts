// A monitor: what it checks, how often, and when it counts as down.
import type { ChannelId, MonitorId, OrgId } from '../../base/ids.ts'
import type { Expectation } from '../assertions/expectation.ts'
import type { CheckType, Method } from '../checks/check-type.ts'

/** Everything a probe needs to check a target once. */
export interface EndpointTarget {
  readonly checkType: CheckType
  readonly url: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly timeoutMs: number
  readonly followRedirects: boolean
  readonly maxRedirects: number
  readonly ignoreTlsErrors: boolean
  readonly caCertificates?: string | null | undefined
  readonly ipFamily: 'any' | 'ipv4' | 'ipv6'
  /** The organization that look-ups are charged to; absent for the daemon's own. */
  readonly orgId?: OrgId
  readonly expect: Expectation
}

interface FormerPushToken {
  readonly hash: string
  readonly untilMs: number
}

export interface Monitor extends Expectation {
  readonly id: MonitorId
  readonly orgId: OrgId
  readonly checkType: CheckType
  readonly name: string
  /**
   * What readers of status pages, badges, feeds and reports see in place of the name. Null: the name;
   * absent in records of earlier versions.
   */
  readonly publicName?: string | null
  /** Null on a push monitor. */
  readonly url: string | null
  readonly method: Method
  /** Names only; the encrypted values are in requestBox. */
  readonly headerNames: readonly string[]
  /** Encrypted JSON of {headers, body}; null if there is neither. */
  readonly requestBox: string | null
  /** The period between checks, or the expected period between push reports. */
  readonly intervalSeconds: number
  readonly timeoutMs: number
  readonly degradedThresholdMs: number | null
  readonly degradedThreshold: number
  readonly degradedOpensIncident: boolean
  readonly isActive: boolean
  readonly isPublic: boolean
  readonly notifyChannelIds: readonly ChannelId[]
  readonly failureThreshold: number
  readonly recoveryThreshold: number
  /** Null: min(30, interval / 2). */
  readonly retryIntervalSeconds: number | null
  /**
   * Minutes after an opening at which channels are reminded of it, if nobody acknowledged it; the
   * wait then doubles. 0: never.
   */
  readonly reminderMinutes: number
  readonly followRedirects: boolean
  readonly maxRedirects: number
  readonly ignoreTlsErrors: boolean
  /**
   * Authorities in PEM that are trusted besides the others. Null: none; absent in records of earlier
   * versions.
   */
  readonly caCertificates?: string | null
  /** Days before a certificate's expiry at which to warn. Empty: never. */
  readonly certificateWarnDays: readonly number[]
  /** The same for the registration of a domain. */
  readonly domainWarnDays: readonly number[]
  readonly ipFamily: 'any' | 'ipv4' | 'ipv6'
  readonly tags: readonly string[]
  readonly description: string | null
  readonly runbookUrl: string | null
  /** Push: seconds after the period before a missing report counts. */
  readonly graceSeconds: number
  /** Push: a cron expression in `timezone`, in place of the period. */
  readonly schedule: string | null
  readonly timezone: string
  /** Push: how long a run that was started may take. 0: as long as it likes. */
  readonly maxRunSeconds: number
  /** Push: an outage ends by itself after that long without a report of an error. 0: never. */
  readonly autoRecoveryMinutes: number
  /** Its alerts are held while one of these is down. */
  readonly dependsOn: readonly MonitorId[]
  /** The share of each month in which it should work. Null: no objective. */
  readonly sloPercent: number | null
  /** Push: SHA-256 of the current token, and the encrypted token for showing it again. */
  readonly pushTokenHash: string | null
  readonly pushTokenBox: string | null
  /** Push: replaced tokens that still work, oldest first; absent if there are none. */
  readonly formerPushTokens?: readonly FormerPushToken[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** Increases with every change; the ETag. */
  readonly revision: number
}

/** The name that the public sees: nothing else of a monitor's names leaves the organization. */
export function publicNameOf({ name, publicName }: Pick<Monitor, 'name' | 'publicName'>): string {
  return publicName ?? name
}

/** Seconds between checks while a failure or a recovery is being confirmed. */
export function retrySeconds(
  monitor: Pick<Monitor, 'intervalSeconds' | 'retryIntervalSeconds'>,
): number {
  const half = Math.ceil(monitor.intervalSeconds / 2)
  return monitor.retryIntervalSeconds ?? Math.max(5, Math.min(30, half))
}

/** Whether a push token, given as its hash, may report to the monitor now. */
export function takesPushToken(
  { pushTokenHash, formerPushTokens = [] }: Pick<Monitor, 'pushTokenHash' | 'formerPushTokens'>,
  tokenHash: string,
  nowMs: number,
): boolean {
  if (pushTokenHash === tokenHash) return true
  return formerPushTokens.some(({ hash, untilMs }) => hash === tokenHash && nowMs < untilMs)
}

/** Replaced push tokens of one monitor that still work. */
export const formerPushTokensMax = 5

/** The monitor with a new push token; the one before works until `formerUntilMs`, or no more. */
export function withPushToken(
  monitor: Monitor,
  token: Pick<Monitor, 'pushTokenHash' | 'pushTokenBox'>,
  { nowMs, formerUntilMs }: { readonly nowMs: number; readonly formerUntilMs: number | null },
): Monitor {
  const { formerPushTokens = [], pushTokenHash: hash, ...kept } = withoutEndedTokens(monitor, nowMs)
  const renewed = { ...kept, ...token }
  if (formerUntilMs === null || hash === null) return renewed
  const former = [...formerPushTokens, { hash, untilMs: formerUntilMs }]
  return { ...renewed, formerPushTokens: former.slice(-formerPushTokensMax) }
}

/** The same monitor if no replaced token has ended. */
export function withoutEndedTokens(monitor: Monitor, nowMs: number): Monitor {
  const { formerPushTokens, ...kept } = monitor
  const still = formerPushTokens?.filter(({ untilMs }) => nowMs < untilMs)
  if (!still || still.length === formerPushTokens?.length) return monitor
  return still.length === 0 ? kept : { ...kept, formerPushTokens: still }
}
