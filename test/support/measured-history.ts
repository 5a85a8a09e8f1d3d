// A daemon as a process that checks many monitors with a year of hours, while the command line writes the history into a
// folder: how long that takes, how late checks begin meanwhile, and what memory the daemon takes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { startClock } from '../../src/base/clock.ts'
import type { MonitorId, OrgId } from '../../src/base/ids.ts'
import { createLatencySum } from '../../src/domain/checks/latencies.ts'
import { dayMs, hourMs, tallyOf } from '../../src/domain/health/span.ts'
import { floorTo } from '../../src/domain/health/time-window.ts'
import type { HistoryFormat } from '../../src/domain/orgs/history-tables.ts'
import { openStore } from '../../src/store/store.ts'
import { bareNode } from './bare-node.ts'
import { register } from './cast.ts'
import { type DaemonProcess, startProcess } from './daemon-process.ts'
import { countsOf, type Lateness, latenessOf, residentMb } from './measured-import.ts'
import { program } from './program.ts'
import { until } from './until.ts'

export interface HistoryMeasure {
  readonly folder: string
  /** Each is checked every 10 s. */
  readonly monitors: number
  readonly days: number
}

export interface MeasuredHistory {
  readonly tookMs: number
  readonly code: number | null
  readonly said: string
  readonly bytes: number
  readonly during: Lateness
  /** The most that the daemon took besides the files that it maps, above what it took before, in MB. */
  readonly moreMb: number
}

const settings = {
  STILLUP_AUTH_REGISTRATION: 'open',
  STILLUP_CHECKS_TARGETS: 'any',
  STILLUP_CHECKS_PER_HOST: '100',
  STILLUP_QUOTAS_MONITORS: '10000',
  STILLUP_HTTP_RATE_API_PER_MINUTE: '0',
}

/** Hours and days of the time before, as checks every minute make them. */
async function fill(dir: string, orgId: OrgId, ids: readonly MonitorId[], days: number) {
  const clock = startClock()
  const fail = (error: unknown) => {
    throw error
  }
  const store = openStore({ dir, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  const toMs = floorTo(dayMs, clock.nowMs())
  const fromMs = toMs - days * dayMs
  const shapes = Array.from({ length: 24 }, (_, hour) => {
    const sum = createLatencySum('endpoint')
    for (let at = 0; at < 60; at += 1) {
      const firstByte = 20 + ((at * 37 + hour * 11) % 90)
      const phases = { dns: 1, connect: 4, tls: 9, firstByte, download: 2 }
      sum.addRow({ atMs: at, verdict: 'up', durationMs: firstByte + 16, phases })
    }
    return sum.sum()
  })
  const runs = (bucketMs: number) =>
    Array.from({ length: (toMs - fromMs) / bucketMs }, (_, at) => {
      const tally = { ...tallyOf(fromMs + at * bucketMs, bucketMs), upMs: bucketMs }
      const checks = bucketMs / 60_000
      return { tally: { ...tally, checks }, count: 1, latencies: shapes[at % 24] ?? null }
    })
  const [hours, wholeDays] = [runs(hourMs), runs(dayMs)]
  for (const id of ids) {
    await store.write((tx) => {
      store.hours.putAll(tx, orgId, id, hours)
      store.days.putAll(tx, orgId, id, wholeDays)
    })
  }
  await store.close()
  clock.stop()
}

/** Ready to be measured once for each format. */
export async function startLargeHistory(t: Test, { folder: dir, monitors, days }: HistoryMeasure) {
  const target = createServer((_request, response) => response.end('well'))
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  t.teardown(() => target.close())
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`
  const first = startProcess(t, dir, settings)
  await first.ready()
  const { org, orgId, cookie } = await register(first, 'alice')
  const ids: MonitorId[] = []
  for (let at = 0; at < monitors; at += 100) {
    const some = Array.from({ length: Math.min(100, monitors - at) }, (_, more) => at + more)
    const json = { monitors: some.map((no) => ({ name: `Shop ${no}`, url, intervalSeconds: 10 })) }
    await first.need('POST', `${org}/monitors/bulk`, { cookie, json })
  }
  for (let cursor = ''; ; ) {
    const { json } = await first.ask('GET', `/api/v1${org}/monitors?limit=200${cursor}`, { cookie })
    ids.push(...json.data.map(({ id }: { id: MonitorId }) => id))
    if (json.meta.nextCursor === null) break
    cursor = `&cursor=${json.meta.nextCursor}`
  }
  await first.stop()
  await fill(join(dir, 'data'), orgId as OrgId, ids, days)
  const daemon = startProcess(t, dir, settings)
  await daemon.ready()
  // Each of them twice.
  await until(async () => ((await countsOf(daemon)).at(-1)?.count ?? 0) >= 2 * monitors)
  return {
    stop: () => daemon.stop(),
    measure: (format: HistoryFormat) => measured(daemon, { dir, orgId, format }),
  }
}

async function measured(
  daemon: DaemonProcess,
  { dir, orgId, format }: { dir: string; orgId: string; format: HistoryFormat },
): Promise<MeasuredHistory> {
  const start = await countsOf(daemon)
  const beforeMb = residentMb(daemon.child.pid)
  let mostMb = beforeMb
  const timer = setInterval(() => {
    mostMb = Math.max(mostMb, residentMb(daemon.child.pid))
  }, 100)
  const sinceMs = performance.now()
  const words = ['export', orgId, format, '--history', '--as', format]
  const [command, args] = bareNode([program, ...words], { STILLUP_DATA_DIR: join(dir, 'data') })
  const child = spawn(command, args, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  const [code] = await once(child, 'close')
  clearInterval(timer)
  const tookMs = Math.round(performance.now() - sinceMs)
  const names = code === 0 ? readdirSync(join(dir, format)) : []
  return {
    tookMs,
    code,
    said,
    bytes: names.reduce((sum, name) => sum + statSync(join(dir, format, name)).size, 0),
    during: latenessOf(start, await countsOf(daemon)),
    moreMb: mostMb - beforeMb,
  }
}
