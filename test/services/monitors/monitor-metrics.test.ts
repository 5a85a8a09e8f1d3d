// What Prometheus is told of monitors: what the console shows, of each, and only while it is known.
import t from 'tap'
import { hourMs, tallyOf } from '../../../src/domain/health/span.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { boardKeptMs } from '../../../src/services/monitors/monitor-boards.ts'
import { createMonitorMetrics } from '../../../src/services/monitors/monitor-metrics.ts'
import { orgA } from '../../support/make-incident.ts'
import { makeOrg } from '../../support/make-org.ts'
import { makeHealth, makeMonitor, monitorNo, orgTwo } from '../../support/make-page.ts'
import { makeWindow } from '../../support/make-window.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed as bad, good } from '../../support/monitor-world.ts'

function open(t: Parameters<typeof startMonitorServices>[0]) {
  const services = startMonitorServices(t)
  const metrics = createMonitorMetrics(services.core, services)
  const { alice } = services

  /** The lines, each with its name, the labels that are not those of every line, and its value. */
  async function lines(reader: Parameters<typeof metrics.text>[0] = alice) {
    const text = Buffer.from(await metrics.text(reader)).toString()
    return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  }

  /** What is told of a monitor, by its name: the rest of the labels, and the value. */
  async function told(name: string): Promise<Record<string, string>> {
    const own = (await lines()).filter((line) => line.includes(`name="${name}"`))
    return Object.fromEntries(
      own.map((line) => {
        const [, what = '', more = '', value = ''] =
          /^stillup_monitor_(\w+)\{id="\w+",name="[^"]*",type="\w+"(.*)\} (\S+)$/.exec(line) ?? []
        return [what + more.replaceAll('"', ''), value]
      }),
    )
  }
  return { ...services, metrics, lines, told }
}

t.test('a monitor that is checked has state, times, certificate and uptime', async (t) => {
  const { world, told, clock, store } = open(t)
  const nowMs = clock.nowMs()
  const monitor = await world.add(
    { name: 'Shop', tags: ['eu', 'a "b"'], intervalSeconds: 60, createdAtMs: nowMs - 3 * hourMs },
    {
      health: makeHealth('up', nowMs - 2 * hourMs),
      accountedToMs: nowMs - 2 * hourMs,
      hour: tallyOf(nowMs - 2 * hourMs, hourMs),
      tally: tallyOf(nowMs - 2 * hourMs),
      lastVerdict: 'up',
      lastAtMs: nowMs - 1_500,
      responseTimeMs: 250,
      lastPhases: { dns: 5, connect: 45, firstByte: 200 },
      certificate: { expiresAtMs: nowMs + 86_400_000, issuer: 'CA' },
      domainExpiresAtMs: nowMs + 2 * 86_400_000,
    },
  )
  const all = await told('Shop')
  t.same(all, {
    'info,tags=,eu,a \\b\\,': '1',
    up: '1',
    'state,state=up': '1',
    response_seconds: '0.25',
    'phase_seconds,phase=dns': '0.005',
    'phase_seconds,phase=connect': '0.045',
    'phase_seconds,phase=firstByte': '0.2',
    'uptime_ratio,window=24h': '1',
    'uptime_ratio,window=30d': '1',
    certificate_expiry_timestamp_seconds: String(nowMs / 1_000 + 86_400),
    domain_expiry_timestamp_seconds: String(nowMs / 1_000 + 172_800),
    open_incidents: '0',
    last_check_timestamp_seconds: String((nowMs - 1_500) / 1_000),
    interval_seconds: '60',
  })
  const state = { ...initialMonitorState(nowMs), health: makeHealth('degraded') }
  await store.write((tx) => store.monitorStates.put(tx, orgA, monitor.id, state))
  t.match(await told('Shop'), { up: '1', 'state,state=degraded': '1' }, 'slow is up')
})

t.test('up is told while it is known: not before, not when paused or maintained', async (t) => {
  const { world, told, store, clock } = open(t)
  const nowMs = clock.nowMs()
  const seen = { lastAtMs: nowMs, responseTimeMs: 10, lastVerdict: 'up' } as const
  await world.add({ id: monitorNo(1), name: 'New' })
  await world.add({ id: monitorNo(2), name: 'Down' }, { ...seen, health: makeHealth('down') })
  const paused = { id: monitorNo(3), name: 'Paused', isActive: false }
  const certificate = { expiresAtMs: nowMs, issuer: 'CA' }
  await world.add(paused, { ...seen, certificate, health: makeHealth('down') })
  const unknown = { ...seen, lastVerdict: 'unknown', health: makeHealth('up') } as const
  await world.add({ id: monitorNo(4), name: 'Unknown' }, unknown)
  await world.add(
    { id: monitorNo(5), name: 'Repaired', tags: ['db'] },
    { ...seen, health: makeHealth('down') },
  )
  const times = { kind: 'once', startsAtMs: nowMs - 1_000, endsAtMs: nowMs + hourMs } as const
  await store.write((tx) => store.windows.put(tx, makeWindow({ tags: ['db'], times })))
  const upAndState = async (name: string) => {
    const all = await told(name)
    return [all.up, Object.keys(all).filter((one) => one.startsWith('state,'))]
  }
  t.same(await upAndState('New'), [undefined, ['state,state=pending']])
  t.same(await upAndState('Down'), ['0', ['state,state=down']])
  t.same(await upAndState('Paused'), [undefined, ['state,state=paused']])
  t.same(await upAndState('Unknown'), [undefined, ['state,state=unknown']])
  t.same(await upAndState('Repaired'), [undefined, ['state,state=maintenance']])
  const { response_seconds, certificate_expiry_timestamp_seconds } = await told('Paused')
  t.equal(response_seconds, undefined, 'what was seen of it may be otherwise by now')
  t.equal(certificate_expiry_timestamp_seconds, undefined)
  t.equal((await told('New')).last_check_timestamp_seconds, undefined)
})

t.test('the next scrape tells what has changed since the last one', async (t) => {
  const { world, told, lines, monitors, monitorBulk, alice, done, store } = open(t)
  const shop = await world.add({ id: monitorNo(1), name: 'Shop' }, { health: makeHealth('up') })
  t.equal((await told('Shop')).up, '1')
  await world.see(shop, [bad, bad, bad])
  t.match(await told('Shop'), { up: '0', open_incidents: '1', 'state,state=down': '1' })
  await done(monitors.change(alice, shop.id, { name: 'Store' }))
  t.same(await told('Shop'), {}, 'the old name is gone')
  t.match(await told('Store'), { up: '0', open_incidents: '1' })
  await done(monitors.pause(alice, shop.id))
  t.match(await told('Store'), { 'state,state=paused': '1' })
  const added = await done(monitors.create(alice, { name: 'Job', checkType: 'push' }))
  t.match(await told('Job'), { 'state,state=pending': '1' })
  await done(monitors.remove(alice, shop.id))
  t.same(await told('Store'), {})
  await done(monitorBulk.remove(alice, { ids: [added.monitor.id] }))
  t.same(await lines(), [])
  t.equal(store.monitors.count(orgA), 0)
  await world.run(0)
})

t.test('a state that changed while nobody scraped is told as it is', async (t) => {
  const { world, told, clock } = open(t)
  const shop = await world.add({ name: 'Shop' }, { health: makeHealth('up') })
  t.equal((await told('Shop')).up, '1')
  await clock.advance(boardKeptMs + 1)
  // The first change after so long a time ends what is kept for scrapes.
  await world.see(shop, [bad, bad, bad])
  t.match(await told('Shop'), { up: '0', open_incidents: '1' })
  await world.see(shop, [good, good, good])
  t.match(await told('Shop'), { up: '1', open_incidents: '0' })
})

t.test('the uptime is the one of the console, and follows an outage', async (t) => {
  const { world, told, monitors, alice, clock } = open(t)
  const nowMs = clock.nowMs()
  const shop = await world.add(
    { name: 'Shop', createdAtMs: nowMs },
    { health: makeHealth('up', nowMs) },
  )
  t.equal((await told('Shop'))['uptime_ratio,window=24h'], undefined, 'too little is known')
  await world.see(shop, Array(24).fill(good), 5 * 60_000)
  const shown = async () => [
    (await told('Shop'))['uptime_ratio,window=24h'],
    (await told('Shop'))['uptime_ratio,window=30d'],
  ]
  const expected = () => {
    const { uptime } = monitors.get(alice, shop.id)
    return [String(uptime['24h']), String(uptime['30d'])]
  }
  t.same(await shown(), ['1', '1'])
  await world.see(shop, Array(6).fill(bad), 5 * 60_000)
  t.same(await shown(), expected())
  t.ok(Number(expected()[0]) < 1)
  await world.see(shop, Array(6).fill(bad), 5 * 60_000)
  t.equal((await shown())[0], expected()[0], 'that of a day is at most five minutes old')
  await world.see(shop, Array(8).fill(bad), 5 * 60_000)
  t.same(await shown(), expected(), 'that of a month at most an hour')
})

t.test('a reader gets its own organization, the operator all that run', async (t) => {
  const { world, lines, store, charlie } = open(t)
  await world.add({ name: 'Shop' }, { health: makeHealth('up') })
  await store.write((tx) => {
    store.orgs.put(tx, makeOrg({ id: orgA, name: 'A "first"' }))
    store.orgs.put(tx, makeOrg({ id: orgTwo, name: 'Second' }))
    store.monitors.put(tx, makeMonitor({ id: monitorNo(9), orgId: orgTwo, name: 'Foreign' }))
  })
  const own = await lines()
  t.notOk(own.some((line) => line.includes('Foreign') || line.includes('organization')))
  const foreign = await lines(charlie)
  t.ok(foreign.length > 0 && foreign.every((line) => line.includes('Foreign')))
  const all = await lines('operator')
  t.ok(all.includes(`stillup_organization_info{organization="${orgA}",name="A \\"first\\""} 1`))
  const state = all.filter((line) => line.startsWith('stillup_monitor_state'))
  t.match(state.find((line) => line.includes('Shop')) ?? '', `,organization="${orgA}",state="up"`)
  t.equal(state.length, 2)
  await store.write((tx) =>
    store.orgs.put(tx, makeOrg({ id: orgTwo, name: 'Second', isDisabled: true })),
  )
  t.notOk(
    (await lines('operator')).some((line) => line.includes(orgTwo)),
    'one that is off has none',
  )
})

t.test('targets are the addresses that a reader may see of what is watched', async (t) => {
  const { world, metrics, alice, bob } = open(t)
  const add = (number: number, fields: Partial<Monitor>) =>
    world.add({ id: monitorNo(number), ...fields })
  await add(1, { name: 'Plain', url: 'https://shop.example/', tags: ['eu', 'web'] })
  await add(2, { name: 'Token', url: 'https://shop.example/?token=hush' })
  await add(3, { name: 'Paused', isActive: false })
  await add(4, { name: 'Job', checkType: 'push', url: null })
  await add(5, { name: 'Port', checkType: 'tcp', url: 'tcp://db.example:5432' })
  const groups = async (reader: Parameters<typeof metrics.targets>[0]) =>
    JSON.parse(await metrics.targets(reader))
  const all = await groups(alice)
  const targets = (found: { targets: string[] }[]) => found.flatMap((one) => one.targets)
  t.same(targets(all), [
    'tcp://db.example:5432',
    'https://shop.example/?token=hush',
    'https://shop.example/',
  ])
  t.match(all.at(-1)?.labels, {
    __meta_stillup_monitor_id: monitorNo(1),
    __meta_stillup_monitor_name: 'Plain',
    __meta_stillup_monitor_type: 'endpoint',
    __meta_stillup_monitor_tags: ',eu,web,',
    __meta_stillup_organization: orgA,
  })
  t.same(targets(await groups(bob)), ['tcp://db.example:5432', 'https://shop.example/'])
})

t.test('callers who wait for the same large organization share an answer', async (t) => {
  const { metrics, alice, store } = open(t)
  await store.write((tx) => {
    for (let number = 1; number <= limits.scanSlice + 1; number += 1) {
      store.monitors.put(tx, makeMonitor({ id: monitorNo(number) }))
    }
  })
  const first = metrics.text(alice)
  await Promise.resolve()
  const [one, other] = await Promise.all([metrics.text(alice), metrics.text(alice)])
  t.equal(one, other)
  t.not(await first, one, 'what had begun before may lack what they stored')
})

t.test('so many monitors that one answer cannot tell of them are refused', async (t) => {
  const { core, readings, alice } = open(t)
  const monitors = { ...core.store.monitors, count: () => 50_001 }
  const metrics = createMonitorMetrics(
    { ...core, store: { ...core.store, monitors } },
    { readings },
  )
  const refused = { code: 'conflict', message: /^These are 50001 monitors/ }
  await t.rejects(metrics.text(alice), refused)
  await t.rejects(metrics.targets(alice), refused)
})
