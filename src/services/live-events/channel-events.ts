// Tells the event streams of an organization that something about its channels changed.
import type { Clock } from '../../base/clock.ts'
import type { OrgId } from '../../base/ids.ts'
import type { Signals } from '../../store/engine/signals.ts'
import type { Events } from './events.ts'

export interface ChannelEventsDeps {
  readonly clock: Clock
  readonly events: Pick<Events, 'publish' | 'hasListeners'>
  readonly changed: Signals['channelsChanged']
}

/** How long changes of channels gather until streams hear of them. */
export const channelEventMs = 250

/** Changes of a moment become one event: in a storm each attempt is a change. */
export function publishChannelEvents({ clock, events, changed }: ChannelEventsDeps): void {
  const waiting = new Set<OrgId>()
  changed.listen((orgId) => {
    if (!events.hasListeners(orgId) || waiting.has(orgId)) return
    waiting.add(orgId)
    clock.setTimeout(() => {
      waiting.delete(orgId)
      events.publish(orgId, { type: 'channels.changed' })
    }, channelEventMs)
  })
}
