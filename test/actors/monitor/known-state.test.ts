// A monitor whose state was damaged is watched on, and its open incident ends with the outage.
import t from 'tap'
import { damageRecords } from '../../support/damaged-records.ts'
import { failed, good, slow, startMonitorWorld } from '../../support/monitor-world.ts'

const hasty = { failureThreshold: 1, recoveryThreshold: 1, degradedThreshold: 1 }

t.test('the open incident is taken up, and ends when the monitor is up', async (t) => {
  for (const [bad, severity] of [
    [failed, 'down'],
    [slow, 'degraded'],
  ] as const) {
    const world = startMonitorWorld(t)
    const monitor = await world.add({ ...hasty, degradedOpensIncident: true })
    await world.see(monitor, [good, bad])
    t.match(world.incidents(), [{ state: 'open', severity }])
    t.equal(await damageRecords(world.store, 'standings', monitor.id), 1)
    await world.see(monitor, [bad])
    t.equal(world.incidents().length, 1, 'the outage goes on: it is no second incident')
    t.match(world.monitorState(monitor).health, { state: severity, openSeverity: severity })
    await world.see(monitor, [good])
    t.match(world.incidents(), [{ state: 'resolved', resolution: 'recovered' }])
  }
})

t.test('the first good result after the damage ends the incident', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add(hasty)
  await world.see(monitor, [failed])
  await damageRecords(world.store, 'standings', monitor.id)
  await world.see(monitor, [good])
  t.match(world.incidents(), [{ state: 'resolved', resolution: 'recovered' }])
  t.match(world.monitorState(monitor).health, { state: 'up', openIncidentId: null })
})

t.test('without an open incident it begins as pending', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add(hasty)
  await world.see(monitor, [failed, good])
  await damageRecords(world.store, 'standings', monitor.id)
  await world.see(monitor, [failed])
  t.match(
    world
      .incidents()
      .map(({ state }) => state)
      .toSorted(),
    ['open', 'resolved'],
  )
})
