// The past of monitors comes in parts, of what each version of Uptime Kuma counted.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openKumaDatabase } from '../../../../src/services/orgs/kuma-data/kuma-database.ts'
import { pastAfter } from '../../../../src/services/orgs/kuma-data/kuma-past.ts'
import { type KumaRows, type KumaVersion, makeKuma } from '../../../support/kuma-database.ts'
import { testFolder } from '../../../support/test-folder.ts'

const nowMs = Date.UTC(2026, 10, 30)
const dayMs = 86_400_000

function opened(t: Test, version: KumaVersion, rows: KumaRows) {
  const path = join(testFolder(t), 'kuma.db')
  makeKuma(path, version, rows)
  const reader = openKumaDatabase({ path, isAlone: true })
  t.teardown(() => reader.close())
  return reader
}

const monitor = (id: number, active = 1) => ({
  id,
  name: `M${id}`,
  type: 'ping',
  interval: 60,
  active,
})
const beat = (
  id: number,
  status: number,
  time: string,
  important = 1,
  ping: number | null = null,
) => {
  return { id, monitor_id: 1, status, time: `2026-11-${time}.000`, important, ping, msg: 'said' }
}

t.test('version 2 has days and hours, and the changes of state', (t) => {
  const stat = (id: number, seconds: number) => {
    return {
      id,
      monitor_id: 1,
      timestamp: seconds,
      up: 50,
      down: 10,
      ping: 5,
      ping_min: 1,
      ping_max: 9,
    }
  }
  const reader = opened(t, '2.5', {
    monitor: [monitor(1), monitor(2)],
    stat_daily: [stat(1, nowMs / 1_000 - 86_400), stat(2, nowMs / 1_000 - 2 * 86_400)],
    stat_hourly: [stat(1, nowMs / 1_000 - 7_200)],
    heartbeat: [beat(1, 0, '28 10:00:00'), beat(2, 0, '28 10:01:00', 0), beat(3, 1, '28 10:05:00')],
  })
  const { history, afterId } = pastAfter(reader, -1, nowMs)
  t.equal(afterId, null)
  t.match(history, [
    {
      origin: 'monitor/1',
      days: [{ startMs: nowMs - 2 * dayMs }, { startMs: nowMs - dayMs, checks: 60, failures: 10 }],
      hours: [{ startMs: nowMs - 7_200_000, upMs: 50 * 60_000 }],
      outages: [
        { fromMs: Date.UTC(2026, 10, 28, 10), toMs: Date.UTC(2026, 10, 28, 10, 5), text: 'said' },
      ],
    },
  ])
  t.equal(history.length, 1, 'a monitor without a past is left out')
  t.same(pastAfter(reader, 1, nowMs), { history: [], afterId: null })
  t.end()
})

t.test('version 1 has heartbeats alone, of which days are made', (t) => {
  const reader = opened(t, '1.23', {
    monitor: [monitor(1, 0)],
    heartbeat: [
      beat(1, 1, '27 10:00:00', 1, 10),
      beat(2, 1, '27 10:01:00', 0, 30),
      beat(3, 2, '27 10:02:00', 0),
      beat(4, 0, '27 10:03:00'),
      beat(5, 3, '28 00:00:00'),
      beat(6, 0, '29 00:00:00'),
      beat(7, 0, '29 00:10:00', 0),
    ],
  })
  const [past] = pastAfter(reader, -1, nowMs).history
  t.match(past?.days, [
    {
      checks: 4,
      failures: 2,
      upMs: 120_000,
      downMs: 120_000,
      latencyMs: { mean: 20, min: 10, max: 30 },
    },
    { checks: 0, maintenanceMs: 60_000, latencyMs: null },
    { checks: 2, failures: 2 },
  ])
  t.same(past?.hours, [])
  t.match(
    past?.outages,
    [{ toMs: Date.UTC(2026, 10, 28) }, { toMs: Date.UTC(2026, 10, 29, 0, 10) }],
    'what was paused while it was down was down until its last check',
  )
  t.end()
})

t.test('a part ends before it is too long for a message', (t) => {
  const days = Array.from({ length: 3 }, (_, monitorIndex) =>
    Array.from({ length: 800 }, (_, day) => {
      return {
        monitor_id: monitorIndex + 1,
        timestamp: nowMs / 1_000 - day * 86_400,
        up: 1,
        down: 0,
        ping: 1,
      }
    }),
  )
  const reader = opened(t, '2.5', {
    monitor: days.map((_, index) => monitor(index + 1)),
    stat_daily: days.flat(),
  })
  const first = pastAfter(reader, -1, nowMs)
  t.match(first, { afterId: 2 })
  const second = pastAfter(reader, first.afterId ?? 0, nowMs)
  t.equal(first.history.length + second.history.length, 3)
  t.equal(second.afterId, null)
  t.end()
})
