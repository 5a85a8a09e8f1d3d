// Check rows: what is kept of a result, and how little room it takes.
import fc from 'fast-check'
import t from 'tap'
import {
  appendRow,
  appendToBlock,
  type CheckRow,
  checkBlockBytesMax,
  checkRow,
  lastAtMsOf,
  readRows,
} from '../../../src/domain/checks/check-row.ts'
import { errorKinds, type Phases, phaseNames } from '../../../src/domain/checks/reading.ts'
import { judge, verdictKinds } from '../../../src/domain/checks/verdict.ts'
import { runs } from '../../support/depth.ts'
import { makeReading } from '../../support/monitor-world.ts'

const empty: Uint8Array = new Uint8Array(0)
const atMs = Date.UTC(2026, 0, 1)

function packed(rows: readonly CheckRow[]): Uint8Array {
  let bytes = empty
  let previousMs = 0
  for (const row of rows) {
    bytes = appendRow(bytes, row, previousMs)
    previousMs = row.atMs
  }
  return bytes
}

const phase = fc.option(fc.nat({ max: 60_000 }), { nil: undefined })
const anyPhases = fc
  .record(Object.fromEntries(phaseNames.map((name) => [name, phase])))
  .map((phases) => Object.fromEntries(Object.entries(phases).filter(([, ms]) => ms !== undefined)))
  .map((phases): Phases => phases)

const anyRow: fc.Arbitrary<CheckRow> = fc.record(
  {
    atMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
    verdict: fc.constantFrom(...verdictKinds),
    durationMs: fc.nat({ max: 31_536_000_000 }),
    errorKind: fc.constantFrom(...errorKinds),
    status: fc.integer({ min: 100, max: 999 }),
    phases: anyPhases,
    message: fc.string({ unit: 'grapheme', maxLength: 300 }),
  },
  { requiredKeys: ['atMs', 'verdict', 'durationMs'] },
)

t.test('packed rows are read again, in order, even after a clock was set back', async () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 70 }), (rows) => {
      const found = readRows(packed(rows))
      return JSON.stringify(sorted(found)) === JSON.stringify(sorted(rows))
    }),
    runs(),
  )
})

/** Blocks as full as they get, each made of several portions of rows. */
function blocksOf(rows: readonly CheckRow[], portion: number): Uint8Array[] {
  const blocks: Uint8Array[] = []
  let block: Uint8Array | null = null
  for (let from = 0; from < rows.length; ) {
    const some: readonly CheckRow[] = rows.slice(from, from + portion)
    const { block: grown, taken } = appendToBlock(block, some)
    from += taken
    if (taken < some.length) blocks.push(grown)
    block = taken < some.length ? null : grown
  }
  return block ? [...blocks, block] : blocks
}

t.test('blocks hold the rows that were appended to them, in order', async (t) => {
  const rows = fc.array(anyRow, { maxLength: 200 })
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 70 }), (rows, portion) => {
      const blocks = blocksOf(rows, portion)
      const found = blocks.flatMap((block) => readRows(block))
      const isSmall = (block: Uint8Array) =>
        block.length <= checkBlockBytesMax || readRows(block).length === 1
      return blocks.every(isSmall) && JSON.stringify(sorted(found)) === JSON.stringify(sorted(rows))
    }),
    runs(60),
  )
  const [block = empty] = blocksOf([{ atMs, verdict: 'up', durationMs: 5, status: 200 }], 1)
  t.equal(lastAtMsOf(block), atMs)
  t.equal(lastAtMsOf(packed([{ atMs, verdict: 'up', durationMs: 5 }])), null)
  t.throws(() => readRows(block.subarray(0, block.length - 1)))
})

t.test(
  'in a block a routine result takes 10 bytes, and an outage says why only once',
  async (t) => {
    const routine = (number: number): CheckRow => ({
      atMs: atMs + number * 60_000 + ((number * 7) % 11),
      verdict: 'up',
      durationMs: 190 + ((number * 31) % 80),
      status: 200,
      phases: { dns: 2, connect: 24, tls: 47, firstByte: 110 + ((number * 31) % 80), download: 6 },
    })
    const good = Array.from({ length: 1_000 }, (_, number) => routine(number))
    const bytes = (rows: readonly CheckRow[]) =>
      blocksOf(rows, 64).reduce((sum, block) => sum + block.length, 0) / rows.length
    t.ok(bytes(good) < 10.5, `${bytes(good)} bytes`)
    const message = 'the server refused the connection to 192.0.2.1 port 443'
    const bad = good.map(({ atMs }): CheckRow => {
      return { atMs, verdict: 'down', durationMs: 25, errorKind: 'connect', message }
    })
    t.ok(bytes(bad) < 6, `${bytes(bad)} bytes`)
  },
)

/** With fields in one order, so that texts of equal rows are equal. */
function sorted(rows: readonly CheckRow[]) {
  return rows.map(({ atMs, verdict, durationMs, errorKind, status, phases, message }) => [
    ...[atMs, verdict, durationMs, errorKind ?? null, status ?? null, message ?? null],
    phases ? phaseNames.map((name) => phases[name] ?? null) : null,
  ])
}

t.test('a routine result every 20 s takes at most 16 bytes, its phases included', async (t) => {
  const routine = (number: number): CheckRow => ({
    atMs: atMs + number * 20_000 + (number % 7),
    verdict: 'up',
    durationMs: 180 + number,
    status: 200,
    phases: { dns: 12, connect: 24, tls: 47, firstByte: 95 + number },
  })
  const rows = Array.from({ length: 64 }, (_, number) => routine(number))
  const bytesPerRow = packed(rows).length / rows.length
  t.ok(bytesPerRow <= 16, `${bytesPerRow} bytes`)
  const daily = rows.map((row, number) => ({ ...row, atMs: atMs + number * 86_400_000 }))
  t.ok(packed(daily).length / rows.length <= 18)
})

t.test('a failure keeps its kind and sentence, a report the message of its sender', async (t) => {
  const error = { kind: 'timeout', message: 'no answer within 10,000 ms' } as const
  const failure = makeReading(atMs, { result: 'failed', durationMs: 10_000.4, error })
  t.same(checkRow(failure, 'down'), {
    atMs,
    verdict: 'down',
    durationMs: 10_000,
    errorKind: 'timeout',
    message: 'no answer within 10,000 ms',
  })
  const report = makeReading(atMs, { result: 'good', durationMs: 3, message: '12 files' })
  t.same(checkRow(report, 'up'), { atMs, verdict: 'up', durationMs: 3, message: '12 files' })
  const [row] = readRows(appendRow(empty, { ...checkRow(report, 'up'), message: '' }, 0))
  t.equal(row?.message, '', 'nothing said is not the same as an empty sentence')
})

t.test('a clock that ran backwards during a check leaves no negative duration', async (t) => {
  t.equal(checkRow(makeReading(atMs, { durationMs: -5 }), 'up').durationMs, 0)
})

t.test('half a byte of a row is a bug and is not read as something else', async (t) => {
  const bytes = packed([{ atMs, verdict: 'up', durationMs: 5, status: 200 }])
  t.throws(() => readRows(bytes.subarray(0, bytes.length - 1)))
})

t.test('a result is slow only beyond the threshold, and a failure is never slow', async (t) => {
  const seen = (durationMs: number) => makeReading(atMs, { result: 'good', durationMs })
  t.equal(judge(seen(3_000), 3_000), 'up')
  t.equal(judge(seen(3_000.1), 3_000), 'degraded')
  t.equal(judge(seen(60_000), null), 'up')
  t.equal(judge(makeReading(atMs, { result: 'failed', durationMs: 9_000 }), 3_000), 'down')
  t.equal(judge(makeReading(atMs, { result: 'unknown' }), 3_000), 'unknown')
})
