// What a probe gets to know of a monitor.
import t from 'tap'
import type { LocationId } from '../../../src/base/ids.ts'
import { assignmentOf } from '../../../src/services/locations/assignments.ts'
import { openCore } from '../../support/core.ts'
import { placedMonitor } from '../../support/link-world.ts'
import { orgA } from '../../support/make-incident.ts'

t.test('only a shared probe whose machine is looked at is told for whom', async (t) => {
  const { box } = openCore(t, { inMemory: true })
  const toldOf = (checkType: 'container' | 'endpoint', url: string, isShared: boolean) => {
    const locationId = 'loc_01k00000000000000000000010' as LocationId
    const given = { box, secretsOf: () => new Map(), probeBox: box }
    const deps = { ...given, locationId, isShared, isNew: false }
    return assignmentOf(placedMonitor(1, { checkType, url }), deps)?.orgId
  }
  t.equal(toldOf('container', 'container://local/web', true), orgA)
  t.equal(toldOf('container', 'container://local/web', false), undefined)
  t.equal(toldOf('endpoint', 'https://example.com', true), undefined)
})
