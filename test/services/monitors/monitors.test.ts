// Monitors as an organization handles them: what may be said, what is kept, what follows.
import t from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import type { ChannelId, LocationId, MonitorId } from '../../../src/base/ids.ts'
import type { MonitorFields } from '../../../src/domain/monitors/monitor-fields.ts'
import { secretMask } from '../../../src/domain/secret-mask.ts'
import { openRequest, targetOf } from '../../../src/services/monitors/monitor-request.ts'
import { damageRecords } from '../../support/damaged-records.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good } from '../../support/monitor-world.ts'
import { ever } from '../../support/temp-store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const simple = { name: 'API', url: 'https://inside.test/health' }

/** What a call that must fail was told: the code, then the pointers. */
async function refusal(call: () => unknown): Promise<string[]> {
  try {
    await call()
  } catch (error) {
    if (error instanceof Fault) return [error.code, ...error.errors.map(({ pointer }) => pointer)]
    throw error
  }
  return ['nothing was wrong']
}

t.test('a new monitor is checked at once and shows its result', async (t) => {
  const { monitors, alice, done, world, clock, changedOrgs } = startMonitorServices(t)
  const view = await done(monitors.create(alice, simple))
  t.match(view, {
    state: 'pending',
    nextAtMs: clock.nowMs(),
    body: null,
    pushToken: null,
    pushUrl: null,
    uptime: { '24h': null, '90d': null },
    monitor: { name: 'API', intervalSeconds: 300, revision: 1, isActive: true },
  })
  t.same(changedOrgs, [alice.orgId])
  await world.run(1)
  t.match(monitors.get(alice, view.monitor.id), { state: 'up', uptime: { '24h': null } })
})

t.test('a monitor that is created paused is not checked', async (t) => {
  const { monitors, alice, done, world } = startMonitorServices(t)
  const view = await done(monitors.create(alice, { ...simple, isActive: false }))
  t.match(view, { state: 'paused', nextAtMs: null })
  await world.run(hourMs)
  t.same(world.checks, [])
  await t.rejects(monitors.run(alice, view.monitor.id), { code: 'conflict' })
})

t.test('an invalid monitor is refused with a pointer, and nothing is stored', async (t) => {
  const { monitors, alice, charlie, store, done, world } = startMonitorServices(t, {
    targets: 'public',
  })
  const mine = await world.addChannel()
  const theirs = `${mine.id.slice(0, -1)}z` as ChannelId
  await world.addChannel({ id: theirs, orgId: charlie.orgId })
  const cases: [MonitorFields, string[]][] = [
    [{ name: 'API' }, ['validation_failed', '/url']],
    [{ ...simple, timeoutMs: 60_000, intervalSeconds: 10 }, ['validation_failed', '/timeoutMs']],
    [
      { ...simple, notifyChannelIds: [mine.id, theirs] },
      ['validation_failed', '/notifyChannelIds/1'],
    ],
    [{ ...simple, headers: { Host: 'x' } }, ['validation_failed', '/headers/Host']],
    [
      { name: 'API', checkType: 'push', url: 'https://a.test', responseAssertionValue: 'x' },
      ['validation_failed', '/url', '/responseAssertionValue'],
    ],
    [{ ...simple, url: 'http://127.0.0.1/' }, ['target_not_allowed', '/url']],
    [{ ...simple, url: 'http://127.0.0.1/', ipFamily: 'ipv6' }, ['validation_failed', '/ipFamily']],
    [{ ...simple, url: 'http://169.254.169.254/' }, ['target_not_allowed', '/url']],
  ]
  for (const [fields, expected] of cases) {
    t.same(await refusal(() => monitors.create(alice, fields)), expected, JSON.stringify(fields))
  }
  t.same(store.monitors.list(alice.orgId, 10), [])
  const fields = { ...simple, notifyChannelIds: [mine.id] }
  t.match(await done(monitors.create(alice, fields)), { monitor: { notifyChannelIds: [mine.id] } })
})

t.test(
  'a monitor of the machine waits, paused, until the operator lists what it looks at',
  async (t) => {
    const { monitors, monitorBulk, trials, alice, done } = startMonitorServices(t)
    const paused = {
      name: 'Web',
      checkType: 'container',
      url: 'container://local/web',
      isActive: false,
    }
    const refused = ['target_not_allowed', '/url']
    t.same(await refusal(() => monitors.create(alice, { ...paused, isActive: true })), refused)
    const { id } = (await done(monitors.create(alice, paused))).monitor
    await done(monitors.change(alice, id, { name: 'Shop' }))
    t.same(await refusal(() => done(monitors.change(alice, id, { isActive: true }))), refused)
    t.same(await refusal(() => done(monitors.resume(alice, id))), refused)
    const message = /^url leads to a container of this machine, .*checks.containers/
    await t.rejects(done(monitors.resume(alice, id)), { message })
    const many = () => done(monitorBulk.change(alice, { ids: [id] }, { isActive: true }))
    t.same(await refusal(many), ['validation_failed', '/url'], 'nor many at once')
    t.match(monitors.get(alice, id), { state: 'paused' })
    const tried = () => trials.run(alice, { fields: paused }, new AbortController().signal)
    t.same(await refusal(tried), refused)
    const url = 'container://local'
    const wrong = ['validation_failed', '/url']
    t.same(await refusal(() => monitors.create(alice, { ...paused, url })), wrong)
  },
)

t.test(
  'a target that the service may not open can be checked from elsewhere, and never from here',
  async (t) => {
    const services = startMonitorServices(t, { targets: 'public' })
    const { monitors, monitorBulk, trials, fleet, alice, done, world, store } = services
    const oslo = 'loc_01k00000000000000000000010' as LocationId
    const times = { createdAtMs: 0, updatedAtMs: 0, revision: 1 }
    await store.write((tx) =>
      store.locations.put(tx, {
        ...{ id: oslo, orgId: alice.orgId, name: 'Oslo', description: null },
        ...times,
      }),
    )
    const url = 'http://10.0.0.1/'
    const inside = { ...simple, url, locations: [oslo] }
    for (const locations of [[], ['home'], ['home', oslo], [oslo, 'home']]) {
      const fields = { ...inside, locations }
      t.same(await refusal(() => monitors.create(alice, fields)), ['target_not_allowed', '/url'])
    }
    const tried = () => trials.run(alice, { fields: inside }, new AbortController().signal)
    t.same(await refusal(tried), ['target_not_allowed', '/url'], 'a trial is made from here')

    const { monitor } = await done(monitors.create(alice, inside))
    const { id } = monitor
    for (const locations of [null, [], ['home'], [oslo, 'home']]) {
      const refused = ['target_not_allowed', '/locations']
      t.same(await refusal(() => done(monitors.change(alice, id, { locations }))), refused)
      const many = () => done(monitorBulk.change(alice, { ids: [id] }, { fields: { locations } }))
      t.same(await refusal(many), ['validation_failed', '/locations'], 'nor many at once')
    }
    await t.rejects(done(monitors.change(alice, id, { locations: ['home'] })), {
      message: /^locations must name places other than home: the URL leads to a private address/,
    })
    await done(monitors.change(alice, id, { name: 'Inside', isActive: false }))
    await done(monitors.change(alice, id, { isActive: true }))
    // Its location is gone, which no call can bring about while it is in use.
    const location = store.locations.get(alice.orgId, oslo)
    await store.write((tx) => location && store.locations.remove(tx, location))
    t.same(await refusal(() => done(monitors.change(alice, id, { name: 'x' }))), [
      'target_not_allowed',
      '/url',
    ])

    fleet.check(id).catch(() => {})
    fleet.hasten(id, 0)
    fleet.checkSoon([id])
    await world.run(2 * hourMs)
    t.same(world.checks, [], 'it was never checked from here')
  },
)

t.test(
  'a monitor that names a deleted channel can be changed, and then no longer does',
  async (t) => {
    const { monitors, alice, store, done, world } = startMonitorServices(t)
    const gone = await world.addChannel()
    const fields = { ...simple, notifyChannelIds: [gone.id] }
    const { monitor } = await done(monitors.create(alice, fields))
    await store.write((tx) => store.channels.remove(tx, gone))
    t.match(await done(monitors.change(alice, monitor.id, { name: 'New' })), {
      monitor: { name: 'New', notifyChannelIds: [] },
    })
  },
)

t.test('an organization has a bounded number of monitors', async (t) => {
  const { monitors, alice, charlie, store, done } = startMonitorServices(t)
  const count = 100
  store.monitors.count = (orgId) => (orgId === alice.orgId ? count : 0)
  await t.rejects(done(monitors.create(alice, simple)), { code: 'conflict' })
  await done(monitors.create(charlie, simple))
})

t.test('a change merges its fields, and null restores defaults', async (t) => {
  const { monitors, alice, done } = startMonitorServices(t)
  const fields = { ...simple, intervalSeconds: 30, body: '{"a":1}', tags: ['x'], description: 'd' }
  const { monitor } = await done(monitors.create(alice, fields))
  const change = (patch: MonitorFields) => done(monitors.change(alice, monitor.id, patch))
  t.match(await change({ name: 'New' }), {
    monitor: { name: 'New', intervalSeconds: 30, tags: ['x'], revision: 2 },
    body: '{"a":1}',
  })
  t.match(await change({ body: null, tags: null, description: '' }), {
    monitor: { tags: [], description: null, requestBox: null },
    body: null,
  })
  t.match(await change({ intervalMinutes: 2 }), { monitor: { intervalSeconds: 120 } })
  t.match(await change({ degradedThresholdMs: null }), { monitor: { degradedThresholdMs: null } })
  t.same(await refusal(() => change({ timeoutMs: 60_000, intervalSeconds: 10 })), [
    ...['validation_failed', '/timeoutMs'],
  ])
  t.equal(monitors.get(alice, monitor.id).monitor.revision, 5)
})

t.test('values older than a rule stay, until a change touches them', async (t) => {
  const { monitors, alice, done, world } = startMonitorServices(t)
  const idle = { source: 'status', path: null, type: 'type', value: 'boolean' } as const
  const { id } = await world.add({ assertions: [idle] })
  const change = (patch: MonitorFields) => done(monitors.change(alice, id, patch))
  t.match(await change({ name: 'New' }), { monitor: { name: 'New', assertions: [idle] } })
  const pointer = ['validation_failed', '/assertions/0/type']
  t.same(await refusal(() => change({ assertions: [idle] })), pointer)
  t.same(await refusal(() => monitors.create(alice, { ...simple, assertions: [idle] })), pointer)
  t.same(await refusal(() => change({ timeoutMs: 60_000, intervalSeconds: 10 })), [
    ...['validation_failed', '/timeoutMs'],
  ])
  t.match(await change({ assertions: [] }), { monitor: { assertions: [] } })
})

t.test('a change leaves no address beside the other family', async (t) => {
  const { monitors, alice, done } = startMonitorServices(t)
  const url = 'http://127.0.0.1/'
  const { monitor } = await done(monitors.create(alice, { ...simple, url }))
  const change = (fields: MonitorFields) => monitors.change(alice, monitor.id, fields)
  t.same(await refusal(() => change({ ipFamily: 'ipv6' })), ['validation_failed', '/ipFamily'])
  await done(change({ url: 'http://localhost/', ipFamily: 'ipv6' }))
  t.same(await refusal(() => change({ url })), ['validation_failed', '/ipFamily'])
  await done(change({ url: 'http://[::1]/' }))
})

t.test('the kind of a monitor cannot be changed', async (t) => {
  const { monitors, alice, done } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, simple))
  const change = (patch: MonitorFields) => done(monitors.change(alice, monitor.id, patch))
  t.same(await refusal(() => change({ checkType: 'push' })), ['validation_failed', '/checkType'])
  t.match(await change({ checkType: 'endpoint', name: 'Same kind' }), { monitor: { revision: 2 } })
})

t.test('headers are encrypted, shown as names, and a mask keeps its value', async (t) => {
  const { monitors, alice, done, box, store } = startMonitorServices(t)
  const headers = { Authorization: 'Bearer s3cret-value', 'X-Tenant': 'one' }
  const { monitor } = await done(monitors.create(alice, { ...simple, headers }))
  t.same(monitor.headerNames, ['Authorization', 'X-Tenant'])
  t.notOk(JSON.stringify(monitor).includes('s3cret'))
  t.same(targetOf(box, monitor).headers, headers)
  const change = async (patch: object) => {
    await done(monitors.change(alice, monitor.id, { headers: patch }))
    const stored = store.monitors.get(alice.orgId, monitor.id)
    return stored && openRequest(box, stored).headers
  }
  t.same(await change({ authorization: secretMask, 'X-Tenant': 'two' }), {
    authorization: 'Bearer s3cret-value',
    'X-Tenant': 'two',
  })
  t.same(await change({ 'X-Tenant': secretMask }), { 'X-Tenant': 'two' }, 'what is left out goes')
  for (const name of ['X-New', 'toString']) {
    const pointers = await refusal(() => change({ [name]: secretMask }))
    t.same(pointers, ['validation_failed', `/headers/${name}`], 'a mask of nothing is no value')
  }
  t.match(await done(monitors.change(alice, monitor.id, { headers: null })), {
    monitor: { headerNames: [], requestBox: null },
  })
})

t.test('a change of an older version is refused', async (t) => {
  const { monitors, alice, done } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, simple))
  await done(monitors.change(alice, monitor.id, { name: 'New' }, 1))
  const calls: (() => Promise<unknown>)[] = [
    () => monitors.change(alice, monitor.id, { name: 'Late' }, 1),
    () => monitors.remove(alice, monitor.id, 1),
  ]
  for (const call of calls) {
    t.same(await refusal(() => done(call())), ['precondition_failed'])
  }
  t.match(monitors.get(alice, monitor.id), { monitor: { name: 'New', revision: 2 } })
})

t.test('monitors of others can neither be seen nor touched', async (t) => {
  const { monitors, alice, charlie, done } = startMonitorServices(t)
  const { id } = (await done(monitors.create(alice, simple))).monitor
  const calls: (() => unknown)[] = [
    () => monitors.get(charlie, id),
    () => monitors.change(charlie, id, { name: 'Mine' }),
    () => monitors.pause(charlie, id),
    () => monitors.resume(charlie, id),
    () => monitors.remove(charlie, id),
    () => monitors.run(charlie, id),
  ]
  for (const call of calls) {
    t.same(await refusal(() => done((async () => call())())), ['not_found'])
  }
  t.same(monitors.list(charlie, { limit: 10 }), { items: [] })
})

t.test('a manual run returns its findings', async (t) => {
  const { monitors, alice, done, world } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, { ...simple, failureThreshold: 1 }))
  await world.run(1)
  world.answer = () => failed
  const result = await done(monitors.run(alice, monitor.id))
  t.match(result, {
    verdict: 'down',
    reading: { status: 500, error: { kind: 'status' } },
    view: { state: 'down', monitorState: { health: { openIncidentId: /^inc_/ } } },
  })
  world.fleet.stop(monitor.id)
  await t.rejects(done(monitors.run(alice, monitor.id)), { code: 'unavailable' }, 'not started yet')
})

t.test('a manual run precedes everything due, and nobody waits for it long', async (t) => {
  const gate = { total: 1, perKey: 1 }
  const { monitors, alice, clock, done, world } = startMonitorServices(t, { gate })
  const fields = { ...simple, timeoutMs: 3_000, isActive: false }
  const views = [1, 2, 3].map((n) => done(monitors.create(alice, { ...fields, name: `${n}` })))
  const [first, second, third] = (await Promise.all(views)).map(({ monitor }) => monitor.id)
  if (!first || !second || !third) throw new Error('three were created')
  const ends: (() => void)[] = []
  world.answer = () => new Promise((resolve) => ends.push(() => resolve(good)))
  for (const id of [first, second]) await done(monitors.resume(alice, id))
  await world.run(0)
  t.same(world.gate.load(), { inside: 1, waiting: 1 }, 'the first is looked at')
  await done(monitors.resume(alice, third))
  const running = monitors.run(alice, third)
  await world.run(0)
  ends.shift()?.()
  await world.run(0)
  ends.shift()?.()
  t.match(await done(running), { verdict: 'up' })
  t.same(
    world.checks.map(({ monitorId }) => monitorId),
    [first, third, second],
  )
  const late = t.rejects(done(monitors.run(alice, third)), { code: 'unavailable' })
  await clock.advance(5_000)
  await late
})

t.test('a pause holds while a deleted channel leaves the monitor', async (t) => {
  const { monitors, alice, done, world, store, fleet } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, simple))
  await world.run(1)
  const pausing = monitors.pause(alice, monitor.id)
  const leaving = store.write((tx) => {
    const before = store.monitors.get(alice.orgId, monitor.id) ?? monitor
    store.monitors.replace(tx, before, { ...before, revision: before.revision + 1 })
  })
  await done(Promise.all([pausing, leaving]))
  t.equal(store.monitors.get(alice.orgId, monitor.id)?.revision, 3)
  t.equal(fleet.monitor(monitor.id), undefined)
})

t.test('a pause closes the incident without announcing a recovery', async (t) => {
  const { monitors, alice, done, world, incidents } = startMonitorServices(t)
  await world.addChannel()
  world.answer = () => failed
  const { monitor } = await done(monitors.create(alice, { ...simple, failureThreshold: 1 }))
  await world.run(10 * minuteMs)
  const view = await done(monitors.pause(alice, monitor.id))
  t.match(view, { state: 'paused', nextAtMs: null, monitor: { isActive: false } })
  const [incident] = incidents.list(alice, { limit: 9 }).items
  t.match(incident, { state: 'resolved', resolution: 'paused' })
  t.same(world.events(), ['incident.opened'])
  const checks = world.checks.length
  await world.run(hourMs)
  t.equal(world.checks.length, checks)
  const again = await done(monitors.pause(alice, monitor.id))
  t.equal(again.monitor.revision, view.monitor.revision, 'twice changes nothing')
  t.match(monitors.get(alice, monitor.id).monitorState.tally, { downMs: 10 * minuteMs })
  const resumed = await done(monitors.resume(alice, monitor.id))
  t.match(resumed, { state: 'pending', nextAtMs: world.clock.nowMs() })
  t.match(resumed.monitorState.tally, { downMs: 10 * minuteMs, excludedMs: hourMs })
  await world.run(1)
  t.equal(incidents.list(alice, { limit: 9 }).items.length, 2, 'it is another outage')
  t.same(world.events(), ['incident.opened', 'incident.opened'])
})

t.test('a platform that keeps an alert for each incident is told to close it', async (t) => {
  for (const end of ['pause', 'remove'] as const) {
    const { monitors, alice, done, world } = startMonitorServices(t)
    await world.addChannel({ type: 'pagerduty' })
    world.answer = () => failed
    const { monitor } = await done(monitors.create(alice, { ...simple, failureThreshold: 1 }))
    await world.run(10 * minuteMs)
    await done<unknown>(monitors[end](alice, monitor.id))
    await world.run(minuteMs)
    t.same(world.events(), ['incident.opened', 'incident.resolved'], end)
  }
})

t.test('a check that ends while its monitor is being paused opens nothing', async (t) => {
  const { monitors, alice, done, world } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, { ...simple, failureThreshold: 1 }))
  await world.run(1)
  const pausing = monitors.pause(alice, monitor.id)
  const late = { atMs: world.clock.nowMs(), durationMs: 5, result: 'failed' } as const
  const committed = world.commit.reading(monitor, late)
  await done(pausing)
  t.equal(await done(committed), null)
  t.same(world.incidents(), [])
  t.equal(monitors.get(alice, monitor.id).monitorState.health.state, 'pending')
})

t.test('a deletion closes the incident, and deletes the history', async (t) => {
  const { monitors, readings, alice, done, world, store } = startMonitorServices(t)
  const sick = { ...simple, failureThreshold: 1, intervalSeconds: 10 }
  world.answer = () => failed
  const { monitor } = await done(monitors.create(alice, sick))
  const { id } = monitor
  await world.run(2 * hourMs)
  t.ok(store.hours.within(alice.orgId, id, ever).length > 0)
  await done(monitors.remove(alice, id))
  t.match(world.incidents(), [{ state: 'resolved', resolution: 'deleted' }])
  t.same(await refusal(() => monitors.get(alice, id)), ['not_found'])
  t.same(await refusal(() => readings.checks(alice, id, { limit: 5 })), ['not_found'])
  t.equal(store.hours.within(alice.orgId, id, ever).length, 0)
  t.same([...store.checks.newestFirst(alice.orgId, id, world.clock.nowMs())], [])
  t.equal(store.checks.evidence(alice.orgId, id), undefined)
  t.equal(store.monitors.count(alice.orgId), 0)
  t.equal(world.fleet.size(), 0)
})

t.test('a damaged monitor that is deleted counts as no user of its certificate', async (t) => {
  const { monitors, alice, store, done, world } = startMonitorServices(t)
  const certificate = { expiresAtMs: world.clock.nowMs() + hourMs, issuer: 'CA', fingerprint: 'ab' }
  world.answer = () => ({ ...good, certificate })
  const { monitor } = await done(monitors.create(alice, simple))
  const { orgId, id } = monitor
  await world.run(1)
  t.same(store.certificates.users(orgId, 'ab'), [id])
  t.equal(await damageRecords(store, 'monitors', id), 1)
  await done(monitors.remove(alice, id))
  t.same(store.certificates.users(orgId, 'ab'), [])
})

t.test('a push monitor gets a token, which a viewer does not see', async (t) => {
  const { monitors, alice, bob, done, store, push } = startMonitorServices(t)
  const fields = { name: 'Backup', checkType: 'push', graceSeconds: 60 }
  const { monitor, pushToken, pushUrl } = await done(monitors.create(alice, fields))
  t.match(pushToken, /^spp_a[0-9A-Za-z]{36}$/)
  t.equal(pushUrl, `https://up.test/api/v1/push/${pushToken}`)
  t.notOk(JSON.stringify(store.monitors.get(alice.orgId, monitor.id)).includes(pushToken ?? ' '))
  t.match(monitors.get(bob, monitor.id), { pushToken: null, pushUrl: null })
  t.equal(monitors.get(alice, monitor.id).pushToken, pushToken, 'it can be shown again')
  const { nextDueAtMs } = await done(push.report(pushToken ?? '', { status: 'ok' }))
  t.equal(monitors.get(alice, monitor.id).nextAtMs, nextDueAtMs)
})

t.test('another period of a push monitor applies to the expected report', async (t) => {
  const { monitors, alice, done, push, world, clock } = startMonitorServices(t)
  const fields = { name: 'Backup', checkType: 'push', intervalSeconds: 300, graceSeconds: 60 }
  const { monitor, pushToken } = await done(monitors.create(alice, fields))
  const reportedAtMs = clock.nowMs()
  await done(push.report(pushToken ?? '', { status: 'ok' }))
  const daily = { intervalSeconds: 86_400 }
  const { nextAtMs } = await done(monitors.change(alice, monitor.id, daily))
  t.equal(nextAtMs, reportedAtMs + 86_460_000)
  await world.run(hourMs)
  t.same(world.incidents(), [], 'the old period alarms nobody')
  const back = await done(monitors.change(alice, monitor.id, { intervalSeconds: 300 }))
  t.equal(back.nextAtMs, clock.nowMs() + 360_000, 'a fresh period, not an alarm on the spot')
  await world.run(6 * minuteMs)
  t.equal(world.incidents().length, 1)
})

t.test('the list is newest first, in pages, and each filter narrows it', async (t) => {
  const { monitors, alice, done, world } = startMonitorServices(t)
  const ids: MonitorId[] = []
  for (let number = 1; number <= 7; number++) {
    const made = await done(
      monitors.create(alice, {
        name: `Shop ${number}`,
        url: `https://HOST-${number}.test/`,
        tags: number % 2 ? ['odd'] : [],
        isActive: number !== 3,
        failureThreshold: 1,
      }),
    )
    ids.unshift(made.monitor.id)
  }
  const pushed = await done(monitors.create(alice, { name: 'Backup', checkType: 'push' }))
  world.answer = (monitor) => (monitor.name === 'Shop 5' ? failed : good)
  await world.run(minuteMs)
  const pages = (filter: object, limit = 3) => {
    const pages: string[][] = []
    let after: string | undefined
    do {
      const page = monitors.list(alice, { ...filter, limit, ...(after ? { after } : {}) })
      pages.push(page.items.map(({ monitor }) => monitor.name))
      after = page.nextAfter
    } while (after && pages.length < 20)
    return pages
  }
  const shops = [7, 6, 5, 4, 3, 2, 1].map((number) => `Shop ${number}`)
  t.same(pages({}), [['Backup', 'Shop 7', 'Shop 6'], shops.slice(2, 5), shops.slice(5)])
  t.same(pages({}, 8), [['Backup', ...shops]])
  t.same(pages({ tag: 'odd' }, 2).flat(), ['Shop 7', 'Shop 5', 'Shop 3', 'Shop 1'])
  t.same(pages({ isActive: false }).flat(), ['Shop 3'])
  t.same(pages({ state: 'paused' }).flat(), ['Shop 3'])
  t.same(pages({ state: 'down' }).flat(), ['Shop 5'])
  t.same(pages({ state: 'pending' }).flat(), ['Backup'])
  t.same(pages({ checkType: 'push' }).flat(), ['Backup'])
  t.same(pages({ q: 'shop 4' }).flat(), ['Shop 4'])
  t.same(pages({ q: 'host-2' }).flat(), ['Shop 2'], 'a URL matches in any case')
  t.same(pages({ q: 'nowhere' }).flat(), [])
  t.same(pages({ tag: 'odd', state: 'up', q: 'shop' }).flat(), ['Shop 7', 'Shop 1'])
  t.ok(pushed)
})

t.test('a monitor without a state is still shown, as one without checks', async (t) => {
  const { monitors, alice, store } = startMonitorServices(t)
  const monitor = makeMonitor({ id: monitorNo(1), orgId: alice.orgId })
  await store.write((tx) => store.monitors.put(tx, monitor))
  t.match(monitors.get(alice, monitor.id), { state: 'pending' })
})
