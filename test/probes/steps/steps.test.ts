// Checks in steps: what they take from one answer into the next request, and what they say of a step that fails.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { Reading, StepReport } from '../../../src/domain/checks/reading.ts'
import { completedStep } from '../../../src/domain/steps/step.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'

const clock = startClock()
t.after(() => clock.stop())
const probe = openProbe(t, clock)

type StepFields = Parameters<typeof completedStep>[0]

interface Call {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Handler = (call: Call, response: ServerResponse) => void

/** A server that others would call a shop: it notes what it is asked. */
async function startShop(t: Test, routes: Readonly<Record<string, Handler>>) {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => (body += piece))
    request.on('end', () => {
      const line = `${request.method} ${request.url}`
      const call = { line, headers: request.headers, body }
      calls.push(call)
      const route = routes[line] ?? routes[line.replace(/\?.*/, '')]
      if (route) route(call, response)
      else response.writeHead(404).end('no such page')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { calls, lines: () => calls.map(({ line }) => line), url: `http://127.0.0.1:${port}` }
}

function json(value: unknown, status = 200): Handler {
  return (_call, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
}

function check(
  url: string,
  steps: readonly StepFields[],
  fields: TargetFields = {},
  trial = false,
) {
  const target = makeTarget({
    ...{ checkType: 'steps', url, timeoutMs: 5_000, steps: steps.map(completedStep) },
    ...fields,
  })
  return probe(target, { clock, keepsAnswer: trial })
}

function outcomes(steps: readonly StepReport[] | undefined): readonly string[] {
  return (steps ?? []).map(({ name, outcome }) => `${name}: ${outcome}`)
}

const shopRoutes: Readonly<Record<string, Handler>> = {
  'GET /login'(_call, response) {
    const page = '<form><input type="hidden" name="csrf" value="c-58f&amp;1"></form>'
    response.writeHead(200, {
      'content-type': 'text/html',
      'set-cookie': ['visit=v1; Path=/', 'foreign=f; Domain=other.example'],
    })
    response.end(page)
  },
  'POST /login'({ headers, body }, response) {
    const isRight = body === 'csrf=c-58f%261&password=pa%24s' && headers.cookie === 'visit=v1'
    if (!isRight) {
      response.writeHead(403).end(`refused: ${body}`)
      return
    }
    response.writeHead(302, { location: '/home', 'set-cookie': 'session=s3ss10n; HttpOnly' }).end()
  },
  'GET /home'({ headers }, response) {
    const isSignedIn = headers.cookie === 'visit=v1; session=s3ss10n'
    response.writeHead(isSignedIn ? 200 : 401, { 'x-token': 'tok-1' }).end('Welcome')
  },
  'POST /orders'({ headers }, response) {
    json({ order: { id: 417 }, token: headers['x-token'] }, 201)({} as Call, response)
  },
  'GET /orders/417': json({ id: 417, state: 'new' }),
  'DELETE /orders/417'(_call, response) {
    response.writeHead(204).end()
  },
}

const shopSteps: readonly StepFields[] = [
  {
    ...{ name: 'Open', url: '/login' },
    captures: [{ name: 'csrf', source: 'html', path: 'input[name=csrf]@value' }],
  },
  {
    ...{ name: 'Sign in', method: 'POST', url: '/login' },
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'csrf={{csrf|url}}&password={{password|url}}',
    captures: [{ name: 'token', source: 'header', path: 'X-Token' }],
  },
  {
    ...{ name: 'Remove', method: 'DELETE', url: '/orders/{{id}}', expectedStatus: 204 },
    isCleanUp: true,
  },
  {
    ...{ name: 'Order', method: 'POST', url: '/orders', expectedStatus: 201, body: '{"n":1}' },
    headers: { 'X-Token': '{{token}}' },
    captures: [{ name: 'id', source: 'json', path: '$.order.id' }],
  },
  {
    ...{ name: 'Look', url: 'orders/{{ id }}' },
    assertions: [{ source: 'json', path: '$.id', type: 'equals', value: '{{id}}' }],
  },
]

t.test('a journey takes values and cookies along, and cleans up at its end', async (t) => {
  const shop = await startShop(t, shopRoutes)
  const variables = { password: 'pa$s' }
  const reading = await check(`${shop.url}/`, shopSteps, { variables })
  t.match(reading, { result: 'good', error: undefined, evidence: undefined })
  t.same(shop.lines(), [
    ...['GET /login', 'POST /login', 'GET /home'],
    ...['POST /orders', 'GET /orders/417', 'DELETE /orders/417'],
  ])
  const found = reading.found as { readonly steps: readonly { name: string; status: number }[] }
  t.same(
    found.steps.map(({ name, status }) => `${name} ${status}`),
    ['Open 200', 'Sign in 200', 'Order 201', 'Look 200', 'Remove 204'],
  )
})

t.test(
  'the step that fails is named, the others are told, and what was made is removed',
  async (t) => {
    const broken = { ...shopRoutes, 'GET /orders/417': json({ id: 417, error: 'no stock' }, 500) }
    const shop = await startShop(t, broken)
    const variables = { password: 'pa$s' }
    const reading = await check(`${shop.url}/`, shopSteps, { variables })
    t.match(reading, {
      result: 'failed',
      status: 500,
      error: { kind: 'status', message: 'step 4, "Look": expected status 200, found 500' },
      evidence: { status: 500, body: /no stock/ },
    })
    t.same(outcomes(reading.evidence?.steps), [
      ...['Open: good', 'Sign in: good', 'Order: good', 'Look: failed', 'Remove: good'],
    ])
    t.equal(shop.lines().at(-1), 'DELETE /orders/417')
    t.match(reading.evidence?.steps?.[2], { status: 201, url: `${shop.url}/orders` })
  },
)

t.test(
  'after a failure the steps behind it are not taken, nor is a clean-up without its value',
  async (t) => {
    const shop = await startShop(t, {
      ...shopRoutes,
      'POST /login': json({ error: 'closed' }, 503),
    })
    const reading = await check(`${shop.url}/`, shopSteps, { variables: { password: 'pa$s' } })
    t.match(reading.error, { message: 'step 2, "Sign in": expected status 200, found 503' })
    t.same(shop.lines(), ['GET /login', 'POST /login'])
    t.match(reading.evidence?.steps?.[4], { outcome: 'notRun', message: 'id was not captured' })
  },
)

t.test('what a step does not find is said, with the path and the name', async (t) => {
  const shop = await startShop(t, { 'GET /': json({ a: { b: [7] } }) })
  const captures = async (source: 'json' | 'header' | 'html' | 'xml' | 'body', path: string) => {
    const step = { name: 'Read', url: '/', captures: [{ name: 'x', source, path }] }
    const { result, error, evidence } = await check(shop.url, [step])
    const found = evidence?.failedAssertions?.[0]?.found
    return result === 'good' ? 'good' : `${error?.message} (${found})`
  }
  t.equal(await captures('json', '$.a.b'), 'good')
  t.equal(
    await captures('json', '$.nothing'),
    'step 1, "Read": expected $.nothing to be found, for x (nothing)',
  )
  t.equal(await captures('xml', 'a'), 'step 1, "Read": expected a to be found, for x (no XML body)')
  t.match(await captures('header', 'x-none'), /x-none to be found, for x \(nothing\)/)
  t.equal(await captures('body', '"b":\\[(\\d+)'), 'good')
  t.match(await captures('body', 'zzz'), /\(nothing\)/)
})

t.test('a trial shows every answer, with what was taken from it, and no secret', async (t) => {
  const shop = await startShop(t, {
    'GET /token': json({ token: 'tok-8f3a-91bc-77de-0001', note: 'key is hunter22' }),
    'GET /me'({ headers }, response) {
      json({ sent: headers.authorization, org: headers['x-org'] })({} as Call, response)
    },
  })
  const steps: readonly StepFields[] = [
    {
      ...{ name: 'Token', url: '/token', headers: { 'X-Api-Key': '{{secret.KEY}}' } },
      captures: [{ name: 'token', source: 'json', path: '$.token' }],
    },
    {
      ...{
        name: 'Me',
        url: '/me',
        headers: { Authorization: 'Bearer {{token}}', 'X-Org': 'blue' },
      },
      assertions: [{ source: 'json', path: '$.org', type: 'equals', value: 'blue' }],
    },
  ]
  const secrets = { KEY: { value: 'hunter22', hosts: ['127.0.0.1'] } }
  const reading = await check(shop.url, steps, { secrets }, true)
  t.equal(reading.result, 'good')
  t.same(outcomes(reading.steps), ['Token: good', 'Me: good'])
  t.match(reading.steps?.[1]?.body, /blue/)
  t.ok(reading.steps?.[0]?.headers?.some(([name]) => name === 'content-type'))
  const text = JSON.stringify(reading)
  for (const secret of ['hunter22', 'tok-8f3a-91bc-77de-0001'])
    t.notOk(text.includes(secret), secret)
})

t.test('what a person wrote down as no secret stays readable in answers', async (t) => {
  const shop = await startShop(t, {
    'POST /orders'({ body }, response) {
      json({ id: 'ord_01jd00000000000000000000a7', got: body, link: '/api/v1/orders' })(
        {} as Call,
        response,
      )
    },
    'GET /orders/ord_01jd00000000000000000000a7': json({ state: 'new' }),
  })
  const body = '{"email":"ada@example.com","password":"{{password}}","pin":"4711"}'
  const steps: readonly StepFields[] = [
    {
      ...{ name: 'Order', method: 'POST', url: '/orders', body },
      captures: [{ name: 'id', source: 'json', path: '$.id' }],
    },
    { name: 'Look', url: '/orders/{{id}}' },
  ]
  const variables = { password: 'correct horse' }
  const { steps: shown, result } = await check(shop.url, steps, { variables }, true)
  t.equal(result, 'good')
  t.same(shown?.[0]?.captures, { id: 'ord_01jd00000000000000000000a7' })
  t.match(shown?.[0]?.body, /ada@example\.com/)
  t.match(shown?.[0]?.body, /"\/api\/v1\/orders"/)
  t.notMatch(shown?.[0]?.body, /correct horse|4711/)
  t.equal(shown?.[1]?.url, `${shop.url}/orders/ord_01jd00000000000000000000a7`)
})

t.test('values lead to no server that the monitor does not name', async (t) => {
  const shop = await startShop(t, { 'GET /': json({ next: 'http://127.0.0.2:9/x' }) })
  const steps: readonly StepFields[] = [
    { name: 'A', url: '/', captures: [{ name: 'next', source: 'json', path: '$.next' }] },
    { name: 'B', url: '{{next}}' },
  ]
  const { error } = await check(shop.url, steps)
  t.match(error, {
    kind: 'blocked',
    message: 'step 2, "B": the values lead to 127.0.0.2:9, a server that the monitor does not name',
  })
})

t.test('a secret goes to its hosts alone, and one that is missing is our fault', async (t) => {
  const shop = await startShop(t, {
    'GET /': json({}),
    'POST /'(_call, response) {
      response.writeHead(307, { location: shop.url.replace('127.0.0.1', 'localhost') }).end()
    },
  })
  const step = { name: 'A', url: '/', headers: { 'X-Key': '{{secret.KEY}}' } }
  const secrets = { KEY: { value: 'hunter22', hosts: ['*.example.com'] } }
  const refused = await check(shop.url, [step], { secrets })
  t.match(refused, {
    result: 'failed',
    error: { kind: 'blocked', message: /the secret KEY may not be sent to 127.0.0.1/ },
  })
  t.match(await check(shop.url, [step]), {
    result: 'unknown',
    error: { message: /the organization has no value for the secret KEY/ },
  })
  t.same(shop.calls, [])
  const post = { name: 'A', url: '/', method: 'POST', body: '{{secret.KEY}}' } as const
  const own = { KEY: { value: 'hunter22', hosts: ['127.0.0.1'] } }
  t.match(await check(shop.url, [post], { secrets: own }), {
    error: { message: /may not be sent to localhost/ },
  })
  t.same(shop.lines(), ['POST /'])
  const typed = { ...post, body: 'plain', headers: { 'Content-Type': 'text/x; k={{secret.KEY}}' } }
  t.match(await check(shop.url, [typed], { secrets: own }), {
    error: { message: /may not be sent to localhost/ },
  })
  const compared = {
    source: 'body',
    type: 'contains',
    path: null,
    value: '{{secret.KEY}}',
  } as const
  const asks = { name: 'A', url: '/', assertions: [compared] }
  t.match(
    await check(shop.url, [asks], { secrets }),
    { error: { message: /may not be sent to 127.0.0.1/ } },
    'nor is it compared with the answers of others, who could find it out',
  )
  const led = { ...post, body: 'plain', assertions: [compared] }
  t.match(await check(shop.url, [led], { secrets: own }), {
    error: { message: /may not be sent to localhost/ },
  })
})

t.test('a value cannot end a header and begin another one', async (t) => {
  const shop = await startShop(t, { 'GET /': json({ x: 'a\r\nX-Evil: 1' }) })
  const steps: readonly StepFields[] = [
    { name: 'A', url: '/', captures: [{ name: 'x', source: 'json', path: '$.x' }] },
    { name: 'B', url: '/', headers: { 'X-A': '{{x}}' } },
  ]
  const { error } = await check(shop.url, steps)
  t.match(error?.message, /step 2, "B": the value of the header X-A has characters/)
  t.equal(shop.calls.length, 1)
})

t.test('a target that hangs leaves time to clean up, and to say which step hung', async (t) => {
  const shop = await startShop(t, {
    'POST /orders': json({ id: 5 }),
    'GET /slow'() {},
    'DELETE /orders/5': json({}),
  })
  const reading = await check(
    shop.url,
    [
      {
        ...{ name: 'Order', method: 'POST', url: '/orders' },
        captures: [{ name: 'id', source: 'json', path: '$.id' }],
      },
      { name: 'Wait', url: '/slow' },
      { name: 'Remove', method: 'DELETE', url: '/orders/{{id}}', isCleanUp: true },
    ],
    { timeoutMs: 1_000 },
  )
  t.match(reading.error, { kind: 'timeout', message: /^step 2, "Wait": / })
  t.same(outcomes(reading.evidence?.steps), ['Order: good', 'Wait: failed', 'Remove: good'])
  t.ok(reading.durationMs < 1_000, `${reading.durationMs} ms`)
})

t.test('a slow step and a clean-up that fails make the check degraded', async (t) => {
  const shop = await startShop(t, {
    'GET /'(_call, response) {
      setTimeout(() => response.end('late'), 30)
    },
  })
  const slow = await check(shop.url, [{ name: 'Late', url: '/', degradedThresholdMs: 5 }])
  t.match(slow, { result: 'good', isDegraded: true })
  t.match(slow.message, /^step 1, "Late": took \d+ ms, more than 5 ms$/)
  const unclean = await check(shop.url, [
    { name: 'Look', url: '/' },
    { name: 'Remove', url: '/none', method: 'DELETE', isCleanUp: true },
    { name: 'Say so', url: '/none', isCleanUp: true },
  ])
  t.match(unclean, {
    result: 'good',
    isDegraded: true,
    message: 'step 2, "Remove": expected status 200, found 404',
  })
  t.same(shop.lines().slice(-2), ['DELETE /none', 'GET /none'], 'each of them is tried')
})

t.test(
  'what is made anew is the same in all steps of a check, and another in the next',
  async (t) => {
    const shop = await startShop(t, { 'POST /': json({}) })
    const step = { name: 'A', url: '/', method: 'POST', body: '{{$uuid}} {{$timestamp}}' } as const
    const readings: Reading[] = [await check(shop.url, [step, step]), await check(shop.url, [step])]
    t.same(
      readings.map(({ result }) => result),
      ['good', 'good'],
    )
    const [first, second, third] = shop.calls.map(({ body }) => body)
    t.match(first, /^[0-9a-f-]{36} \d{10}$/)
    t.equal(second, first)
    t.not(third, first)
  },
)

t.test('a pattern of an assertion takes a value as text', async (t) => {
  const shop = await startShop(t, { 'GET /': json({ price: '1+1 (a.b)' }) })
  const steps: readonly StepFields[] = [
    { name: 'A', url: '/', captures: [{ name: 'price', source: 'json', path: '$.price' }] },
    {
      ...{ name: 'B', url: '/' },
      assertions: [{ source: 'body', path: null, type: 'regex', value: '"price":"{{price}}"' }],
    },
  ]
  t.match(await check(shop.url, steps), { result: 'good' })
})
