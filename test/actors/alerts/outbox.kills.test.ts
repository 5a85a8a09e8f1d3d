// What a receiver that knows repetitions by their id has seen in the end, though the daemon was
// killed at any point between a verdict, an attempt and its record.
import fc from 'fast-check'
import t from 'tap'
import { createEnqueue } from '../../../src/actors/alerts/enqueue.ts'
import { type Outbox, startOutbox } from '../../../src/actors/alerts/outbox.ts'
import { type ChannelId, type IncidentId, newId } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log/log.ts'
import type { IncidentEvent } from '../../../src/domain/alerts/payload.ts'
import type { Incident } from '../../../src/domain/incidents/incident.ts'
import type { Store } from '../../../src/store/store.ts'
import { createAlertReceiver } from '../../support/alert-receiver.ts'
import { runs } from '../../support/depth.ts'
import type { FakeClock } from '../../support/fake-clock.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { makeIncident, orgA } from '../../support/make-incident.ts'
import { delivered, unavailable } from '../../support/outbox-world.ts'
import { openTempStore, settle } from '../../support/temp-store.ts'

/** `lost`: the receiver takes the message, and the answer does not arrive. */
type Answer = 'taken' | 'refused' | 'lost'

type Step =
  | {
      readonly kind: 'open' | 'resolve' | 'reopen' | 'acknowledge' | 'update'
      readonly count: number
    }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The daemon is killed at the n-th point from now on, and starts again after the step. */
  | { readonly kind: 'kill'; readonly points: number }

const counted = (kind: 'open' | 'resolve' | 'reopen' | 'acknowledge' | 'update', max: number) =>
  fc.record({ kind: fc.constant(kind), count: fc.integer({ min: 1, max }) })

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: counted('open', 15) },
  { weight: 4, arbitrary: counted('resolve', 15) },
  { weight: 1, arbitrary: counted('reopen', 4) },
  { weight: 1, arbitrary: counted('acknowledge', 4) },
  { weight: 1, arbitrary: counted('update', 2) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(100, 5_000, 30_000, 61_000, 600_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      answer: fc.constantFrom<Answer>('taken', 'refused', 'lost'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('kill' as const),
      points: fc.integer({ min: 1, max: 12 }),
    }),
  },
)

t.test(
  'a receiver hears each opening once and each end as an end, whatever is killed',
  async (t) => {
    const { store, clock } = openTempStore(t, { inMemory: true })
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 24 }), async (story) => {
        const world = await startWorld(store, clock)
        for (const step of story) await world.take(step)
        await world.finish()
        const { heard, truth, problems } = world
        for (const [id, { opened, ended }] of truth) {
          const { openings, ends } = heard(id)
          if (openings !== opened) problems.push(`${openings} of ${opened} openings of ${id}`)
          if (ends !== ended) problems.push(`${ends} of ${ended} ends of ${id}`)
        }
        if (problems.length > 0) throw new Error(problems.join('\n'))
      }),
      runs(30),
    )
    t.pass('in every story')
  },
)

t.test('the receiver takes a digest whose answer is lost, and everything recovers', async (t) => {
  const { store, clock } = openTempStore(t, { inMemory: true })
  for (const points of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const world = await startWorld(store, clock)
    await world.take({ kind: 'answer', answer: 'lost' })
    await world.take({ kind: 'kill', points })
    await world.take({ kind: 'open', count: 15 })
    await world.take({ kind: 'resolve', count: 15 })
    await world.finish()
    t.same(world.problems, [], `killed at point ${points}`)
    for (const id of world.truth.keys()) t.same(world.heard(id), { openings: 1, ends: 1 })
    t.ok(world.messages.length <= 4, `${world.messages.length} messages: most are digests`)
  }
})

/** A daemon's outbox, as long as it lives. */
interface Life {
  isOver: boolean
  readonly outbox: Outbox
}

async function startWorld(store: Store, clock: FakeClock) {
  const channelId: ChannelId = newId('channel', clock.nowMs())
  const channel = makeChannel({ id: channelId, isDefault: true })
  const former = store.channels.defaults(orgA)
  await store.write((tx) => {
    for (const one of former) store.channels.put(tx, { ...one, isDefault: false })
    store.channels.put(tx, channel)
  })

  const incidents = new Map<IncidentId, Incident>()
  const truth = new Map<IncidentId, { opened: number; ended: number }>()
  const receiver = createAlertReceiver()
  let answer: Answer = 'taken'
  let pointsLeft = Number.POSITIVE_INFINITY
  let life = begin()

  /** Where a life may end: what it does next never happens, and what it did has no consequence. */
  function isOver(own: Life): boolean {
    if (own.isOver) return true
    pointsLeft -= 1
    if (pointsLeft <= 0) own.isOver = true
    return own.isOver
  }

  function begin(): Life {
    const never = <T>() => new Promise<T>(() => {})
    const mortal =
      (write: Store['write']): Store['write'] =>
      async (body) => {
        if (isOver(own)) return never()
        const result = await write(body)
        return isOver(own) ? never() : result
      }
    const outbox = startOutbox({
      store: { ...store, write: mortal(store.write), writeTogether: mortal(store.writeTogether) },
      clock,
      log: silentLog,
      random: () => 0.5,
      tellOwners() {},
      onAttempt() {},
      onGivenUp() {},
      incidentsUrl: () => 'https://up.test/app/incidents',
      isOff: () => false,
      seal: (text) => text,
      open: (opened) => ({ channel: opened, config: opened.config }),
      sender: async (message) => {
        if (isOver(own)) return never()
        if (answer !== 'refused') receiver.take(message)
        if (isOver(own)) return never()
        return answer === 'taken' ? delivered : unavailable
      },
    })
    const own: Life = { isOver: false, outbox }
    return own
  }

  const enqueue = createEnqueue({
    store,
    incidentUrl: () => 'https://up.test/alerts/x',
    wake: (orgId, id) => life.outbox.wake(orgId, id),
  })

  async function tell(event: IncidentEvent, incident: Incident): Promise<void> {
    incidents.set(incident.id, incident)
    const nowMs = clock.nowMs()
    await store.write((tx) => enqueue.incident(tx, { incident, event, nowMs }))
  }

  const inState = (isOpen: boolean, count: number) =>
    [...incidents.values()].filter(({ state }) => isOpen === (state !== 'resolved')).slice(0, count)

  const count = (id: IncidentId, what: 'opened' | 'ended') => {
    const { opened, ended } = truth.get(id) ?? { opened: 0, ended: 0 }
    truth.set(id, what === 'opened' ? { opened: opened + 1, ended } : { opened, ended: ended + 1 })
  }

  async function tellAll(step: Extract<Step, { count: number }>): Promise<void> {
    const nowMs = clock.nowMs()
    switch (step.kind) {
      case 'open':
        for (let number = 0; number < step.count; number += 1) {
          const incident = makeIncident({ id: newId('incident', nowMs), startedAtMs: nowMs })
          count(incident.id, 'opened')
          await tell('incident.opened', incident)
        }
        return
      case 'reopen':
        for (const one of inState(false, step.count)) {
          count(one.id, 'opened')
          await tell('incident.opened', next(one, { state: 'open', resolvedAtMs: null }))
        }
        return
      case 'resolve':
        for (const one of inState(true, step.count)) {
          count(one.id, 'ended')
          await tell('incident.resolved', next(one, { state: 'resolved', resolvedAtMs: nowMs }))
        }
        return
      case 'acknowledge':
        for (const one of inState(true, step.count)) {
          await tell('incident.acknowledged', next(one, { state: 'acknowledged' }))
        }
        return
      default:
        for (const one of inState(true, step.count)) await tell('incident.updated', next(one, {}))
    }
  }

  async function restart(): Promise<void> {
    life.isOver = true
    pointsLeft = Number.POSITIVE_INFINITY
    life = begin()
    life.outbox.start()
    await settle()
  }

  return {
    truth,
    problems: receiver.problems,
    messages: receiver.messages,
    heard: receiver.heard,

    async take(step: Step): Promise<void> {
      if (step.kind === 'answer') answer = step.answer
      else if (step.kind === 'kill') pointsLeft = step.points
      else if (step.kind === 'wait') await clock.advance(step.ms)
      else await tellAll(step)
      await settle()
      if (life.isOver) await restart()
    },

    async finish(): Promise<void> {
      answer = 'taken'
      await restart()
      for (let round = 0; life.outbox.pending() > 0; round += 1) {
        if (round > 200) throw new Error('something stays pending')
        await clock.advance(61_000)
        await settle()
      }
      life.isOver = true
    },
  }
}

function next(incident: Incident, changes: Partial<Incident>): Incident {
  return { ...incident, revision: incident.revision + 1, ...changes }
}
