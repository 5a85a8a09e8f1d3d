// Push reports: which monitor a token leads to, for how long, and what the sender is told.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { formerPushTokensMax } from '../../../src/domain/monitors/monitor.ts'
import { hashToken, mintToken } from '../../../src/seal/tokens.ts'
import { pushTokenOverlapMs } from '../../../src/services/monitors/monitors.ts'
import { addPush } from '../../support/make-push.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'

const ok = { status: 'ok' } as const

t.test('a report is on disk when it is answered, with the time of the next one', async (t) => {
  const world = startMonitorServices(t, { commitDelayMs: 60_000 })
  const { push, clock } = world
  const { monitor, token } = await addPush(world.world)
  const { nextDueAtMs } = await push.report(token, {
    ...ok,
    message: 'fine',
    durationMs: 7,
    metadataJson: '{}',
  })
  t.equal(nextDueAtMs, clock.nowMs() + 360_000)
  t.match(world.monitorState(monitor), {
    lastReportAtMs: clock.nowMs(),
    deadlineAtMs: nextDueAtMs,
    responseTimeMs: 7,
    lastVerdict: 'up',
    health: { state: 'up' },
  })
  t.match(world.readings.latest(world.alice, monitor.id).report, { metadataJson: '{}' })
})

t.test('the message and metadata of a failed job are kept with its incident, cut', async (t) => {
  const world = startMonitorServices(t)
  const { push, incidents, alice, bob } = world
  const evidenceOf = async (metadataJson: string) => {
    const { monitor, token } = await addPush(world.world)
    await world.done(push.report(token, { status: 'error', message: 'disk full', metadataJson }))
    const { openIncidentId } = world.monitorState(monitor).health
    if (!openIncidentId) throw new Error('nothing opened')
    t.equal(incidents.get(bob, openIncidentId).evidence, null, 'a viewer does not see it')
    return incidents.get(alice, openIncidentId).evidence
  }
  const error = { kind: 'reported', message: 'the sender reported an error: disk full' }
  const said = { error, message: 'disk full' }
  t.same(await evidenceOf('{"free":0}'), { ...said, metadataJson: '{"free":0}' })
  const long = await evidenceOf(`{"log":"${'x'.repeat(16_000)}"}`)
  t.equal(long?.metadataJson?.length, limits.evidenceBodyBytesMax)
})

t.test('a malformed token is refused without a look-up', async (t) => {
  const { push, store } = startMonitorServices(t)
  store.monitors.findByPushToken = () => {
    throw new Error('it was looked up')
  }
  const token = mintToken('spp')
  const wrong = ['', 'x', token.slice(0, -1), `${token.slice(0, -1)}!`, mintToken('sup')]
  for (const text of wrong) await t.rejects(push.report(text, ok), { code: 'not_found' }, text)
})

t.test('an unknown token leads nowhere', async (t) => {
  const { push } = startMonitorServices(t)
  await t.rejects(push.report(mintToken('spp'), ok), { code: 'not_found' })
})

t.test('many reports of one monitor are all kept, in one go', async (t) => {
  const world = startMonitorServices(t)
  const { push, done } = world
  const { monitor, token } = await addPush(world.world)
  await done(Promise.all(Array.from({ length: 50 }, () => push.report(token, ok))))
  t.equal(world.monitorState(monitor).tally.checks, 50)
})

t.test('a replaced token ends at once, even if it was cached', async (t) => {
  const world = startMonitorServices(t)
  const { push, store, done, fleet } = world
  const { monitor, token } = await addPush(world.world)
  await done(push.report(token, ok))
  const fresh = mintToken('spp')
  const rotated = { ...monitor, pushTokenHash: hashToken(fresh), revision: 2 }
  await store.write((tx) => store.monitors.put(tx, rotated))
  fleet.start(rotated, 'start', world.monitorState(monitor))
  await t.rejects(push.report(token, ok), { code: 'not_found' })
  t.ok(await done(push.report(fresh, ok)))
})

t.test('a paused monitor says so, a resumed one accepts reports again', async (t) => {
  const world = startMonitorServices(t)
  const { push, monitors, alice, done } = world
  const { monitor, token } = await addPush(world.world, { orgId: alice.orgId })
  await done(push.report(token, ok))
  await done(monitors.pause(alice, monitor.id))
  await t.rejects(push.report(token, ok), { code: 'monitor_paused' })
  const resumed = await done(monitors.resume(alice, monitor.id))
  t.match(resumed, { state: 'pending', nextAtMs: null }, 'nothing is expected before a report')
  await done(push.report(token, ok))
  t.equal(world.monitorState(monitor).health.state, 'up')
})

t.test('a deleted monitor accepts nothing', async (t) => {
  const world = startMonitorServices(t)
  const { push, monitors, alice, done } = world
  const { monitor, token } = await addPush(world.world, { orgId: alice.orgId })
  await done(push.report(token, ok))
  await done(monitors.remove(alice, monitor.id))
  await t.rejects(push.report(token, ok), { code: 'not_found' })
})

t.test('a report that meets a deletion or a pause leaves nothing behind', async (t) => {
  const world = startMonitorServices(t)
  const { push, monitors, alice, done, store } = world
  const gone = await addPush(world.world, { orgId: alice.orgId })
  await done(push.report(gone.token, ok))
  const removing = monitors.remove(alice, gone.monitor.id)
  const late = t.rejects(push.report(gone.token, { status: 'error' }), { code: 'not_found' })
  await done(removing)
  await late
  t.equal(store.monitorStates.get(alice.orgId, gone.monitor.id), undefined)
  t.same(world.allIncidents(), [])
})

t.test('a replaced token works for a day, and is forgotten after that', async (t) => {
  const world = startMonitorServices(t)
  const { push, monitors, alice, done, store, janitor } = world
  const { monitor, token } = await addPush(world.world, { orgId: alice.orgId })
  const replace = () => done(monitors.replaceToken(alice, monitor.id, {}))
  const accepts = (text: string | null) =>
    done(push.report(text ?? '', ok)).then(
      () => true,
      () => false,
    )
  t.ok(await accepts(token))
  const second = await replace()
  await world.world.run(pushTokenOverlapMs / 2)
  const third = await replace()
  for (const one of [token, second.pushToken, third.pushToken]) t.ok(await accepts(one))
  await world.world.run(pushTokenOverlapMs / 2 - 1)
  t.ok(await accepts(token))
  await world.world.run(1)
  t.notOk(await accepts(token))
  t.ok(await accepts(second.pushToken))
  t.ok(store.monitors.findByPushToken(hashToken(token)))
  await done(janitor.round())
  t.equal(store.monitors.findByPushToken(hashToken(token)), undefined)
  t.ok(await accepts(second.pushToken))
  for (let count = 0; count < formerPushTokensMax; count++) await replace()
  t.notOk(await accepts(second.pushToken), 'only so many work')
  t.ok(await accepts(third.pushToken))
  await done(monitors.remove(alice, monitor.id))
  t.equal(store.monitors.findByPushToken(hashToken(third.pushToken ?? '')), undefined)
  const page = await world.world.add({ orgId: alice.orgId })
  await t.rejects(monitors.replaceToken(alice, page.id, {}), { code: 'conflict' })
})

t.test('an outage that a person closed still ends by itself', async (t) => {
  const world = startMonitorServices(t)
  const { push, incidents, alice, done } = world
  const fields = { orgId: alice.orgId, autoRecoveryMinutes: 30 }
  const { monitor, token } = await addPush(world.world, fields)
  await done(push.report(token, { status: 'error' }))
  const { openIncidentId } = world.monitorState(monitor).health
  if (!openIncidentId) throw new Error('nothing opened')
  await done(incidents.resolve(alice, openIncidentId))
  await world.world.run(20 * 60_000)
  t.equal(world.monitorState(monitor).health.openIncidentId, null, 'it does not reopen')
  await world.world.run(10 * 60_000)
  t.equal(world.monitorState(monitor).health.state, 'up')
})
