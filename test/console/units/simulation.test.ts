// What a simulation and a chart show of incidents: bands, changes, shades, and months of reports.
import t from 'tap'
import { shadesOf } from '../../../src/console/pages/monitors/history/shades.ts'
import { monthsSince } from '../../../src/console/pages/monitors/months.ts'
import {
  bandsOf,
  changedThresholds,
  comparedIncidents,
  type Outcome,
  type SimulatedIncident,
} from '../../../src/console/pages/monitors/simulate/bands.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()

function incident(
  from: number,
  to: number | null,
  fields: Partial<SimulatedIncident> = {},
): SimulatedIncident {
  return {
    severity: 'down',
    startedAt: at(from),
    confirmedAt: at(from),
    endedAt: to === null ? null : at(to),
    durationSeconds: ((to ?? 100) - from) * 60,
    cause: 'status 500',
    errorKind: 'status',
    reopenings: 0,
    flapping: false,
    alertsTotal: 2,
    alerts: [],
    ...fields,
  }
}

const outcome = (incidents: readonly SimulatedIncident[]) => ({ incidents }) as Outcome

t.test('bands fill the whole time without a break', async (t) => {
  const times = { from: at(0), to: at(100), firstResultAt: at(10) }
  const incidents = [incident(80, null, { severity: 'degraded' }), incident(20, 30)]
  t.same(bandsOf(times, incidents), [
    { state: 'none', from: 0, to: 0.1 },
    { state: 'up', from: 0.1, to: 0.2 },
    { state: 'down', from: 0.2, to: 0.3 },
    { state: 'up', from: 0.3, to: 0.8 },
    { state: 'degraded', from: 0.8, to: 1 },
  ])
  t.same(bandsOf({ ...times, firstResultAt: null }, []), [{ state: 'none', from: 0, to: 1 }])
  t.same(bandsOf({ ...times, firstResultAt: at(-50) }, [incident(-20, 500)]), [
    { state: 'down', from: 0, to: 1 },
  ])
})

t.test('an incident is spared, added, or the same with other alerts', async (t) => {
  const now = outcome([incident(50, 60), incident(20, 22, { alertsTotal: 3 })])
  const then = outcome([incident(90, null, { alertsTotal: 1 }), incident(48, 65)])
  t.same(
    comparedIncidents(now, then).map(({ incident, change, alertsNow, alertsThen }) => [
      ...[incident.startedAt, change, alertsNow, alertsThen],
    ]),
    [
      [at(90), 'added', 0, 1],
      [at(48), 'same', 2, 2],
      [at(20), 'spared', 3, 0],
    ],
  )
})

t.test('only thresholds that differ are changed', async (t) => {
  const now = { failureThreshold: 3, degradedThresholdMs: null } as Outcome['thresholds']
  t.same(changedThresholds(now, { failureThreshold: 3, degradedThresholdMs: 800 }), {
    degradedThresholdMs: 800,
  })
})

t.test('shades are cut to the time of the chart', async (t) => {
  const times = { from: at(10), to: at(60), maintenance: [{ from: at(0), to: at(20) }] }
  const shade = (kind: string, from: number, to: number) => ({
    ...{ kind, fromMs: Date.parse(at(from)), toMs: Date.parse(at(to)) },
  })
  t.same(
    shadesOf(times, [
      { severity: 'down', startedAt: at(50), resolvedAt: null },
      { severity: 'declared', startedAt: at(30), resolvedAt: at(31) },
      { severity: 'down', startedAt: at(1), resolvedAt: at(2) },
    ]),
    [shade('maintenance', 10, 20), shade('down', 50, 60), shade('degraded', 30, 31)],
  )
})

t.test('reports begin with the month in which the monitor was made', async (t) => {
  const nowMs = Date.UTC(2026, 1, 28, 23)
  t.same(monthsSince('2025-12-31T23:00:00Z', nowMs), ['2026-02', '2026-01', '2025-12'])
  t.same(monthsSince('2026-02-01T00:00:00Z', nowMs), ['2026-02'])
  t.equal(monthsSince('2010-01-01T00:00:00Z', nowMs).length, 24)
})
