// How results become states and incidents: thresholds, confirmation, slowness, reopening.
import fc from 'fast-check'
import t from 'tap'
import type { VerdictKind } from '../../../src/domain/checks/verdict.ts'
import { foldByChart, foldVerdict, steady } from '../../../src/domain/health/fold-verdict.ts'
import {
  closedIncidentId,
  type Health,
  type HealthPolicy,
  initialHealth,
  isConfirming,
  type ShownState,
  shownState,
  withClosedIncident,
  withIncident,
} from '../../../src/domain/health/health.ts'
import { runs } from '../../support/depth.ts'
import { incidentNo, makePolicy, minuteMs, startLife, verdictsOf } from '../../support/life.ts'

type Row = [verdict: VerdictKind, shown: ShownState, why: string]

/** One result a minute, the first at minute 1. */
function table(title: string, policy: Partial<HealthPolicy>, rows: Row[], kinds: string[]) {
  t.test(title, async (t) => {
    const life = startLife(makePolicy(policy))
    for (const [index, [verdict, shown, why]] of rows.entries()) {
      life.see(verdict, (index + 1) * minuteMs)
      t.equal(shownState(life.health), shown, `${index + 1}: ${verdict}: ${why}`)
    }
    t.same(
      life.changes.map((change) => `${change.kind} ${change.atMs / minuteMs}`),
      kinds,
      'what happened, at which minute',
    )
  })
}

table(
  'an outage is shown once it is confirmed, and over once the recovery is',
  {},
  [
    ['up', 'up', 'the first good result suffices'],
    ['down', 'up', 'one failure is not an outage yet'],
    ['down', 'up', 'nor are two'],
    ['down', 'down', 'three are'],
    ['down', 'down', 'and it goes on'],
    ['up', 'down', 'one good result is not a recovery yet'],
    ['down', 'down', 'and was none'],
    ['up', 'down', 'so that counting starts again'],
    ['degraded', 'up', 'a slow result is a good one'],
  ],
  ['stateChanged 1', 'opened 4', 'resolved 9'],
)
table(
  'a blip tells nobody',
  {},
  [
    ['up', 'up', 'works'],
    ['down', 'up', 'fails once'],
    ['up', 'up', 'works again'],
    ['unknown', 'up', 'we could not look'],
    ['up', 'up', 'still works'],
  ],
  ['stateChanged 1'],
)
table(
  'a monitor whose first results fail must confirm too',
  {},
  [
    ['down', 'pending', 'it was never seen up, and one failure says little'],
    ['unknown', 'pending', 'an unknown result neither confirms nor clears'],
    ['down', 'pending', 'two'],
    ['down', 'down', 'three'],
  ],
  ['opened 4'],
)
table(
  'failures with good results in between do not hide an outage for ever',
  {},
  [
    ['up', 'up', 'works'],
    ['down', 'up', '1 of 5'],
    ['down', 'up', '2 of 5'],
    ['up', 'up', 'one good one'],
    ['down', 'down', '3 of the last 5 failed'],
  ],
  ['stateChanged 1', 'opened 5'],
)
table(
  'failures far apart never add up',
  {},
  [...Array(10)]
    .flatMap((): Row[] => [
      ['down', 'pending', 'the first in three'],
      ['up', 'up', 'the second'],
      ['up', 'up', 'the third'],
    ])
    .map(([verdict, , why], index): Row => [verdict, index === 0 ? 'pending' : 'up', why]),
  ['stateChanged 2'],
)
table(
  'with thresholds of one, one result decides',
  { failureThreshold: 1, recoveryThreshold: 1, degradedThreshold: 1 },
  [
    ['up', 'up', 'up at once'],
    ['degraded', 'degraded', 'slow at once'],
    ['down', 'down', 'down from slow'],
    ['degraded', 'up', 'any good result ends an outage'],
    ['degraded', 'degraded', 'and then it is slow'],
    ['up', 'up', 'and fast'],
  ],
  [
    'stateChanged 1',
    'stateChanged 2',
    'opened 3',
    'resolved 4',
    'stateChanged 5',
    'stateChanged 6',
  ],
)
table(
  'slowness needs results in a row, and clears after as many fast ones',
  {},
  [
    ['up', 'up', 'fast'],
    ['degraded', 'up', 'slow'],
    ['degraded', 'up', 'slow'],
    ['up', 'up', 'fast: the row is broken'],
    ['degraded', 'up', '1'],
    ['degraded', 'up', '2'],
    ['down', 'up', 'a failure is not a slow result, and breaks the row'],
    ['degraded', 'up', '1'],
    ['degraded', 'up', '2'],
    ['degraded', 'degraded', '3'],
    ['up', 'degraded', 'fast 1'],
    ['up', 'degraded', 'fast 2'],
    ['degraded', 'degraded', 'slow again'],
    ['up', 'degraded', '1'],
    ['down', 'degraded', 'a failure is being confirmed: it shows what it showed'],
    ['up', 'degraded', '1, as the failure broke the row'],
    ['up', 'degraded', '2'],
    ['up', 'up', '3'],
  ],
  ['stateChanged 1', 'stateChanged 10', 'stateChanged 18'],
)
table(
  'where slowness opens an incident, an outage worsens that one',
  { degradedOpensIncident: true, degradedThreshold: 2 },
  [
    ['up', 'up', 'fast'],
    ['degraded', 'up', 'slow 1'],
    ['degraded', 'degraded', 'slow 2'],
    ['down', 'degraded', 'fails 1'],
    ['down', 'degraded', 'fails 2'],
    ['down', 'down', 'fails 3'],
    ['up', 'down', 'works 1'],
    ['up', 'up', 'works 2'],
    ['degraded', 'up', 'slow 1'],
    ['degraded', 'degraded', 'slow 2: another matter than the outage'],
    ['up', 'degraded', 'fast 1'],
    ['up', 'up', 'fast 2'],
    ['degraded', 'up', 'slow 1'],
    ['degraded', 'degraded', 'slow again soon after: the same matter'],
  ],
  [
    'stateChanged 1',
    'opened 3',
    'worsened 6',
    'resolved 8',
    'opened 10',
    'resolved 12',
    'opened 14',
  ],
)

t.test('an incident counts from its first failing to the first good result', async (t) => {
  const life = startLife(makePolicy())
  for (const [index, verdict] of verdictsOf('udduduu').entries()) life.see(verdict, index * 1_000)
  t.match(life.changes[1], { kind: 'opened', severity: 'down', startedAtMs: 1_000 })
  t.match(life.changes[1], { confirmedAtMs: 4_000, reopens: null, flapping: false })
  t.match(life.changes[2], { kind: 'resolved', incidentId: incidentNo(1), resolvedAtMs: 5_000 })
  t.equal(life.health.sinceMs, 5_000, 'it is up since the first good result')
})

t.test('an outage begins at the oldest failure that still counts', async (t) => {
  const life = startLife(makePolicy())
  for (const [index, verdict] of verdictsOf('duuuddd').entries()) life.see(verdict, index * 1_000)
  t.match(life.changes.at(-1), { kind: 'opened', startedAtMs: 4_000 })
})

t.test('an explicit failure needs no confirmation', async (t) => {
  for (const before of ['', 'u', 'ud', 'usss', 'duud']) {
    const life = startLife(makePolicy())
    for (const [index, verdict] of verdictsOf(before).entries()) life.see(verdict, index * 1_000)
    const change = life.see('down', 60_000, { explicit: true })
    t.match(change, { kind: 'opened', confirmedAtMs: 60_000 }, `after "${before}"`)
  }
})

t.test('checks run faster only while something is being confirmed', async (t) => {
  const paces = (text: string) => {
    const life = startLife(makePolicy())
    const pace = (verdict: VerdictKind, index: number) => {
      life.see(verdict, index * 1_000)
      return isConfirming(life.health) ? 'r' : '.'
    }
    return verdictsOf(text).map(pace).join('')
  }
  t.equal(paces('dddduduu'), 'rr..r.r.')
  t.equal(paces('uduusss'), '.r.....')
})

t.test('a monitor that fails within five minutes of the end reopens its incident', async (t) => {
  const outage = (quietMs: number) => {
    const life = startLife(makePolicy({ failureThreshold: 1, recoveryThreshold: 1 }))
    life.see('down', 0)
    life.see('up', 1_000)
    return { life, change: life.see('down', 1_000 + quietMs) }
  }
  t.match(outage(5 * minuteMs).change, { kind: 'opened', reopens: incidentNo(1) })
  t.equal(outage(5 * minuteMs).life.health.openIncidentId, incidentNo(1))
  t.match(outage(5 * minuteMs + 1).change, { kind: 'opened', reopens: null })
})

t.test(
  'an incident that a person closed reopens after as many failures as one needs',
  async (t) => {
    const life = startLife(makePolicy())
    for (const verdict of verdictsOf('ddd')) life.see(verdict, 1_000)
    life.health = withClosedIncident(life.health, 2_000)
    t.equal(closedIncidentId(life.health), incidentNo(1))
    t.ok(isConfirming(life.health), 'checks go on at the pace of a confirmation')
    t.notOk(steady(life.health, 'down'))
    t.equal(life.see('down', 3_000), null)
    t.equal(life.see('up', 4_000), null, 'one good result proves nothing')
    t.equal(life.see('down', 5_000), null)
    const reopening = { kind: 'opened', reopens: incidentNo(1), startedAtMs: 1_000 }
    t.match(life.see('down', 6_000), { ...reopening, confirmedAtMs: 6_000, flapping: false })
    t.match(life.health, { openIncidentId: incidentNo(1), openSeverity: 'down' })
    t.equal(closedIncidentId(life.health), null)
  },
)

t.test('an incident that a person closed is over when its monitor recovers', async (t) => {
  const life = startLife(makePolicy({ recoveryThreshold: 2 }))
  for (const verdict of verdictsOf('ddd')) life.see(verdict, 1_000)
  life.health = withClosedIncident(life.health, 2_000)
  life.see('up', 3_000)
  const recovered = { kind: 'recovered', incidentId: incidentNo(1), recoveredAtMs: 3_000 }
  t.match(life.see('up', 4_000), recovered)
  t.equal(closedIncidentId(life.health), null)
  t.equal(life.see('down', 5_000), null)
})

t.test('a reported error reopens a closed incident at once', async (t) => {
  const life = startLife(makePolicy())
  life.see('down', 1_000, { explicit: true })
  life.health = withClosedIncident(life.health, 2_000)
  t.match(life.see('down', 3_000, { explicit: true }), { reopens: incidentNo(1) })
})

t.test('a slow monitor whose incident a person closed counts slow results', async (t) => {
  const life = startLife(makePolicy({ degradedOpensIncident: true, degradedThreshold: 2 }))
  for (const verdict of verdictsOf('uss')) life.see(verdict, 1_000)
  life.health = withClosedIncident(life.health, 2_000)
  t.equal(life.see('degraded', 3_000), null)
  t.match(life.see('degraded', 4_000), { severity: 'degraded', reopens: incidentNo(1) })
})

t.test('an incident that is closed while its monitor is good stays closed', async (t) => {
  const life = startLife(makePolicy({ failureThreshold: 1, recoveryThreshold: 1 }))
  for (const [at, verdict] of verdictsOf('dudu').entries()) life.see(verdict, at * 1_000)
  t.match(life.health, { state: 'up', flapping: true })
  life.health = withClosedIncident(life.health, 5_000)
  t.equal(closedIncidentId(life.health), null)
})

t.test('a changed threshold holds from the next result on', async (t) => {
  let health = initialHealth(0)
  health = foldVerdict(health, 'down', makePolicy({ failureThreshold: 10 }), 1_000).health
  health = foldVerdict(health, 'down', makePolicy({ failureThreshold: 10 }), 2_000).health
  t.equal(shownState(health), 'pending')
  const folded = foldVerdict(health, 'down', makePolicy({ failureThreshold: 2 }), 3_000)
  t.match(folded.change, { kind: 'opened', startedAtMs: 1_000 })
})

const policies = fc.record({
  failureThreshold: fc.integer({ min: 1, max: 10 }),
  recoveryThreshold: fc.integer({ min: 1, max: 10 }),
  degradedThreshold: fc.integer({ min: 1, max: 10 }),
  degradedOpensIncident: fc.boolean(),
})
const kinds: VerdictKind[] = ['up', 'up', 'up', 'down', 'down', 'degraded', 'degraded', 'unknown']
const histories = fc.array(
  fc.record({
    verdict: fc.constantFrom(...kinds),
    times: fc.integer({ min: 1, max: 6 }),
    waitMs: fc.integer({ min: 1_000, max: 20 * minuteMs }),
  }),
  { maxLength: 25 },
)

t.test('the shortcut for steady results agrees with the chart', async (t) => {
  let shortcuts = 0
  const property = fc.property(policies, histories, (policy, history) => {
    let health: Health = initialHealth(0)
    let atMs = 0
    for (const { verdict, times, waitMs } of history) {
      for (let at = 0; at < times; at++) {
        atMs += waitMs
        if (verdict === 'unknown') continue
        const folded = foldByChart(health, verdict, policy, atMs)
        if (steady(health, verdict)) {
          shortcuts += 1
          if (folded.change !== null || !sameJson(folded.health, health)) return false
        }
        health = folded.health
        if (folded.change?.kind === 'opened') health = withIncident(health, incidentNo(atMs))
      }
    }
    return true
  })
  fc.assert(property, runs(300))
  t.ok(shortcuts > 1_000, 'the shortcut was taken')
})

t.test('in any sequence, incidents open and close in turn, at fitting times', async () => {
  const property = fc.property(policies, histories, (policy, history) => {
    const life = startLife(policy)
    const failedAtMs = new Set<number>()
    const goodAtMs = new Set<number>()
    let atMs = 0
    for (const { verdict, times, waitMs } of history) {
      for (let at = 0; at < times; at++) {
        atMs += waitMs
        if (verdict === 'down') failedAtMs.add(atMs)
        if (verdict === 'up' || verdict === 'degraded') goodAtMs.add(atMs)
        life.see(verdict, atMs)
        if (shownState(life.health) === 'down' && life.health.openIncidentId === null) return false
      }
    }
    let open = false
    for (const change of life.changes) {
      if (change.kind === 'opened') {
        const times = change.severity === 'down' ? failedAtMs : goodAtMs
        if (open || !times.has(change.startedAtMs)) return false
        open = true
      } else if (change.kind === 'resolved') {
        if (!open || !goodAtMs.has(change.resolvedAtMs)) return false
        open = false
      } else if (change.kind !== 'stateChanged' && !open) return false
    }
    return open === (life.health.openIncidentId !== null)
  })
  fc.assert(property, runs(500))
})

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: unknown): unknown {
  return Object.entries(value as object).sort(([one], [other]) => one.localeCompare(other))
}
