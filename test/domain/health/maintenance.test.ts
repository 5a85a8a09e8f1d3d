// Health under maintenance: whatever the target does, nothing opens, and nothing is lost.
import fc from 'fast-check'
import t from 'tap'
import type { IncidentId } from '../../../src/base/ids.ts'
import { foldVerdict } from '../../../src/domain/health/fold-verdict.ts'
import { initialHealth, withIncident } from '../../../src/domain/health/health.ts'
import {
  foldUnderMaintenance,
  isHeldBack,
  releasedHealth,
} from '../../../src/domain/health/maintenance.ts'
import { runs } from '../../support/depth.ts'

const policy = {
  failureThreshold: 2,
  recoveryThreshold: 2,
  degradedThreshold: 2,
  degradedOpensIncident: true,
}
const verdict = fc.constantFrom('up', 'down', 'degraded', 'unknown' as const)
const incidentId = 'inc_01k0000000000000000000000a' as IncidentId

t.test('under maintenance no incident opens, reopens, worsens or flaps', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ verdict, isOn: fc.boolean() }), { maxLength: 60 }),
      (steps) => {
        let health = initialHealth(0)
        let plain = initialHealth(0)
        for (const [at, { verdict, isOn }] of steps.entries()) {
          const atMs = at * 60_000
          const before = health
          const fold = isOn ? foldUnderMaintenance : foldVerdict
          const { health: after, change } = fold(before, verdict, policy, atMs)
          health = change?.kind === 'opened' ? withIncident(after, incidentId) : after
          if (!isOn && change === null && isHeldBack(health, policy)) {
            const released = releasedHealth(health, atMs, atMs)
            health = withIncident(released.health, incidentId)
            t.ok(released.change, 'what is held back can be released')
          }
          plain = foldVerdict(plain, verdict, policy, atMs).health
          if (isOn) {
            if (!['resolved', 'recovered', 'stateChanged', undefined].includes(change?.kind)) {
              return false
            }
            if (before.openIncidentId === null && health.openIncidentId !== null) return false
            if (JSON.stringify(before.turnsAtMs) !== JSON.stringify(health.turnsAtMs)) return false
          } else if (isHeldBack(health, policy)) return false
        }
        // What the target does is judged the same, with maintenance or without.
        return health.state === plain.state
      },
    ),
    runs(300),
  )
})
