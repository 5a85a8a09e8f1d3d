// The page of one operation, from a document.
import t from 'tap'
import { toText } from '../../../src/pages/html.ts'
import { fieldsOf, typeOf } from '../../../src/pages/reference/fields.ts'
import type { OpenApi, OpenApiOperation } from '../../../src/pages/reference/openapi-types.ts'
import { curlCommand, operationPage } from '../../../src/pages/reference/operation-page.ts'
import { prose } from '../../../src/pages/reference/prose.ts'
import { payloads } from '../../support/xss-payloads.ts'

const paths = { css: '/a.css', script: '/a.js' }

function makeOperation(more: Partial<OpenApiOperation> = {}): OpenApiOperation {
  return {
    operationId: 'notes.create',
    tags: ['notes'],
    summary: 'Create a note',
    description: 'It is kept.',
    security: [{ apiKey: [] }],
    parameters: [{ name: 'orgId', in: 'path', required: true, schema: { type: 'string' } }],
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['title'],
            properties: { title: { type: 'string' } },
          },
          example: { title: "It's here" },
        },
      },
    },
    responses: { 200: { description: 'Note created' } },
    ...more,
  }
}

function makeApi(operation: OpenApiOperation): OpenApi {
  return {
    info: { title: 'stillup', version: '1.0.0', description: '', 'x-program-version': '1.2.3' },
    servers: [{ url: 'https://up.example' }],
    tags: [{ name: 'notes' }],
    paths: { '/api/v1/orgs/{orgId}/notes/{noteId}': { post: operation } },
    components: { responses: {}, headers: {} },
  }
}

t.test('a page says what to send, how, and what comes back', async (t) => {
  const page = operationPage(makeApi(makeOperation()), 'notes.create', paths)
  const text = page && toText(page)
  t.match(text, '<h1>Create a note</h1>')
  t.match(text, '<code class="name">title</code> <span class="type">text</span> <strong>required')
  t.match(text, '<p>Note created</p>')
  t.equal(operationPage(makeApi(makeOperation()), 'notes.none', paths), undefined)
})

t.test('each kind of a body is shown with its example and its fields', async (t) => {
  const operation = makeOperation({
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { type: { type: 'string' } },
            oneOf: [{ $ref: '#/components/schemas/PostIt' }],
            discriminator: { propertyName: 'type' },
          },
        },
      },
    },
  })
  const api = makeApi(operation)
  const PostIt = {
    title: 'Post-it',
    description: 'Where to get it: <https://notes.example/a?b=1>.',
    properties: {
      type: { const: 'post-it' },
      config: { type: 'object', properties: { colour: { type: 'string' } } },
    },
    examples: [{ type: 'post-it', config: { colour: '<red>' } }],
  }
  const withSchemas = { ...api, components: { ...api.components, schemas: { PostIt } } }
  const page = operationPage(withSchemas, 'notes.create', paths)
  const text = page && toText(page)
  t.match(text, '<p>What <code>type</code> decides:</p>\n<details><summary>Post-it</summary>')
  t.match(text, '<a href="https://notes.example/a?b=1">https://notes.example/a?b=1</a>.')
  t.match(text, '&quot;colour&quot;: &quot;&lt;red&gt;&quot;')
  t.match(text, '<details open><summary>Fields of config</summary>')
  t.match(text, '<code class="name">colour</code>')
})

t.test('texts of the document stay texts', async (t) => {
  for (const payload of payloads) {
    const operation = makeOperation({ summary: payload, description: payload })
    const page = operationPage(makeApi(operation), 'notes.create', paths)
    t.notMatch(page && toText(page), /<script>|<img|<svg|onerror="/)
  }
})

t.test('the command can be pasted into a shell', async (t) => {
  const path = '/api/v1/orgs/{orgId}/notes/{noteId}'
  const command = curlCommand(
    { method: 'POST', path, operation: makeOperation() },
    'https://up.example',
  )
  t.equal(
    command,
    [
      'curl -sS -X POST',
      '-H "x-api-key: $KEY"',
      "-H 'content-type: application/json'",
      `-d '{"title":"It'\\''s here"}'`,
      '"https://up.example/api/v1/orgs/$ORG/notes/$NOTE_ID"',
    ].join(' \\\n  '),
  )
  const credentials: [scheme: string, option: string | undefined][] = [
    ['session', '-b stillup.cookies'],
    ['sessionHeader', '-H "auth-token: $SESSION"'],
    ['bearer', '-H "authorization: Bearer $SYSTEM_TOKEN"'],
  ]
  for (const [scheme, option] of credentials) {
    const { requestBody: _none, ...operation } = makeOperation({ security: [{ [scheme]: [] }] })
    t.equal(curlCommand({ method: 'GET', path, operation }, '').split(' \\\n  ')[1], option)
  }
})

t.test('types are told in words', async (t) => {
  t.equal(typeOf({ type: 'string', minLength: 1, maxLength: 1_200 }), 'text, 1 to 1,200 characters')
  t.equal(
    typeOf({ type: 'integer', minimum: 1, default: 5 }),
    'whole number, at least 1, default 5',
  )
  t.equal(typeOf({ type: 'string', format: 'email', maxLength: 254 }), 'e-mail address')
  t.equal(typeOf({ type: 'string', pattern: '^mon_[0-7][0-9a-z]{25}$' }), 'id, mon_…')
  t.equal(typeOf({ enum: ['up', 'down'] }), '"up" | "down"')
  t.equal(typeOf({ const: true }), 'always true')
  t.equal(typeOf({ anyOf: [{ type: 'boolean' }, { type: 'null' }] }), 'true or false, or null')
  t.equal(
    typeOf({ type: 'array', items: { type: 'string' }, maxItems: 9 }),
    'list of text, at most 9 entries',
  )
  t.equal(typeOf({ patternProperties: { '^.*$': { type: 'string' } } }), 'map of text')
  t.equal(typeOf({}), 'any value')
  t.equal(fieldsOf({ type: 'string' }), undefined)
  const accent = { anyOf: [{ type: 'string', description: 'Of links.' }, { type: 'null' }] }
  const shown = fieldsOf({ type: 'object', properties: { accent } })
  t.match(shown && toText(shown), '<p>Of links.</p>', 'also of a field that may be null')
})

t.test('descriptions become paragraphs, lists and code', async (t) => {
  t.equal(
    toText(prose('One `a<b`.\n- first\n- second\n\nTwo.')),
    '<p>One <code>a&lt;b</code>.</p>\n<ul><li>first</li><li>second</li></ul>\n<p>Two.</p>\n',
  )
})
