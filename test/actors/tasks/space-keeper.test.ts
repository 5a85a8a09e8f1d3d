// Room for what must be stored: old results go first, and free pages are kept while a disk fills.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createSpaceKeeper, reserveBytes } from '../../../src/actors/tasks/space-keeper.ts'
import { silentLog } from '../../../src/base/log/log.ts'
import { dayMs, hourMs, tallyOf } from '../../../src/domain/health/span.ts'
import type { SpaceState } from '../../../src/domain/system/space-states.ts'
import { startSizeGuard } from '../../../src/store/size.ts'
import { putFormerBlock } from '../../support/former-block.ts'
import { orgA } from '../../support/make-incident.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'
import { settled } from '../../support/monitor-world.ts'
import { ever, openTempStore } from '../../support/temp-store.ts'

const MiB = 1024 ** 2
const monitors = [1, 2, 3].map(monitorNo)
const days = 20

async function open(t: Test, budgetMiB = 0) {
  const { store, clock, dir } = openTempStore(t, { inMemory: true })
  await clock.advance(days * dayMs)
  const nowMs = clock.nowMs()
  await store.write((tx) => {
    for (const id of monitors) {
      store.monitors.put(tx, makeMonitor({ id, orgId: orgA }))
      for (let day = 1; day <= days; day += 1) {
        const fromMs = nowMs - day * dayMs
        const rows = new Uint8Array(100_000)
        putFormerBlock(store, tx, { orgId: orgA, id, fromMs, rows })
        store.hours.put(tx, orgA, id, tallyOf(fromMs, hourMs))
      }
    }
  })
  const disk = { state: 'ok' as SpaceState, freeBytes: 100 * 1024 * MiB }
  const size = startSizeGuard({
    clock,
    log: silentLog,
    bytesMax: budgetMiB * MiB,
    measure: store.usage,
  })
  t.teardown(() => size.stop())
  /** What another program takes while one piece is written. */
  const others = { bytes: 0 }
  let measured = 0
  const space = {
    state: () => disk.state,
    freeBytes: () => disk.freeBytes,
    freeBytesNow: async () => disk.freeBytes - others.bytes * measured++,
  }
  const keeper = createSpaceKeeper({ store, clock, log: silentLog, space, size })
  const round = (signal = new AbortController().signal) => settled(store, keeper.round(signal))
  const oldestDays = () =>
    monitors.map((id) => Math.round((nowMs - (store.checks.oldestMs(orgA, id) ?? nowMs)) / dayMs))
  const hoursOf = () => monitors.map((id) => store.hours.within(orgA, id, ever).length)
  return { store, clock, dir, disk, others, size, round, oldestDays, hoursOf }
}

t.test('over 90 % of the budget the oldest results go, of all monitors alike', async (t) => {
  // 60 blocks of 100 kB are 5.9 MiB.
  const { store, size, round, oldestDays, hoursOf } = await open(t, 5)
  t.equal(size.state(), 'full')
  t.match(await round(), /^\d+ blocks of results dropped, 0 MiB reserved$/)
  t.equal(size.mustTrim(), false)
  const used = store.usage().usedBytes
  t.ok(used > 4 * MiB && used < 4.5 * MiB, `${used} bytes are in use: no more goes than must`)
  const oldest = oldestDays()
  t.ok(Math.max(...oldest) - Math.min(...oldest) <= 1, `they are ${oldest} days old`)
  t.same(hoursOf(), [days, days, days], 'the hours stay')
  t.match(await round(), /^0 blocks/)
})

t.test('what cannot be reached by dropping results ends as well', async (t) => {
  const { round, size, oldestDays, hoursOf } = await open(t, 1 / 16)
  t.match(await round(), /^57 blocks/)
  t.equal(size.state(), 'full')
  t.same(oldestDays(), [1, 1, 1], 'the newest block of each stays')
  t.same(hoursOf(), [days, days, days])
})

t.test('a stop ends it between two slices', async (t) => {
  const { round, oldestDays } = await open(t, 1)
  t.match(await round(AbortSignal.abort()), /^0 blocks/)
  t.same(oldestDays(), [20, 20, 20])
})

t.test('without a budget, on a disk with space, nothing is done', async (t) => {
  const { round } = await open(t)
  t.equal(await round(), '0 blocks of results dropped, 0 MiB reserved')
})

t.test('while a disk is getting full, pages are reserved in the file, once', async (t) => {
  const { store, dir, disk, round } = await open(t)
  const fileBytes = () => statSync(join(dir, 'data.mdb')).size
  disk.state = 'low'
  disk.freeBytes = 400 * MiB
  t.match(await round(), /^0 blocks of results dropped, (49|50) MiB reserved$/)
  const { freeBytes } = store.usage()
  t.ok(freeBytes >= 49 * MiB, 'an eighth of what is free')
  t.ok(fileBytes() >= freeBytes)
  t.match(await round(), /0 MiB reserved/)
  const before = fileBytes()
  // LMDB takes pages of the newest transactions last.
  for (let atMs = 1; atMs <= 3; atMs += 1) {
    await store.write((tx) => store.meta.putLastAlive(tx, atMs))
    await nextTurn()
  }
  await store.write((tx) => {
    for (let piece = 1; piece <= 40; piece += 1) store.reserve.put(tx, piece)
  })
  t.equal(fileBytes(), before, 'what is written then needs nothing of the disk')
})

t.test('nothing more is reserved once another program has taken the rest', async (t) => {
  const { disk, others, round } = await open(t)
  disk.state = 'low'
  disk.freeBytes = 400 * MiB
  others.bytes = 100 * MiB
  t.match(await round(), /^0 blocks of results dropped, 3 MiB reserved$/)
})

t.test('on a full disk results go while little is free in the file', async (t) => {
  const { store, disk, round, oldestDays } = await open(t)
  disk.state = 'full'
  disk.freeBytes = 0
  t.match(await round(), /^57 blocks/)
  t.same(oldestDays(), [1, 1, 1])
  t.ok(store.usage().freeBytes > 5 * MiB)
  t.ok(reserveBytes > 5 * MiB)
})
