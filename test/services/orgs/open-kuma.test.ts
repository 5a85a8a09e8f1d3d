// The data of Uptime Kuma is read in processes apart, and nothing of it stays behind.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { ForeignFileRefused } from '../../../src/domain/imports/foreign.ts'
import { openKuma } from '../../../src/services/orgs/open-kuma.ts'
import { makeKuma } from '../../support/kuma-database.ts'
import { testFolder } from '../../support/test-folder.ts'
import { patienceMs } from '../../support/until.ts'

const clock = startClock()
t.teardown(() => clock.stop())
const bounds = {
  cpuMsMax: patienceMs,
  msMax: patienceMs,
  heapMbMax: 256,
  answerBytesMax: 64 * 1024 * 1024,
}
const nowMs = Date.UTC(2026, 10, 30)

t.test('the document comes first, then the past in parts', async (t) => {
  const scratchIn = testFolder(t)
  const path = join(scratchIn, 'kuma.db')
  const monitors = Array.from({ length: 4 }, (_, index) => ({
    id: index + 1,
    name: `M${index}`,
    type: 'ping',
    hostname: 'example.com',
    interval: 60,
    active: 1,
  }))
  const days = monitors.flatMap(({ id }) =>
    Array.from({ length: 700 }, (_, day) => ({
      monitor_id: id,
      timestamp: nowMs / 1_000 - (day + 1) * 86_400,
      up: 1_440,
      down: 0,
      ping: 1,
    })),
  )
  makeKuma(path, '2.5', { monitor: monitors, stat_daily: days })
  const kuma = await openKuma({ path, scratchIn }, bounds, { clock, nowMs })
  t.equal(kuma.converted.document.monitors.length, 4)
  const parts: number[] = []
  for await (const part of kuma.past({})) parts.push(part.length)
  t.ok(parts.length > 1, `in ${parts.length} parts`)
  t.equal(
    parts.reduce((sum, one) => sum + one, 0),
    4,
  )
  const caller = new AbortController()
  caller.abort(new Error('left'))
  await t.rejects(kuma.past({ signal: caller.signal }).next(), /left/)
  await kuma.close()
  t.same(readdirSync(scratchIn), ['kuma.db'])
})

t.test('what cannot be read leaves nothing', async (t) => {
  const scratchIn = testFolder(t)
  const path = join(scratchIn, 'kuma.tar')
  writeFileSync(path, `${'kuma.db'.padEnd(257, '\0')}ustar${'\0'.repeat(250)}`)
  await t.rejects(openKuma({ path, scratchIn }, bounds, { clock, nowMs }), ForeignFileRefused)
  t.same(readdirSync(scratchIn), ['kuma.tar'])
})
