// Writing: the text of an answer is the same whether it is written at once or part by part.
import t from 'tap'
import { createPick } from '../../../src/base/schema/pick.ts'
import {
  anyNumber,
  anyText,
  listOf,
  nullable,
  object,
  optional,
} from '../../../src/base/schema/schema.ts'
import { Parts, Written, writerOf } from '../../../src/base/schema/write.ts'

const Out = object({
  id: anyText,
  state: anyText,
  seen: nullable(object({ at: anyNumber })),
  next: optional(anyText),
  name: anyText,
  tags: listOf(object({ tag: anyText }), 9),
  missing: optional(anyText),
})
const record = {
  id: 'a"b',
  name: 'ä',
  tags: [{ tag: 't', secret: 1 }],
  missing: undefined,
  secret: 1,
}
const seen = { seen: { at: 1, secret: 1 } }

t.test('the parts make up the whole text, with only the named fields', async (t) => {
  const write = writerOf(Out)
  for (const next of ['soon', undefined, 'late']) {
    const parts = Parts.of({ state: 'up', next, secret: 1 }, record, seen)
    const whole = JSON.stringify(createPick(Out)({ ...record, ...seen, state: 'up', next }))
    t.equal(write(parts), whole)
    t.equal(write({ ...record, ...seen, state: 'up', next }), whole)
    t.notMatch(whole, /secret|missing/)
  }
  t.equal(write(null), 'null')
  t.equal(write(undefined), 'null')
})

t.test('a first field that is missing leaves no comma behind', async (t) => {
  const write = writerOf(object({ a: optional(anyText), b: optional(anyText), c: anyText }))
  t.equal(write(Parts.of({ a: undefined }, { b: undefined }, { c: 'c' })), '{"c":"c"}')
  t.equal(write(Parts.of({ a: 'a' }, { b: undefined }, { c: 'c' })), '{"a":"a","c":"c"}')
})

t.test('a lasting part is written once, a new one again', async (t) => {
  let written = 0
  const counted = (name: string) => ({
    ...record,
    name: {
      toJSON() {
        written += 1
        return name
      },
    },
  })
  const lasting = counted('first')
  const write = writerOf(Out)
  for (const state of ['up', 'down']) {
    t.match(write(Parts.of({ state }, lasting, seen)), `"state":"${state}"`)
  }
  t.equal(written, 1)
  t.match(write(Parts.of({ state: 'up' }, counted('second'), seen)), '"name":"second"')
  t.match(write(Parts.of({ state: 'up' }, lasting, { seen: null })), '"seen":null')
})

t.test('a part with other fields than the one before is a bug that shows', async (t) => {
  const write = writerOf(object({ a: anyText, b: anyText, c: anyText }))
  t.equal(write(Parts.of({ a: '1' }, { b: '2' }, { c: '3' })), '{"a":"1","b":"2","c":"3"}')
  t.throws(() => write(Parts.of({ a: '1', b: '2' }, {}, { c: '3' })), /same fields/)
})

t.test('written in one piece it is the whole too', async (t) => {
  const text = JSON.stringify(Parts.of({ state: 'up' }, { id: 'a' }, seen))
  t.same(JSON.parse(text), { state: 'up', id: 'a', ...seen })
})

t.test('a list that was written before stays as it was written', async (t) => {
  const One = object({ a: anyText })
  const write = writerOf(object({ all: listOf(One, 9) }))
  const items = [{ a: '1', secret: 'x' }, { a: '2' }].map(writerOf(One))
  t.equal(write(Written.list('all', items)), '{"all":[{"a":"1"},{"a":"2"}]}')
  t.equal(write(Written.list('all', [])), '{"all":[]}')
})
