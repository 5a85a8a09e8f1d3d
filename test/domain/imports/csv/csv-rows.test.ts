// Rows of a table as RFC 4180 has them, and as spreadsheets write them.
import t from 'tap'
import { csvRows } from '../../../../src/domain/imports/csv/csv-rows.ts'

const bounds = { rowsMax: 10, fieldsMax: 5 }
const rows = (text: string) => csvRows(text, bounds)

t.test('fields are separated, quoted and trimmed', async (t) => {
  t.same(rows('a,b\r\n1, 2 \r\n'), [
    ['a', 'b'],
    ['1', '2'],
  ])
  t.same(rows('a;b\n"x;y";"say ""hi""\nthere"'), [
    ['a', 'b'],
    ['x;y', 'say "hi"\nthere'],
  ])
  t.same(rows('\uFEFFa\tb\r1\t2'), [
    ['a', 'b'],
    ['1', '2'],
  ])
  t.same(rows('a,b\n1,\n,2\n\n,\n'), [
    ['a', 'b'],
    ['1', ''],
    ['', '2'],
  ])
  t.same(rows('a,b,'), [['a', 'b', '']])
  t.same(rows(''), [])
})

t.test('what is beyond a bound or without an end is refused', async (t) => {
  const refusal = (message: RegExp) => ({ name: 'ForeignFileRefused', message })
  t.throws(() => rows('a\n'.repeat(11)), refusal(/at most 10 rows/))
  t.throws(() => rows('a,a,a,a,a,a'), refusal(/at most 5 columns/))
  t.throws(() => rows('a\n"b'), refusal(/without an end/))
})

t.test('a long text takes time in proportion', async (t) => {
  const startedMs = performance.now()
  for (const text of ['"'.repeat(2_000_001), ' '.repeat(2_000_000), 'x'.repeat(2_000_000)]) {
    try {
      rows(text)
    } catch {
      // Refused, which is as good.
    }
  }
  t.ok(performance.now() - startedMs < 3_000)
})
