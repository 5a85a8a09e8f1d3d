// Query strings as callers write them.
import t from 'tap'
import {
  anyText,
  flag,
  integer,
  listOf,
  object,
  optional,
  preset,
} from '../../../src/base/schema/schema.ts'
import {
  createQueryReader,
  decodePart,
  parseQuery,
  queryNumberMax,
  sentenceOf,
} from '../../../src/http/input/query.ts'

t.test('pairs are decoded once, and a malformed escape is the caller’s mistake', async (t) => {
  t.same(parseQuery('a=1&b=x%20y+z&&c&d=a=b'), [
    ['a', '1'],
    ['b', 'x y z'],
    ['c', ''],
    ['d', 'a=b'],
  ])
  t.same(parseQuery('a=%2525'), [['a', '%25']])
  t.same(parseQuery(''), [])
  t.throws(() => decodePart('%zz'), { code: 'invalid_parameter' })
  t.throws(() => parseQuery('a=%ff'), { code: 'invalid_parameter' })
})

t.test('the largest number that a schema allows is read, and no larger one', async (t) => {
  const read = createQueryReader(object({ after: integer(0, queryNumberMax) }))
  t.same(read([['after', String(queryNumberMax)]]), { after: queryNumberMax })
  t.throws(() => read([['after', String(queryNumberMax + 1)]]), { code: 'invalid_parameter' })
})

t.test('texts become the types that the schema names', async (t) => {
  const read = createQueryReader(
    object({
      on: optional(flag),
      many: preset(integer(1, 9), 3),
      words: optional(listOf(anyText, 4)),
      name: optional(anyText),
    }),
  )
  t.same(read(parseQuery('')), { many: 3 })
  t.same(read(parseQuery('on=true&many=7&words=a,b&words=c&name=5')), {
    on: true,
    many: 7,
    words: ['a', 'b', 'c'],
    name: '5',
  })
  for (const wrong of ['on=1', 'many=x', 'many=0', 'many=1e3', 'many=', 'name=a&name=b', 'zip=1']) {
    t.throws(() => read(parseQuery(wrong)), { code: 'invalid_parameter' }, wrong)
  }
  t.throws(() => read(parseQuery('__proto__=1')), { code: 'invalid_parameter' })
  t.throws(() => read(parseQuery('zip=1')), { message: 'zip is not a parameter of this operation' })
})

t.test('a list of problems becomes one sentence', async (t) => {
  const problem = (pointer: string) => ({ pointer, keyword: 'x', message: 'is wrong' })
  t.equal(sentenceOf([problem('/a/b')], 'body'), 'a.b is wrong')
  t.equal(sentenceOf([problem('')], 'body'), 'body is wrong')
  t.equal(sentenceOf([problem('/a'), problem('/b')], 'body'), 'a is wrong (and 1 more problem)')
  const three = [problem('/a'), problem('/b'), problem('/c')]
  t.equal(sentenceOf(three, 'body'), 'a is wrong (and 2 more problems)')
})
