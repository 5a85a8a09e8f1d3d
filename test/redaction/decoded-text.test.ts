// Each encoding is undone once, and each character knows where its encoded form stood.
import fc from 'fast-check'
import t from 'tap'
import { decodedTexts, unescaped } from '../../src/redaction/decoded-text.ts'
import { redactorFor } from '../../src/redaction/redaction.ts'
import { runs } from '../support/depth.ts'
import { makeTarget } from '../support/make-target.ts'

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

const hostile = fc.stringMatching(
  /^(%[0-9a-f]{0,2}|\\[u"nx]|&(#|#x|amp)?;?|[A-Za-z0-9+/_-]|é|\ufffd|İ|😀| )*$/,
)

const anyUnits = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units))

t.test('any text is decoded, and every character is inside it', (t) => {
  const property = fc.property(fc.oneof(hostile, anyUnits), (source) => {
    for (const { text, starts } of decodedTexts(source)) {
      for (let at = 0; at < text.length; at++) {
        const [start = -1, end = -1] = [starts[at], starts[at + 1]]
        if (start < 0 || end < start || end > source.length) throw new Error(`${at} of ${text}`)
      }
    }
  })
  fc.assert(property, runs(50))
  t.end()
})

t.test('no part of a secret is left, in whatever it stands', (t) => {
  const secret = 'sk-Live_9fQ2xZ7LmT4vB8nR1cW6'
  const redact = redactorFor(makeTarget({ headers: { 'X-Api-Key': secret } }))
  const bounds = fc.tuple(fc.nat(20), fc.integer({ min: 8, max: 28 }))
  const property = fc.property(hostile, bounds, hostile, (before, [from, length], behind) => {
    const part = secret.slice(from, from + length)
    if (part.length < 8) return
    const shown = redact(before + part + behind)
    if (shown.includes(part.slice(0, 8))) throw new Error(shown)
  })
  fc.assert(property, runs(50))
  t.end()
})
