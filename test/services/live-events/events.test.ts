// Event streams: who hears what, what somebody who comes back has missed, and when it ends.
import t, { type Test } from 'tap'
import type { OrgId, SessionId, UserId } from '../../../src/base/ids.ts'
import type { Principal } from '../../../src/domain/access.ts'
import type { LiveEvent } from '../../../src/domain/live-events/live-event.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import {
  createEvents,
  eventsKept,
  eventsQuietMs,
  type NumberedEvent,
  streamBeatMs,
  streamCheckedMs,
  streamsPerCredentialMax,
  streamsPerOrgMax,
} from '../../../src/services/live-events/events.ts'
import { callerOf } from '../../support/access.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { orgA, orgB } from '../../support/http.ts'

function start(t: Test) {
  const clock = new FakeClock()
  const gone = new Set<string>()
  const looks = { count: 0 }
  const events = createEvents({
    clock,
    identity: {
      holds({ caller: { principal } }) {
        looks.count += 1
        return principal.kind !== 'session' || !gone.has(principal.sessionId)
      },
    },
  })
  t.teardown(() => events.stop())

  function listen(orgId: OrgId, session: string, lastId?: string) {
    const heard: NumberedEvent[] = []
    const seen = { beats: 0, ends: 0 }
    const subscription = events.subscribe(scopeOf(orgId, session), lastId, {
      tell: (event) => void heard.push(event),
      beat() {
        seen.beats += 1
      },
      end() {
        seen.ends += 1
      },
    })
    return { ...subscription, heard, seen }
  }
  return { clock, events, gone, listen, looks }
}

function scopeOf(orgId: OrgId, session: string): OrgScope {
  const principal: Principal = {
    kind: 'session',
    userId: `usr_${session}` as UserId,
    sessionId: session as SessionId,
    authenticatedAtMs: 0,
    isSystemAdmin: false,
  }
  return { orgId, role: 'viewer', caller: callerOf(principal) }
}

function eventOf(name: string): LiveEvent {
  return { type: 'monitor.state', monitorId: 'mon_1' as never, name, state: 'up', atMs: 1 }
}

const namesOf = (events: readonly NumberedEvent[]) =>
  events.map(({ event }) => (event.type === 'monitor.state' ? event.name : event.type))

t.test('each organization hears its own events, in order', async (t) => {
  const { events, listen } = start(t)
  events.publish(orgA, eventOf('before anybody listened'))
  const a = listen(orgA, 'one')
  const b = listen(orgB, 'two')
  events.publish(orgA, eventOf('first'))
  events.publish(orgA, eventOf('second'))
  t.same(namesOf(a.heard), ['first', 'second'])
  t.same(b.heard, [])
  t.same([a.missed, a.hasGap], [[], false])
})

t.test('a returning reader gets the missed events, or a gap if they are unknown', async (t) => {
  const { events, listen, clock } = start(t)
  const first = listen(orgA, 'one')
  events.publish(orgA, eventOf('seen'))
  first.leave()
  events.publish(orgA, eventOf('missed'))
  const lastId = first.heard[0]?.id
  const again = listen(orgA, 'one', lastId)
  t.same([namesOf(again.missed), again.hasGap], [['missed'], false])
  t.same(listen(orgA, 'one', again.missed[0]?.id).missed, [])
  for (const strange of ['', 'x-1', '0-99999', `${lastId}9999`, 'zzz', '-1', `${lastId}\n`]) {
    t.ok(listen(orgB, 'two', strange).hasGap, JSON.stringify(strange))
  }
  again.leave()
  await clock.advance(eventsQuietMs + 2 * streamBeatMs)
  t.ok(events.hasListeners(orgA), 'others of that organization still listen')
})

t.test('only the newest events are kept, and dropped ones are a gap', async (t) => {
  const { events, listen } = start(t)
  const a = listen(orgA, 'one')
  for (let at = 0; at < 3 * eventsKept; at += 1) events.publish(orgA, eventOf(`${at}`))
  t.ok(listen(orgA, 'two', a.heard[0]?.id).hasGap)
  const late = listen(orgA, 'two', a.heard.at(-3)?.id)
  t.same([namesOf(late.missed).length, late.hasGap], [2, false])
})

t.test('an organization that nobody listens to is forgotten after a while', async (t) => {
  const { events, listen, clock } = start(t)
  listen(orgA, 'one').leave()
  t.ok(events.hasListeners(orgA))
  await clock.advance(eventsQuietMs + 2 * streamBeatMs)
  t.notOk(events.hasListeners(orgA))
  t.equal(clock.pending, 0, 'and nothing ticks any more')
})

t.test('a stream ends with its right, before the next event or at a beat', async (t) => {
  const { events, listen, clock, gone } = start(t)
  const [one, two, three, stays] = ['one', 'two', 'three', 'four'].map((id) => listen(orgA, id))
  gone.add('one')
  events.publish(orgA, eventOf('secret'))
  t.match([one?.heard, one?.seen.ends], [[], 1])
  gone.add('two')
  await clock.advance(streamBeatMs)
  t.equal(two?.seen.ends, 1)
  gone.add('three')
  events.recheck()
  t.equal(three?.seen.ends, 1)
  t.same(stays?.seen, { beats: 1, ends: 0 })
  t.equal(events.size(), 1)
  events.stop()
  t.equal(stays?.seen.ends, 1)
})

t.test('the rights of a stream are not read again for each of many events', async (t) => {
  const { clock, events, gone, listen, looks } = start(t)
  const streams = Array.from({ length: 50 }, (_, at) => listen(orgA, `reader${at}`))
  for (let number = 0; number < 200; number += 1) events.publish(orgA, eventOf(`${number}`))
  t.ok(streams.every(({ heard }) => heard.length === 200))
  t.ok(looks.count <= 50, `${looks.count} looks`)
  gone.add('reader7')
  events.recheck()
  events.publish(orgA, eventOf('after a loss'))
  gone.add('reader8')
  await clock.advance(streamCheckedMs)
  events.publish(orgA, eventOf('after an end'))
  t.equal(streams[7]?.heard.length, 200, 'a right that is lost ends at once')
  t.equal(streams[8]?.heard.length, 201, 'and one that ends by itself in a moment')
})

t.test('streams per caller and organization are bounded, then clearly refused', async (t) => {
  const { listen, events } = start(t)
  const own = Array.from({ length: streamsPerCredentialMax }, () => listen(orgA, 'one'))
  t.throws(() => listen(orgA, 'one'), { code: 'rate_limited' })
  own[0]?.leave()
  own[0]?.leave()
  listen(orgA, 'one')
  for (let at = events.size(); at < streamsPerOrgMax; at += 1) listen(orgA, `s${at}`)
  t.throws(() => listen(orgA, 'another'), { code: 'rate_limited' })
  t.throws(() => listen(orgB, 'one'), { code: 'rate_limited' }, 'counted over all of them')
  t.ok(listen(orgB, 'stranger'))
})
