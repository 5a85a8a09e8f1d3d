// A large Uptime Kuma comes over while the daemon goes on checking: 700 monitors with the days of a year and the hours
// of a month.
import { join } from 'node:path'
import t from 'tap'
import { isDeep } from '../support/depth.ts'
import { makeKuma } from '../support/kuma-database.ts'
import { measuredImport } from '../support/measured-import.ts'
import { testFolder } from '../support/test-folder.ts'

const skip = !isDeep && 'a matter of quantity: in deep runs'
const monitors = 700

/** Its rows are made where they are needed: they are many. */
function makeLargeKuma(path: string, url: string): string {
  const monitor = Array.from({ length: monitors }, (_, index) => ({
    ...{ id: index + 1, name: `Shop ${index}`, type: 'http', url, interval: 60, active: 1 },
    ...{ retry_interval: 60, maxretries: 0, timeout: 48, method: 'GET' },
  }))
  const database = makeKuma(path, '2.5', { monitor }, true)
  for (const [table, periods, seconds] of [
    ['stat_daily', 365, 86_400],
    ['stat_hourly', 720, 3_600],
  ] as const) {
    database.exec(`
      WITH RECURSIVE ago (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ago WHERE n < ${periods})
      INSERT INTO ${table} (monitor_id, timestamp, up, down, ping, ping_min, ping_max)
      SELECT monitor.id, (unixepoch() / ${seconds} - n) * ${seconds}, ${seconds / 60} - n % 3, n % 3,
        20 + n % 50, 5, 300 + n FROM monitor, ago`)
  }
  database.exec(`
    WITH RECURSIVE ago (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ago WHERE n < 32)
    INSERT INTO heartbeat (monitor_id, important, status, time, msg)
    SELECT monitor.id, 1, n % 2, strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || n || ' days'), 'changed'
    FROM monitor, ago`)
  database.close()
  return path
}

t.test('the daemon goes on checking, and nothing takes much memory', { skip }, async (t) => {
  const folder = testFolder(t)
  const { code, said, tookMs, during, memoryMb } = await measuredImport(t, {
    folder,
    monitors,
    file: (url) => makeLargeKuma(join(folder, 'kuma.db'), url),
  })
  t.equal(code, 0, said)
  t.match(said, /History of 700 monitors: 2\d{5} days, 50\d{4} hours, 11\d{3} incidents/)
  t.ok(tookMs < 60_000, `took ${tookMs} ms`)
  t.ok(during.checks > monitors, `${during.checks} checks began meanwhile`)
  t.ok(during.p99Ms <= 100, `99 of 100 began less than ${during.p99Ms} ms late`)
  t.ok(memoryMb.daemon < 384, `the daemon took ${memoryMb.daemon} MB`)
  t.ok(memoryMb.command < 384, `the command took ${memoryMb.command} MB`)
  t.ok(memoryMb.apart < 192, `the process that reads took ${memoryMb.apart} MB`)
})
