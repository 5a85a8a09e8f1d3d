// The description as a contract: it is valid, complete, and the answers are held against it.
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { apiRoutes } from '../../src/http/api/api.ts'
import { type Answered, createContract } from '../support/api-contract.ts'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'

const daemon = await startDaemon(t)
const served = JSON.parse((await daemon.ask('GET', '/api/v1/openapi.json')).text)
const contract = createContract(served)

t.test('the served document is valid OpenAPI 3.1 with every operation', async (t) => {
  const { valid, errors } = await new Validator().validate(structuredClone(served))
  t.ok(valid, JSON.stringify(errors))
  t.equal(served.openapi, '3.1.0')
  const operations = Object.entries<Record<string, { operationId: string }>>(served.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${method} ${path} ${operationId}`,
      ),
  )
  const ofRoutes = apiRoutes.map(({ method, path, name }) => {
    return `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')} ${name}`
  })
  t.same(operations.toSorted(), ofRoutes.toSorted())
  for (const one of [
    'post /api/v1/identity/kyc/callback kyc.callback',
    'get /api/v1/push/{token} push.reportByGet',
    'get /api/v1/push/{token}/{word} push.wordByGet',
    'post /api/v1/push/{token} push.report',
    'post /api/v1/push/{token}/{word} push.word',
  ]) {
    t.ok(operations.includes(one), one)
  }
  const names = operations.map((operation) => operation.split(' ')[2])
  t.equal(new Set(names).size, names.length, 'no two have the same name')
})

t.test(
  'the ten endpoints of the interface that exist are described as it shows them',
  async (t) => {
    const table: [path: string, method: string, fields: string[]][] = [
      [
        ...['/orgs/{orgId}/monitors', 'post'],
        [
          ...['name', 'url', 'checkType', 'method', 'expectedStatus', 'headers', 'body'],
          ...['bodyContains', 'bodyNotContains', 'responseFormat', 'responseAssertionType'],
          ...['responseAssertionPath', 'responseAssertionValue', 'intervalMinutes', 'timeoutMs'],
          ...['degradedThresholdMs', 'isActive', 'isPublic', 'notifyChannelIds'],
        ],
      ] as [string, string, string[]],
      ['/orgs/{orgId}/monitors/{monitorId}', 'post', []],
      [
        '/orgs/{orgId}/status-pages',
        'post',
        [
          ...['name', 'slug', 'isEnabled', 'isDefault', 'title', 'description', 'logoUrl'],
          ...['showHistory', 'showUptime', 'showIncidents', 'showMonitors', 'publicMonitorIds'],
        ],
      ],
      ['/orgs/{orgId}/status-pages/{statusPageId}/subdomain', 'patch', ['subdomain']],
      ['/orgs/{orgId}/alert-channels', 'post', ['name', 'type', 'config', 'isActive']],
      ['/orgs/{orgId}/members', 'patch', ['userId', 'role']],
      [
        ...['/identity/kyc/verify', 'post'],
        [
          ...['firstName', 'lastName', 'email', 'phone', 'dateOfBirth', 'country'],
          ...['identityNumbers', 'gender', 'address'],
        ],
      ] as [string, string, string[]],
      ['/push/{token}', 'post', ['message', 'metadata']],
    ]
    for (const [path, method, fields] of table) {
      const operation = served.paths[`/api/v1${path}`]?.[method]
      t.ok(operation, path)
      const schema = operation.requestBody?.content['application/json'].schema
      const missing = fields.filter((field) => !schema?.properties[field])
      t.same(missing, [], path)
      if (fields.length === 0) t.equal(operation.requestBody, undefined, `${path} has no body`)
    }
  },
)

t.test('a response that differs from its description is reported', async (t) => {
  const { org, key } = await registerWithKey(daemon)
  const path = `/api/v1${org}/monitors`
  const good = await daemon.ask('POST', path, {
    key,
    json: { name: 'One', url: 'http://127.0.0.1:9/' },
  })
  const answered: Answered = { method: 'POST', path, ...good }
  t.same(contract.problemsOf(answered), [])
  const altered = (change: (body: { data: Record<string, unknown> }) => void) => {
    const body = structuredClone(good.json)
    change(body)
    return contract.problemsOf({ ...answered, text: JSON.stringify(body) }).join()
  }
  t.match(
    altered(({ data }) => delete data.name),
    /name/,
  )
  t.match(
    altered(({ data }) => Object.assign(data, { timeoutMs: '5' })),
    /timeoutMs/,
  )
  t.match(
    altered(({ data }) => Object.assign(data, { keyHash: 'x' })),
    /keyHash|additional/,
  )
  t.match(
    altered(({ data }) => Object.assign(data, { createdAt: 'today' })),
    /createdAt/,
  )
  t.match(
    altered((body) => Object.assign(body, { extra: 1 })),
    /envelope with extra/,
  )
  t.match(contract.problemsOf({ ...answered, status: 201 }), [
    'post /api/v1/orgs/{orgId}/monitors 201: the status is not in the description',
  ])

  const asked = (sent: unknown) => contract.problemsOf({ ...answered, sent }).join()
  t.equal(asked({ name: 'One', url: 'http://127.0.0.1:9/', body: undefined }), '')
  t.match(asked({ name: 'One' }), /200 request: .*url/)
  t.match(asked(undefined), /no body, and taken/)

  const refused = await daemon.ask('POST', path, { key, json: {} })
  const problem: Answered = { method: 'POST', path, ...refused }
  t.same(contract.problemsOf(problem), [])
  const text = refused.text.replace('"code":"validation_failed"', '"code":"it_failed"')
  t.match(contract.problemsOf({ ...problem, text }).join(), /code/)
  t.match(contract.problemsOf({ ...problem, headers: new Headers() }).join(), /of the type null/)
})
