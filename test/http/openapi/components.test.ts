// Schemas that have a name are defined once, however often they are used.
import t from 'tap'
import { withComponents } from '../../../src/http/openapi/components.ts'
import { component } from '../../../src/http/routing/documented.ts'

t.test('a named schema is defined once and referred to', async (t) => {
  const inner = component('Inner', { type: 'string' })
  const outer = component('Outer', { type: 'object', properties: { inner } })
  const { node, schemas } = withComponents({ a: [outer, inner], b: outer, c: null, d: 'text' })
  const $ref = '#/components/schemas/Outer'
  t.same(node, {
    a: [{ $ref }, { $ref: '#/components/schemas/Inner' }],
    b: { $ref },
    c: null,
    d: 'text',
  })
  t.same(schemas, {
    Inner: { type: 'string' },
    Outer: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Inner' } } },
  })
})

t.test('two schemas of one name are a mistake of ours', async (t) => {
  const one = component('Same', { type: 'string' })
  const other = component('Same', { type: 'number' })
  t.throws(() => withComponents([one, other]), /one schema is named Same/)
})
