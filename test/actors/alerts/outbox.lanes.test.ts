// Channels that hang: how long the others wait for their first attempt.
import t, { type Test } from 'tap'
import type { OrgId } from '../../../src/base/ids.ts'
import { newId } from '../../../src/base/ids.ts'
import type { Outcome } from '../../../src/domain/alerts/attempt.ts'
import { newDelivery } from '../../../src/domain/alerts/delivery.ts'
import { incidentPayload } from '../../../src/domain/alerts/payload.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { makeIncident } from '../../support/make-incident.ts'
import { startOutboxWorld } from '../../support/outbox-world.ts'
import { settle } from '../../support/temp-store.ts'

const { data: sampleData } = incidentPayload(
  'incident.opened',
  makeIncident(),
  [],
  0,
  'https://up.test/alerts/x',
)
const about = { incidentId: null, event: 'incident.opened', sequence: 0 } as const
const hangMs = 20_000
const healthyMs = 100

interface Story {
  readonly channels: number
  readonly hanging: number
  readonly isOneOrg: boolean
  /** How many times something happens, a minute apart. */
  readonly rounds?: number
}

/** The waits of the healthy channels from the event to the first attempt. */
async function waitsOf(t: Test, { channels, hanging, isOneOrg, rounds = 1 }: Story) {
  const world = startOutboxWorld(t)
  const { clock, store, outbox } = world
  const orgId = newId('org', 0)
  const all = Array.from({ length: channels }, () => {
    const org: OrgId = isOneOrg ? orgId : newId('org', 0)
    return makeChannel({ id: newId('channel', 0), orgId: org })
  })
  await store.write((tx) => {
    for (const channel of all) store.channels.put(tx, channel)
  })
  // They come first, so that they take whatever they can get.
  const bad = new Set(all.slice(0, hanging).map(({ id }) => id))
  world.answer = ({ channelId }): Promise<Outcome> => {
    const isBad = bad.has(channelId)
    const outcome: Outcome = isBad
      ? { ok: false, mayRetry: true, class: 'timeout', reason: 'No answer within 20 seconds.' }
      : { ok: true, status: 200 }
    return new Promise((resolve) => {
      clock.setTimeout(() => resolve(outcome), isBad ? hangMs : healthyMs)
    })
  }
  const waitsMs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const nowMs = clock.nowMs()
    const from = world.sent.length
    await store.write((tx) => {
      for (const { id: channelId, orgId: org } of all) {
        const id = newId('delivery', nowMs)
        const payload = { type: 'incident.opened', timestamp: new Date(nowMs).toISOString() }
        const payloadJson = JSON.stringify({ ...payload, data: sampleData })
        const owed = newDelivery({
          ...about,
          id,
          orgId: org,
          channelId,
          payloadJson,
          nowMs,
        })
        store.deliveries.put(tx, owed)
      }
    })
    for (const { id, orgId: org } of all) outbox.wake(org, id)
    for (let step = 0; step < 1_200; step += 1) {
      await settle1()
      await clock.advance(50)
    }
    await settle()
    // Besides they hear that others fail.
    const healthy = world.sent
      .slice(from)
      .filter(({ channelId, message }) => !bad.has(channelId) && message.event === about.event)
    t.equal(healthy.length, channels - hanging)
    waitsMs.push(...healthy.map(({ atMs }) => atMs - nowMs))
  }
  return waitsMs.sort((a, b) => a - b)

  async function settle1(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    await store.flush()
  }
}

const p99 = (sorted: readonly number[]) => sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0

const stories: readonly [title: string, story: Story, mostMs: number][] = [
  ['none hangs', { channels: 100, hanging: 0, isOneOrg: true }, 500],
  ['one of a hundred hangs', { channels: 100, hanging: 1, isOneOrg: false, rounds: 2 }, 500],
  ['one of a hundred of one organization', { channels: 100, hanging: 1, isOneOrg: true }, 500],
  ['twenty of one organization', { channels: 100, hanging: 20, isOneOrg: true, rounds: 2 }, 1_000],
  ['eighty of one organization', { channels: 100, hanging: 80, isOneOrg: true }, 2_000],
  ['the channels of a hundred others', { channels: 120, hanging: 100, isOneOrg: false }, 2_000],
]
for (const [title, story, mostMs] of stories) {
  t.test(`${title}: the others are tried in time`, async (t) => {
    const waitsMs = await waitsOf(t, story)
    t.ok(p99(waitsMs) <= mostMs, `p99 ${p99(waitsMs)} ms, most ${waitsMs.at(-1)} ms`)
  })
}
