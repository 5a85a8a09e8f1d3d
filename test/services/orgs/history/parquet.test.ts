// Parquet files of the history, as another program reads them.
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet'
import t from 'tap'
import { startClock } from '../../../../src/base/clock.ts'
import { type HistoryRow, historyColumns } from '../../../../src/domain/orgs/history-tables.ts'
import { filePartsOf } from '../../../../src/services/orgs/history/file-parts.ts'

const clock = startClock()
t.teardown(() => clock.stop())
const columns = historyColumns.incidents
const startMs = Date.parse('2026-01-01T00:00:00Z')

const rowNo = (at: number): HistoryRow<'incidents'> => ({
  id: `inc_${at}`,
  monitorId: 'mon_1',
  monitorName: at % 2 === 0 ? 'Shop ☂' : null,
  monitorProduct: null,
  monitorOrigin: null,
  monitorIds: ['mon_1'],
  title: 'Shop is down',
  cause: 'the status is 500',
  severity: 'down',
  isDeclared: false,
  state: 'resolved',
  startedAt: startMs + at,
  confirmedAt: startMs + at,
  acknowledgedAt: at === 0 ? startMs : null,
  acknowledgedBy: null,
  resolvedAt: startMs + 40 * 86_400_000,
  resolution: 'recovered',
  // More than 32 bits hold.
  durationMs: 40 * 86_400_000 - at,
  flapping: at % 3 === 0,
  isPublic: true,
  importId: null,
  errorKind: 'status',
  errorMessage: null,
  evidence: { status: 500 },
  postmortem: null,
})

async function fileOf(rows: Iterable<readonly HistoryRow[]>) {
  const parts: Uint8Array[] = []
  for await (const part of filePartsOf(rows, { columns, format: 'parquet', clock }))
    parts.push(part)
  const { buffer, byteOffset, length } = Buffer.concat(parts)
  return { parts, file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer }
}

t.test('rows come back with the types of their columns', async (t) => {
  const count = 40_000
  function* rows() {
    for (let at = 0; at < count; at += 500) {
      yield Array.from({ length: 500 }, (_, each) => rowNo(at + each))
    }
  }
  const { parts, file } = await fileOf(rows())
  t.ok(parts.length > 2, 'group by group')
  const metadata = parquetMetadata(file)
  t.equal(Number(metadata.num_rows), count)
  const types = Object.fromEntries(
    parquetSchema(metadata).children.map(({ element }) => [
      element.name,
      element.logical_type?.type ?? element.type,
    ]),
  )
  t.match(types, {
    id: 'STRING',
    startedAt: 'TIMESTAMP',
    acknowledgedAt: 'TIMESTAMP',
    durationMs: 'INT64',
    flapping: 'BOOLEAN',
    evidence: 'STRING',
  })
  const read = await parquetReadObjects({ file })
  t.equal(read.length, count)
  for (const at of [0, 1, 3, 16_383, 16_384, count - 1]) {
    const { startedAt, acknowledgedAt, durationMs, monitorIds, evidence, ...rest } = rowNo(at)
    const { confirmedAt: _, resolvedAt: _r, ...plain } = rest
    t.match(read[at], {
      ...plain,
      startedAt: new Date(Number(startedAt)),
      acknowledgedAt: acknowledgedAt === null ? null : new Date(acknowledgedAt),
      durationMs: BigInt(durationMs ?? 0),
      monitorIds: JSON.stringify(monitorIds),
      evidence: JSON.stringify(evidence),
    })
  }
})

t.test('a file without rows says which columns it would have', async (t) => {
  const { file } = await fileOf([])
  const metadata = parquetMetadata(file)
  t.equal(Number(metadata.num_rows), 0)
  t.same(
    parquetSchema(metadata).children.map(({ element }) => element.name),
    columns.map(({ name }) => name),
  )
})

t.test('a reader that leaves ends the thread, which would keep this process', async (t) => {
  function* rows() {
    for (let at = 0; ; at += 500) {
      yield Array.from({ length: 500 }, (_, each) => rowNo(at + each))
    }
  }
  for await (const part of filePartsOf(rows(), { columns, format: 'parquet', clock })) {
    t.ok(part.length > 0)
    break
  }
})
