// The fields of an alert channel that callers set, and merge patches of them.
import { invalidField } from '../../base/fault.ts'
import { newId, type OrgId } from '../../base/ids.ts'
import type { Config } from '../../channels/model/config.ts'
import {
  type Channel,
  type ChannelEvent,
  channelEvents,
  type MinSeverity,
} from '../../domain/alerts/channel.ts'
import { changedFields } from '../../domain/audit/audit.ts'
import type { SealedConfig } from './channel-config.ts'

export interface NewChannel {
  readonly name: string
  readonly type: string
  readonly config: Config
  readonly isActive?: boolean | undefined
  /** Absent: true if the organization has no default channel yet. */
  readonly isDefault?: boolean | undefined
  readonly events?: readonly ChannelEvent[] | undefined
  readonly minSeverity?: MinSeverity | undefined
  readonly delayMinutes?: number | undefined
}

/** A merge patch (RFC 7396): null restores a field's default. */
export type ChannelChanges = {
  readonly [Field in keyof NewChannel]?: NewChannel[Field] | null
}

/** The context in which a channel is created. */
export interface ChannelCreation {
  readonly orgId: OrgId
  /** The organization has no default channel yet. */
  readonly isFirst: boolean
  readonly nowMs: number
}

/** A new record from the caller's fields, with its config encrypted. */
export function newChannel(
  input: NewChannel,
  { config, secretsBox }: Pick<SealedConfig, 'config' | 'secretsBox'>,
  { orgId, isFirst, nowMs }: ChannelCreation,
): Channel {
  return {
    id: newId('channel', nowMs),
    orgId,
    name: input.name,
    type: input.type,
    config,
    secretsBox,
    isActive: input.isActive ?? true,
    isDefault: input.isDefault ?? isFirst,
    events: input.events ?? channelEvents,
    minSeverity: input.minSeverity ?? 'degraded',
    delayMinutes: input.delayMinutes ?? 0,
    disabledReason: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
  }
}

/** The channel with the changes applied. Throws validation_failed for another type. */
export function changedChannel(
  before: Channel,
  changes: ChannelChanges,
  sealed: SealedConfig | undefined,
  nowMs: number,
): Channel {
  if (changes.type && changes.type !== before.type) {
    throw invalidField('/type', 'fixed', 'cannot be changed')
  }
  const or = <T>(change: T | null | undefined, present: T, usual: T): T =>
    change === undefined ? present : (change ?? usual)
  const isActive = or(changes.isActive, before.isActive, true)
  return {
    ...before,
    name: changes.name ?? before.name,
    ...(sealed ? { config: sealed.config, secretsBox: sealed.secretsBox } : {}),
    isActive,
    isDefault: or(changes.isDefault, before.isDefault, false),
    events: or(changes.events, before.events, channelEvents),
    minSeverity: or(changes.minSeverity, before.minSeverity, 'degraded'),
    delayMinutes: or(changes.delayMinutes, before.delayMinutes, 0),
    disabledReason: isActive ? null : before.disabledReason,
    updatedAtMs: nowMs,
    revision: before.revision + 1,
  }
}

/** The names of the fields that differ. New secrets count as a change of the config. */
export function changedChannelFields(before: Channel, after: Channel): string[] {
  const named = ({ secretsBox, config, ...rest }: Channel) => ({
    ...rest,
    config: secretsBox === after.secretsBox ? config : [config, secretsBox],
  })
  return changedFields(named(before), named(after))
}
