// Figures of public documents: uptime and response times of any window, only of what a page shows.
import t from 'tap'
import type { StatusPage } from '../../../src/domain/pages/page.ts'
import { createHistories } from '../../../src/services/checks/histories.ts'
import { createPublicFigures } from '../../../src/services/pages/public-figures.ts'
import { createLatencyReader } from '../../../src/store/monitor-latencies.ts'
import { makePage, monitorNo } from '../../support/make-page.ts'
import { makeWindow } from '../../support/make-window.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, makeReading } from '../../support/monitor-world.ts'

const hourMs = 3_600_000

t.test('figures are those of the API, and nothing is told of what is hidden', async (t) => {
  const world = startMonitorServices(t)
  const { store, clock, commit, done } = world
  const monitor = await world.add({ isPublic: true, intervalSeconds: 3_600, failureThreshold: 1 })
  const hidden = await world.add({ id: monitorNo(2), isPublic: false })
  // Into a second day, so that days, hours and single results are read.
  for (let round = 0; round < 30; round += 1) {
    await clock.advance(hourMs)
    for (const one of [monitor, hidden]) {
      const seen = round === 20 ? failed : { ...good, durationMs: 100 + round }
      await done(commit.reading(one, makeReading(clock.nowMs(), seen)))
    }
  }
  await store.write((tx) => {
    const startsAtMs = clock.nowMs() + 60 * 24 * hourMs
    const times = { kind: 'once', startsAtMs, endsAtMs: startsAtMs + hourMs } as const
    store.windows.put(tx, makeWindow({ times, isPublic: true }))
  })
  const figuresOf = createPublicFigures(store)
  const figures = (page: Partial<StatusPage> = {}) => {
    const sources = [monitor, hidden].map((one) => ({
      monitor: one,
      monitorState: null,
      tallies: [],
      isUnderMaintenance: false,
    }))
    const shown = makePage({ orgId: monitor.orgId, showResponseTimes: true, ...page })
    return figuresOf(shown, sources, clock.nowMs())
  }
  const histories = createHistories({ store, clock })
  for (const window of ['24h', '7d', '30d', '90d'] as const) {
    const asked = histories.uptime(world.bob, monitor.id, { window })
    t.ok(asked.times.ratio)
    t.equal(figures().uptime(monitor.id, window), asked.times.ratio, window)
    t.equal(figures().uptime(hidden.id, window), null)
    t.equal(figures().responseTimeMs(hidden.id, window), null)
  }
  const medianMs = figures().responseTimeMs(monitor.id, '7d') ?? 0
  t.ok(medianMs >= 108 && medianMs <= 120, `${medianMs}`)
  t.ok((figures().responseTimeMs(monitor.id, '24h') ?? 0) > medianMs)
  t.equal(figures({ showUptime: false }).uptime(monitor.id, '7d'), null)
  t.equal(figures({ showResponseTimes: false }).responseTimeMs(monitor.id, '7d'), null)
  t.equal(figures({ showMonitors: false }).uptime(monitor.id, '7d'), null)
  t.equal(figures({ publicMonitorIds: [] }).responseTimeMs(monitor.id, '7d'), null)
  t.equal(figures().maintenance().length, 1, 'three months ahead')
  t.equal(createLatencyReader(store).fill.length, 4)
})
