// The path of a monitor's alerts, and tests of its channels. The journey alert-path.test.ts shows more.
import t, { type Test } from 'tap'
import type { MonitorId } from '../../../src/base/ids.ts'
import { newId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { createAlertPaths, type PathQuestion } from '../../../src/services/alerts/alert-paths.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { callerOf } from '../../support/access.ts'
import { openChannelsService } from '../../support/channels.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { orgA } from '../../support/make-incident.ts'
import { makeHealth, makeMonitor, monitorNo } from '../../support/make-page.ts'
import { makeWindow } from '../../support/make-window.ts'
import { startReceiver } from '../../support/receiver.ts'

const question: PathQuestion = { event: 'incident.opened', severity: 'down', send: true }

async function begin(t: Test) {
  const { core, channels } = openChannelsService(t)
  const { store, clock } = core
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const scope: OrgScope = { caller: callerOf(), orgId: orgA, role: 'admin' }
  const off = new Set<string>()
  const { tests } = channels
  const paths = createAlertPaths(core, {
    tests,
    healthOf: channels.healthOf,
    isOff: (orgId) => off.has(orgId),
    isSuspended: () => false,
  })
  const monitor = makeMonitor({ orgId: orgA })
  await store.write((tx) => store.monitors.put(tx, monitor))
  const addChannel = (name: string) =>
    channels.create(scope, {
      name,
      type: 'webhook',
      config: { url: `${receiver.url}/${name}` },
      isDefault: true,
    })
  return { store, clock, channels, receiver, scope, off, paths, monitor, addChannel }
}

t.test('a receiver that fails does not keep the others from being tested', async (t) => {
  const { paths, scope, monitor, receiver, addChannel } = await begin(t)
  for (const name of ['one', 'two', 'three']) await addChannel(name)
  receiver.script('reset')
  const { routes } = await paths.show(scope, monitor.id, question)
  const results = routes.map(({ test }) => test?.delivered)
  t.same(results.toSorted(), [false, true, true])
  const broken = routes.find(({ test }) => test?.delivered === false)
  t.match(broken?.test, { status: null, message: /^Test not delivered\. .+\.$/ })
})

t.test('a channel that was tested too often, or has lost its secrets, says so', async (t) => {
  const { store, clock, paths, channels, scope, monitor, addChannel } = await begin(t)
  const { id } = await addChannel('one')
  await store.write((tx) =>
    store.channels.put(
      tx,
      makeChannel({ id: newId('channel', clock.nowMs()), secretsBox: 'lost' }),
    ),
  )
  for (let tests = 0; tests < limits.channelTests.quota; tests++) await channels.test(scope, id)
  const { routes } = await paths.show(scope, monitor.id, question)
  t.match(
    routes.map(({ test }) => test?.message),
    [
      'Test not sent. It was tested too often; try again later.',
      /^Test not sent\. The secrets of this channel cannot be read/,
    ],
  )
})

t.test('nobody hears of a monitor of an organization that is switched off', async (t) => {
  const { paths, scope, monitor, off, receiver, addChannel } = await begin(t)
  await addChannel('one')
  off.add(orgA)
  const { routes } = await paths.show(scope, monitor.id, question)
  t.match(routes, [{ route: { because: 'organization_off' }, test: null }])
  t.equal(receiver.requests.length, 0)
})

t.test('while what it depends on is down, nobody would hear, and the path says why', async (t) => {
  const { store, clock, paths, scope, monitor, addChannel } = await begin(t)
  await addChannel('one')
  const router = makeMonitor({ id: monitorNo(9), orgId: orgA, name: 'Router' })
  const nowMs = clock.nowMs()
  const state = { ...initialMonitorState(nowMs), health: makeHealth('down', nowMs) }
  await store.write((tx) => {
    store.monitors.put(tx, router)
    store.monitorStates.put(tx, orgA, router.id, state)
    store.monitors.put(tx, { ...monitor, dependsOn: [router.id] })
  })
  const ask = async (more: object) =>
    (await paths.show(scope, monitor.id, { ...question, ...more })).routes
  t.match(await ask({ send: false }), [
    { route: { kind: 'none', because: 'dependency', blockerName: 'Router' } },
  ])
  t.match(await ask({ send: true }), [{ test: { delivered: true } }], 'a test is sent all the same')
  t.match(await ask({ send: false, atMs: clock.nowMs() }), [{ route: { kind: 'now' } }])
})

t.test('maintenance holds outages back, and not what the month has come to', async (t) => {
  const { store, clock, paths, scope, monitor, addChannel } = await begin(t)
  await addChannel('one')
  const nowMs = clock.nowMs()
  const times = { kind: 'once' as const, startsAtMs: nowMs - 60_000, endsAtMs: nowMs + 60_000 }
  const window = makeWindow({ orgId: orgA, times, coversFromMs: times.startsAtMs })
  await store.write((tx) => store.windows.put(tx, window))
  const routeOf = async (event: PathQuestion['event']) => {
    const { routes } = await paths.show(scope, monitor.id, { ...question, event, send: false })
    return routes[0]?.route
  }
  t.match(await routeOf('incident.opened'), { kind: 'none', because: 'maintenance' })
  t.match(await routeOf('slo.at_risk'), { kind: 'now' })
})

t.test('a member may ask, and may not send', async (t) => {
  const { paths, scope, monitor, addChannel } = await begin(t)
  await addChannel('one')
  const member: OrgScope = { ...scope, role: 'member' }
  await t.rejects(paths.show(member, monitor.id, question), { code: 'forbidden' })
  const { routes } = await paths.show(member, monitor.id, { ...question, send: false })
  t.match(routes, [{ route: { kind: 'now' }, test: null }])
})

t.test('each tested channel is noted in the audit log', async (t) => {
  const { store, paths, scope, monitor, addChannel } = await begin(t)
  const { id } = await addChannel('one')
  await paths.show(scope, monitor.id, question)
  const notes = store.audit.list(orgA, 10)
  t.match(notes[0], { action: 'channel.tested', objectId: id })
})

t.test('a monitor of another organization does not exist', async (t) => {
  const { paths, scope } = await begin(t)
  const unknown = 'mon_01k00000000000000000000000' as MonitorId
  await t.rejects(paths.show(scope, unknown, question), { code: 'not_found' })
})
