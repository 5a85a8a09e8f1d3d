// Messages of Protocol Buffers whose types are hostile: reading them takes little, whatever they say.
import { create, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import t from 'tap'
import { RunError } from '../../../src/net/run/guarded-run.ts'
import {
  createDescribedFiles,
  messageProblem,
  methodIn,
} from '../../../src/probes/rpc/proto-types.ts'

const repeat = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join('\n')
const service = 'message Q {} service S { rpc M(Q) returns (R); }'
const proto = (types: string) => `syntax = "proto3"; package a; ${types} ${service}`
const methodOf = (types: string) => {
  const method = methodIn(proto(types), 'a.S/M')
  if (method === undefined) throw new Error('no method')
  return method
}
const file = (name: string, dependency: readonly string[] = []) =>
  toBinary(
    FileDescriptorProtoSchema,
    create(FileDescriptorProtoSchema, { name, dependency: [...dependency] }),
  )
/** The kind of the failure that a call throws. */
function kindOf(call: () => unknown): unknown {
  try {
    call()
    return undefined
  } catch (cause) {
    return cause instanceof RunError ? cause.failure.kind : cause
  }
}

t.test(
  'a small answer has its empty fields, and one that stands for much is refused',
  async (t) => {
    const wide = `message R { repeated I i = 1; } message I { ${repeat(200, (n) => `int32 f${n} = ${n + 1};`)} }`
    const method = methodOf(wide)
    t.match(method.decode(Buffer.from([10, 0])), { i: [{ f0: 0, f199: 0 }] })
    const begun = performance.now()
    t.equal(
      kindOf(() => method.decode(Buffer.alloc(120_000, Buffer.from([10, 0])))),
      'body_too_large',
    )
    t.ok(performance.now() - begun < 1_000)

    const name = 'N'.repeat(5_000)
    const named = methodOf(`message R { repeated E e = 1; } enum E { ${name} = 0; }`)
    t.same(named.decode(Buffer.from([10, 1, 0])), { e: [name] })
    const values = Buffer.concat([Buffer.from([10, 0xa0, 0x8d, 6]), Buffer.alloc(100_000)])
    t.equal(
      kindOf(() => named.decode(values)),
      'body_too_large',
    )

    const maps = methodOf(
      'message R { map<int32, I> m = 1; } message I { string s = 1; int32 n = 2; }',
    )
    t.same(maps.decode(Buffer.from([10, 6, 8, 1, 18, 2, 16, 3])), { m: { 1: { s: '', n: 3 } } })
    t.same(maps.decode(Buffer.from([10, 2, 8, 1])), { m: { 1: { s: '', n: 0 } } })
  },
)

t.test('a message of any type is weighed as what it is', async (t) => {
  const wide = `message R { repeated google.protobuf.Any a = 1; } message I { ${repeat(200, (n) => `int32 f${n} = ${n + 1};`)} }`
  const method = methodIn(
    proto(wide).replace('package', 'import "google/protobuf/any.proto"; package'),
    'a.S/M',
  )
  const any = Buffer.from('\n\x06\n\x04/a.I')
  t.match(method?.decode(any), { a: [{ '@type': '/a.I', f0: 0 }] })
  t.equal(
    kindOf(() => method?.decode(Buffer.alloc(any.length * 10_000, any))),
    'body_too_large',
  )
})

t.test('a server describes its types with so many files', async (t) => {
  const files = createDescribedFiles()
  files.add(file('a', ['google/protobuf/any.proto', 'b']))
  t.equal(files.missing(), 'b')
  const chain = () => {
    for (let at = 0; at < 30_000; at += 1) files.add(file(`f${at}`, [`f${at + 1}`]))
  }
  t.equal(kindOf(chain), 'body_too_large')
  const names = Array.from({ length: 100_000 }, (_, at) => String(at))
  t.equal(
    kindOf(() => createDescribedFiles().add(file('a', names))),
    'body_too_large',
  )
  t.equal(
    kindOf(() => createDescribedFiles().add(Buffer.alloc(1_100_000))),
    'body_too_large',
  )
})

t.test('a .proto file has so many fields', async (t) => {
  const long = proto(`message R { ${repeat(3_500, (n) => `int32 f${n} = ${n + 1};`)} }`)
  const begun = performance.now()
  t.match(messageProblem(long), /at most 16 KiB and 300 fields$/)
  t.match(messageProblem(`//${'x'.repeat(20_000)}\n${proto('message R {}')}`), /at most 16 KiB/)
  t.equal(
    kindOf(() => methodIn(long, 'a.S/M')),
    'blocked',
  )
  t.ok(performance.now() - begun < 1_000)
  t.equal(
    kindOf(() => methodIn('message {', 'a.S/M')),
    'blocked',
  )
  t.equal(
    messageProblem(proto(`message R { ${repeat(290, (n) => `int32 f${n} = ${n + 1};`)} }`)),
    null,
  )
})
