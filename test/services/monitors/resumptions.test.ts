// Resumptions by reports: once, told to who listens, and never of what is gone.
import t from 'tap'
import { onlyResumed } from '../../../src/domain/monitors/monitor.ts'
import { sealKept } from '../../../src/services/monitors/kept-addresses.ts'
import { createResumptions } from '../../../src/services/monitors/resumptions.ts'
import { addPush } from '../../support/make-push.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'

t.test('the paused monitor of an address is resumed, once', async (t) => {
  const world = startMonitorServices(t)
  const { core, store, monitors, push, alice, done, published } = world
  const resumptions = createResumptions(core, { ...world, publish: publishTo(published) })
  const kept = sealKept(core.box, '/ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278')
  const sender = { keptHash: kept.hash }
  const fields = { orgId: alice.orgId, keptAddresses: [kept] }
  const { monitor } = await addPush(world.world, fields)
  const { id } = monitor
  const resume = () => done(resumptions.resume(sender))
  const revision = () => store.monitors.get(alice.orgId, id)?.revision

  await resume()
  t.equal(revision(), monitor.revision, 'one that is not paused stays as it is')
  await done(monitors.pause(alice, id))
  published.length = 0
  await done(Promise.all([resumptions.resume(sender), resumptions.resume(sender)]))
  t.match(store.monitors.get(alice.orgId, id), { isActive: true, revision: monitor.revision + 2 })
  const stored = store.monitors.get(alice.orgId, id)
  t.ok(stored && onlyResumed(stored, monitor.revision + 1), 'an undo may take it back')
  t.notOk(onlyResumed(monitor, monitor.revision))
  t.match(published, [{ event: { type: 'monitor.changed' } }, { event: {} }])
  await done(push.report(sender, { status: 'ok' }))
  t.equal(world.monitorState(monitor).health.state, 'up')

  await done(monitors.remove(alice, id))
  await t.resolves(resume(), 'of one that is gone, nothing is left to do')
})

function publishTo(published: ReturnType<typeof startMonitorServices>['published']) {
  return (...[orgId, event]: Parameters<Parameters<typeof createResumptions>[1]['publish']>) =>
    void published.push({ orgId, event })
}
