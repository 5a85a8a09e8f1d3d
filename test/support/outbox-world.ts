// An organization with channels, a store, a fake clock and a sender that a test scripts.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'
import { createEnqueue } from '../../src/actors/alerts/enqueue.ts'
import { type Outbox, startOutbox } from '../../src/actors/alerts/outbox.ts'
import { type ChannelId, type IncidentId, newId } from '../../src/base/ids.ts'
import { type LogFields, silentLog } from '../../src/base/log/log.ts'
import type { Message } from '../../src/channels/model/message.ts'
import type { Channel } from '../../src/domain/alerts/channel.ts'
import { type Delivery, newDelivery, type Outcome } from '../../src/domain/alerts/delivery.ts'
import {
  type ChannelHealthPayload,
  type IncidentEvent,
  incidentPayload,
} from '../../src/domain/alerts/payload.ts'
import type { Incident } from '../../src/domain/incidents/incident.ts'
import type { Monitor } from '../../src/domain/monitors/monitor.ts'
import type { Store } from '../../src/store/store.ts'
import type { FakeClock } from './fake-clock.ts'
import { makeChannel } from './make-channel.ts'
import { channelA, makeIncident, monitorA, orgA } from './make-incident.ts'
import { makeMonitor } from './make-page.ts'
import { openTempStore } from './temp-store.ts'
import { patienceMs } from './until.ts'

export interface SentMessage {
  readonly channelId: ChannelId
  readonly message: Message
  readonly payload: {
    readonly type: string
    readonly data: {
      readonly incident: { readonly id: string; readonly title: string; readonly state: string }
      readonly incidents: readonly { readonly id: string; readonly state: string }[]
      readonly incidentsTotal: number
      readonly incidentIds: readonly string[]
      /** What a digest is about. */
      readonly event: string
    }
  }
  readonly atMs: number
}

export const delivered: Outcome = { ok: true, status: 200 }
export const unavailable: Outcome = {
  ok: false,
  mayRetry: true,
  status: 500,
  reason: 'The receiver answered 500.',
}

type Reply = Outcome | Promise<Outcome>

export interface OutboxWorld {
  readonly store: Store
  readonly dir: string
  readonly clock: FakeClock
  readonly outbox: Outbox
  /** Every attempt so far, in order. */
  readonly sent: SentMessage[]
  readonly errors: { message: string; fields: LogFields | undefined }[]
  /** What the owners were told by letter. */
  readonly letters: ChannelHealthPayload[]
  /** What the receiver says from now on. */
  answer: (sent: SentMessage) => Reply
  addChannel(channel?: Partial<Channel>): Promise<Channel>
  /** Writes what an event makes owed, and wakes its channels. Returns them. */
  tell(
    event: IncidentEvent,
    incident?: Partial<Incident>,
    monitor?: Partial<Monitor>,
  ): Promise<readonly ChannelId[]>
  /** The same without waking the outbox; returns the channels that would be woken. */
  owe(
    event: IncidentEvent,
    incident?: Partial<Incident>,
    monitor?: Partial<Monitor>,
  ): Promise<readonly ChannelId[]>
  deliveries(channelId?: ChannelId): Delivery[]
  /** The delivery that an opening would make, for putting many at once. */
  make(incident: Incident): Delivery
  /** Another outbox on the same store, as after a restart. */
  restart(options?: { store?: Store }): Outbox
}

/** The n-th incident's id. */
export function incidentNo(number: number): IncidentId {
  return `inc_01k${String(number).padStart(23, '0')}` as IncidentId
}

/** Waits until what runs in the background has come so far. */
export async function until(isSo: () => boolean, what = 'the outbox'): Promise<void> {
  const endMs = performance.now() + patienceMs
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`${what} did not come so far`)
    await nextTurn()
  }
}

export function startOutboxWorld(t: Test): OutboxWorld {
  const { store, clock, dir } = openTempStore(t)
  const sent: SentMessage[] = []
  const errors: { message: string; fields: LogFields | undefined }[] = []
  const letters: ChannelHealthPayload[] = []
  let isWaking = false
  const woken: ChannelId[] = []
  const enqueue = createEnqueue({
    store,
    incidentUrl: () => 'https://up.test/alerts/x',
    wake(orgId, channelId) {
      woken.push(channelId)
      if (isWaking) world.outbox.wake(orgId, channelId)
    },
  })
  const log = {
    ...silentLog,
    error: (message: string, fields?: LogFields) => errors.push({ message, fields }),
  }

  const restart = (options: { store?: Store } = {}) => {
    const outbox = startOutbox({
      store: options.store ?? store,
      clock,
      log,
      random: () => 0.5,
      tellOwners: (_tx, _orgId, payload) => letters.push(payload),
      onAttempt() {},
      onGivenUp() {},
      incidentsUrl: () => 'https://up.test/app/incidents',
      isOff: () => false,
      seal: (text) => text,
      open: (channel) => ({ channel, config: channel.config }),
      sender: async (message, { channel }) => {
        const payload = JSON.parse(message.payloadJson)
        const one = { channelId: channel.id, message, payload, atMs: clock.nowMs() }
        sent.push(one)
        return world.answer(one)
      },
    })
    t.teardown(async () => {
      const stopped = outbox.stop()
      // A test may leave a receiver hanging.
      await clock.advance(10_000)
      await stopped
    })
    return outbox
  }

  const owe: OutboxWorld['owe'] = async (event, incident = {}, monitor) => {
    const nowMs = clock.nowMs()
    const about = makeIncident({ orgId: orgA, ...incident })
    woken.length = 0
    await store.write((tx) =>
      enqueue.incident(tx, {
        incident: about,
        event,
        nowMs,
        ...(monitor ? { monitor: makeMonitor({ id: monitorA, ...monitor }) } : {}),
      }),
    )
    return [...woken]
  }

  const world: OutboxWorld = {
    dir,
    store,
    clock,
    sent,
    errors,
    letters,
    restart,
    owe,
    outbox: undefined as unknown as Outbox,
    answer: () => delivered,
    async addChannel(channel) {
      const made = makeChannel({ orgId: orgA, ...channel })
      await store.write((tx) => store.channels.put(tx, made))
      return made
    },
    async tell(event, incident, monitor) {
      isWaking = true
      const channelIds = await owe(event, incident, monitor)
      isWaking = false
      return channelIds
    },
    make(incident) {
      const nowMs = clock.nowMs()
      const payload = incidentPayload(
        'incident.opened',
        incident,
        [],
        nowMs,
        'https://up.test/alerts/x',
      )
      return newDelivery({
        id: newId('delivery', nowMs),
        orgId: orgA,
        channelId: channelA,
        nowMs,
        incidentId: incident.id,
        event: 'incident.opened',
        sequence: 1,
        payloadJson: JSON.stringify(payload),
      })
    },
    deliveries: (channelId = makeChannel().id) =>
      store.deliveries.list(orgA, channelId, { limit: 3_000 }).toReversed(),
  }
  return Object.assign(world, { outbox: restart() })
}
