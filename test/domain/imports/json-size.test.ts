// What parsing a text costs is known before it is parsed.
import t from 'tap'
import { createJsonSize } from '../../../src/domain/imports/json-size.ts'

const plenty = { valuesMax: 1_000, shapesMax: 1_000 }

function sizeOf(text: string, bounds = plenty, step = text.length) {
  const size = createJsonSize(text, bounds)
  for (let at = 0; at < text.length; at += step) if (!size.readTo(at + step)) return 'beyond'
  return size.values()
}

t.test('values are counted outside of texts, however the look is cut up', (t) => {
  const text = JSON.stringify({ a: [1, 'x,[{', { 'b"\\': '\\\\"' }], c: null, d: '\\' })
  for (const step of [1, 2, 7, text.length]) t.equal(sizeOf(text, plenty, step), 8, `${step}`)
  t.equal(sizeOf('"cut off \\'), 1)
  t.equal(sizeOf('}]},'), 2)
  t.end()
})

t.test('a text with too many values, too deep, or with too many shapes is beyond', (t) => {
  const list = (count: number) => `[${'1,'.repeat(count)}1]`
  t.equal(sizeOf(list(997)), 999)
  t.equal(sizeOf(list(1_000)), 'beyond')
  t.equal(sizeOf('['.repeat(64) + ']'.repeat(64)), 65)
  t.equal(sizeOf('['.repeat(65)), 'beyond')
  const few = { valuesMax: 1_000, shapesMax: 6 }
  const alike = Array.from({ length: 50 }, () => ({ a: 1, b: { a: 2 } }))
  t.type(sizeOf(JSON.stringify(alike), few), 'number')
  const orders = ['abc', 'acb', 'bac', 'bca'].map((names) =>
    Object.fromEntries([...names].map((name) => [name, 1])),
  )
  t.type(sizeOf(JSON.stringify(orders.slice(0, 2)), few), 'number')
  t.equal(sizeOf(JSON.stringify(orders), few), 'beyond', 'each order of names is another shape')
  t.end()
})
