// Checks in steps towards a hostile server, or by somebody who may edit a monitor and must not learn its secrets.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { runSteps } from '../../../src/base/waiting/steps.ts'
import { completedStep } from '../../../src/domain/steps/step.ts'
import { judgedAnswer } from '../../../src/probes/steps/answer.ts'
import { makeExpectation, makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'

const clock = startClock()
t.after(() => clock.stop())
const probe = openProbe(t, clock)
const discreet = openProbe(t, clock, { hidesPrivate: true })

type StepFields = Parameters<typeof completedStep>[0]
type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** What it is asked, and what with. */
async function serve(t: Test, handler: Handler, host = '127.0.0.1') {
  const calls: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => (body += piece))
    request.on('end', () => {
      calls.push(`${request.method} ${request.url} ${body}`)
      handler(request, response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { calls, url: `http://${host}:${(server.address() as AddressInfo).port}` }
}

function targetOf(url: string, steps: readonly StepFields[], fields: TargetFields = {}) {
  return makeTarget({
    ...{ checkType: 'steps', url, timeoutMs: 5_000, steps: steps.map(completedStep) },
    ...fields,
  })
}

const check = (url: string, steps: readonly StepFields[], fields: TargetFields = {}) =>
  probe(targetOf(url, steps, fields), { clock, keepsAnswer: true })

const answer =
  (text: string): Handler =>
  (_request, response) => {
    response.end(text)
  }

const value = 'Hunter22-of-the-shop'
const open = { KEY: { value, hosts: [] } }
const json = (name: string, path: string) => ({ name, source: 'json', path }) as const

t.test('a message names no variable and no secret, whatever they were put into', async (t) => {
  const { url } = await serve(t, answer('nothing of the kind'))
  const with1 = (step: Partial<StepFields>) =>
    check(url, [{ name: 'A', url: '/', ...step }], {
      ...{ secrets: open, variables: { scheme: 'http://', password: 'a-long-password' } },
    })
  for (const named of ['{{secret.KEY}}', '{{password}}', '{{password|base64}}']) {
    const lead = await with1({ url: `{{scheme}}${named}.shop.test/` })
    t.match(lead.error, { message: /values lead to ••••, a server/ })
    for (const type of ['contains', 'equals', 'regex', 'greaterOrEqual'] as const) {
      const wanted = {
        source: 'body',
        path: null,
        type,
        value: `${'x'.repeat(70)}${named}`,
      } as const
      const reading = await with1({ assertions: [wanted] })
      t.match(reading.error, { message: /expected body .*x••••"|expected body .*x…"/ }, type)
      t.notMatch(JSON.stringify(reading), /Hunter|a-long|YS1sb25n/, type)
    }
  }
})

t.test('what a secret is compared with comes from its hosts alone', async (t) => {
  const { url, calls } = await serve(t, (request, response) => {
    if (request.url === '/away') {
      response.writeHead(302, { location: url.replace('127.0.0.1', 'localhost') }).end()
    } else response.end('{"n": 5000}')
  })
  const secrets = { PIN: { value: '4711', hosts: ['127.0.0.1'] } }
  const assertions = [
    { source: 'json', path: '$.n', type: 'greaterThan', value: '{{secret.PIN}}' },
  ] as const
  const look = { name: 'A', url: '/', assertions }
  t.match(await check(url, [look], { secrets }), { result: 'good' })
  const elsewhere = { PIN: { value: '4711', hosts: ['api.example.com'] } }
  const message = /the secret PIN may not be sent to/
  t.match((await check(url, [look], { secrets: elsewhere })).error, { message })
  t.equal(calls.length, 1)
  t.match((await check(url, [{ ...look, url: '/away' }], { secrets })).error, { message })
})

t.test('what a server repeats of a secret goes to the hosts of the secret alone', async (t) => {
  const echo = await serve(t, ({ headers }, response) => {
    response.end(JSON.stringify({ got: `key=${headers['x-key']}` }))
  })
  const other = await serve(t, answer('{}'), '127.0.0.2')
  const steps: readonly StepFields[] = [
    {
      ...{ name: 'A', url: '/', headers: { 'X-Key': '{{secret.KEY}}' } },
      captures: [json('got', '$.got')],
    },
    { name: 'B', url: `${other.url}/?{{got|base64}}` },
  ]
  const secrets = { KEY: { value, hosts: ['127.0.0.1'] } }
  t.match((await check(echo.url, steps, { secrets })).error, {
    message: 'step 2, "B": the secret KEY may not be sent to 127.0.0.2',
  })
  t.same(other.calls, [])
})

t.test('what a private address answers is not carried away where nobody may see it', async (t) => {
  const inner = await serve(t, ({ url }, response) => {
    if (url === '/away') response.writeHead(302, { location: '/inner-path' }).end()
    else response.end('{"p": "only for the inside"}')
  })
  const other = await serve(t, answer('{}'), '127.0.0.2')
  const look = { name: 'A', url: '/', captures: [json('p', '$.p')] }
  const take = (step: Partial<StepFields>, isOpen = false) =>
    (isOpen ? probe : discreet)(
      targetOf(inner.url, [look, { name: 'B', url: `${other.url}/`, ...step }]),
      { clock, keepsAnswer: true },
    )
  const refused = /what a private address answered may not be sent to 127.0.0.2/
  t.match((await take({ url: `${other.url}/?{{p|url}}` })).error, { message: refused })
  t.match((await take({ method: 'POST', body: '{{p}}' })).error, { message: refused })
  t.match((await take({ headers: { 'X-P': '{{p}}' } })).error, { message: refused })
  t.same(other.calls, [])
  t.match(await take({ url: '/?{{p|url}}' }), { result: 'good' }, 'it goes back where it is from')
  t.match(await take({ url: `${other.url}/?{{p|url}}` }, true), { result: 'good' })
  const led = await discreet(targetOf(inner.url, [{ name: 'A', url: '/away' }]), {
    ...{ clock, keepsAnswer: true },
  })
  t.notMatch(JSON.stringify(led), /inner-path/)
})

t.test('values cannot make a request or an assertion large', async (t) => {
  const { url, calls } = await serve(t, answer(JSON.stringify({ x: 'é'.repeat(8_000) })))
  const look = { name: 'A', url: '/', captures: [json('x', '$.x')] }
  const much = '{{x|url}}'.repeat(100)
  const steps: readonly Partial<StepFields>[] = [
    { url: `/${'{{x}}'.repeat(100)}` },
    { method: 'POST', body: much },
    { headers: { 'X-A': much } },
    { assertions: [{ source: 'body', path: null, type: 'contains', value: much }] },
  ]
  for (const step of steps) {
    const { error } = await check(url, [look, { name: 'B', url: '/', ...step }])
    t.match(error?.message, /step 2, "B": the values make the step longer than 131072 characters/)
  }
  t.equal(calls.length, 5, 'only the assertion was known after the request')
  const assertions = [{ source: 'body', path: null, type: 'regex', value: '{{x}}' }] as const
  t.match((await check(url, [look, { name: 'B', url: '/', assertions }])).error, {
    message: /the values make no valid pattern of at most 512 characters/,
  })
})

t.test(
  'what no program would answer is an answer without the value, and no bug of ours',
  async (t) => {
    const { url } = await serve(t, ({ url }, response) => {
      if (url === '/deep') response.end(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
      else response.end('{"x": "a\\ud800b"}')
    })
    const half: readonly StepFields[] = [
      { name: 'A', url: '/', captures: [json('x', '$.x')] },
      { name: 'B', url: '/?{{x|url}}{{x|base64}}', headers: { 'X-A': '{{x|json}}' } },
    ]
    t.match((await check(url, half)).error, { message: /step 2, "B": the value of the header X-A/ })
    const deep = await check(url, [{ name: 'A', url: '/deep', captures: [json('x', '$')] }])
    t.match(deep.error, { message: 'step 1, "A": expected $ to be found, for x' })
    t.match(deep.evidence?.failedAssertions?.[0]?.found, /nested too deep/)
  },
)

const expensive = Array.from({ length: 20 }, (_, at) => {
  return { name: `x${at}`, source: 'body', path: '(?:a+)+(a)$' } as const
})

t.test('the captures of a step share what they may cost', (t) => {
  const text = 'a'.repeat(1_000_000)
  const expectation = makeExpectation()
  const response = { status: 200, contentType: 'text/plain', text: () => text }
  const { failed } = runSteps(judgedAnswer(expectation, expensive, response))
  t.ok(failed.length > 10, `${failed.length} of 20`)
  t.match(failed[0]?.found, 'more data than a check examines')
  t.end()
})

t.test('a target is not down because our own time to look at its answer is up', async (t) => {
  const { url } = await serve(t, answer('a'.repeat(1_000_000)))
  const steps = [{ name: 'A', url: '/', captures: expensive }]
  t.match(await check(url, steps, { timeoutMs: 500 }), {
    result: 'unknown',
    error: { message: /^step 1, "A": .*examining the answers .* takes more time than it may$/ },
  })
})

t.test('cookies of a hostile server are few, and none makes a check fail', async (t) => {
  const sent: string[] = []
  const strange = [
    '__proto__=1',
    'constructor=2; Domain=__proto__',
    '=x',
    ';;',
    'a=b; Domain=.test',
  ]
  const { url } = await serve(t, ({ headers }, response) => {
    sent.push(headers.cookie ?? '')
    const many = Array.from({ length: 3 }, (_, at) => `c${sent.length}-${at}=${'x'.repeat(3_000)}`)
    response.setHeader('set-cookie', [...strange, ...many]).end()
  })
  const steps = Array.from({ length: 20 }, (_, at) => ({ name: `Fill ${at}`, url: '/' }))
  t.match(await check(url, steps), { result: 'good' })
  t.match(sent[1], /^__proto__=1; /)
  t.equal(sent[1]?.split('c1-').length, 4)
  t.ok(sent.every((header) => header.length <= 12 * 1024))
})

t.test('a clean-up that hangs leaves time for the others', async (t) => {
  const { url, calls } = await serve(t, ({ url }, response) => {
    if (url !== '/hang') setTimeout(() => response.end(), 100)
  })
  const reading = await check(
    url,
    [
      { name: 'Hang', url: '/hang', isCleanUp: true },
      { name: 'Order', url: '/order' },
      { name: 'Remove', url: '/remove', isCleanUp: true },
    ],
    { timeoutMs: 2_000 },
  )
  t.match(reading, { result: 'good', isDegraded: true, message: /^step 2, "Hang": not finished/ })
  t.same(
    calls.map((call) => call.trim()),
    ['GET /order', 'GET /hang', 'GET /remove'],
  )
  t.match(reading.steps?.[2], { name: 'Remove', outcome: 'good' })
})

t.test(
  'a value cannot make a pattern or a schema of another kind, nor show in why it is none',
  async (t) => {
    const { url } = await serve(t, answer(JSON.stringify({ x: 'a"b', y: 'm' })))
    const look = { name: 'A', url: '/', captures: [json('x', '$.x')] }
    const judge = (type: 'regex' | 'jsonSchema', value: string, password = 'z') =>
      check(
        url,
        [
          look,
          {
            ...{ name: 'B', url: '/' },
            assertions: [{ source: 'json', path: type === 'regex' ? '$.y' : null, type, value }],
          },
        ],
        { variables: { password } },
      )
    t.match(await judge('regex', '^[{{password}}]$', 'a-z'), { result: 'failed' }, 'no range')
    const broken = await judge('regex', '[{{password}}-a]', 'zebra-0815-zz')
    t.match(broken.error, { message: /step 2, "B": the values make no valid pattern/ })
    t.notMatch(JSON.stringify(broken), /z-a|zz/)
    t.match((await judge('jsonSchema', '{"const": "{{x}}"}')).error, {
      message: 'step 2, "B": the values make no valid JSON Schema',
    })
    t.match(await judge('jsonSchema', '{"type": "object", "description": "{{x|json}}"}'), {
      result: 'good',
    })
  },
)

t.test('evidence has the answers of all steps, and no more of each than it shows', async (t) => {
  const { url } = await serve(t, (request, response) => {
    for (let at = 0; at < 40; at += 1) response.setHeader(`x-${at}`, 'v'.repeat(200))
    response.statusCode = request.url === '/last' ? 500 : 200
    response.end('aGVsbG8gd29ybGQ%20\\u0041&amp;'.repeat(3_000))
  })
  const value = (at: number) => `${at}-of-the-shop-`.repeat(300).slice(0, 4_000)
  const variables = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`v${at}`, value(at)]))
  const steps = Array.from({ length: 20 }, (_, at) => ({
    ...{ name: `Step ${at}`, url: at === 19 ? '/last' : '/', method: 'POST' as const },
    body: '{{v0}}',
  }))
  const reading = await probe(targetOf(url, steps, { variables, timeoutMs: 30_000 }), { clock })
  t.match(reading.error, { message: 'step 20, "Step 19": expected status 200, found 500' })
  t.equal(reading.evidence?.steps?.length, 20)
  t.ok(reading.evidence?.steps?.every(({ body, headers }) => body !== undefined && !headers))
})

t.test(
  'what is taken of a header that answers are shown without is not shown either',
  async (t) => {
    const { url } = await serve(t, (_request, response) => {
      response.setHeader('set-cookie', 'session=s3ss10n-of-ada').setHeader('x-state', 'ready').end()
    })
    const captures = [
      { name: 'session', source: 'header', path: 'Set-Cookie: session=(.+)' },
      { name: 'state', source: 'header', path: 'X-State' },
    ] as const
    const { steps } = await check(url, [{ name: 'A', url: '/', captures }])
    t.same(steps?.[0]?.captures, { session: '••••', state: 'ready' })
  },
)
