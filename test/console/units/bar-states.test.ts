// What the bars of a monitor's history say of the time between two results.
import t from 'tap'
import { type BarFacts, barStates } from '../../../src/console/pages/monitors/history/bar-states.ts'

const hourMs = 3_600_000
const startMs = Date.UTC(2026, 0, 1)
const iso = (hour: number) => new Date(startMs + hour * hourMs).toISOString()

const none = { up: 0, degraded: 0, down: 0, unknown: 0 }

/** A bar for each hour: `u` a good report, `d` a bad or missing one, `.` none. */
function shown(reports: string, facts: Partial<BarFacts> = {}): string {
  const points = [...reports].map((report, hour) => ({
    at: iso(hour),
    results: { ...none, up: report === 'u' ? 1 : 0, down: report === 'd' ? 1 : 0 },
  }))
  const states = barStates({
    ...{ points, to: iso(points.length), shades: [], heldMs: 6 * hourMs },
    ...{ state: 'paused', stateSince: iso(points.length), ...facts },
  })
  const letters = { up: 'u', degraded: 's', down: 'd', none: '.' }
  return states.map((state) => letters[state]).join('')
}

const outage = (from: number, to: number) => ({
  kind: 'down' as const,
  ...{ fromMs: startMs + from * hourMs, toMs: startMs + to * hourMs },
})

t.test('a job that reports now and then is up in between', async (t) => {
  t.equal(shown('u...u...'), 'uuuuuuuu')
  t.equal(shown('..u.....'), '..uuuuuu')
})

t.test('an outage is seen for as long as it lasted, though nothing reports in it', async (t) => {
  t.equal(shown('u...d...u.', { shades: [outage(4, 8)] }), 'uuuudddduu')
  t.equal(shown('d.........', { shades: [outage(0, 2.5)] }), 'ddd.......')
})

t.test('a report counts no longer than until the next one is late', async (t) => {
  t.equal(shown('u.........u'), 'uuuuuuu...u')
})

t.test('time in maintenance has no state', async (t) => {
  const maintenance = { ...outage(1, 2), kind: 'maintenance' as const }
  t.equal(shown('u..u', { shades: [maintenance] }), 'u.uu')
})

t.test(
  'one place that fails alone is no outage of the monitor, nor is one that is slow',
  async (t) => {
    const seen = (up: number, degraded: number, down: number) => ({ ...none, up, degraded, down })
    const bars = (results: readonly ReturnType<typeof seen>[], shades: BarFacts['shades'] = []) =>
      barStates({
        ...{ points: results.map((results, hour) => ({ at: iso(hour), results })), shades },
        ...{ to: iso(results.length), heldMs: hourMs, votingShare: 2 / 3 },
        ...{ state: 'up', stateSince: iso(results.length) },
      })
    t.same(bars([seen(3, 0, 0), seen(2, 0, 1), seen(0, 0, 1)]), ['up', 'up', 'up'])
    t.same(bars([seen(2, 1, 0), seen(1, 2, 0), seen(1, 1, 1)]), ['up', 'degraded', 'degraded'])
    t.same(bars([seen(3, 0, 0), seen(0, 0, 3)], [outage(1, 2)]), ['up', 'down'])
    t.same(bars([seen(1, 0, 2)], [outage(0, 1)]), ['down'], 'as its incident says')
  },
)

t.test('the present state goes back to when it began', async (t) => {
  t.equal(shown('.....', { state: 'up', stateSince: iso(2) }), '..uuu')
  t.equal(shown('.....', { state: 'paused', stateSince: iso(2) }), '.....')
})
