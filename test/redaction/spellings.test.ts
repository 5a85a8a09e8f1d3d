// Every reading of a text, and where in the text each letter of it stands.
import t from 'tap'
import { digitOf } from '../../src/redaction/byte-spellings.ts'
import { divider, Sheet } from '../../src/redaction/sheet.ts'
import { plainReadings, readAll } from '../../src/redaction/spellings.ts'

const textOf = ({ units, length }: Sheet) => String.fromCharCode(...units.subarray(0, length))

/** What a text can be read as, without what is no neighbour of anything. */
function readingsOf(text: string, isAscii = true): readonly string[] {
  const found: string[] = []
  const read = (sheet: Sheet) => found.push(textOf(sheet).replaceAll('\uffff', '|'))
  readAll(text, { isAscii, read })
  return found
}

t.test('a text is read as it is and in what it may be spelled in', async (t) => {
  t.same(readingsOf('a b'), ['a b'])
  t.same(readingsOf('%73%65cret').slice(0, 1), ['%73%65cret'])
  for (const text of [
    '%73%65cret',
    's\\u0065cret',
    's&#101;cret',
    's%65cret',
    's=65cret',
    '\\163ecret',
  ]) {
    t.equal(readingsOf(text).at(-1), 'secret', text)
  }
  t.ok(readingsOf('c2VjcmV0').includes('secret|'))
  t.ok(readingsOf('73 65 63 72 65 74').includes('secret|'))
  t.ok(readingsOf('[115,101,99,114,101,116]').includes('secret|'))
  t.ok(readingsOf('%25%37%33ecret').includes('secret'), 'in each other')
  t.ok(readingsOf('Z8OkcnRuZXI', false).includes('gärtner|'))
})

t.test('what is no escape stays what it is', async (t) => {
  for (const text of ['%zz', '100%', '\\q', '&;', '&bogus;', '&#;', '&#x110000;', '=d', '\\u{x}']) {
    t.same(plainReadings(text), [text])
  }
  t.same(plainReadings('\\u{1F600}').at(1), '😀')
  t.same(plainReadings('%41'), ['%41', 'A'])
})

t.test('each letter knows its place, over what is left out', async (t) => {
  const text = 'x c2Vj\r\n  cmV0 y'
  const spans: string[] = []
  const read = ({ length, units, starts, ends }: Sheet) => {
    const at = units.subarray(0, length).indexOf('s'.charCodeAt(0))
    if (at >= 0) spans.push(text.slice(starts[at], ends[at + 5]))
  }
  readAll(text, { isAscii: true, read })
  t.ok(spans.includes('c2Vj\r\n  cmV0'), spans.join())
})

t.test('a sheet is used again, and leaves out what nobody sees', async (t) => {
  const sheet = new Sheet()
  for (const text of ['se\u200bcr\ufffdet', 'sec\r\n   ret', 'sec=\nret', 'sec\u00adret']) {
    sheet.clear(text.length)
    for (const [at, letter] of [...text].entries()) sheet.add(letter.charCodeAt(0), at, at + 1)
    sheet.heal()
    t.equal(textOf(sheet), 'secret', JSON.stringify(text))
  }
  sheet.clear(8)
  sheet.addCharacter(0x1f600, 0, 1)
  sheet.divide(4)
  t.equal(sheet.length, 0, 'a piece of two units is noise')
  for (const byte of Buffer.from('ä€😀')) sheet.add(byte, 0, 1)
  sheet.heal()
  t.equal(textOf(sheet), 'ä€😀')
  sheet.divide(4)
  t.equal(sheet.units[sheet.length - 1], divider)
})

t.test('digits are of a base', async (t) => {
  t.same(
    [...'0789aFg'].map((one) => digitOf(one.charCodeAt(0), 16)),
    [0, 7, 8, 9, 10, 15, -1],
  )
  t.same(
    [...'78'].map((one) => digitOf(one.charCodeAt(0), 8)),
    [7, -1],
  )
})

t.test('noise in any amount has its bound', async (t) => {
  let read = 0
  readAll(Buffer.from('%41%'.repeat(30_000)).toString('base64'), {
    isAscii: false,
    read: ({ length }) => (read += length),
  })
  t.ok(read < 1_000_000, `${read}`)
})
