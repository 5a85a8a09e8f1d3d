// Lines of the history: what programs and spreadsheets read of them.
import t from 'tap'
import { csvHead, csvLines, jsonLines } from '../../../src/domain/orgs/history-lines.ts'
import { historyColumns, historyTables } from '../../../src/domain/orgs/history-tables.ts'

const columns = historyColumns.timeline
const row = {
  incidentId: 'inc_1',
  monitorId: 'mon_1',
  monitorName: '=cmd|"x"',
  monitorProduct: 'kuma',
  monitorOrigin: 'monitor/12',
  at: Date.parse('2026-01-02T03:04:05.678Z'),
  kind: 'update',
  status: null,
  by: null,
  isPublic: true,
  message: 'Line one\nline two',
}

t.test('a line of JSON has every column, in the order of the table', async (t) => {
  const line = jsonLines(columns)(row)
  t.equal(line.at(-1), '\n')
  t.equal(line.indexOf('\n'), line.length - 1, 'and is one line')
  const read = JSON.parse(line)
  t.same(read, { ...row, at: '2026-01-02T03:04:05.678Z' })
  t.same(
    Object.keys(read),
    columns.map(({ name }) => name),
  )
})

t.test('a line of CSV has the same cells, and no formula', async (t) => {
  t.equal(csvHead(columns).split(',').length, columns.length)
  t.equal(
    csvLines(columns)(row),
    'inc_1,mon_1,"\'=cmd|""x""",kuma,monitor/12,2026-01-02T03:04:05.678Z,update,,,true,"Line one\nline two"\r\n',
  )
})

t.test('every table says of which monitor its rows are, and names a column once', async (t) => {
  for (const table of historyTables) {
    const names = historyColumns[table].map(({ name }) => name)
    t.equal(new Set(names).size, names.length, table)
    for (const name of ['monitorId', 'monitorName', 'monitorProduct', 'monitorOrigin']) {
      t.ok(
        names.some((one) => one === name),
        `${table}: ${name}`,
      )
    }
  }
})
