// What monitors in memory share: nobody can tell, except by how much memory they take.
import t from 'tap'
import { sharing } from '../../../src/domain/monitors/sharing.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'

t.test('a monitor stays the same when it shares what is equal', (t) => {
  const other = makeMonitor({ tags: ['web', 'eu'], certificateWarnDays: [30, 7] })
  const monitor = makeMonitor({
    id: monitorNo(2),
    tags: ['web', 'eu'],
    certificateWarnDays: [30],
    dependsOn: [monitorNo(3)],
  })
  const shared = sharing(monitor, other)
  t.same(shared, monitor)
  t.equal(shared.tags, other.tags, 'one list for both')
  t.equal(shared.headerNames, other.headerNames)
  t.not(shared.certificateWarnDays, other.certificateWarnDays)
  t.end()
})
