// Explanations of rules that ranges, fixed words and lists of things have.

import t from 'tap'
import Type from 'typebox'
import { explain } from '../../../src/base/schema/explain.ts'
import { object } from '../../../src/base/schema/schema.ts'

const said = (schema: Type.TSchema, value: unknown) =>
  explain(schema, value).map(({ keyword, message }) => `${keyword}: ${message}`)

t.test('valid values need no explanation', async (t) => {
  t.same(said(object({ a: Type.Optional(Type.Number()) }), {}), [])
  t.same(said(Type.Union([Type.String(), Type.Null()]), null), [])
})

t.test('ranges and steps', async (t) => {
  t.same(said(Type.Number({ exclusiveMinimum: 1 }), 1), ['exclusiveMinimum: must be above 1'])
  t.same(said(Type.Number({ exclusiveMaximum: 1 }), 1), ['exclusiveMaximum: must be below 1'])
  t.same(said(Type.Integer({ multipleOf: 5 }), 7), ['multipleOf: must be a multiple of 5'])
})

t.test('lists and objects of a size', async (t) => {
  t.same(said(Type.Array(Type.String(), { minItems: 1 }), []), [
    'minItems: must have at least 1 entries',
  ])
  t.same(said(Type.Array(Type.String(), { uniqueItems: true }), ['a', 'a']), [
    'uniqueItems: must not contain duplicates',
  ])
  t.same(said(Type.Array(Type.Number()), [1, 'x']), ['type: must be a number'])
})

t.test('fixed words', async (t) => {
  t.same(said(Type.Literal('a'), 'b'), ['const: must be "a"'])
  t.same(said(Type.Union([Type.Literal('a'), Type.Literal('b')]), 'c'), [
    'anyOf: must be "a" or "b"',
  ])
})

t.test('a rule in words replaces the pattern', async (t) => {
  const Label = Type.String({ pattern: '^[a-z]+$', 'x-rule': 'must be a label' })
  t.same(said(Label, '1'), ['pattern: must be a label'])
  t.same(said(Type.String({ pattern: '^[a-z]+$' }), '1'), ['pattern: must match ^[a-z]+$'])
})

t.test('for branches with constants, the matching one explains', async (t) => {
  const branch = (type: string, config: Type.TSchema) => ({
    properties: { type: { const: type }, config },
  })
  const schema = {
    ...object({ type: Type.Enum(['a', 'b']), config: Type.Unknown() }),
    oneOf: [branch('a', object({ x: Type.String() })), branch('b', object({ y: Type.String() }))],
  }
  const pointers = (value: unknown) => explain(schema, value).map(({ pointer }) => pointer)
  t.same(pointers({ type: 'b', config: { y: '' } }), [])
  t.same(pointers({ type: 'b', config: {} }), ['/config/y'])
  t.same(pointers({ type: 'a', config: { y: '' } }), ['/config/x', '/config/y'])
  t.same(pointers({ type: 'c', config: {} }), ['/type'], 'an unknown word is the only problem')
  t.same(pointers({ config: {} }), ['/type'], 'as is a missing one')
})
