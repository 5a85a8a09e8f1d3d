// What event streams hear of changes of channels.
import t from 'tap'
import type { LiveEvent } from '../../../src/domain/live-events/live-event.ts'
import {
  channelEventMs,
  publishChannelEvents,
} from '../../../src/services/live-events/channel-events.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { openTempStore } from '../../support/temp-store.ts'

t.test(
  'many changes of channels in a moment are one event, and none without readers',
  async (t) => {
    const { store, clock } = openTempStore(t)
    const published: LiveEvent[] = []
    let isHeard = false
    const events = {
      hasListeners: () => isHeard,
      publish: (_orgId: string, event: LiveEvent) => void published.push(event),
    }
    publishChannelEvents({ clock, events, changed: store.signals.channelsChanged })
    const change = () => store.write((tx) => store.channels.put(tx, makeChannel()))
    await change()
    await clock.advance(channelEventMs)
    t.same(published, [])
    isHeard = true
    await change()
    await change()
    t.same(published, [], 'they gather')
    await clock.advance(channelEventMs)
    t.same(published, [{ type: 'channels.changed' }])
    await change()
    await clock.advance(channelEventMs)
    t.equal(published.length, 2)
  },
)
