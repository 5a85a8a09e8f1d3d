// The description as a contract: it is valid, complete, and the answers are held against it.
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { faults } from '../../src/base/fault.ts'
import { apiRoutes } from '../../src/http/api/api.ts'
import { type Answered, createContract } from '../support/api-contract.ts'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'

// The document is JSON of many shapes.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Json = any

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

/** Every operation of the document, with its method and path. */
const operations = Object.entries<Record<string, Json>>(served.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

t.test('every request body has an example, which fits its schema', async (t) => {
  const { checked } = contract
  for (const { operation } of operations) {
    const { operationId, requestBody } = operation
    for (const [type, { schema, example }] of Object.entries<Json>(requestBody?.content ?? {})) {
      t.ok(example, operationId)
      t.same(checked(`${operationId} example, ${type}`, schema, example), [])
    }
  }
})

t.test('every problem has an example of its own, with its status and a page', async (t) => {
  const problems = Object.entries<Json>(served.components.responses)
  t.ok(problems.length > 10)
  const shown = problems.flatMap(([name, { content }]) => {
    const { examples } = content['application/problem+json']
    for (const [code, { summary, value }] of Object.entries<Json>(examples)) {
      t.match(value, { code, status: Number(name.slice('Problem'.length)), title: summary })
      t.same(contract.checked(code, served.components.schemas.Problem, value), [])
    }
    return Object.keys(examples)
  })
  const unused = Object.keys(faults).filter((code) => !shown.includes(code))
  t.same(unused, ['method_not_allowed'], 'which is no answer of any operation')
})

t.test('every group of operations is described, and every operation in words', async (t) => {
  const used = new Set(operations.flatMap(({ operation }) => operation.tags))
  t.same(new Set(served.tags.map(({ name }: Json) => name)), used)
  for (const { name, description } of served.tags) t.match(description, /^[A-Z].*\.$/, name)
  for (const { operation } of operations) {
    t.match(operation.description, /^[A-Z`'].*\.$/s, operation.operationId)
    const statuses = Object.keys(operation.responses)
    t.ok(
      statuses.some((status) => /^2|^default$/.test(status)),
      `${operation.operationId} says how it succeeds`,
    )
  }
})

t.test('every parameter and every field of a body says what it is', async (t) => {
  const isDescribed = ({ description, anyOf = [], oneOf = [] }: Json): boolean =>
    description !== undefined || [...anyOf, ...oneOf].some(isDescribed)
  const silentIn = (schema: Json, path: string): string[] => {
    const { $ref, properties = {}, anyOf = [], oneOf = [], items } = schema
    // Shared schemas are those of the kinds of channels, and of their fields.
    if ($ref !== undefined) return []
    const fields = Object.entries<Json>(properties).flatMap(([name, field]) => {
      const isSilent = field.$ref === undefined && field.not === undefined && !isDescribed(field)
      return [...(isSilent ? [`${path}/${name}`] : []), ...silentIn(field, `${path}/${name}`)]
    })
    // Other alternatives only name fields that stand or fall together.
    const choices = [...anyOf, ...oneOf].filter(({ type }) => type !== undefined)
    const parts = [...choices, ...(items === undefined ? [] : [items])]
    return [...fields, ...parts.flatMap((part) => silentIn(part, path))]
  }
  const silent = operations.flatMap(({ operation }) => {
    const { operationId, parameters, requestBody } = operation
    const schema = requestBody?.content['application/json'].schema ?? {}
    return [
      ...parameters.filter((one: Json) => !isDescribed(one)).map(({ name }: Json) => name),
      ...silentIn(schema, ''),
    ].map((name) => `${operationId} ${name}`)
  })
  t.same(new Set(silent), new Set())
})

t.test('an operation describes 412 exactly if it takes If-Match', async (t) => {
  const operations = Object.values<Json>(served.paths).flatMap((one) => Object.values<Json>(one))
  const taking: string[] = []
  for (const { operationId, parameters = [], responses } of operations) {
    const takesIt = parameters.some(({ name }: Json) => name === 'If-Match')
    t.equal('412' in responses, takesIt, operationId)
    if (takesIt) taking.push(operationId)
  }
  t.ok(taking.includes('system.chooseNotices') && taking.includes('api-keys.change'))
})

t.test('no list of words has a word twice', async (t) => {
  const doubles: string[] = []
  const look = (node: Json, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    const { enum: words } = node
    if (Array.isArray(words) && new Set(words).size < words.length) doubles.push(path)
    for (const [name, part] of Object.entries(node)) look(part, `${path}/${name}`)
  }
  look(served, '')
  t.same(doubles, [])
})

t.test('a page that anybody may open asks for no credential', async (t) => {
  const { get } = served.paths['/api/v1/invites/{token}/page']
  t.same(get.security, [{}, { session: [] }])
  t.match(get.description, /^No credential is needed/)
})

t.test('what is defined once is used, and what is used is defined', async (t) => {
  const text = JSON.stringify(served)
  const used = new Set([...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name))
  const defined = ['schemas', 'responses', 'headers'].flatMap((kind) =>
    Object.keys(served.components[kind]).map((name) => `${kind}/${name}`),
  )
  t.same([...used].sort(), defined.sort())
})

t.test('an ETag, its 304 and both answers of a password reset are described', async (t) => {
  const { get } = served.paths['/api/v1/orgs/{orgId}/monitors/{monitorId}']
  t.match(get.responses['200'].headers.ETag, { $ref: '#/components/headers/ETag' })
  t.match(get.responses['304'].headers.ETag, { $ref: '#/components/headers/ETag' })
  t.ok(get.parameters.some(({ name }: Json) => name === 'If-None-Match'))
  const { post } = served.paths['/api/v1/auth/password/reset']
  t.ok(post.responses['200'].content['application/json'])
  t.match(post.responses['303'].description, 'HTML form')
})

t.test('the version of the program stands beside that of the API', async (t) => {
  t.match(served.info, { version: '1.0.0', 'x-program-version': /^\d+\.\d+\.\d+/ })
})

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
