// What a decision about an incident rested on, as it is stored.
import t from 'tap'
import { foldVerdict } from '../../../src/domain/health/fold-verdict.ts'
import { type Health, initialHealth, withIncident } from '../../../src/domain/health/health.ts'
import {
  basisKept,
  basisOf,
  type IncidentBasis,
  withBasis,
} from '../../../src/domain/incidents/basis.ts'
import { incidentA, makeIncident, monitorA } from '../../support/make-incident.ts'
import { makeMonitor } from '../../support/make-page.ts'

const monitor = makeMonitor({ id: monitorA, failureThreshold: 2, degradedOpensIncident: true })

/** The basis of each decision about results that come once a minute. */
function decided(verdicts: readonly ('up' | 'degraded' | 'down')[]): (IncidentBasis | null)[] {
  const found: (IncidentBasis | null)[] = []
  let health: Health = initialHealth(0)
  for (const [index, verdict] of verdicts.entries()) {
    const atMs = index + 1
    const folded = foldVerdict(health, verdict, monitor, atMs)
    const { change } = folded
    if (change && change.kind !== 'stateChanged') {
      found.push(basisOf(health, change, { monitor, reading: {}, atMs }))
    }
    health = change?.kind === 'opened' ? withIncident(folded.health, incidentA) : folded.health
  }
  return found
}

t.test('only the results that count are named', async (t) => {
  t.match(decided(['up', 'down', 'up', 'down']), [
    { rule: 'failures', needed: 2, among: 4, countedAtMs: [2, 4], monitorId: monitorA },
  ])
  t.match(decided(['down', 'up', 'up', 'up', 'down', 'down']), [{ countedAtMs: [5, 6] }])
  t.match(decided(['up', 'degraded', 'degraded', 'degraded', 'down', 'down']), [
    { rule: 'slow', needed: 3, countedAtMs: [2, 4], slowAboveMs: monitor.degradedThresholdMs },
    { rule: 'failures', countedAtMs: [5, 6] },
  ])
  t.same(decided(['down', 'down', 'up', 'up']).at(-1), null, 'a recovery is not explained so')
})

t.test('a long story keeps its beginning and the newest decisions', async (t) => {
  const [basis] = decided(['down', 'down'])
  if (!basis) return
  let incident = makeIncident()
  for (let atMs = 0; atMs < 2 * basisKept; atMs++) {
    incident = withBasis(incident, { ...basis, atMs })
  }
  const times = incident.basis?.map(({ atMs }) => atMs) ?? []
  t.equal(times.length, basisKept)
  t.same([times[0], times.at(-1)], [0, 2 * basisKept - 1])
  t.equal(withBasis(incident, null), incident)
})
