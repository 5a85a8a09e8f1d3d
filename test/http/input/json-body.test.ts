// JSON bodies: what is refused before any schema looks.
import t from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import { createYielder } from '../../../src/base/yielding.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { parseJsonBody, parseLargeJson } from '../../../src/http/input/json-body.ts'
import {
  jsonKeysAtOnceMax,
  jsonListsMax,
  jsonValuesAtOnceMax,
} from '../../../src/http/input/json-scan.ts'
import { amount, patient } from '../../support/depth.ts'
import { createDice, createStopwatch, mutated } from '../../support/fuzz.ts'

const parse = (body: string | Buffer, keysMax = 5) => parseJsonBody(Buffer.from(body), { keysMax })

t.test('values come through as they are', async (t) => {
  t.same(parse('{"a":[1,{"b":"x:y\\":z\\\\"}],"c":null}'), { a: [1, { b: 'x:y":z\\' }], c: null })
  t.same(parse(''), {})
  t.same(parse('[]'), [])
  t.same(parse('{"é":"😀"}'), { é: '😀' })
})

t.test('harmful or ambiguous bodies are refused', async (t) => {
  const deep = limits.jsonDepthMax
  const wrong: Record<string, string | Buffer> = {
    'no JSON': 'x',
    'cut short': '{"a":',
    'a key twice': '{"a":1,"a":2}',
    'a key twice inside': '{"x":[{"a":1,"\\u0061":2}]}',
    prototype: '{"a":{"__proto__":{"x":1}}}',
    constructor: '{"constructor":1}',
    'half a surrogate': '{"a":"\\udc00"}',
    'half a surrogate in a key': '{"\\ud800":1}',
    'no UTF-8': Buffer.from([0x22, 0xff, 0x22]),
    'too many keys': '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}',
    'too deep': '['.repeat(deep + 1) + ']'.repeat(deep + 1),
    'far too deep': '['.repeat(5_000) + ']'.repeat(5_000),
    'a byte order mark': '\ufeff{}',
  }
  for (const [name, body] of Object.entries(wrong)) {
    t.throws(() => parse(body), { code: 'malformed_json' }, name)
    t.throws(() => parse(body), Fault, name)
  }
  t.ok(parse('['.repeat(deep) + ']'.repeat(deep)))
})

/** A yielder whose slices are over at once, so that everything happens in as many pieces as it can. */
const yielder = () => createYielder({ monoMs: () => 0 }, 0)
const large = (body: string | Buffer, keysMax = 1_000_000) =>
  parseLargeJson(Buffer.from(body), { keysMax }, yielder())

t.test('a large body is read in slices, and means the same', async (t) => {
  const item = { name: 'é😀"\\,]}', tags: [[], {}, [1, [2]]], text: 'x'.repeat(2_000) }
  const list = Array.from({ length: 1_000 }, (_, at) => ({ ...item, at }))
  const bodies = [
    { monitors: list, name: 'é,[', channels: [], pages: [[]], last: [list[0]] },
    [list, 'text', list],
    { 'a"b': list, nested: { list: list.slice(0, 9) } },
    'text',
    0,
    [],
  ]
  for (const body of bodies) {
    for (const spaces of [0, 1]) {
      const text = JSON.stringify(body, null, spaces)
      t.strictSame(await large(text), body)
    }
  }
})

t.test('large or small, the same is refused', async (t) => {
  const long = JSON.stringify('x'.repeat(limits.jsonSliceBytes))
  const wrong: Record<string, string> = {
    'a comma at the end': `{"a":[${long},]}`,
    'a comma at the beginning': `{"a":[,${long}]}`,
    'a comma too many': `{"a":[${long},,${long}]}`,
    'no comma': `{"a":[${long} ${long}]}`,
    'the wrong bracket': `{"a":[${long}}]`,
    'an open list': `{"a":[${long}`,
    'an open string': `{"a":[${long},"x]}`,
    'brackets crossed in an item': `{"a":[${long},{"b":[1}]]}`,
    'something after it': `{"a":[${long}]} x`,
    'two values': `{"a":[${long}]}{}`,
    'a key twice': `{"a":[${long}],"a":[]}`,
    'a key twice in an item': `{"a":[${long},{"b":1,"b":2}]}`,
    prototype: `{"a":[${long},{"__proto__":1}]}`,
    'half a surrogate': `{"a":[${long},"\\udc00"]}`,
    'too deep': `{"a":[${long},${'['.repeat(limits.jsonDepthMax)}]}`,
  }
  for (const [name, body] of Object.entries(wrong)) {
    t.throws(() => parse(body, 1_000_000), { code: 'malformed_json' }, name)
    await t.rejects(large(body), { code: 'malformed_json' }, `${name}, in slices`)
  }
  await t.rejects(large(Buffer.from([0x22, 0xff, 0x22])), { code: 'malformed_json' })
})

t.test('what would take long to parse is refused before it is parsed', async (t) => {
  const many = jsonValuesAtOnceMax
  const hostile = ['0,', '[],', '"",', '1e-9,'].map((part) => part.repeat(many + 1).slice(0, -1))
  for (const items of hostile) {
    for (const body of [`[${items}]`, `{"a":{"b":[${items}]}}`, `{"a":[{"b":[${items}]}]}`]) {
      t.throws(() => parse(body), { message: /too many (values|lists)/ })
      await t.rejects(large(body), { message: /too many (values|lists)/ })
    }
    t.throws(() => parse(`{"a":[${items}]}`), { message: /too many items/ })
    await t.rejects(large(`{"a":[${items}]}`), { message: /too many items/ })
  }
  // What is spread over the items of a list is parsed in slices.
  const item = `[${'0,'.repeat(limits.jsonSliceBytes / 2)}0]`
  t.equal(Object(await large(`{"a":[${item},${item},${item}]}`)).a.length, 3)
  // Keys cost more than other values; what a list has in all is not parsed at once.
  const keys = Array.from({ length: jsonKeysAtOnceMax + 1 }, (_, at) => `"${at}":0`).join()
  for (const body of [
    `{${keys}}`,
    `{"a":{${keys}}}`,
    `{"a":[{${keys}}]}`,
    `[0,{"b":[{${keys}}]}]`,
  ]) {
    await t.rejects(large(body), { message: /too many keys/ })
  }
  const objects = '{"a":{"b":0}},'.repeat(jsonKeysAtOnceMax)
  t.equal(Object(await large(`{"a":[${objects}0]}`)).a.length, jsonKeysAtOnceMax + 1)
  const lists = '[],'.repeat(jsonListsMax)
  await t.rejects(large(`[${lists}[]]`), { message: /too many lists/ })
  const nested = '['.repeat(8_000_000)
  t.throws(() => parse(nested), { message: /nested deeper/ })
  await t.rejects(large(nested), { message: /nested deeper/ })
})

t.test(
  'under fire a body is what JSON says, or is refused, in one piece and in slices',
  async (t) => {
    const dice = createDice()
    const text = JSON.stringify({
      a: [1, { b: 'c"\\' }, null],
      d: { e: -1.5e3, f: [[], {}] },
      g: '😀',
    })
    const signs = ['{', '}', '[', ']', ':', ',', '"', '\\']
    const pieces = [
      ...signs,
      '"a":',
      '\\u',
      '\\ud800',
      'null',
      '1e999',
      '__proto__',
      '['.repeat(40),
    ]
    const watch = createStopwatch(patient(10))
    for (let left = amount(400, 100_000); left > 0; left -= 1) {
      const bent = mutated(dice, text, pieces).toWellFormed()
      let value: unknown = 'refused'
      watch.time(bent, () => {
        try {
          value = parse(bent, 50)
          t.same(value, bent === '' ? {} : JSON.parse(bent))
        } catch (cause) {
          if (!(cause instanceof Fault)) throw new Error(`on ${bent}`, { cause })
        }
      })
      if (bent === '') continue
      const inSlices = await large(bent, 50).catch((cause) => {
        if (!(cause instanceof Fault)) throw new Error(`on ${bent}`, { cause })
        return 'refused'
      })
      t.strictSame(inSlices, value, bent)
    }
    t.same(watch.slow().slice(0, 5), [])
  },
)
