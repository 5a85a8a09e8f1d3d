// A manual monitor: people say how it is, and everything else follows as for other monitors.
import t from 'tap'
import { makeWindow } from '../../support/make-window.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

async function open(t: Parameters<typeof startMonitorServices>[0], fields: object = {}) {
  const services = startMonitorServices(t)
  const { monitors, alice, done, world } = services
  await world.addChannel()
  const { monitor } = await done(
    monitors.create(alice, { name: 'Lift', checkType: 'manual', ...fields }),
  )
  const set = (state: 'up' | 'degraded' | 'down', message?: string) =>
    done(monitors.setState(alice, monitor.id, { state, message }))
  return { ...services, monitor, set, look: () => monitors.get(alice, monitor.id) }
}

t.test('nothing is checked, and nothing is known until somebody says it', async (t) => {
  const { look, world } = await open(t)
  await world.run(24 * hourMs)
  t.match(look(), { state: 'pending', nextAtMs: null, uptime: { '24h': null } })
  t.same(world.checks, [])
})

t.test('an outage opens at once with its message, and ends at once', async (t) => {
  const { set, world, clock, allIncidents } = await open(t)
  t.match(await set('up'), { state: 'up' })
  await clock.advance(hourMs)
  const downMs = clock.nowMs()
  t.match(await set('down', 'The lift is stuck.'), {
    state: 'down',
    sinceMs: downMs,
    monitorState: { lastError: { kind: 'reported', message: 'The lift is stuck.' } },
  })
  t.match(allIncidents(), [
    {
      state: 'open',
      severity: 'down',
      startedAtMs: downMs,
      cause: 'The lift is stuck.',
      basis: [{ rule: 'set', needed: 1, countedAtMs: [downMs] }],
    },
  ])
  await clock.advance(hourMs)
  t.match(await set('up', 'Repaired'), { state: 'up', monitorState: { lastError: null } })
  t.match(allIncidents(), [{ state: 'resolved', startedAtMs: downMs, resolvedAtMs: clock.nowMs() }])
  t.same(world.events(), ['incident.opened', 'incident.resolved'])
})

t.test('what was said holds for as long as nothing else is said', async (t) => {
  const { set, look, world, clock } = await open(t)
  await set('up')
  // An interval would explain ten minutes.
  await world.run(18 * hourMs)
  await set('down')
  await world.run(6 * hourMs)
  t.match(look(), { state: 'down', uptime: { '24h': 0.75 } })
  await set('up')
  t.match(look(), { state: 'up', uptime: { '24h': 0.75 } })
  await clock.advance(1)
})

t.test('degraded counts as up, and opens an incident where that is wished', async (t) => {
  const quiet = await open(t)
  await quiet.set('down')
  t.match(await quiet.set('degraded', 'Only one of two'), { state: 'degraded' }, 'at once')
  t.match(quiet.allIncidents(), [{ state: 'resolved', severity: 'down' }])
  const loud = await open(t, { degradedOpensIncident: true })
  t.match(await loud.set('degraded', 'Only one of two'), { state: 'degraded' })
  t.match(loud.allIncidents(), [
    { state: 'open', severity: 'degraded', cause: 'Only one of two', basis: [{ rule: 'set' }] },
  ])
  t.match(loud.allIncidents(), [{ title: 'Lift is degraded' }])
  await loud.set('down')
  t.match(loud.allIncidents(), [{ state: 'open', severity: 'down', cause: 'set by hand' }])
})

t.test('what is said in a window opens at its end', async (t) => {
  const { set, store, clock, allIncidents, world, monitor, commit } = await open(t)
  await set('up')
  const fromMs = clock.nowMs()
  const window = makeWindow({
    orgId: monitor.orgId,
    monitorIds: [monitor.id],
    times: { kind: 'once', startsAtMs: fromMs, endsAtMs: fromMs + hourMs },
    coversFromMs: fromMs,
  })
  await store.write((tx) => store.windows.put(tx, window))
  await world.run(minuteMs)
  await set('down')
  t.same(allIncidents(), [])
  await world.run(hourMs)
  await commit.release(monitor)
  t.match(allIncidents(), [{ state: 'open', startedAtMs: fromMs + hourMs }])
})

t.test('only a manual monitor that is active takes a state, from who may change it', async (t) => {
  const { set, monitors, alice, charlie, done, monitor, store } = await open(t)
  const web = await done(monitors.create(alice, { name: 'Web', url: 'https://inside.test/' }))
  const up = { state: 'up' } as const
  await t.rejects(monitors.setState(alice, web.monitor.id, up), {
    code: 'conflict',
    message: 'Only a manual monitor has a state that people set.',
  })
  await t.rejects(monitors.setState(charlie, monitor.id, up), { code: 'not_found' })
  await done(monitors.pause(alice, monitor.id))
  await t.rejects(done(monitors.setState(alice, monitor.id, up)), { code: 'conflict' })
  const noted = () => store.audit.list(monitor.orgId, 10)
  const before = noted().length
  await done(monitors.resume(alice, monitor.id))
  await set('down')
  const [newest] = noted()
  t.match(newest, { action: 'monitor.state_set', objectId: monitor.id, detail: 'down' })
  t.equal(noted().length, before + 2, 'what was refused is no entry')
})

t.test('a restart keeps what was said', async (t) => {
  const { set, look, world, monitor, clock } = await open(t)
  await set('down', 'The lift is stuck.')
  world.fleet.stop(monitor.id)
  await clock.advance(hourMs)
  world.fleet.start(monitor, 'start', world.monitorState(monitor))
  await world.run(hourMs)
  t.match(look(), { state: 'down', monitorState: { lastError: { message: 'The lift is stuck.' } } })
})

t.test('what a check needs has no place in it', async (t) => {
  const { monitors, alice } = await open(t)
  const wrong = { name: 'Lift', checkType: 'manual', url: 'https://a.test/', failureThreshold: 2 }
  await t.rejects(monitors.create(alice, wrong), {
    code: 'validation_failed',
    errors: [{ pointer: '/url' }, { pointer: '/failureThreshold' }],
  })
})
