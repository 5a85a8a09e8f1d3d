// JSON Schema in assertions: what is said of a value that does not fit, of a schema that is none, and how
// long both may take.
import t from 'tap'
import { checkExpectation } from '../../../src/domain/assertions/assertion.ts'
import { freshBudget } from '../../../src/domain/assertions/budget.ts'
import {
  misfitIn,
  schemaCharsMax,
  schemaProblem,
} from '../../../src/domain/assertions/json-schema.ts'
import type { Json } from '../../../src/domain/assertions/json-value.ts'
import { makeExpectation } from '../../support/make-target.ts'
import { leastMs } from '../../support/starvation.ts'

const problemOf = (schema: Json) => schemaProblem(JSON.stringify(schema))
const judge = (schema: Json, value: Json, chars = 1_000) =>
  misfitIn(JSON.stringify(schema), value, freshBudget(), { chars, charsShown: 100 })

const product = {
  type: 'object',
  required: ['id', 'price'],
  properties: {
    id: { type: 'integer', minimum: 1 },
    price: { type: ['number', 'null'] },
    tags: { items: { enum: ['new', 'sale'] }, uniqueItems: true },
  },
  additionalProperties: false,
}

t.test('the first part that does not fit is named by its place', async (t) => {
  const list = { type: 'array', items: product }
  const cases: [Json, string | null][] = [
    [[{ id: 1, price: null, tags: ['new', 'sale'] }], null],
    [{}, 'must be of type array: {}'],
    [[{ id: 1 }], '/0 must have price: {"id":1}'],
    [[{ id: 0, price: 1 }], '/0/id must be at least 1: 0'],
    [[{ id: 1, price: '12,50' }], '/0/price must be of type number or null: 12,50'],
    [[{ id: 1, price: 1, tags: ['new', 'old'] }], '/0/tags/1 must be one of ["new","sale"]: old'],
    [[{ id: 1, price: 1, tags: ['new', 'new'] }], '/0/tags/1 must not be there twice: new'],
    [[{ id: 1, price: 1, 'a/b': true }], '/0/a/b must not be there: true'],
  ]
  for (const [value, said] of cases) t.equal(judge(list, value), said)
})

t.test('an assertion fits all values of a path to a schema', async (t) => {
  const check = (path: string | null, schema: Json, text: string) =>
    checkExpectation(
      makeExpectation({
        assertions: [{ source: 'json', path, type: 'jsonSchema', value: JSON.stringify(schema) }],
      }),
      {
        status: 200,
        contentType: 'application/json',
        text: () => text,
        redact: (said) => said.replaceAll('hunter22', '••••'),
      },
    )
  const body = '{"items":[{"id":1,"price":2},{"id":2,"price":"hunter22"}]}'
  t.same(check(null, { required: ['items'] }, body), [])
  t.same(check('$.items[0]', product, body), [])
  t.same(check('$.items[*]', product, body), [
    {
      kind: 'assertion',
      expected: '$.items[*] to fit the schema',
      found: '/price must be of type number or null: ••••',
    },
  ])
  t.match(check('$.none', product, body), [{ found: 'nothing' }])
  t.match(check(null, product, '<html>'), [{ kind: 'invalid_response' }])
})

t.test('a schema that is none is refused with the place of what is wrong', async (t) => {
  const cases: [Json, string][] = [
    [5, 'the schema must be an object, true or false'],
    [
      { type: 'strng' },
      '/type must be one of string, number, integer, boolean, null, object, array',
    ],
    [{ properties: { a: { minimum: '1' } } }, '/properties/a/minimum must be a number'],
    [{ properties: { 'a/b': [] } }, '/properties/a~1b must be an object, true or false'],
    [{ items: { maxItems: -1 } }, '/items/maxItems must be a whole number, 0 or more'],
    [{ required: 'a' }, '/required must be a list'],
    [{ $ref: '#/$defs/a' }, '/$ref must begin with # and lead to a part of this schema'],
    [{ $ref: 'https://a.test/b' }, '/$ref must begin with # and lead to a part of this schema'],
    [{ unevaluatedProperties: false }, '/unevaluatedProperties is not supported'],
    [
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      '/$schema must be draft-06, draft-07, 2019-09 or 2020-12 of json-schema.org',
    ],
    [{ anyOf: [{ $ref: '#' }] }, 'the schema refers to itself without end'],
    [
      { $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } },
      '/$defs/a refers to itself without end',
    ],
  ]
  for (const [schema, said] of cases) {
    t.equal(problemOf(schema), `is not a valid JSON Schema: ${said}`)
  }
  t.equal(schemaProblem('{"type":'), 'is not a valid JSON Schema: it is no JSON')
  t.match(problemOf({ pattern: '(?=a)' }), /: \/pattern is not a valid RE2 expression: /)
  t.equal(schemaProblem(' '.repeat(schemaCharsMax + 1)), 'must be at most 16384 characters')
  t.match(
    schemaProblem(`${'{"not":'.repeat(2_000)}true${'}'.repeat(2_000)}`),
    /is nested too deep$/,
  )
  const many = Array.from({ length: 21 }, (_, i) => ({ pattern: `${i}` }))
  t.match(
    problemOf({ allOf: many }),
    /^is not a valid JSON Schema: \/allOf\/20\/pattern is more than/,
  )
})

t.test('a schema may refer to itself on the way into the value', async (t) => {
  const tree = { properties: { next: { $ref: '#' }, value: { type: 'number' } } }
  t.equal(judge(tree, { next: { next: { value: 1 } } }), null)
  t.equal(
    judge(tree, { next: { next: { value: '1' } } }),
    '/next/next/value must be of type number: 1',
  )
})

const tooMuch = '(more data than a check examines)'

t.test('neither schema nor document makes it take long', async (t) => {
  const doubled = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => {
      const next = { $ref: `#/$defs/a${i + 1}` }
      return [`a${i}`, { anyOf: [next, next] }]
    }),
  )
  const deep: Json = JSON.parse('['.repeat(400_000) + ']'.repeat(400_000))
  const numbers: Json = Array(500_000).fill(1)
  const keys = Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [i.toString(36), 1]))
  const text = 'a'.repeat(1_024 * 1_024)
  const large = 1_024 * 1_024
  const rows: [string, Json, Json, string | null | undefined][] = [
    ['doubled', { $defs: { ...doubled, a40: false }, $ref: '#/$defs/a0' }, 1, tooMuch],
    ['deep', { items: { $ref: '#' } }, deep, tooMuch],
    ['deep and unique', { uniqueItems: true }, deep, tooMuch],
    ['deep and equal', { enum: [[[1]]] }, deep, undefined],
    ['numbers', { items: { type: 'integer', minimum: 0 } }, numbers, tooMuch],
    ['unique numbers', { uniqueItems: true }, [...Array(500_000).keys()], tooMuch],
    ['keys', { allOf: Array(100).fill({ propertyNames: { maxLength: 9 } }) }, keys, tooMuch],
    ['text', { allOf: Array(500).fill({ maxLength: large }) }, text, tooMuch],
    ['pattern', { items: { pattern: 'a.{30}b' } }, Array(10_000).fill('ab'.repeat(50)), tooMuch],
    ['patterns', { allOf: [{ pattern: '(a|a)*b' }, { pattern: '(a*)*c$' }] }, text, undefined],
    [
      'lists',
      { items: { enum: Array(1_000).fill([1, 2]) } },
      Array(100_000).fill([1, 3]),
      undefined,
    ],
  ]
  for (const [name, schema, value, said] of rows) {
    t.equal(problemOf(schema), null, name)
    let found: string | null = null
    const tookMs = leastMs(500, () => {
      found = judge(schema, value, large)
    })
    t.ok(tookMs < 500, `${name}: ${Math.round(tookMs)} ms`)
    if (said !== undefined) t.equal(found, said, name)
  }
  const refs = Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [`a${i}`, { $ref: `#/$defs/a${i + 1}` }]),
  )
  const alternatives = { anyOf: Array(1_500).fill({ not: {} }) }
  for (const schema of [{ $defs: { ...refs, a400: {} }, $ref: '#/$defs/a0' }, alternatives]) {
    const tookMs = leastMs(300, () => schemaProblem(` ${JSON.stringify(schema)}`))
    t.ok(tookMs < 300, `${Math.round(tookMs)} ms`)
  }
})

t.test('ten thousand items of an answer are examined whole', async (t) => {
  const one = { id: 1, price: 9.5, tags: ['new'] }
  const list = Array.from({ length: 10_000 }, () => one)
  const chars = JSON.stringify(list).length
  t.equal(judge({ type: 'array', items: product }, list, chars), null)
})
