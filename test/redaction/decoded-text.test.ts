// Each encoding is undone once, and each character knows where its encoded form stood.
import t from 'tap'
import { decodedTexts, unescaped } from '../../src/redaction/decoded-text.ts'

const readingsOf = (source: string) => decodedTexts(source).map(({ text }) => text)

t.test('percent signs, JSON escapes and HTML entities are undone', (t) => {
  for (const encoded of [
    '%73%65cret',
    's\\u0065cret',
    's&#101;cret',
    's&#x65;cret',
    's&#X65;cret',
    's\u00ade\u200bcr\ufffdet',
  ]) {
    t.ok(readingsOf(encoded).includes('secret'), encoded)
    t.equal(readingsOf(encoded)[0], encoded, 'as it is as well')
  }
  t.equal(unescaped('\\"\\/\\\\\\n&amp;&lt;&gt;&quot;&apos;&nbsp;'), '"/\\\n&<>"\' ')
  t.equal(unescaped('&#128512;'), '😀')
  t.equal(unescaped('%2525'), '%25', 'once')
  t.end()
})

t.test('Base64 is undone in both alphabets, wherever it begins', (t) => {
  for (const before of ['', 'x', 'xy', 'xyz', '/path/', 'a b ']) {
    const encoded = Buffer.from('secret~~?').toString('base64')
    t.ok(
      readingsOf(before + encoded).some((text) => text.includes('secret~~?')),
      before,
    )
    const inUrl = Buffer.from('secret~~?').toString('base64url')
    t.ok(
      readingsOf(before + inUrl).some((text) => text.includes('secret~~?')),
      before,
    )
  }
  t.notOk(
    readingsOf('c2Vj cmV0').some((text) => text.includes('secret')),
    'two words are two',
  )
  t.end()
})

t.test('invalid escapes stay as they are', (t) => {
  for (const text of ['%zz', '100%', '\\q', '&;', '&bogus;', '&#;', '&#x110000;', '\\u{x}']) {
    t.equal(unescaped(text), text)
  }
  t.end()
})

t.test('each character knows where its encoded form begins and ends', (t) => {
  const original = (source: string, found: string) => {
    const reading = decodedTexts(source).find(({ text }) => text.includes(found))
    const at = reading?.text.indexOf(found) ?? 0
    return source.slice(reading?.starts[at], reading?.starts[at + found.length])
  }
  t.equal(original('x secret y', 'secret'), 'secret')
  t.equal(original('x %73e%63ret y', 'secret'), '%73e%63ret')
  t.equal(original('x &#128512;\\u0065 y', '😀e'), '&#128512;\\u0065')
  t.equal(original('x c2VjcmV0 y', 'secret'), 'c2VjcmV0')
  t.end()
})
