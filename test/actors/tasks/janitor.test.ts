// The janitor: what has had its time goes, in slices, and nothing before its time.
import t from 'tap'
import { createJanitor, letterKeptMs } from '../../../src/actors/tasks/janitor.ts'
import { type MonitorId, newId } from '../../../src/base/ids.ts'
import { appendRow, readRows } from '../../../src/domain/checks/check-row.ts'
import { dayMs, hourMs, tallyOf } from '../../../src/domain/health/span.ts'
import { attemptedLetter, queuedLetter } from '../../../src/domain/letters/queued-letter.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { putFormerBlock } from '../../support/former-block.ts'
import { openFormerTallies } from '../../support/former-tallies.ts'
import { orgA } from '../../support/make-incident.ts'
import { makePage, monitorNo } from '../../support/make-page.ts'
import { type MonitorWorld, settled, startMonitorWorld } from '../../support/monitor-world.ts'
import { ever } from '../../support/temp-store.ts'

/** Blocks of a monitor, each with one row at its beginning and one just before the next. */
async function addBlocks(world: MonitorWorld, id: MonitorId, fromMs: number[], spanMs: number) {
  await world.store.write((tx) => {
    for (const atMs of fromMs) {
      const row = { verdict: 'up', durationMs: 1 } as const
      const one = appendRow(new Uint8Array(0), { ...row, atMs }, 0)
      const two = appendRow(one, { ...row, atMs: atMs + spanMs - 1 }, atMs)
      putFormerBlock(world.store, tx, { orgId: orgA, id, fromMs: atMs, rows: two })
    }
  })
}

function start(t: Parameters<typeof startMonitorWorld>[0]) {
  const world = startMonitorWorld(t, { inMemory: true })
  const { store, clock } = world
  const janitor = createJanitor({ store, clock })
  t.teardown(() => janitor.stop())
  const rows = (id: MonitorId) =>
    [...store.checks.newestFirst(orgA, id, clock.nowMs())].flatMap(({ rows }) =>
      readRows(rows)
        .map(({ atMs }) => atMs)
        .reverse(),
    )
  return { ...world, world, janitor, rows, round: () => settled(store, janitor.round()) }
}

t.test('results go after thirty days, and none of them before', async (t) => {
  const { world, clock, rows, round } = start(t)
  const { id } = await world.add()
  const keptFromMs = clock.nowMs() - limits.checksKeptDays * dayMs
  const spanMs = 20 * dayMs
  const blocks = [3, 2, 1, 0].map((back) => keptFromMs + 5 * dayMs - back * spanMs)
  await addBlocks(world, id, blocks, spanMs)
  t.equal(rows(id).length, 8)
  t.equal(await round(), 2)
  const kept = rows(id)
  t.same(kept.length, 4, 'a block goes when its newest result is old enough')
  t.equal(await round(), 0)
})

t.test('an hour is deleted after two years, a day never', async (t) => {
  const { world, store, clock, round } = start(t)
  const { id } = await world.add()
  const oldMs = clock.nowMs() - limits.hoursKept * hourMs
  await store.write((tx) => {
    for (const atMs of [oldMs - hourMs, oldMs, oldMs + hourMs]) {
      store.hours.put(tx, orgA, id, tallyOf(atMs, hourMs))
      store.days.put(tx, orgA, id, tallyOf(atMs - 10 * dayMs))
    }
  })
  t.equal(await round(), 1)
  t.equal(store.hours.within(orgA, id, ever).length, 2)
  t.ok(store.days.within(orgA, id, ever).length > 0)
})

t.test('the hours of earlier versions are packed round by round', async (t) => {
  const { world, store, clock, round } = start(t)
  const former = openFormerTallies(store, 'hours')
  const ids = [(await world.add()).id, (await world.add()).id]
  const hours = limits.deleteSliceRecords + 100
  const nowMs = Math.floor(clock.nowMs() / hourMs) * hourMs
  await store.write((tx) => {
    for (const id of ids) {
      for (let back = hours; back > 0; back -= 1) {
        const tally = { ...tallyOf(nowMs - back * hourMs, hourMs), upMs: back }
        former.put(tx, [orgA, id, tally.startMs], { tally, latencies: null })
      }
    }
  })
  const said = () => ids.map((id) => store.hours.within(orgA, id, ever))
  const before = said()
  const left = () => ids.filter((id) => store.hours.hasFormer(orgA, id)).length
  t.equal(await round(), 0)
  t.same([left(), said()], [2, before], 'some of each')
  await round()
  t.same([left(), said()], [0, before])
  const records = store.databases.get('hours')?.getKeysCount() ?? 0
  t.ok(records < 10, `${records} records`)
})

t.test('every monitor is cleaned up, even with many monitors and much history', async (t) => {
  const { world, clock, store, rows, round } = start(t)
  const ids = Array.from({ length: limits.janitorSlice + 20 }, (_, at) => monitorNo(at + 1))
  for (const id of ids) await world.add({ id })
  const oldMs = clock.nowMs() - 90 * dayMs
  const many = Array.from({ length: limits.deleteSliceRecords + 100 }, (_, at) => oldMs + at * 10)
  await addBlocks(world, monitorNo(1), many, 10)
  await addBlocks(world, monitorNo(ids.length), [oldMs, oldMs + dayMs], 10)
  t.equal(await round(), many.length - 1 + 1)
  t.equal(rows(monitorNo(1)).length, 2, 'the last block is not known to be over')
  t.ok(store)
})

t.test('a stopped clean-up ends after its slice', async (t) => {
  const { world, clock, janitor, rows, round } = start(t)
  const { id } = await world.add()
  const oldMs = clock.nowMs() - 90 * dayMs
  const many = Array.from({ length: limits.deleteSliceRecords * 2 }, (_, at) => oldMs + at * 10)
  await addBlocks(world, id, many, 10)
  await janitor.stop()
  t.equal(await round(), 0)
  t.equal(rows(id).length, many.length * 2)
})

t.test('the remains of an interrupted deletion are removed', async (t) => {
  const { world, clock, rows, round, store } = start(t)
  const { id } = await world.add()
  await addBlocks(world, id, [clock.nowMs() - 3 * dayMs, clock.nowMs() - 2 * dayMs], dayMs)
  await store.write((tx) => store.tombstones.add(tx, { orgId: orgA, monitorId: id }))
  t.equal(await round(), 2)
  t.same(rows(id), [])
  t.same(store.tombstones.list(10), [])
})

t.test('the remains of a letter are deleted after a week, pending letters are not', async (t) => {
  const { clock, round, store } = start(t)
  const nowMs = clock.nowMs()
  const letter = (endedMsAgo: number | null) => {
    const about = { recipientHash: 'hash', sealed: 'sealed', messageId: '<a@b.test>' }
    const owed = queuedLetter({ ...about, id: newId('letter', nowMs) }, nowMs - 90 * dayMs)
    return endedMsAgo === null ? owed : attemptedLetter(owed, { ok: true }, nowMs - endedMsAgo, 0)
  }
  const fresh = letter(letterKeptMs)
  await store.write((tx) => {
    for (const one of [letter(letterKeptMs + 1), fresh, letter(null)]) {
      store.letters.put(tx, one)
    }
  })
  t.equal(await round(), 1)
  t.equal(store.letters.get('hash', fresh.id)?.state, 'sent')
  t.equal(store.letters.countPending(), 1)
})

t.test('a stop waits for the current slice, and nothing is read after it', async (t) => {
  const { world, clock, store } = start(t)
  const { id } = await world.add()
  const oldMs = clock.nowMs() - 90 * dayMs
  const many = Array.from({ length: limits.deleteSliceRecords * 3 }, (_, at) => oldMs + at * 10)
  await addBlocks(world, id, many, 10)
  await store.write((tx) => store.tombstones.add(tx, { orgId: orgA, monitorId: id }))
  let isClosed = false
  const open = <Args extends unknown[], T>(read: (...args: Args) => T) => {
    return (...args: Args): T => {
      if (isClosed) throw new Error('Can not read from a closed database')
      return read(...args)
    }
  }
  const { tombstones, channels, monitors, writeSoon } = store
  const janitor = createJanitor({
    clock,
    store: {
      ...store,
      tombstones: {
        ...tombstones,
        list: open(tombstones.list),
        listOrgs: open(tombstones.listOrgs),
      },
      channels: { ...channels, all: open(channels.all) },
      monitors: { ...monitors, slice: open(monitors.slice) },
      writeSoon: open(writeSoon) as typeof writeSoon,
    },
  })
  const working = Promise.all([janitor.sweep(), janitor.sweep(), janitor.round()])
  await new Promise(setImmediate)
  const stopped = janitor.stop().then(() => {
    isClosed = true
  })
  await settled(store, stopped)
  const removed = (await working)[0]
  t.ok(removed < many.length, `${removed} of ${many.length}`)
  t.same(store.tombstones.list(10), [{ orgId: orgA, monitorId: id }], 'the rest goes another time')
  t.equal(await janitor.sweep(), 0)
  t.equal(await janitor.round(), 0)
})

t.test('a released subdomain is remembered as long as it is blocked', async (t) => {
  const { store, clock, round } = start(t)
  const page = makePage({ subdomain: 'acme' })
  await store.write((tx) => {
    for (let at = 0; at < limits.deleteSliceRecords + 1; at += 1) {
      store.pages.put(tx, { ...page, subdomain: `former${at}` }, clock.nowMs())
    }
    store.pages.put(tx, page, clock.nowMs())
  })
  await clock.advance(limits.subdomainQuarantineMs)
  t.equal(await round(), 0)
  await clock.advance(1)
  t.equal(await round(), limits.deleteSliceRecords + 1)
  t.equal(store.pages.subdomainHolder('former0'), undefined)
  t.equal(store.pages.findBySubdomain('acme')?.id, page.id)
})
