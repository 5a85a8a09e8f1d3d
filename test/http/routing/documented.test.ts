// What the description says of requests is what the service does: both refuse, or both take.
import t, { type Test } from 'tap'
import { Compile } from 'typebox/schema'
import { documented } from '../../../src/http/routing/documented.ts'
import { registerWithKey } from '../../support/cast.ts'
import { startDaemon } from '../../support/daemon.ts'
import { person } from '../../support/kyc-person.ts'

const daemon = await startDaemon(t)
const { paths } = (await daemon.ask('GET', '/api/v1/openapi.json')).json
const { org, orgId, cookie } = await registerWithKey(daemon)

const operationOf = (method: string, path: string) =>
  paths[`/api/v1${path.replace(orgId, '{orgId}')}`][method.toLowerCase()]

/** Whether the description and the service are of one mind about each body. */
async function agree(
  t: Test,
  method: string,
  path: string,
  bodies: { readonly taken?: readonly object[]; readonly refused: readonly object[] },
): Promise<void> {
  const { schema } = operationOf(method, path).requestBody.content['application/json']
  const validator = Compile(schema)
  const headers = { 'auth-token': cookie }
  const credential = path.startsWith('/identity/kyc') ? { headers } : { cookie }
  for (const json of bodies.taken ?? []) {
    const { status, text } = await daemon.ask(method, `/api/v1${path}`, { ...credential, json })
    t.equal(status, 200, `${method} ${path} ${JSON.stringify(json)}: ${text}`)
    t.ok(validator.Check(json), `so says the description: ${JSON.stringify(json)}`)
  }
  for (const json of bodies.refused) {
    const { status } = await daemon.ask(method, `/api/v1${path}`, { ...credential, json })
    t.equal(status, 422, `${method} ${path} ${JSON.stringify(json)}`)
    t.notOk(validator.Check(json), `so says the description: ${JSON.stringify(json)}`)
  }
}

const url = 'http://127.0.0.1:9/'
const name = 'One'

t.test('monitors: a url unless it is push, headers, a runbook, a name in one line', async (t) => {
  const refused = [
    { name },
    { name, url: '' },
    { name, url: null },
    { name, checkType: 'keyword', bodyContains: 'x' },
    { name: 'a\u0085b', url },
    { name: ' ', url },
    { name, url, tags: ['a\nb'] },
    { name, url, headers: { 'x y': '1' } },
    { name, url, headers: { x: 'Ā' } },
    { name, url, headers: { x: 'a\r\nb' } },
    { name, url, runbookUrl: 'ftp://example.com/' },
  ]
  await agree(t, 'POST', `${org}/monitors`, {
    taken: [
      { name: ' ü ', url, tags: [' é'], headers: { 'X-One': 'ü\t1' }, runbookUrl: '' },
      { name, url, runbookUrl: 'https://example.com/run?a=1' },
      { name, checkType: 'push' },
      { name, checkType: 'push', url: null },
    ],
    refused,
  })
  await agree(t, 'POST', `${org}/monitors/test`, {
    taken: [{ name, url }],
    refused: [...refused, { name, checkType: 'push' }],
  })
  const many = refused.map((monitor) => ({ monitors: [monitor] }))
  await agree(t, 'POST', `${org}/monitors/bulk`, { refused: many })
  const documents = many.map((each) => ({ format: 'stillup/1', ...each }))
  await agree(t, 'POST', `${org}/import`, { refused: documents })
})

t.test('many monitors: selected by ids or by a tag, with at least one change', async (t) => {
  await agree(t, 'PATCH', `${org}/monitors`, {
    taken: [
      { tag: 'none', isActive: false },
      { ids: [], addTags: ['a'] },
      { ids: [], removeTags: ['a'] },
    ],
    refused: [
      { isActive: true },
      { ids: [], tag: 'none', isActive: true },
      { ids: [] },
      { tag: 'none', addTags: [], removeTags: [] },
    ],
  })
  await agree(t, 'DELETE', `${org}/monitors`, {
    taken: [{ tag: 'none' }, { ids: [] }],
    refused: [{}, { ids: [], tag: 'none' }],
  })
})

t.test('people: what belongs together, dates, codes, where a link leads', async (t) => {
  await agree(t, 'POST', '/auth/reauthenticate', {
    refused: [{}, { password: 'a password', totp: '123456' }],
  })
  const account = { email: 'new@example.com', password: 'nine lives of a cat' }
  await agree(t, 'POST', '/auth/register', {
    refused: [{ ...account, inviteToken: 'none', organizationName: 'Mine' }],
  })
  await agree(t, 'POST', '/identity/kyc/verify', {
    taken: [person],
    refused: [
      { ...person, dateOfBirth: '2001-02-30' },
      { ...person, dateOfBirth: '20010203' },
    ],
  })
  await agree(t, 'POST', '/user/referrals/code', {
    taken: [{ code: ' Nine-Lives ' }, {}],
    refused: [{ code: 'nine--lives' }, { code: '-nine' }, { code: 'nine lives' }],
  })
  const email = 'new@example.com'
  await agree(t, 'POST', '/identity/oauth/login/magic-link/request', {
    taken: ['/', '/a?b=c', `${daemon.url}/x`].map((redirectUri) => ({ email, redirectUri })),
    refused: [
      '',
      'x',
      '//evil.example',
      '/\\evil.example',
      '/ü',
      '/a b',
      'javascript:x',
      '/a#b',
    ].map((redirectUri) => ({ email, redirectUri })),
  })
})

t.test('status pages: the label of a subdomain, the address of a logo', async (t) => {
  await agree(t, 'POST', `${org}/status-pages`, {
    taken: [
      { name, logoUrl: null },
      { name, logoUrl: 'HTTPS://example.com/l.png' },
    ],
    refused: [
      { name, logoUrl: 'http://example.com/l.png' },
      { name, logoUrl: 'x' },
    ],
  })
  const pages = ['-a', 'a-', 'a.b', 'A', 'a'.repeat(64)].map((subdomain) => ({ name, subdomain }))
  const documents = pages.map((page) => ({ format: 'stillup/1', statusPages: [page] }))
  await agree(t, 'POST', `${org}/import`, { refused: documents })
})

t.test('a body may be omitted if an empty object is accepted', async (t) => {
  const { id } = await daemon.need('POST', `${org}/monitors`, { cookie, json: { name, url } })
  const path = `${org}/monitors/{monitorId}`
  t.equal(operationOf('PATCH', path).requestBody.required, false)
  const nothing = await daemon.ask('PATCH', `/api/v1${org}/monitors/${id}`, { cookie })
  t.equal(nothing.status, 200)
  t.equal(operationOf('POST', `${org}/monitors`).requestBody.required, true)
  const refused = await daemon.ask('POST', `/api/v1${org}/monitors`, { cookie })
  t.equal(refused.status, 422)
})

t.test('the documented keys are accepted, and no others', async (t) => {
  const [, { schema }] = operationOf('POST', `${org}/monitors`).parameters
  const pattern = new RegExp(schema.pattern)
  const keys: [key: string, isTaken: boolean][] = [
    ['a b~!', true],
    ['"a b"', true],
    ['x'.repeat(255), true],
    [`"${'x'.repeat(255)}"`, true],
    ['x'.repeat(256), false],
    ['""', false],
    ['a"b', false],
    ['aéa', false],
  ]
  for (const [key, isTaken] of keys) {
    const headers = { 'idempotency-key': key }
    const json = { name, url }
    const { status } = await daemon.ask('POST', `/api/v1${org}/monitors`, { cookie, headers, json })
    t.equal(status, isTaken ? 200 : 400, key)
    t.equal(pattern.test(key), isTaken, `so says the description: ${key}`)
  }
})

t.test('an address that is too long is refused as every operation says', async (t) => {
  const operations = Object.values<Record<string, { responses: object }>>(paths).flatMap((path) =>
    Object.values(path),
  )
  t.ok(operations.every(({ responses }) => '431' in responses))
  const response = await fetch(`${daemon.url}/api/v1/orgs?limit=${'1'.repeat(20_000)}`)
  t.equal(response.status, 431)
  await response.body?.cancel()
})

t.test('documentation-only keywords validate nothing, and appear in no response', async (t) => {
  const schema = { type: 'string' }
  t.same(documented(schema, { pattern: '^a$' }), { ...schema, 'x-documented': { pattern: '^a$' } })
  t.notMatch(JSON.stringify(paths), /x-documented/)
})
