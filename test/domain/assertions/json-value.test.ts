// JSON values against what a person typed.
import t from 'tap'
import {
  compare,
  equalsValue,
  lengthOf,
  parseJson,
  show,
} from '../../../src/domain/assertions/json-value.ts'
import { leastMs } from '../../support/starvation.ts'

t.test('invalid JSON is undefined, which differs from null', async (t) => {
  t.equal(parseJson('null'), null)
  t.equal(parseJson('{"a":'), undefined)
  t.equal(parseJson(''), undefined)
})

t.test('numbers compare as numbers where both sides are', async (t) => {
  t.ok(equalsValue('1e3', '1000'))
  t.ok(equalsValue(0.1, '.1'))
  t.notOk(equalsValue('0x10', '16'))
  t.notOk(equalsValue('', '0'))
  t.ok(compare('10', '9') > 0)
  t.ok(compare('10', '9x') < 0, 'else as texts')
  for (const found of ['error', '9x', '', '2026-01-31']) {
    t.ok(Number.isNaN(compare(found, '5')), `${found} is no number`)
  }
  t.same(compare(true, '0'), Number.NaN)
  t.same(compare(null, '0'), Number.NaN)
})

t.test('lists and objects compare as JSON, whatever the order of keys', async (t) => {
  t.ok(equalsValue({ a: 1, b: [{ d: 1, c: 2 }] }, '{ "b": [{"c":2,"d":1}], "a": 1 }'))
  t.notOk(equalsValue([1, 2], '[2,1]'))
  t.notOk(equalsValue([1, 2], '1,2'))
  t.notOk(equalsValue(parseJson('{"__proto__":{"a":1}}') ?? null, '{}'))
  t.notOk(equalsValue(parseJson('{"__proto__":{}}') ?? null, '{"a":{}}'))
  t.notOk(equalsValue({ a: {} }, '{"__proto__":{}}'))
  t.notOk(equalsValue([], '{}'))
})

t.test('a text of digits is not converted to a number', async (t) => {
  const tookMs = leastMs(1_000, () => {
    t.notOk(equalsValue(`${'1'.repeat(1_000_000)}x`, '1'))
  })
  t.ok(tookMs < 1_000, `${tookMs} ms`)
  for (const text of ['1.', '1.5', '.5', ' -1e-3 ', '+0'])
    t.ok(equalsValue(text, `${Number(text)}`))
  for (const text of ['', '.', '1..2', '1e', 'e1', '1 2', '--1']) t.notOk(equalsValue(text, '1'))
})

t.test('lengths are of texts, lists and objects', async (t) => {
  t.equal(lengthOf('abc'), 3)
  t.equal(lengthOf([1]), 1)
  t.equal(lengthOf({ a: 1, b: 2 }), 2)
  t.equal(lengthOf(7), undefined)
  t.equal(lengthOf(null), undefined)
})

t.test('a document that is nested too deep to be written is still shown', async (t) => {
  const deep = parseJson('['.repeat(100_000) + ']'.repeat(100_000)) ?? null
  t.match(show(deep), /too deep/)
  t.equal(show('text'), 'text')
  t.equal(show({ a: null }), '{"a":null}')
})
