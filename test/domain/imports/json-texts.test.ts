// Several JSON documents in one text.
import t from 'tap'
import { jsonTexts } from '../../../src/domain/imports/json-texts.ts'

t.test('documents that follow each other are read, whatever is in their texts', (t) => {
  t.same(jsonTexts('{"a": 1}'), [{ a: 1 }])
  t.same(jsonTexts('{"a": "}{"}{"b": "\\"]"}\n[1, [2]]\n'), [{ a: '}{' }, { b: '"]' }, [1, [2]]])
  t.end()
})

t.test('what is no JSON is refused', (t) => {
  const refused = { name: 'ForeignFileRefused', message: /^is not JSON: / }
  for (const text of [
    '',
    '{',
    '{"a": 1} {',
    '{"a": 1} x',
    '{"a": 1}{b}',
    '}{',
    '{}'.repeat(2_000),
  ]) {
    t.throws(() => jsonTexts(text), refused, text.slice(0, 20))
  }
  t.end()
})
