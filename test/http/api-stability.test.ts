// A client of the last release is understood by this version, and understands it: docs/api-stability.md.
//
// RELEASE=1 writes test/golden/api/openapi.json.br anew: for a release, and for nothing else.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import t from 'tap'
import { apiRoutes } from '../../src/http/api/api.ts'
import { openApiDocument } from '../../src/http/openapi/openapi.ts'
import { type ApiDocument, apiBreaks } from '../support/api-breaks.ts'

const file = join(import.meta.dirname, '../golden/api/openapi.json.br')

// Its TypeScript type says less than what it holds.
const parsed = (json: string) => JSON.parse(json) as ApiDocument
const current = JSON.stringify(openApiDocument(apiRoutes, { baseUrl: '', version: '' }))

t.test('no request of a client of the last release is refused, and no field is gone', async (t) => {
  if (process.env.RELEASE) writeFileSync(file, brotliCompressSync(current))
  const released = parsed(brotliDecompressSync(readFileSync(file)).toString())
  t.same(apiBreaks(released, parsed(current)), [])
})

const monitor = {
  type: 'object',
  required: ['id', 'state'],
  properties: {
    id: { type: 'string' },
    state: { enum: ['up', 'down'] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
}
const body = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 120 },
    kind: { enum: ['http', 'ping'], default: 'http' },
    target: { anyOf: [{ $ref: '#/components/schemas/Target' }, { type: 'null' }] },
  },
}
const target = { type: 'object', properties: { port: { type: 'integer', minimum: 1 } } }

/** A small document, as JSON. */
const example = JSON.stringify({
  paths: {
    '/monitors': {
      post: {
        operationId: 'monitors.create',
        security: [{ session: [] }, { apiKey: [] }],
        parameters: [{ name: 'dryRun', in: 'query', schema: { type: 'boolean' } }],
        requestBody: { required: true, content: { 'application/json': { schema: body } } },
        responses: {
          200: {
            headers: { ETag: {} },
            content: { 'application/json': { schema: monitor } },
          },
          422: { content: { 'application/problem+json': { schema: monitor } } },
        },
      },
    },
  },
  components: { schemas: { Target: target } },
})

type Change = readonly [title: string, from: string, to: string, breaks: readonly string[]]

const place = 'POST /monitors'
const changes: readonly Change[] = [
  ['another path', '"/monitors"', '"/checks"', [`${place}: is gone`]],
  ['another method', '"post"', '"put"', [`${place}: is gone`]],
  [
    'another name of the operation',
    'monitors.create',
    'monitors.make',
    [`${place}: is called monitors.make now`],
  ],
  ['a way in less', ',{"apiKey":[]}', '', [`${place}: can no longer be called with apiKey`]],
  ['a parameter of another name', '"dryRun"', '"isDryRun"', [`${place} query dryRun: is gone`]],
  [
    'a parameter that is required',
    '"in":"query"',
    '"in":"query","required":true',
    [`${place} query dryRun: is required now`],
  ],
  [
    'a parameter of another type',
    '"type":"boolean"',
    '"type":"string"',
    [`${place} query dryRun: is no longer boolean`],
  ],
  [
    'a field that is required',
    '"required":["name"]',
    '"required":["name","kind"]',
    [`${place} body/kind: is required now`],
  ],
  ['a field of another name', '"target"', '"goal"', [`${place} body/target: is gone`]],
  [
    'a lower bound',
    '"maxLength":120',
    '"maxLength":80',
    [`${place} body/name: maxLength is 80 now`],
  ],
  [
    'a bound within a named schema',
    '"minimum":1}',
    '"minimum":2}',
    [`${place} body/target/port: minimum is 2 now`],
  ],
  [
    'null that is refused',
    '"#/components/schemas/Target"},{"type":"null"}',
    '"#/components/schemas/Target"}',
    [`${place} body/target: is no longer null`],
  ],
  ['a kind less', '"http","ping"', '"http"', [`${place} body/kind: is no longer "ping"`]],
  [
    'another default',
    '"default":"http"',
    '"default":"ping"',
    [`${place} body/kind: has another default`],
  ],
  [
    'a form that is asked',
    '"minLength":1',
    '"minLength":1,"pattern":"^a"',
    [`${place} body/name: has another pattern`],
  ],
  ['a header less', '"ETag"', '"Etag2"', [`${place} 200 header ETag: is gone`]],
  ['an answer with another status', '"200"', '"201"', [`${place} 200: is gone`]],
  ['a field less in answers', '"note"', '"text"', [`${place} 200/note: is gone`]],
  [
    'a field that answers may lack',
    '"required":["id","state"]',
    '"required":["id"]',
    [`${place} 200/state: may be absent now`],
  ],
  [
    'a field of answers that may be null',
    '"id":{"type":"string"}',
    '"id":{"anyOf":[{"type":"string"},{"type":"null"}]}',
    [`${place} 200/id: may be null now`],
  ],
  // What breaks nobody.
  ['a higher bound', '"maxLength":120', '"maxLength":200', []],
  ['a kind more', '"http","ping"', '"http","ping","tcp"', []],
  ['a state more in answers', '"up","down"', '"up","down","paused"', []],
  ['an optional field more', '"kind":{', '"tags":{"type":"array"},"kind":{', []],
  ['a field more in answers', '"id":{', '"age":{"type":"integer"},"id":{', []],
  ['an optional parameter more', '[{"name"', '[{"name":"q","in":"query","schema":{}},{"name"', []],
  ['an operation more', '"post":{', '"get":{},"post":{', []],
  ['a refusal less', '"422"', '"409"', []],
]

for (const [title, from, to, breaks] of changes) {
  const words = breaks.length === 0 ? 'breaks nobody' : 'is found, with its place'
  t.test(`${title}: ${words}`, async (t) => {
    t.same(apiBreaks(parsed(example), parsed(example.replaceAll(from, to))), breaks)
  })
}
