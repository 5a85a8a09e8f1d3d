// A monitor that goes up and down all the time: one incident, one notice, then silence.
import t from 'tap'
import {
  flappingEndsAtMs,
  settleFlapping,
  withClosedIncident,
} from '../../../src/domain/health/health.ts'
import { incidentNo, makePolicy, minuteMs, startLife, verdictsOf } from '../../support/life.ts'

const instant = makePolicy({ failureThreshold: 1, recoveryThreshold: 1, degradedThreshold: 1 })

/** Folds one letter every `everyMs`; every letter is a confirmed turn. */
function live(text: string, everyMs: number, policy = instant) {
  const life = startLife(policy)
  for (const [index, verdict] of verdictsOf(text).entries()) life.see(verdict, index * everyMs)
  return life
}

t.test('the fourth change within an hour makes the incident flap', async (t) => {
  const life = live('dudu', 10 * minuteMs)
  t.same(
    life.changes.map((change) => change.kind),
    ['opened', 'resolved', 'opened', 'flapping'],
  )
  t.equal(life.health.openIncidentId, incidentNo(2), 'and it stays open while the monitor is up')
  t.ok(life.health.flapping)
})

t.test('changes count within sixty minutes, to the millisecond', async (t) => {
  t.ok(live('dudu', 20 * minuteMs).health.flapping, 'the first and the fourth are 60 minutes apart')
  t.notOk(live('dudu', 20 * minuteMs + 1).health.flapping)
})

t.test('a fourth change that is an outage opens a flapping incident', async (t) => {
  const life = startLife(instant)
  for (const [verdict, minute] of [
    ['d', 0],
    ['u', 60],
    ['d', 70],
    ['u', 80],
    ['d', 90],
  ] as const) {
    life.see(verdictsOf(verdict)[0] ?? 'unknown', minute * minuteMs)
  }
  t.match(life.changes.at(-1), { kind: 'opened', flapping: true })
})

t.test('after the notice nothing more is announced, however long it lasts', async (t) => {
  const life = live('dudu'.repeat(20), minuteMs)
  const said = life.changes.map((change) => change.kind).filter((kind) => kind !== 'stateChanged')
  t.same(said, ['opened', 'resolved', 'opened', 'flapping'])
  t.match(life.changes[2], { reopens: incidentNo(1) })
})

t.test('it ends after thirty minutes without a change, dated back to the recovery', async (t) => {
  const life = live('dudu', minuteMs)
  t.equal(flappingEndsAtMs(life.health), 33 * minuteMs)
  t.equal(life.settle(33 * minuteMs - 1), null, 'not a millisecond sooner')
  t.match(life.settle(33 * minuteMs), { kind: 'resolved', resolvedAtMs: 3 * minuteMs })
  t.equal(life.health.openIncidentId, null)
  t.equal(flappingEndsAtMs(life.health), null)
})

t.test('every change extends it, including one after the notice', async (t) => {
  t.equal(flappingEndsAtMs(live('dududu', minuteMs).health), 35 * minuteMs)
})

t.test('if the monitor ended down, the incident continues as an ordinary outage', async (t) => {
  const life = live('dudud', minuteMs)
  t.match(life.settle(40 * minuteMs), { kind: 'settled', severity: 'down' })
  t.match(life.see('up', 41 * minuteMs), { kind: 'resolved', resolvedAtMs: 41 * minuteMs })
})

t.test('if it ended slow and slowness matters, the incident is about slowness', async (t) => {
  const life = live('dudus', minuteMs, { ...instant, degradedOpensIncident: true })
  t.match(life.settle(40 * minuteMs), { kind: 'settled', severity: 'degraded' })
  t.match(life.see('up', 41 * minuteMs), { kind: 'resolved' })
  const other = live('dudus', minuteMs)
  t.match(other.settle(40 * minuteMs), { kind: 'resolved', resolvedAtMs: 3 * minuteMs })
})

t.test('slow periods are not changes', async (t) => {
  t.notOk(live('usususususus', minuteMs).health.flapping)
})

t.test('after it ended, counting changes starts over', async (t) => {
  const life = live('dudu', minuteMs)
  life.settle(33 * minuteMs)
  t.match(life.see('down', 34 * minuteMs), { kind: 'opened', flapping: false })
  t.match(life.see('up', 35 * minuteMs), { kind: 'resolved' })
})

t.test('a person who resolves it ends the flapping too', async (t) => {
  const life = live('dudu', minuteMs)
  life.health = withClosedIncident(life.health, 4 * minuteMs)
  t.notOk(life.health.flapping)
  t.match(life.see('down', 5 * minuteMs), { kind: 'opened', flapping: false })
})

t.test('a monitor that does not flap has nothing to settle', async (t) => {
  const { health } = live('du', minuteMs)
  t.same(settleFlapping(health, 1e12), { health, change: null })
})
