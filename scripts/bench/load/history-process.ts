// Fills a store with the history of monitors, and tells what it takes on disk and to read. A process of
// its own, so that nothing else is measured.

import { checkRowsPerBlock } from '../../../src/actors/monitor/keeping.ts'
import { startClock } from '../../../src/base/clock.ts'
import type { OrgId } from '../../../src/base/ids.ts'
import { appendRow, type CheckRow } from '../../../src/domain/checks/check-row.ts'
import { createLatencySum } from '../../../src/domain/checks/latencies.ts'
import { dayMs, hourMs, tallyOf } from '../../../src/domain/health/span.ts'
import { namedWindow } from '../../../src/domain/health/time-window.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { chartPointsDefault } from '../../../src/http/api/monitors/history.ts'
import { createHistories } from '../../../src/services/checks/histories.ts'
import { createNewestDays } from '../../../src/services/checks/tally-memory.ts'
import { createPageUrls } from '../../../src/services/pages/page-urls.ts'
import { createPublicPages } from '../../../src/services/pages/public-pages.ts'
import { leftOutOf } from '../../../src/store/left-out.ts'
import { createUptimeReader } from '../../../src/store/monitor-uptime.ts'
import { openStore } from '../../../src/store/store.ts'
import { callerOf } from '../../../test/support/access.ts'
import { makeOrg } from '../../../test/support/make-org.ts'
import { makeMonitor, makePage, monitorNo } from '../../../test/support/make-page.ts'
import { renderPage } from '../../../test/support/render-page.ts'
import { seededRandom } from '../../../test/support/seeded-random.ts'

export interface HistoryInput {
  readonly dataDir: string
  readonly monitors: number
}

export interface HistoryReport {
  readonly bytesPerResult: number
  readonly bytesPerHour: number
  readonly bytesPerDay: number
  readonly barsFirstMs: number
  readonly barsAgainMs: number
  readonly uptimeMs: number
  readonly uptimesMs: number
  readonly totalUptimeMs: number
  readonly responseTimesMs: number
  readonly pageMs: number
}

const rawDays = 3
const minuteMs = 60_000

function fail(error: unknown): never {
  throw error
}

async function measure({ dataDir, monitors: count }: HistoryInput): Promise<HistoryReport> {
  const clock = startClock()
  const store = openStore({ dir: dataDir, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  const random = seededRandom(1)
  const nowMs = clock.nowMs()
  const todayMs = Math.floor(nowMs / dayMs) * dayMs
  const orgId = makeMonitor({}).orgId as OrgId
  const monitors = Array.from({ length: count }, (_, number) => {
    return makeMonitor({ id: monitorNo(number + 1), orgId, createdAtMs: 0 })
  })

  /** A check over TLS that takes from 5 ms to 2 s. */
  function rowAt(atMs: number, usualMs: number): CheckRow {
    const totalMs = Math.min(2_000, Math.max(5, usualMs * (0.7 + 0.8 * random() ** 3)))
    const phases = {
      dns: Math.round(3 * random()),
      connect: Math.round(totalMs * 0.15),
      tls: Math.round(totalMs * 0.25),
      firstByte: Math.round(totalMs * 0.55),
      download: Math.round(totalMs * 0.05),
    }
    const durationMs = Object.values(phases).reduce((sum, ms) => sum + ms, Math.round(random()))
    return { atMs, verdict: 'up', durationMs, status: 200, phases }
  }

  // Results in portions as in the state of a monitor, whose blocks do not end at the same time.
  const lines = monitors.map(({ id }) => {
    const first = Math.ceil(checkRowsPerBlock * random())
    return { id, usualMs: 5 * 300 ** random(), slotMs: minuteMs * random(), at: 0, next: first }
  })
  const minutes = rawDays * (dayMs / minuteMs)
  for (let portion = 0; portion * checkRowsPerBlock < minutes; portion += 1) {
    for (let from = 0; from < lines.length; from += 50) {
      await store.write((tx) => {
        for (const line of lines.slice(from, from + 50)) {
          let rows: Uint8Array = new Uint8Array(0)
          let lastMs = 0
          for (const until = Math.min(line.next, minutes); line.at < until; line.at += 1) {
            const atMs = todayMs - rawDays * dayMs + line.at * minuteMs + line.slotMs + 8 * random()
            const row = rowAt(Math.round(atMs), line.usualMs)
            rows = appendRow(rows, row, lastMs)
            lastMs = row.atMs
          }
          line.next += checkRowsPerBlock
          store.checks.addRows(tx, orgId, line.id, rows)
        }
      })
    }
  }
  const results = lines.reduce((sum, { at }) => sum + at, 0)

  const hoursEach = rawDays * 24
  const whole = (startMs: number, lengthMs: number) => {
    return { ...tallyOf(startMs, lengthMs), upMs: lengthMs, checks: lengthMs / minuteMs }
  }
  const measured = lines.map((line) => {
    const sum = createLatencySum('endpoint')
    for (let number = 0; number < 60; number += 1) sum.addRow(rowAt(0, line.usualMs))
    const hour = sum.sum()
    for (let number = 0; number < 1_380; number += 1) sum.addRow(rowAt(0, line.usualMs))
    return { id: line.id, hour, day: sum.sum() }
  })
  // As the hours end: the hours of all monitors together.
  for (let back = hoursEach; back >= 1; back -= 1) {
    const tally = whole(todayMs - back * hourMs, hourMs)
    await store.write((tx) => {
      for (const { id, hour } of measured) store.hours.put(tx, orgId, id, tally, hour)
    })
  }
  for (let back = limits.historyDays - 1; back >= 1; back -= 1) {
    const tally = whole(todayMs - back * dayMs, dayMs)
    await store.write((tx) => {
      for (const { id, day } of measured) store.days.put(tx, orgId, id, tally, day)
    })
  }

  const bytesOf = (name: string) => {
    const stats = store.lmdb.openDB({ name, encoding: 'binary' }).getStats() as PageStats
    const { treeBranchPageCount, treeLeafPageCount, overflowPages, pageSize } = stats
    return (treeBranchPageCount + treeLeafPageCount + overflowPages) * pageSize
  }
  const state = initialMonitorState(todayMs)
  const newestDays = createNewestDays(store.days, leftOutOf(store))
  const bars = () => timed(() => monitors.map((monitor) => newestDays(monitor, state, nowMs)))
  const reader = createUptimeReader({ store, clock })
  const window = namedWindow('90d', nowMs)
  await store.write((tx) => {
    store.orgs.put(tx, makeOrg({ id: orgId }))
    store.pages.put(tx, makePage({ orgId }), nowMs)
    for (const monitor of monitors) {
      store.monitors.put(tx, monitor)
      store.monitorStates.put(tx, orgId, monitor.id, state)
    }
  })
  const scope = { caller: callerOf(), orgId, role: 'viewer' } as const
  const histories = createHistories({ store, clock })
  const asked = { window: '90d', limit: limits.pageItemsMax } as const
  const chart = { fromMs: nowMs - 30 * dayMs, points: chartPointsDefault }
  const urls = createPageUrls({ store, baseUrl: 'https://up.test', statusDomain: null })
  const publicPages = createPublicPages({ store, clock, urls })
  const report = {
    bytesPerResult: bytesOf('checks') / results,
    bytesPerHour: bytesOf('hours') / (count * hoursEach),
    bytesPerDay: bytesOf('days') / (count * (limits.historyDays - 1)),
    barsFirstMs: await bars(),
    barsAgainMs: await bars(),
    uptimeMs:
      (await timed(() => monitors.map((monitor) => reader.of(monitor, state, window)))) / count,
    uptimesMs: await timed(() => histories.uptimes(scope, asked)),
    totalUptimeMs: await timed(() => histories.totalUptime(scope, asked)),
    responseTimesMs:
      (await timed(() => monitors.map(({ id }) => histories.responseTimes(scope, id, chart)))) /
      count,
    // As many as a page shows.
    pageMs: await timed(() => renderPage(publicPages, { slug: 'acme' }, nowMs)),
  }
  await store.close()
  clock.stop()
  return report
}

/** The size of a table, as LMDB counts its pages. */
interface PageStats {
  readonly pageSize: number
  readonly treeBranchPageCount: number
  readonly treeLeafPageCount: number
  readonly overflowPages: number
}

async function timed(work: () => unknown): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

process.once('disconnect', () => process.exit())
const report = await measure(JSON.parse(process.argv[2] ?? '{}') as HistoryInput)
if (process.send) process.send(report, () => process.exit())
else console.log(report)
