// Results on disk: few bytes each, in blocks that fill a page and expire in time.
import t, { type Test } from 'tap'
import { checkRowsPerBlock } from '../../../../src/actors/monitor/keeping.ts'
import { appendRow, type CheckRow, readRows } from '../../../../src/domain/checks/check-row.ts'
import { checkBlockSpanMs } from '../../../../src/store/tables/checks/checks.ts'
import { orgA } from '../../../support/make-incident.ts'
import { monitorNo, orgTwo } from '../../../support/make-page.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { openTempStore } from '../../../support/temp-store.ts'

const startMs = Date.UTC(2026, 0, 1)
const id = monitorNo(1)

function packed(rows: readonly CheckRow[]): Uint8Array {
  let bytes: Uint8Array = new Uint8Array(0)
  let lastMs = 0
  for (const row of rows) {
    bytes = appendRow(bytes, row, lastMs)
    lastMs = row.atMs
  }
  return bytes
}

function start(t: Test) {
  const { store, clock } = openTempStore(t, { inMemory: true })
  const blocks = (orgId = orgA) => [...store.checks.newestFirst(orgId, id, Number.MAX_SAFE_INTEGER)]
  return {
    store,
    clock,
    blocks,
    /** Rows of all blocks, oldest first. */
    rows: () =>
      blocks()
        .reverse()
        .flatMap(({ rows }) => readRows(rows)),
    add: (rows: readonly CheckRow[]) =>
      store.write((tx) => store.checks.addRows(tx, orgA, id, packed(rows))),
    pagesApart: () => {
      const table = store.lmdb.openDB({ name: 'checks', encoding: 'binary' })
      return (table.getStats() as { readonly overflowPages: number }).overflowPages
    },
  }
}

const random = seededRandom(7)
/** Checks of a site with a certificate, as they are. */
function routine(number: number, everyMs = 60_000): CheckRow {
  const firstByte = 60 + Math.round(200 * random() ** 2)
  const phases = { dns: 1, connect: 20, tls: 35, firstByte, download: Math.round(9 * random()) }
  const durationMs = Object.values(phases).reduce((sum, ms) => sum + ms, 1)
  const atMs = startMs + number * everyMs + Math.round(9 * random())
  return { atMs, verdict: 'up', durationMs, status: 200, phases }
}

t.test('three days of checks take at most 12 bytes each, one page to a block', async (t) => {
  const { add, blocks, rows, pagesApart } = start(t)
  const all = Array.from({ length: 3 * 1_440 }, (_, number) => routine(number))
  const per = checkRowsPerBlock
  for (let from = 0; from < all.length; from += per) await add(all.slice(from, from + per))
  t.same(
    rows().map(({ atMs, durationMs }) => [atMs, durationMs]),
    all.map(({ atMs, durationMs }) => [atMs, durationMs]),
  )
  const pageBytes = 4_096
  t.ok(pagesApart() <= blocks().length, 'no block needs a second page')
  t.ok((blocks().length * pageBytes) / all.length <= 12)
})

t.test('results of more than a week are not kept in one block', async (t) => {
  const { add, blocks, rows } = start(t)
  const dailyMs = 86_400_000
  const all = Array.from({ length: 60 }, (_, number) => routine(number, dailyMs))
  for (let from = 0; from < all.length; from += 3) await add(all.slice(from, from + 3))
  t.equal(rows().length, 60)
  for (const block of blocks()) {
    const lastMs = readRows(block.rows).at(-1)?.atMs ?? 0
    t.ok(lastMs - block.fromMs <= checkBlockSpanMs)
  }
})

t.test('results before the newest block, or of the same moment, displace none', async (t) => {
  const { add, rows, blocks } = start(t)
  const make = (atMs: number): CheckRow => ({ atMs, verdict: 'up', durationMs: 1 })
  await add([make(startMs + 1_000), make(startMs + 90_000)])
  await add([make(startMs + 50_000)])
  await add([make(startMs + 50_000)])
  await add([make(startMs + 1_000)])
  t.equal(rows().length, 5)
  t.ok(blocks().length >= 2)
  await add([])
  t.equal(rows().length, 5, 'nothing is added')
})

t.test('organizations do not share blocks', async (t) => {
  const { add, store, blocks } = start(t)
  await add([routine(0)])
  await store.write((tx) => store.checks.addRows(tx, orgTwo, id, packed([routine(1)])))
  t.equal(blocks().length, 1)
  t.equal(blocks(orgTwo).length, 1)
})
