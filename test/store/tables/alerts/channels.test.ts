// Channels in the data of earlier versions.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ChannelId } from '../../../../src/base/ids.ts'
import { channelEvents } from '../../../../src/domain/alerts/channel.ts'
import { openEnv } from '../../../../src/store/engine/env.ts'
import { createSignals } from '../../../../src/store/engine/signals.ts'
import { openTable } from '../../../../src/store/engine/table.ts'
import { createWriter } from '../../../../src/store/engine/write.ts'
import { openChannels } from '../../../../src/store/tables/alerts/channels.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { channelNo, makeChannel } from '../../../support/make-channel.ts'
import { orgA } from '../../../support/make-incident.ts'

/** A store whose channels are written as a former version did, and read as today. */
function openVersion(t: Test, version: number) {
  const env = openEnv(join(t.testdir(), 'db'))
  t.teardown(() => env.close())
  const onError = (error: unknown) => t.fail(String(error))
  const clock = new FakeClock()
  const { write } = createWriter(env, { clock, commitDelayMs: 0, onFatal: onError, onError })
  const stored = openTable<unknown>(env, { name: 'channels', version })
  return { write, stored, channels: openChannels(env, createSignals()) }
}

t.test(
  'a channel that got openings as digests before they could be chosen still does',
  async (t) => {
    const { write, stored, channels } = openVersion(t, 1)
    const openings = channelNo(1)
    const ends = channelNo(2)
    const newer = channelNo(3)
    await write((tx) => {
      stored.put(tx, [orgA, openings], makeChannel({ id: openings, events: ['incident.opened'] }))
      stored.put(tx, [orgA, ends], makeChannel({ id: ends, events: ['certificate.expiring'] }))
      channels.put(tx, makeChannel({ id: newer, events: ['incident.opened'] }))
    })
    const eventsOf = (id: ChannelId) => channels.get(orgA, id)?.events
    t.same(eventsOf(openings), ['incident.opened', 'incident.digest'])
    t.same(eventsOf(ends), ['certificate.expiring'])
    t.same(eventsOf(newer), ['incident.opened'], 'chosen without')
  },
)

t.test('a channel from before tags and quiet hours has none, and keeps its events', async (t) => {
  const { write, stored, channels } = openVersion(t, 2)
  const { tags, quietHours, ...before } = makeChannel({ events: ['incident.opened'] })
  await write((tx) => stored.put(tx, [orgA, before.id], before))
  t.same(channels.get(orgA, before.id), { ...before, tags: [], quietHours: null })
})

t.test(
  'a channel that took everything also hears of failing channels and objectives',
  async (t) => {
    const later = ['channel.failing', 'slo.at_risk', 'slo.exhausted'] as const
    const onlyOpenings = { id: channelNo(2), events: ['incident.opened' as const] }
    for (const [version, count] of [
      [2, 0],
      [3, 1],
    ] as const) {
      const env = openEnv(join(t.testdir(), `db${version}`))
      t.teardown(() => env.close())
      const onError = (error: unknown) => t.fail(String(error))
      const clock = new FakeClock()
      const { write } = createWriter(env, { clock, commitDelayMs: 0, onFatal: onError, onError })
      const stored = openTable<unknown>(env, { name: 'channels', version })
      const channels = openChannels(env, createSignals())
      const known: readonly string[] = later.slice(0, count)
      const events = channelEvents.filter(
        (event) => known.includes(event) || !(later as readonly string[]).includes(event),
      )
      const before = makeChannel({ events })
      const picky = makeChannel(onlyOpenings)
      await write((tx) => {
        stored.put(tx, [orgA, before.id], before)
        stored.put(tx, [orgA, picky.id], picky)
      })
      t.same(channels.get(orgA, before.id)?.events.toSorted(), channelEvents.toSorted())
      t.same(channels.get(orgA, picky.id)?.events, ['incident.opened'])
    }
  },
)
