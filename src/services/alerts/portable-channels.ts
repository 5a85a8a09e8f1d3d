// Exports and imports alert channels: everything except the secrets of their configs.
import { pointerPart } from '../../base/fault.ts'
import type { ChannelId, OrgId } from '../../base/ids.ts'
import { lackedSecrets } from '../../channels/model/config.ts'
import { channelDefinition, channelDefinitions } from '../../channels/registry.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Core } from '../core.ts'
import { type Portable, type WithId, withFields } from '../portable.ts'
import { createRecords } from '../records.ts'
import { createChannelAftermath } from './channel-aftermath.ts'
import { type ConfigDeps, createConfigs, type NewChannel, newChannel } from './channel-config.ts'

export interface PortableChannelsDeps extends ConfigDeps {
  /** The channel changed. */
  readonly wake: (orgId: OrgId, channelId: ChannelId) => void
}

export function portableChannels(
  core: Core,
  deps: PortableChannelsDeps,
): Portable<NewChannel & WithId, Channel> {
  const { store, clock } = core
  const configs = createConfigs(core, deps)
  const records = createRecords(core, 'channels', store.channels)
  const aftermath = createChannelAftermath(core)
  return {
    async export(orgId) {
      const channels = store.channels.list(orgId, limits.quotaMax).toReversed()
      return channels.map((channel) => ({
        item: itemOf(channel),
        secrets: secretsOf(channel),
        // The whole address of a webhook is often enough to send to it.
        maybeSecret: typeof channel.config.url === 'string' ? ['/config/url'] : [],
      }))
    },
    prepare(item, orgId, references) {
      const { id, ...input } = item
      const nowMs = clock.nowMs()
      const omitted = references.omittedFrom(item).flatMap((pointer) => {
        const [, , field = ''] = pointer.split('/')
        return mayAwait(input.type, field) ? [pointer.slice('/config'.length)] : []
      })
      const sealed = configs.sealWithout(input.type, input.config, omitted)
      const missingSecrets = lackedSecrets(sealed.config, omitted)
      const made = newChannel(input, sealed, { orgId, nowMs })
      if (missingSecrets.length === 0) return references.note(id, made)
      const channel = references.note(id, { ...made, isActive: false, missingSecrets })
      const secrets = missingSecrets.map((pointer) => `/config${pointer}`)
      references.noteAwaiting({ id: channel.id, name: channel.name, secrets })
      return channel
    },
    put(tx, _orgId, channels) {
      for (const channel of channels) store.channels.put(tx, channel)
    },
    again: {
      find: (orgId, id) => store.channels.readable(orgId, id as ChannelId),
      fixed: ['type'],
      merged(stored, ready, fields) {
        const merged = withFields(stored, ready, fields, {
          config: ['config', 'secretsBox', 'missingSecrets'],
          isActive: ['isActive', 'disabledReason'],
        })
        if (!fields.has('config')) return merged
        const { missingSecrets, ...whole } = merged
        return ready.missingSecrets ? { ...merged, isActive: false } : whole
      },
      replace(tx, scope, stored, merged, fields) {
        const nowMs = clock.nowMs()
        const after = records.replace(tx, scope, stored, merged, { fields })
        if (fields.includes('config')) aftermath.tryAgain(tx, after, true, nowMs)
        if (after.isActive && !stored.isActive) aftermath.startAfresh(tx, after)
        if (fields.includes('quietHours')) aftermath.giveTime(tx, after, nowMs)
        return () => deps.wake(after.orgId, after.id)
      },
    },
  }
}

/** Omits what belongs to this installation: owner, creation time, and encrypted parts. */
function itemOf(channel: Channel): NewChannel & WithId {
  const { orgId, secretsBox, disabledReason, missingSecrets, ...more } = channel
  const { createdAtMs, updatedAtMs, revision, offFromRevision, ...own } = more
  const { secrets } = channelDefinition(channel.type)
  const open = Object.entries(channel.config).filter(([name]) => !secrets.includes(name))
  return { ...own, config: Object.fromEntries(open) }
}

/**
 * Whether a channel waits for the field: a secret that it sends with, or what it cannot do without, which documents
 * of other products may lack. Other secrets only sign, and the service makes new ones.
 */
function mayAwait(type: string, field: string): boolean {
  const definition = channelDefinitions.find((one) => one.type === type)
  if (!definition) return false
  const { secrets, signs = [], config } = definition
  if (signs.includes(field)) return false
  return secrets.includes(field) || (config.required ?? []).includes(field)
}

/**
 * Pointers to the secret fields, which are masked elsewhere and absent here, and to the fields that the
 * channel itself waits for.
 */
function secretsOf({ type, config, missingSecrets = [] }: Channel): string[] {
  const stored = channelDefinition(type).secrets.flatMap((field) => {
    const value = config[field]
    const here = `/config/${field}`
    if (value === undefined) return []
    if (typeof value !== 'object' || value === null) return [here]
    return Object.keys(value).map((name) => `${here}/${pointerPart(name)}`)
  })
  return [...stored, ...missingSecrets.map((pointer) => `/config${pointer}`)]
}
