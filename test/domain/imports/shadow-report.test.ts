// The report of a shadow run: who told of what, who was first, and why one of them was silent.
import t from 'tap'
import type { IncidentId } from '../../../src/base/ids.ts'
import type { CheckRow } from '../../../src/domain/checks/check-row.ts'
import {
  beganMs,
  firstOf,
  type ShadowRunFacts,
  shadowLines,
  toleranceMs,
} from '../../../src/domain/imports/shadow-report.ts'
import {
  heldIncident,
  type Incident,
  resolvedIncident,
} from '../../../src/domain/incidents/incident.ts'
import { makeIncident, monitorA, orgA } from '../../support/make-incident.ts'
import { makeMonitor } from '../../support/make-page.ts'

const minute = 60_000
const monitor = makeMonitor({ id: monitorA, intervalSeconds: 60, failureThreshold: 3 })
const push = { ...monitor, checkType: 'push' as const, url: null }

type Outage = readonly [from: number, to: number | null, text?: string]

interface Known extends Partial<Omit<ShadowRunFacts, 'incidents' | 'word'>> {
  readonly theirs?: readonly Outage[]
  readonly incidents?: readonly Incident[]
  readonly rows?: readonly CheckRow[]
  readonly historyToMs?: number | null
}

/** The facts of a run of a day; times are in minutes. */
function factsOf({ theirs = [], incidents = [], rows = [], historyToMs, ...more }: Known = {}) {
  const outages = theirs.map(([from, to, text = 'down']) => ({
    ...{ fromMs: from * minute, toMs: to === null ? null : to * minute, text },
    by: 'history' as const,
  }))
  const facts: ShadowRunFacts = {
    monitor,
    word: { orgId: orgA, monitorId: monitorA, outages, historyToMs: historyToMs ?? null },
    incidents,
    run: { fromMs: 0, toMs: 1_440 * minute },
    toldFromMs: 0,
    maintenanceIn: () => false,
    gapIn: () => false,
    rowsIn: ({ fromMs, toMs }) => rows.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs),
    ...more,
  }
  return facts
}

/** One that began at a minute and would have been told at that minute. */
function ourOutage(from: number, to: number | null, more: Partial<Incident> = {}): Incident {
  const id = `inc_${String(from).padStart(26, '0')}` as IncidentId
  const timeline = [{ atMs: from * minute, kind: 'opened', message: '', isPublic: false }] as const
  const times = { startedAtMs: from * minute, confirmedAtMs: from * minute, timeline }
  const open = makeIncident({ id, ...times, ...more })
  if (to === null) return open
  const atMs = to * minute
  return resolvedIncident(open, { resolution: 'recovered', resolvedAtMs: atMs, atMs })
}

const row = (at: number, verdict: CheckRow['verdict']): CheckRow => ({
  atMs: at * minute,
  verdict,
  durationMs: 100,
})

const linesOf = (known: Known) =>
  shadowLines(factsOf(known)).map(({ kind, likely }) => [kind, likely])

t.test('both told of the same outage: who was first, and by how much', async (t) => {
  const lines = shadowLines(factsOf({ theirs: [[10, 20]], incidents: [ourOutage(12, 21)] }))
  t.match(lines, [{ kind: 'both', theirs: { fromMs: 10 * minute }, ours: { toMs: 21 * minute } }])
  t.same(
    lines.map((line) => firstOf(line, 0)),
    [{ by: 'theirs', differenceMs: 2 * minute }],
  )
  t.same(lines.map(beganMs), [10 * minute])
  const [other] = shadowLines(factsOf({ theirs: [[10, 20]], incidents: [ourOutage(9, 21)] }))
  t.same(other && firstOf(other, 0), { by: 'ours', differenceMs: minute })
  // What was told before ours was there says nothing of who is faster.
  t.equal(other && firstOf(other, 11 * minute), null)
  t.equal(toleranceMs(monitor), 3 * minute)
  t.equal(toleranceMs({ intervalSeconds: 10, failureThreshold: 1 }), 2 * minute)
})

t.test('what lies further apart than a confirmation takes is not the same outage', async (t) => {
  t.same(linesOf({ theirs: [[10, 11]], incidents: [ourOutage(14, 15)] }), [['both', null]])
  t.same(linesOf({ theirs: [[10, 11]], incidents: [ourOutage(15, 35)], rows: [row(10, 'up')] }), [
    ['onlyTheirs', 'seen_good'],
    ['onlyOurs', null],
  ])
})

t.test(
  'what history and alerts say of one outage is one; ours that goes up and down meets it once',
  async (t) => {
    const theirs: Outage[] = [
      [10, 30],
      [11, null],
      [50, 51],
    ]
    t.same(
      linesOf({
        theirs: [
          [10, 30],
          [11, 29],
        ],
        incidents: [ourOutage(10, 15), ourOutage(20, 30)],
      }),
      [['both', null]],
    )
    const [line] = shadowLines(factsOf({ theirs }))
    t.match(line, { theirs: { fromMs: 10 * minute } })
  },
)

t.test('only theirs: what our checks saw says why', async (t) => {
  const theirs: Outage[] = [[100, 105]]
  const cases: [string, Known, string | null][] = [
    ['onlyTheirs', { rows: [row(101, 'down'), row(102, 'up')] }, 'threshold'],
    ['onlyTheirs', { rows: [row(99, 'up'), row(106, 'up')] }, 'between_checks'],
    ['onlyTheirs', { rows: [row(101, 'up'), row(102, 'degraded')] }, 'seen_good'],
    ['notCompared', { rows: [row(101, 'unknown')] }, 'own_network'],
    ['notCompared', { maintenanceIn: () => true }, 'maintenance'],
    ['notCompared', { gapIn: () => true }, 'not_running'],
    ['notCompared', { monitor: { ...monitor, isActive: false } }, 'paused'],
    ['notCompared', { monitor: push }, 'no_report'],
    ['onlyTheirs', { monitor: push, rows: [row(10, 'up')] }, 'between_checks'],
    ['onlyTheirs', { theirs: [[100, null]], rows: [row(99, 'up')] }, null],
  ]
  for (const [kind, known, likely] of cases) {
    t.same(linesOf({ theirs, ...known }), [[kind, likely]], String(likely))
  }
})

t.test('only ours: the incident says why', async (t) => {
  const because = (kind: 'timeout' | 'assertion' | 'tls' | 'status') =>
    ({ evidence: { error: { kind, message: '' } } }) as Partial<Incident>
  const cases: [Incident, string | null][] = [
    [ourOutage(100, 200, { severity: 'degraded' }), 'slow'],
    [ourOutage(100, 200, because('timeout')), 'timeout'],
    [ourOutage(100, 200, because('assertion')), 'condition'],
    [ourOutage(100, 200, because('tls')), 'certificate'],
    [ourOutage(100, 102, because('status')), 'short'],
    [ourOutage(100, 200, because('status')), null],
    [
      heldIncident(ourOutage(100, null), { id: monitorA, name: 'Router', isConfirmed: true }, 1),
      'held',
    ],
  ]
  for (const [incident, likely] of cases) {
    t.same(linesOf({ incidents: [incident] }), [['onlyOurs', likely]], String(likely))
  }
})

t.test('where nobody told us of theirs, nothing is said of it', async (t) => {
  const incidents = [ourOutage(100, 200), ourOutage(1_000, 1_100)]
  t.same(linesOf({ incidents, toldFromMs: null }), [
    ['notCompared', 'not_heard'],
    ['notCompared', 'not_heard'],
  ])
  t.same(linesOf({ incidents, toldFromMs: null, historyToMs: 500 * minute }), [
    ['onlyOurs', null],
    ['notCompared', 'not_heard'],
  ])
  t.same(linesOf({ incidents, toldFromMs: 900 * minute }), [
    ['notCompared', 'not_heard'],
    ['onlyOurs', null],
  ])
})

t.test('what began before the run or after it is no part of it', async (t) => {
  const theirs: Outage[] = [
    [10, 20],
    [2_000, 2_010],
  ]
  t.same(linesOf({ theirs, run: { fromMs: 100 * minute, toMs: 1_000 * minute } }), [])
})

t.test('a thousand outages of each are compared in a moment', async (t) => {
  const many = Array.from({ length: 500 }, (_, at) => at * 20)
  const theirs = many.map((at): Outage => [at, at + 5])
  const incidents = many.map((at) => ourOutage(at + 1, at + 6))
  const run = { fromMs: 0, toMs: 100_000 * minute }
  const lines = shadowLines(factsOf({ theirs, incidents, run }))
  t.equal(lines.length, 500)
  t.ok(lines.every(({ kind }) => kind === 'both'))
})
