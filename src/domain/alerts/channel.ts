// An alert channel: where and about what an organization wants to be told.
import type { ChannelId, OrgId } from '../../base/ids.ts'
import type { Severity } from '../incidents/incident.ts'

export const channelEvents = [
  'incident.opened',
  'incident.acknowledged',
  'incident.resolved',
  'incident.reminder',
  'incident.updated',
  'certificate.expiring',
  'domain.expiring',
] as const
export type ChannelEvent = (typeof channelEvents)[number]

/** The least an opening must be for a channel to hear of it; `degraded` is everything. */
export const minSeverities = ['degraded', 'down'] as const
export type MinSeverity = (typeof minSeverities)[number]

export interface Channel {
  readonly id: ChannelId
  readonly orgId: OrgId
  readonly name: string
  /** One of the types that `channels/registry.ts` lists. */
  readonly type: string
  /** The config as it may be shown: every secret in it is replaced by the mask. */
  readonly config: Readonly<Record<string, unknown>>
  /** Sealed JSON of the secret parts of the config. */
  readonly secretsBox: string
  readonly isActive: boolean
  readonly isDefault: boolean
  readonly events: readonly ChannelEvent[]
  readonly minSeverity: MinSeverity
  /** Tell of an opening only if it is still open and not acknowledged after so long; 0 = at once. */
  readonly delayMinutes: number
  /** Why the daemon itself switched the channel off; null where it did not. */
  readonly disabledReason: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}

/** Whether an opening of this severity is loud enough for the channel. */
export function isLoudEnough(channel: Channel, severity: Severity): boolean {
  return channel.minSeverity === 'degraded' || severity === 'down' || severity === 'declared'
}
