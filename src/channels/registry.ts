// The channel types: for each its config, its secrets and its sender. A new type is one line here.
import type { ChannelType } from '../domain/alerts/channel.ts'
import type { ChannelKind } from './kind.ts'
import type { Sender, SenderDeps } from './sender.ts'
import { webhook } from './webhook.ts'

export const channelKinds = {
  webhook,
} as const satisfies Record<ChannelType, ChannelKind>

/** One sender for every channel: it goes by the channel's type. */
export function createSender(deps: SenderDeps): Sender {
  const senders = new Map(
    Object.entries(channelKinds).map(([type, kind]) => [type, kind.createSender(deps)]),
  )
  return async (message, opened, context) => {
    const { type } = opened.channel
    const send = senders.get(type)
    if (!send) return { ok: false, mayRetry: false, reason: `There is no channel type ${type}.` }
    return send(message, opened, context)
  }
}
