// A trial of a monitor: judged and made as a check is, and nothing of it stays.
import t from 'tap'
import type { MonitorFields } from '../../../src/domain/monitors/monitor-fields.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, slow } from '../../support/monitor-world.ts'

const simple = { name: 'API', url: 'https://inside.test/health' }
const signal = new AbortController().signal

t.test('it reports what a monitor would see, and stores nothing', async (t) => {
  const { trials, alice, store, done, world, fleet, allIncidents } = startMonitorServices(t)
  const run = (fields: MonitorFields) => done(trials.run(alice, { fields }, signal))
  t.match(await run(simple), { verdict: 'up', reading: { result: 'good', durationMs: 100 } })
  world.answer = () => slow
  t.match(await run({ ...simple, degradedThresholdMs: 3_000 }), { verdict: 'degraded' })
  const evidence = { status: 500, body: 'oops', headers: [] }
  world.answer = () => ({ ...failed, evidence })
  t.match(await run({ ...simple, failureThreshold: 1 }), {
    verdict: 'down',
    reading: { error: { kind: 'status' }, evidence },
  })
  t.equal(store.monitors.count(alice.orgId), 0)
  t.equal(fleet.size(), 0)
  t.same(allIncidents(), [])
  t.same(world.gate.load(), { inside: 0, waiting: 0 })
  const [entry] = store.audit.list(alice.orgId, 1)
  t.match(entry, { action: 'monitor.tested', objectId: null, detail: 'endpoint inside.test' })
})

t.test('the probe gets what a check of the monitor would get', async (t) => {
  const { trials, alice, done, world } = startMonitorServices(t)
  const asked: unknown[] = []
  world.answer = (monitor, given) => {
    asked.push([monitor.method, monitor.headerNames, monitor.timeoutMs, given === signal])
    return good
  }
  const fields = { ...simple, method: 'POST', headers: { 'X-Key': 'k' }, timeoutMs: 2_000 }
  await done(trials.run(alice, { fields }, signal))
  t.same(asked, [['POST', ['X-Key'], 2_000, true]])
})

t.test('the mask of a stored header stands for its value, only where it was stored', async (t) => {
  const { trials, monitors, alice, charlie, done, world } = startMonitorServices(t)
  const kept = await done(monitors.create(alice, { ...simple, headers: { 'X-Key': 'k' } }))
  const fields = { ...simple, headers: { 'x-key': '••••' } }
  world.answer = () => good
  const { id: monitorId } = kept.monitor
  t.match(await done(trials.run(alice, { fields, monitorId }, signal)), { verdict: 'up' })
  await t.rejects(trials.run(alice, { fields }, signal), {
    errors: [{ pointer: '/headers/x-key' }],
  })
  await t.rejects(trials.run(charlie, { fields, monitorId }, signal), { code: 'not_found' })
})

t.test('it is validated like a creation', async (t) => {
  const { trials, alice, approval, store, world } = startMonitorServices(t, { targets: 'public' })
  const refused = (fields: MonitorFields) => trials.run(alice, { fields }, signal)
  await t.rejects(refused({ name: 'x' }), { errors: [{ pointer: '/url' }] })
  await t.rejects(refused({ ...simple, url: 'http://169.254.169.254/' }), {
    code: 'target_not_allowed',
  })
  await t.rejects(refused({ ...simple, url: 'http://8.8.8.8/', ipFamily: 'ipv6' }), {
    errors: [{ pointer: '/ipFamily' }],
  })
  await t.rejects(refused({ name: 'Job', checkType: 'push' }), {
    code: 'validation_failed',
    errors: [{ pointer: '/checkType' }],
    message: /^checkType cannot be push/,
  })
  approval.isGiven = false
  await t.rejects(refused({ ...simple, url: 'https://example.com/' }), { code: 'kyc_required' })
  t.same(world.checks, [])
  t.same(store.audit.list(alice.orgId, 1), [])
})

t.test('an organization has thirty a minute, and refused ones do not count', async (t) => {
  const { trials, alice, charlie, done } = startMonitorServices(t, { hasRunLimits: true })
  await t.rejects(trials.run(alice, { fields: { name: 'x' } }, signal), {
    code: 'validation_failed',
  })
  for (let n = 0; n < 30; n++) await done(trials.run(alice, { fields: simple }, signal))
  await t.rejects(trials.run(alice, { fields: simple }, signal), {
    code: 'rate_limited',
    headers: [['Retry-After', '2']],
  })
  await done(trials.run(charlie, { fields: simple }, signal))
})

t.test('it precedes checks that are merely due, and does not wait long', async (t) => {
  const gate = { total: 1, perKey: 1 }
  const { trials, alice, clock, done, world } = startMonitorServices(t, { gate })
  void world.gate.enter('elsewhere', 0, alice.orgId)
  const due: string[] = []
  void world.gate.enter('due', clock.nowMs(), alice.orgId)?.then(() => due.push('due'))
  world.answer = () => {
    due.push('asked for')
    return good
  }
  const first = trials.run(alice, { fields: simple }, signal)
  await world.run(0)
  t.same(world.gate.load(), { inside: 1, waiting: 2 })
  world.gate.leave('elsewhere', alice.orgId)
  await done(first)
  t.same(due, ['asked for', 'due'])

  const second = t.rejects(trials.run(alice, { fields: simple }, signal), { code: 'unavailable' })
  await world.run(0)
  await clock.advance(2_000)
  await second
  t.same(world.gate.load(), { inside: 1, waiting: 1 })
  world.gate.leave('due', alice.orgId)
  await world.run(0)
  t.same(world.gate.load(), { inside: 0, waiting: 0 }, 'and its turn is not kept')
})
