// The API's description and reference: right by the standard, and complete without the internet.
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { faults } from '../../../src/base/fault.ts'
import { apiRoutes } from '../../../src/http/api/api.ts'
import { openApiDocument } from '../../../src/http/openapi/openapi.ts'
import { readReferenceAssets } from '../../../src/pages/reference/reference-assets.ts'
import { styleSheet } from '../../../src/pages/style-sheet.ts'
import { orgA, startTestHttp } from '../../support/http.ts'
import { notesApi } from '../../support/http-routes.ts'

const world = { made: 0, aborted: 0, release: () => {} }
const http = await startTestHttp({ routes: notesApi(world) })
t.teardown(() => http.stop())

t.test('the description is valid OpenAPI 3.1 and names its version', async (t) => {
  const validator = new Validator()
  for (const routes of [notesApi(world), apiRoutes]) {
    const document = JSON.parse(
      JSON.stringify(openApiDocument(routes, { baseUrl: 'https://up.example', version: '1.2.3' })),
    )
    const { valid, errors } = await validator.validate(document)
    t.ok(valid, JSON.stringify(errors))
    t.equal(document.openapi, '3.1.0')
    t.equal(document.info.version, '1.0.0')
  }
})

t.test('every operation is described, under a name of its own', async (t) => {
  const { json } = await http.ask('/api/v1/openapi.json')
  const operations = Object.values<Record<string, { operationId: string }>>(json.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId }) => operationId)
  t.equal(new Set(operations).size, notesApi(world).length)
  const own = apiRoutes.map(({ name }) => name)
  t.equal(new Set(own).size, own.length)
})

t.test('every operation has a summary', async (t) => {
  const { paths } = openApiDocument(apiRoutes, {
    baseUrl: 'https://up.example',
    version: '1.2.3',
  }) as {
    readonly paths: Readonly<Record<string, Record<string, { readonly summary: string }>>>
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  t.equal(operations.length, apiRoutes.length)
  for (const { summary } of operations) {
    t.match(summary, /^[A-Z].* .*[^.\s]$/)
    t.notMatch(summary, /\.\s/, 'one sentence')
  }
})

t.test('the description says what callers may leave out, and who may ask', async (t) => {
  const { json } = await http.ask('/api/v1/openapi.json')
  const { post, get } = json.paths['/api/v1/orgs/{orgId}/notes']
  const body = post.requestBody.content['application/json'].schema
  t.same(body.required, ['title'])
  t.equal(body.properties.level.default, 3)
  t.same(
    get.parameters.map(({ name }: { name: string }) => name),
    ['orgId', 'tag', 'loud', 'limit', 'cursor'],
  )
  t.match(get.description, /role viewer/)
  t.same(get.security, [{ session: [] }, { apiKey: [] }, { bearer: [] }])
  t.match(json.components.schemas.Problem.examples[0], { success: false, status: 422 })
})

t.test('a client with the current description gets 304', async (t) => {
  const { headers } = await http.ask('/api/v1/openapi.json')
  const etag = headers.get('etag') ?? ''
  const again = await http.ask('/api/v1/openapi.json', { headers: { 'if-none-match': etag } })
  t.equal(again.status, 304)
})

t.test('the reference is served completely by this service, under a strict policy', async (t) => {
  for (const path of ['/docs', '/docs/notes.create', '/problems', '/problems/not_found']) {
    const page = await http.ask(path)
    t.equal(page.status, 200, path)
    const policy = page.headers.get('content-security-policy') ?? ''
    t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
    t.notMatch(policy, /unsafe|https?:/)
    t.notMatch(page.text, /(?:src|href)="https?:/)
    for (const [, asset = ''] of page.text.matchAll(/(?:src|href)="([^"#]+)"/g)) {
      if (asset.startsWith('data:')) continue
      // The front page, the style sheet of all pages and the typeface are not served here.
      if (asset === '/' || asset === styleSheet.path || asset.endsWith('.woff2')) continue
      const plain = await http.ask(asset, { headers: { 'accept-encoding': 'identity' } })
      t.equal(plain.status, 200, asset)
      t.equal(plain.headers.get('content-encoding'), null)
      const zipped = await http.ask(asset, { headers: { 'accept-encoding': 'gzip' } })
      t.equal(zipped.headers.get('content-encoding'), 'gzip')
      t.equal(zipped.text, plain.text)
    }
  }
})

t.test('the style sheet and the script are kept by browsers until they change', async (t) => {
  for (const { path, contentType } of Object.values(readReferenceAssets())) {
    const { headers } = await http.ask(path)
    t.match(headers.get('content-type'), contentType)
    t.match(headers.get('cache-control'), /immutable/)
  }
})

t.test('the first page names both versions and leads to every operation', async (t) => {
  const { text } = await http.ask('/docs')
  t.match(text, 'API 1.0.0 · program 1.2.3 · ')
  for (const { name } of notesApi(world)) t.match(text, `href="/docs/${name}"`)
})

t.test('the type of a problem is the address of a page that explains it', async (t) => {
  const { json } = await http.ask(`/api/v1/orgs/${orgA}/notes`)
  t.match(json.type, /^\/problems\/unauthenticated$/)
  const page = await http.ask(json.type)
  t.equal(page.status, 200)
  t.match(page.text, '<h1>Not authenticated</h1>')
  const all = (await http.ask('/problems')).text
  for (const code of Object.keys(faults)) {
    t.match(all, `href="/problems/${code}"`)
    t.equal((await http.ask(`/problems/${code}`)).status, 200, code)
  }
})

t.test('other addresses below the reference are not found', async (t) => {
  for (const path of ['/docs/package.json', '/docs/..%2fpackage.json', '/problems/nothing']) {
    const { status, text } = await http.ask(path)
    t.equal(status, 404, path)
    t.match(text, 'href="/docs"')
  }
})

t.test('answers match what the description promises', async (t) => {
  const { json } = await http.ask(`/api/v1/orgs/${orgA}/notes?limit=1`, { as: 'bob' })
  t.same(Object.keys(json), ['success', 'data', 'meta'])
})
