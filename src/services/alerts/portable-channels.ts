// Exports and imports alert channels: everything except the secrets of their configs.
import type { Clock } from '../../base/clock.ts'
import { pointerPart } from '../../base/fault.ts'
import { channelDefinition } from '../../channels/registry.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Store } from '../../store/store.ts'
import type { Portable, WithId } from '../portable.ts'
import { type ConfigDeps, createConfigs, type NewChannel, newChannel } from './channel-config.ts'

export interface PortableChannelsDeps extends ConfigDeps {
  readonly store: Pick<Store, 'channels'>
  readonly clock: Clock
}

export function portableChannels(
  deps: PortableChannelsDeps,
): Portable<NewChannel & WithId, Channel> {
  const { store, clock } = deps
  const configs = createConfigs(deps)
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
    prepare({ id, ...input }, orgId, references) {
      const nowMs = clock.nowMs()
      const sealed = configs.seal(input.type, input.config)
      return references.note(id, newChannel(input, sealed, { orgId, nowMs }))
    },
    put(tx, _orgId, channels) {
      for (const channel of channels) store.channels.put(tx, channel)
    },
  }
}

/** Omits what belongs to this installation: owner, creation time, and encrypted parts. */
function itemOf(channel: Channel): NewChannel & WithId {
  const { orgId, secretsBox, disabledReason, createdAtMs, updatedAtMs, revision, ...own } = channel
  const { secrets } = channelDefinition(channel.type)
  const open = Object.entries(channel.config).filter(([name]) => !secrets.includes(name))
  return { ...own, config: Object.fromEntries(open) }
}

/** Pointers to the secret fields, which are masked elsewhere and absent here. */
function secretsOf({ type, config }: Channel): string[] {
  return channelDefinition(type).secrets.flatMap((field) => {
    const value = config[field]
    const here = `/config/${field}`
    if (value === undefined) return []
    if (typeof value !== 'object' || value === null) return [here]
    return Object.keys(value).map((name) => `${here}/${pointerPart(name)}`)
  })
}
