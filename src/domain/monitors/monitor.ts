// A monitor: what it checks, how often, and when it counts as down.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { Expectation } from '../assertions/expectation.ts'
import type { BrowserAction, ViewportName } from '../browser/action.ts'
import type { CheckType, Method } from '../checks/check-type.ts'
import type { UsableSecret } from '../secrets/org-secret.ts'
import type { Step } from '../steps/step.ts'
import type { KeptAddress, KeptRules } from './kept-address.ts'
import type { MonitorAuth, MonitorSettings } from './monitor-fields.ts'
import type { ShadowRun } from './shadow.ts'

/** Everything a probe needs to check a target once. */
export interface EndpointTarget {
  readonly checkType: CheckType
  readonly url: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly username?: string | null
  readonly password?: string | null
  readonly secret?: string | null
  readonly clientKey?: string | null
  readonly auth?: MonitorAuth | null
  readonly steps?: readonly Step[]
  readonly variables?: Readonly<Record<string, string>>
  /** The secrets of the organization that the steps name, as far as there are any. */
  readonly secrets?: Readonly<Record<string, UsableSecret>>
  readonly timeoutMs: number
  readonly followRedirects: boolean
  readonly maxRedirects: number
  readonly ignoreTlsErrors: boolean
  readonly caCertificates?: string | null | undefined
  readonly clientCertificate?: string | null | undefined
  readonly connectTo?: string | null | undefined
  readonly proxy?: string | null | undefined
  readonly ipFamily: 'any' | 'ipv4' | 'ipv6'
  /** The organization that look-ups are charged to; absent for the daemon's own. */
  readonly orgId?: OrgId
  readonly expect: Expectation
  /** Browser: what is done on the page, and in which window. */
  readonly actions?: readonly BrowserAction[]
  readonly viewport?: ViewportName | undefined
  /** Game: its id. */
  readonly game?: string | null | undefined
}

interface FormerPushToken {
  readonly hash: string
  readonly untilMs: number
}

/** A monitor as it is stored: what callers set (monitor-fields.ts), and what the daemon adds. */
export interface Monitor extends MonitorSettings {
  readonly id: MonitorId
  readonly orgId: OrgId
  /** Names only; the encrypted values are in requestBox. */
  readonly headerNames: readonly string[]
  /** Encrypted JSON of the request (monitor-fields.ts); null if it is empty. */
  readonly requestBox: string | null
  /** The secrets of the organization that it sends, by name; absent: none. */
  readonly secretNames?: readonly string[] | undefined
  /** The variables whose values an import left out and nobody has set since; absent: none. */
  readonly unsetVariables?: readonly string[] | undefined
  /** The period between checks, or the expected period between push reports. */
  readonly intervalSeconds: number
  /** Push: SHA-256 of the current token, and the encrypted token for showing it again. */
  readonly pushTokenHash: string | null
  readonly pushTokenBox: string | null
  /** Push: replaced tokens that still work, oldest first; absent if there are none. */
  readonly formerPushTokens?: readonly FormerPushToken[]
  /** Push: addresses in another product at which its senders still report; absent: none. */
  readonly keptAddresses?: readonly KeptAddress[] | undefined
  /** What counts of the reports that come there; absent: all. */
  readonly keptRules?: KeptRules | undefined
  /** The revision that it had before a report resumed it, which is no change by people. */
  readonly resumedFromRevision?: number
  /** That it began as the shadow of a monitor in another product; absent: it did not. */
  readonly shadow?: ShadowRun | undefined
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** Increases with every change; the ETag. */
  readonly revision: number
}

/** Whether it is as it was at that revision, but for a report that resumed it since. */
export function onlyResumed(
  { revision, resumedFromRevision }: Partial<Pick<Monitor, 'revision' | 'resumedFromRevision'>>,
  before: number | undefined,
): boolean {
  return resumedFromRevision === before && revision === (before ?? 0) + 1
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
