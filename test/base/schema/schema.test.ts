// Schemas: what they let in, what they say, what they let out.

import t from 'tap'
import Type from 'typebox'
import { createPick } from '../../../src/base/schema/pick.ts'
import {
  anyText,
  described,
  flag,
  idOf,
  integer,
  isoTime,
  listOf,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  patchOf,
  preset,
  shownAs,
  text,
  toIso,
  usually,
} from '../../../src/base/schema/schema.ts'
import { createCheck } from '../../../src/base/schema/validate.ts'

const Monitor = object({
  name: text({ charsMin: 2, charsMax: 5 }),
  slug: optional(text({ charsMax: 9, pattern: '^[a-z]+$', rule: 'must be lower-case letters' })),
  minutes: preset(integer(1, 60), 5),
  isOn: preset(flag, true),
  method: preset(oneOf(['GET', 'HEAD']), 'GET'),
  note: optional(nullable(text({ charsMax: 5 }))),
  headers: optional(mapOf(text({ charsMax: 3 }), 2)),
  tags: optional(listOf(anyText, 2)),
  owner: optional(idOf('user')),
  at: optional(isoTime),
  email: optional(text({ charsMax: 50, format: 'email' })),
})
const check = createCheck(Monitor, 10)
const said = (value: unknown) => check(value).map(({ pointer, message }) => `${pointer} ${message}`)

t.test('missing fields are filled in, given ones stay', async (t) => {
  const value = { name: 'abc', minutes: 7 }
  t.same(check(value), [])
  t.same(value, { name: 'abc', minutes: 7, isOn: true, method: 'GET' })
})

t.test('defaults are copies', async (t) => {
  const filled = createCheck(object({ list: preset(listOf(anyText, 3), ['a']) }), 10)
  const [one, two]: { list: string[] }[] = [{}, {}] as never
  filled(one)
  filled(two)
  one?.list.push('b')
  t.same(two?.list, ['a'])
})

t.test('each rule has its sentence', async (t) => {
  t.same(said({}), ['/name is required'])
  t.same(said({ name: '' }), ['/name must not be empty'])
  t.same(said({ name: 'a' }), ['/name must have at least 2 characters'])
  t.same(said({ name: 'abcdef' }), ['/name must have at most 5 characters'])
  t.same(said({ name: 7 }), ['/name must be a string'])
  t.same(said({ name: 'abc', slug: 'A' }), ['/slug must be lower-case letters'])
  t.same(said({ name: 'abc', minutes: 0 }), ['/minutes must be at least 1'])
  t.same(said({ name: 'abc', minutes: 61 }), ['/minutes must be at most 60'])
  t.same(said({ name: 'abc', minutes: 1.5 }), ['/minutes must be a whole number'])
  t.same(said({ name: 'abc', isOn: 'yes' }), ['/isOn must be true or false'])
  t.same(said({ name: 'abc', method: 'POST' }), ['/method must be one of GET, HEAD'])
  const orNothing = createCheck(object({ format: nullable(oneOf(['json', 'xml', ''])) }), 9)
  const [wrong] = orNothing({ format: 'yaml' })
  t.equal(wrong?.message, 'must be one of json, xml', 'an empty word is no choice')
  t.same(said({ name: 'abc', note: 7 }), ['/note must be a string or null'])
  t.same(said({ name: 'abc', note: 'abcdef' }), ['/note must have at most 5 characters'])
  t.same(said({ name: 'abc', headers: { a: 'long' } }), [
    '/headers/a must have at most 3 characters',
  ])
  t.same(said({ name: 'abc', headers: { a: '', b: '', c: '' } }), [
    '/headers must have at most 2 fields',
  ])
  t.same(said({ name: 'abc', tags: ['', '', ''] }), ['/tags must have at most 2 entries'])
  t.same(said({ name: 'abc', tags: 'x' }), ['/tags must be a list'])
  t.same(said({ name: 'abc', owner: 'usr_x' }), ['/owner must be the id of a user'])
  const [noIncident] = createCheck(idOf('incident'), 9)('inc_x')
  t.equal(noIncident?.message, 'must be the id of an incident')
  t.same(said({ name: 'abc', at: 'now' }), ['/at must be a valid date-time'])
  t.same(said({ name: 'abc', email: 'x' }), ['/email must be a valid email'])
  t.same(said([]), [' must be an object'])
  t.same(said(null), [' must be an object'])
})

t.test('all problems are reported, up to the bound, with escaped pointers', async (t) => {
  t.equal(said({ minutes: 0, isOn: 1, method: 1 }).length, 4)
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, 1]))
  t.equal(said(many).length, 10)
  t.same(said({ name: 'abc', 'a/b~c': 1 }), ['/a~1b~0c is not a known field'])
})

t.test('of several shapes the intended one is explained', async (t) => {
  const either = Type.Union([
    object({ type: Type.Literal('mail'), to: anyText }),
    object({ type: Type.Literal('hook'), url: text({ charsMin: 3, charsMax: 9 }) }),
  ])
  const checkEither = createCheck(either, 10)
  t.same(checkEither({ type: 'hook', url: 'x' }), [
    { pointer: '/url', keyword: 'minLength', message: 'must have at least 3 characters' },
  ])
  t.same(checkEither({ type: 'mail', to: 'x' }), [])
  t.equal(checkEither({ type: 'fax' }).length, 1)
})

t.test('a merge patch requires nothing, fills in nothing, and clears with null', async (t) => {
  const checkPatch = createCheck(patchOf(Monitor), 10)
  const value = {}
  t.same(checkPatch(value), [])
  t.same(value, {})
  t.same(checkPatch({ minutes: null, slug: null, note: null }), [])
  t.equal(checkPatch({ name: null }).length, 1)
  t.equal(checkPatch({ zip: 1 }).length, 1)
  t.same(checkPatch({ minutes: 0 })[0]?.message, 'must be at least 1')
})

t.test('only fields that a schema names are written, at every depth', async (t) => {
  const pick = createPick(
    object({
      id: anyText,
      inner: nullable(object({ a: anyText })),
      list: listOf(object({ b: anyText }), 9),
      map: mapOf(object({ c: anyText }), 9),
      missing: optional(anyText),
      free: Type.Unknown(),
    }),
  )
  const record = {
    id: 'x',
    secret: 1,
    inner: { a: 'a', secret: 1 },
    list: [{ b: 'b', secret: 1 }],
    map: { k: { c: 'c', secret: 1 } },
    free: { any: 1 },
  }
  t.same(pick(record), {
    id: 'x',
    inner: { a: 'a' },
    list: [{ b: 'b' }],
    map: { k: { c: 'c' } },
    free: { any: 1 },
  })
  t.same(pick({ id: 'x', inner: null }), { id: 'x', inner: null })
})

t.test('of several shapes only the fields of the right one leave', async (t) => {
  const pick = createPick(
    Type.Union([
      object({ type: oneOf(['mail']), to: anyText }),
      object({ type: oneOf(['hook']), url: anyText }),
      Type.Null(),
    ]),
  )
  t.same(pick({ type: 'hook', url: 'u', to: 'x', token: 's' }), { type: 'hook', url: 'u' })
  t.same(pick({ type: 'fax', token: 's' }), null, 'a shape that is not known does not leave at all')
  t.same(pick(null), null)
})

t.test('times are ISO 8601 with milliseconds', async (t) => {
  t.equal(toIso(0), '1970-01-01T00:00:00.000Z')
  const days = [-62_198_755_200_000, -1, 1_709_164_800_000, 253_402_300_800_000]
  for (const dayMs of days) {
    for (const ms of [0, 9, 99, 999, 59_999, 3_599_999, 86_399_999, 0.5]) {
      t.equal(toIso(dayMs + ms), new Date(dayMs + ms).toISOString())
    }
  }
  t.throws(() => toIso(Number.NaN), RangeError)
})

t.test('a default that is only named is not filled in', async (t) => {
  const Note = object({
    name: described(text({ charsMax: 5 }), 'What it is called.'),
    minutes: optional(usually(described(integer(1, 60), 'Between two.'), 5)),
    note: optional(usually(described(nullable(text({ charsMax: 5 })), 'For people.'), null)),
  })
  const value = { name: 'abc' }
  t.same(createCheck(Note, 10)(value), [])
  t.same(value, { name: 'abc' })
  const patch = patchOf(Note)
  const { properties } = JSON.parse(JSON.stringify(patch))
  t.match(properties, {
    name: { type: 'string', description: 'What it is called.' },
    minutes: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'For people.' },
  })
  t.equal(properties.minutes.description, 'Between two. Null: the default, `5`.')
  t.equal(properties.note.anyOf.length, 2, 'null is one of its shapes once')
  t.notMatch(JSON.stringify(patch), /"(x-)?default"/)
  t.same(createCheck(patch, 10)({ minutes: null, note: null }), [])
  t.match(createCheck(patch, 10)({ note: 5 }), [{ message: 'must be a string or null' }])
})

t.test(
  'an answer has what was sent in its shape, also lists and maps inside of others',
  async (t) => {
    const sent = object({ steps: listOf(object({ headers: mapOf(text({ charsMax: 3 }), 2) }), 2) })
    const shown = createCheck(object({ of: shownAs(sent) }), 10)
    t.same(shown({ of: { steps: [{ headers: { 'x-a': 'longer than before' } }] } }), [])
    t.match(shown({ of: { steps: [{ headers: { 'x-a': 1 } }] } }), [
      { pointer: '/of/steps/0/headers/x-a', keyword: 'type' },
    ])
  },
)
