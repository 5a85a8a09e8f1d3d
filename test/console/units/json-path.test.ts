// Assertions that are picked from an answer: their paths, and what they expect.
import { jsonpath } from 'json-p3'
import t from 'tap'
import {
  assertionFor,
  headerAssertion,
  type Json,
  jsonIn,
  jsonPathOf,
} from '../../../src/console/pages/monitors/editor/trial/json-path.ts'

const environment = new jsonpath.JSONPathEnvironment()

t.test('a path selects exactly the value that was clicked, whatever the keys are', async (t) => {
  const keys = [
    ...['plain', 'with space', "it's", 'back\\slash', 'dotted.key', '[0]', '$', '*', '', '0'],
    ...['ümlaut', '日本', '😀', 'new\nline', 'tab\t', '\b\f\r', '"quoted"', '__proto__'],
    ...['a-b', '@x', '-1', 'length'],
  ]
  for (const key of keys) {
    const document = JSON.parse(`{"a":[{${JSON.stringify(key)}:"it","other":"not it"}]}`)
    const path = jsonPathOf(['a', 0, key])
    t.same(environment.query(path, document).values(), ['it'], path)
  }
  t.equal(jsonPathOf([]), '$')
  t.equal(jsonPathOf(['data', 'items', 3, 'user name']), "$.data.items[3]['user name']")
})

t.test('it expects what is there now, as far as it can be compared', async (t) => {
  const expected = (value: Json) => {
    const { type, value: wanted } = assertionFor(['x'], value)
    return [type, wanted]
  }
  t.same(expected('ok'), ['equals', 'ok'])
  t.same(expected(42.5), ['equals', '42.5'])
  t.same(expected(false), ['equals', 'false'])
  t.same(expected(null), ['equals', 'null'])
  t.same(expected([1, 2, 3]), ['lengthEquals', '3'])
  t.same(expected({ a: 1 }), ['exists', undefined])
  t.same(expected('token ••••'), ['exists', undefined], 'a masked secret')
  t.same(expected('x'.repeat(5_000)), ['exists', undefined], 'too long for the API')
  t.same(expected(''), ['exists', undefined])
  t.same(headerAssertion('content-type', 'text/html'), {
    ...{ source: 'header', path: 'content-type', type: 'equals', value: 'text/html' },
  })
  t.same(headerAssertion('x-token', '••••'), { source: 'header', path: 'x-token', type: 'exists' })
})

t.test('a body that was cut shows what is whole of it', async (t) => {
  const document = { list: [{ a: 'x,]}"\\' }, { b: [1, 2, { c: null }] }], last: 'end' }
  const text = JSON.stringify(document)
  t.same(jsonIn(text, false), document)
  for (let length = 1; length < text.length; length += 1) {
    t.not(jsonIn(text.slice(0, length), true), undefined, text.slice(0, length))
  }
  t.same(jsonIn('{"a":1,"b":"so', true), { a: 1 })
  t.same(jsonIn('[{"a":1},{"a":2', true), [{ a: 1 }, {}])
  t.equal(jsonIn('<html>, [', true), undefined)
  t.equal(jsonIn('{"a":', false), undefined)
})
