// One assertion as callers spell it: its words, its texts, and how nothing is said.
import t from 'tap'
import { createCheck } from '../../../../src/base/schema/validate.ts'
import { schemaCharsMax } from '../../../../src/domain/assertions/json-schema.ts'
import { limits } from '../../../../src/domain/limits/limits.ts'
import { AssertionIn } from '../../../../src/http/api/monitors/monitor-input-schemas.ts'

const check = createCheck(AssertionIn, 10)
const plain = { source: 'json', type: 'equals' }

t.test('null, an empty text and nothing at all are the same', async (t) => {
  for (const unsaid of [{}, { path: null, value: null }, { path: '', value: '' }]) {
    t.same(check({ ...plain, ...unsaid }), [], JSON.stringify(unsaid))
  }
})

t.test('problems are reported with their field', async (t) => {
  const wrong: [object, string, string][] = [
    [{ type: 'equals' }, '/source', 'required'],
    [{ source: 'json' }, '/type', 'required'],
    [{ ...plain, source: 'cookie' }, '/source', 'enum'],
    [{ ...plain, type: 'like' }, '/type', 'enum'],
    [{ ...plain, value: 5 }, '/value', 'anyOf'],
    [{ ...plain, path: 'x'.repeat(limits.assertionPathCharsMax + 1) }, '/path', 'maxLength'],
    [{ ...plain, value: 'x'.repeat(schemaCharsMax + 1) }, '/value', 'maxLength'],
    [{ ...plain, expected: 'x' }, '/expected', 'additionalProperties'],
  ]
  for (const [assertion, pointer, keyword] of wrong) {
    t.match(check(assertion), [{ pointer, keyword }], JSON.stringify(assertion).slice(0, 80))
  }
})
