// The constructor of channels in tests: what a test sets is what it is about.
import type { ChannelId } from '../../src/base/ids.ts'
import { type Channel, channelEvents } from '../../src/domain/alerts/channel.ts'
import { channelA, orgA } from './make-incident.ts'

/** The n-th channel's id; the first is channelA. */
export function channelNo(number: number): ChannelId {
  return number === 1 ? channelA : (`chn_01k${String(number).padStart(23, '0')}` as ChannelId)
}

/** A switched-on default webhook that wants to hear of everything. */
export function makeChannel(channel: Partial<Channel> = {}): Channel {
  return {
    id: channelA,
    orgId: orgA,
    name: 'Pager',
    type: 'webhook',
    config: { url: 'http://127.0.0.1:9/' },
    secretsBox: '{}',
    isActive: true,
    isDefault: true,
    events: channelEvents,
    minSeverity: 'degraded',
    delayMinutes: 0,
    tags: [],
    quietHours: null,
    disabledReason: null,
    createdAtMs: 0,
    updatedAtMs: 0,
    revision: 1,
    ...channel,
  }
}
