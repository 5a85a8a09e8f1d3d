// An alert channel: where to send alerts, and which ones.
import type { ChannelId, OrgId } from '../../base/ids.ts'
import { isOutage, type Severity } from '../incidents/incident.ts'
import type { QuietHours } from './quiet-hours.ts'

export const channelEvents = [
  'incident.opened',
  'incident.acknowledged',
  'incident.resolved',
  'incident.reminder',
  'incident.updated',
  'incident.digest',
  'certificate.expiring',
  'domain.expiring',
  'slo.at_risk',
  'slo.exhausted',
  'channel.failing',
] as const
export type ChannelEvent = (typeof channelEvents)[number]

/** The minimum severity of an opening for a channel; `degraded` includes everything. */
export const minSeverities = ['degraded', 'down'] as const
type MinSeverity = (typeof minSeverities)[number]

export interface Channel {
  readonly id: ChannelId
  readonly orgId: OrgId
  readonly name: string
  /** One of the types in `channels/registry.ts`. */
  readonly type: string
  /** The config in a form that may be shown: the mask replaces every secret. */
  readonly config: Readonly<Record<string, unknown>>
  /** Encrypted JSON of the secret parts of the config. */
  readonly secretsBox: string
  readonly isActive: boolean
  readonly isDefault: boolean
  readonly events: readonly ChannelEvent[]
  readonly minSeverity: MinSeverity
  /** Minutes that an opening must stay open and unacknowledged before it is announced. */
  readonly delayMinutes: number
  /** The channel gets only incidents of monitors with one of these tags; empty: of all monitors. */
  readonly tags: readonly string[]
  readonly quietHours: QuietHours | null
  /** Why the daemon itself switched the channel off; null if it did not. */
  readonly disabledReason: string | null
  /** The revision that the channel had before the daemon switched it off, which is no change by people. */
  readonly offFromRevision?: number
  /**
   * Pointers into the config to the secrets that an import did not have. Absent once they are there,
   * or the channel was switched on without them.
   */
  readonly missingSecrets?: readonly string[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}

/** Whether it is as it was at that revision, but for what the daemon switched off since. */
export function onlySwitchedOff(
  { revision, offFromRevision }: Pick<Channel, 'revision' | 'offFromRevision'>,
  before: number | undefined,
): boolean {
  return offFromRevision === before && revision === (before ?? 0) + 1
}

/** Whether an opening is severe enough for the channel. */
export function isLoudEnough(channel: Channel, severity: Severity): boolean {
  return channel.minSeverity === 'degraded' || isOutage(severity)
}
