// JSON bodies: what is refused before any schema looks.
import t from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { parseJsonBody } from '../../../src/http/input/json-body.ts'

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
