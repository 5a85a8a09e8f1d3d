// The list of assertions, health checks, and bodies of XML and HTML.
import t from 'tap'
import {
  bodyHolds,
  checkExpectation,
  expectationSteps,
  needsBody,
  type Response,
} from '../../../src/domain/assertions/assertion.ts'
import { freshBudget } from '../../../src/domain/assertions/budget.ts'
import type { Assertion, Expectation } from '../../../src/domain/assertions/expectation.ts'
import { makeExpectation } from '../../support/make-target.ts'
import { leastMs } from '../../support/starvation.ts'

const seen: Response = {
  status: 200,
  contentType: 'application/json',
  text: () => '{"count":3,"items":["a","b"],"token":"hunter22"}',
  header: (name) => headers.get(name) ?? [],
  responseTimeMs: 120.5,
  certificateDays: 12,
  address: '192.0.2.7',
  size: 44,
  redirects: 2,
  tls: { version: 'TLSv1.2', cipher: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256' },
  redact: (text) => text.replaceAll('hunter22', '••••'),
}
const headers = new Map<string, readonly string[]>([
  ['server', ['nginx']],
  ['set-cookie', ['a=1', 'session=verysecret']],
  ['age', ['17']],
  ['x-echo', ['hunter22']],
])

function makeAssertion(assertion: Partial<Assertion>): Assertion {
  return { source: 'body', path: null, type: 'exists', value: null, ...assertion }
}

function check(assertions: readonly Partial<Assertion>[], response: Partial<Response> = {}) {
  const expect = makeExpectation({ assertions: assertions.map(makeAssertion) })
  return checkExpectation(expect, { ...seen, ...response })
}

type Row = readonly [Assertion['source'], string | null, Assertion['type'], string | null]

t.test('every source is compared, numbers as numbers', async (t) => {
  const holding: readonly Row[] = [
    ['status', null, 'equals', '200'],
    ['status', null, 'lessThan', '300.0'],
    ['header', 'Server', 'contains', 'ngin'],
    ['header', 'set-cookie', 'regex', '^session='],
    ['header', 'Age', 'greaterThan', '9'],
    ['header', 'X-None', 'notExists', null],
    ['header', '__proto__', 'notExists', null],
    ['body', null, 'contains', '"count":3'],
    ['body', null, 'regex', 'count.:\\d'],
    ['json', '$.count', 'equals', '3.0'],
    ['json', '$.items', 'lengthEquals', '2'],
    ['json', null, 'type', 'object'],
    ['json', '$.items[*]', 'jsonPath', 'b'],
    ['responseTime', null, 'lessThan', '121'],
    ['responseTime', null, 'greaterOrEqual', '120.5'],
    ['certificateDays', null, 'greaterThan', '9'],
    ['ip', null, 'equals', '192.0.2.7'],
    ['ip', null, 'regex', '^192\\.0\\.2\\.'],
    ['size', null, 'lessOrEqual', '44'],
    ['size', null, 'greaterThan', '9'],
    ['redirects', null, 'equals', '2'],
    ['tlsVersion', null, 'equals', 'TLSv1.2'],
    ['tlsVersion', null, 'greaterOrEqual', 'TLSv1.1'],
    ['tlsVersion', null, 'greaterThan', 'TLSv1'],
    ['tlsVersion', null, 'lessThan', 'TLSv1.3'],
    ['tlsCipher', null, 'notContains', '_CBC_'],
  ]
  for (const [source, path, type, value] of holding) {
    t.same(check([{ source, path, type, value }]), [], `${source} ${type} ${value}`)
  }
})

t.test('each failed assertion reports the expected and the found value', async (t) => {
  const failed = check([
    { source: 'status', type: 'equals', value: '201' },
    { source: 'header', path: 'Server', type: 'equals', value: 'Apache' },
    { source: 'header', path: 'X-None', type: 'exists' },
    { source: 'body', type: 'contains', value: 'nothing like it' },
    { source: 'json', path: '$.count', type: 'greaterThan', value: '3' },
    { source: 'responseTime', type: 'lessThan', value: '100' },
    { source: 'certificateDays', type: 'greaterOrEqual', value: '14' },
    { source: 'ip', type: 'notEquals', value: '192.0.2.7' },
    { source: 'size', type: 'lessThan', value: '44' },
    { source: 'redirects', type: 'lessOrEqual', value: '1' },
    { source: 'tlsVersion', type: 'greaterOrEqual', value: 'TLSv1.3' },
    { source: 'tlsCipher', type: 'notContains', value: '_RSA_' },
    { source: 'json', path: '$.count', type: 'equals', value: '3' },
  ])
  t.same(
    failed.map(({ kind, expected, found }) => [kind, expected, found]),
    [
      ['status', 'status to equal 201', '200'],
      ['assertion', 'header Server to equal "Apache"', 'nginx'],
      ['assertion', 'header X-None to exist', 'nothing'],
      [
        'assertion',
        'body to contain "nothing like it"',
        '{"count":3,"items":["a","b"],"token":"••••"}',
      ],
      ['assertion', '$.count to be greater than 3', '3'],
      ['assertion', 'response time to be less than 100 ms', '120.5 ms'],
      ['assertion', 'days until the certificate expires to be at least 14', '12'],
      ['assertion', 'address not to equal "192.0.2.7"', '192.0.2.7'],
      ['assertion', 'body size to be less than 44 bytes', '44 bytes'],
      ['assertion', 'number of redirects to be at most 1', '2'],
      ['assertion', 'TLS version to be at least "TLSv1.3"', 'TLSv1.2'],
      ['assertion', 'TLS cipher not to contain "_RSA_"', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
    ],
  )
})

t.test('a source that a check does not have counts as nothing', async (t) => {
  const plain = { status: 200, contentType: '', text: () => '' }
  const parts = ['header', 'responseTime', 'certificateDays', 'ip', 'size', 'tlsVersion'] as const
  for (const source of parts) {
    const of = (type: Assertion['type']) =>
      checkExpectation(
        makeExpectation({ assertions: [makeAssertion({ source, path: 'x', type, value: '1' })] }),
        plain,
      )
    t.match(of('equals'), [{ found: 'nothing' }], source)
    t.same(of('notExists'), [], source)
  }
})

t.test('no secret is quoted: neither a sent one nor a secret header', async (t) => {
  const failed = check([
    { source: 'header', path: 'Set-Cookie', type: 'equals', value: 'x' },
    { source: 'header', path: 'X-Echo', type: 'equals', value: 'x' },
    { source: 'json', path: '$.token', type: 'equals', value: 'x' },
    { source: 'json', path: '$', type: 'equals', value: 'x' },
  ])
  t.equal(failed.length, 4)
  t.notMatch(JSON.stringify(failed), /verysecret|hunter22/)
  t.equal(failed[0]?.found, '••••')
  const [long] = check([{ source: 'body', type: 'equals', value: 'x' }], {
    text: () => 'y'.repeat(5_000),
  })
  t.ok((long?.found.length ?? 0) <= 201, 'an excerpt is short')
})

t.test('a body without its declared format is one failure, however often it is read', async (t) => {
  const text = () => '<p>oops'
  const failed = check(
    [
      { source: 'json', path: '$.a' },
      { source: 'json', path: '$.b' },
      { source: 'xml', path: 'a' },
      { source: 'xml', path: 'b' },
      { source: 'html', path: 'p' },
    ],
    { text },
  )
  t.match(failed, [
    { kind: 'invalid_response', expected: 'a JSON body', found: '<p>oops' },
    {
      kind: 'invalid_response',
      expected: 'an XML body',
      found: /ends within an element: <p>oops/,
    },
  ])
  t.equal(failed.length, 2)
})

t.test('the body is requested only if something is expected of it', async (t) => {
  const sources: readonly [Partial<Expectation>, boolean][] = [
    [{}, false],
    [{ responseFormat: 'text' }, false],
    [{ responseFormat: 'xml' }, true],
    [{ assertions: [makeAssertion({ source: 'status', type: 'equals', value: '200' })] }, false],
    [{ assertions: [makeAssertion({ source: 'responseTime' })] }, false],
    [{ assertions: [makeAssertion({ source: 'redirects' })] }, false],
    [{ assertions: [makeAssertion({ source: 'size' })] }, true],
    [{ assertions: [makeAssertion({ source: 'html' })] }, true],
  ]
  for (const [expect, needs] of sources) {
    t.equal(needsBody(makeExpectation(expect)), needs, JSON.stringify(expect))
  }
  t.equal(needsBody(makeExpectation(), { expects: 'words' }), false)
  t.equal(needsBody(makeExpectation(), { expects: 'health' }), true)
  const unread = { text: () => t.fail('the body must not be looked at') as never }
  t.same(check([{ source: 'ip' }, { source: 'header', path: 'age' }], unread), [])
  const said = [makeAssertion({ source: 'ip', type: 'notExists' }), makeAssertion({})]
  const expect = makeExpectation({ assertions: said, expectedStatus: 204 })
  t.equal(bodyHolds(expect, { contentType: '', text: () => 'x' }), true, 'of the body alone')
  t.equal(bodyHolds(expect, { contentType: '', text: () => '' }), false)
})

t.test('a health check requires JSON that reports healthy', async (t) => {
  const health = (text: string, expect: Partial<Expectation> = {}) =>
    checkExpectation(makeExpectation(expect), {
      kind: { textName: 'body', expects: 'health' },
      status: 200,
      contentType: 'application/health+json',
      text: () => text,
    })
  for (const word of ['ok', 'OK', 'up', 'UP', 'healthy', 'Pass', 'passing', 'green']) {
    t.same(health(JSON.stringify({ status: word, checks: {} })), [], word)
  }
  const bad: readonly [string, object][] = [
    ['{"status":"DOWN"}', { kind: 'assertion', found: 'DOWN' }],
    ['{"status":"okay"}', { found: 'okay' }],
    ['{"status":true}', { found: 'true' }],
    ['{"status":{"code":"UP"}}', { found: '{"code":"UP"}' }],
    ['{"state":"up"}', { found: 'no "status"' }],
    ['["up"]', { found: 'no "status"' }],
    ['"up"', { found: 'no "status"' }],
    ['null', { found: 'no "status"' }],
    ['{"__proto__":{"status":"up"}}', { found: 'no "status"' }],
    ['OK', { kind: 'invalid_response', expected: 'a JSON body', found: 'OK' }],
    ['', { kind: 'invalid_response', found: '(empty)' }],
  ]
  for (const [text, expected] of bad) t.match(health(text), [expected], text)
  t.match(health('{"status":"DOWN"}', { expectedStatus: 503 }), [{ kind: 'status' }, {}])
  t.match(health('{"status":"up","a":1}', { bodyNotContains: 'a' }), [{ kind: 'assertion' }])
})

t.test('CSS selectors select parts of XML and HTML bodies', async (t) => {
  const own = (
    text: string,
    contentType: string,
    path: string | null,
    fields: Partial<Expectation>,
  ) =>
    checkExpectation(
      makeExpectation({
        responseAssertionType: 'equals',
        responseAssertionPath: path,
        responseAssertionValue: '42',
        ...fields,
      }),
      { status: 200, contentType, text: () => text },
    )
  const xml = '<r><n>42</n><N>7</N></r>'
  t.same(own(xml, 'application/xml', 'n', {}), [], 'auto, by content type')
  t.same(own(xml, 'application/rss+xml; charset=x', 'n', {}), [])
  t.match(own(xml, 'text/xml', 'N', {}), [{ expected: 'N to equal 42', found: '7' }])
  t.same(own('<p>x<b>42', 'text/html', 'b', {}), [], 'HTML need not be complete')
  t.same(own('<p>x<b>42', 'text/plain', 'B', {}), [], 'a selector makes it HTML')
  t.same(own('<a href=42>', 'text/html', 'a@href', {}), [])
  t.match(own('<b>42', 'text/html', 'b', { responseFormat: 'xml' }), [
    { kind: 'invalid_response', expected: 'an XML body' },
  ])
  t.same(own(xml, 'text/plain', 'n', { responseFormat: 'xml' }), [])
  const only = { responseAssertionType: null, responseAssertionValue: null } as const
  t.match(own('{}', '', null, { ...only, responseFormat: 'xml' }), [{ kind: 'invalid_response' }])
  for (const text of ['{}', 'hello', '']) {
    t.match(own(text, 'text/html', null, { ...only, responseFormat: 'html' }), [
      {
        kind: 'invalid_response',
        expected: 'an HTML body',
        found: `one that has no element: ${text}`,
      },
    ])
  }
  t.same(own('hello <i>you', '', null, { ...only, responseFormat: 'html' }), [])
  t.match(own('{"n":42}', 'application/json', 'n', {}), [
    { found: /paths that begin with \$ need JSON/ },
  ])
  t.same(own('<r> 42 </r>', '', null, { responseFormat: 'xml' }), [], 'the text of the whole')
  const several = { responseAssertionType: 'notContains', responseAssertionValue: 'bad' } as const
  t.same(own('<p>good<p>fine', 'text/html', 'p', several), [])
  t.match(own('<p>good<p>bad', 'text/html', 'p', several), [{ found: 'good, bad' }])
})

t.test('twenty assertions made to be slow do not take long together', async (t) => {
  const types: readonly Partial<Assertion>[] = [
    { source: 'html', path: 'a ~ a ~ a' },
    { source: 'html', path: ':not(:has(~ q))', type: 'notExists' },
    { source: 'body', type: 'regex', value: '(a|a)*b$' },
    { source: 'body', type: 'regex', value: '(.*a){20}x' },
    { source: 'html', path: '*', type: 'regex', value: '(a+)+$x' },
  ]
  const text = `${'<a>aa</a>'.repeat(45_000)}`
  const tookMs = leastMs(3_000, () => {
    const failed = check([...types, ...types, ...types, ...types], { text: () => text })
    t.ok(failed.length > 0)
  })
  t.ok(tookMs < 3_000, `${Math.round(tookMs)} ms`)
})

t.test(
  'no assertion on a mebibyte is expensive, however often the same value is selected',
  async (t) => {
    const keys = Array.from({ length: 90_000 }, (_, i) => [i.toString(36), 1] as const)
    const all = `$[${Array(60).fill("'a'").join()}]`
    const documents = {
      keys: JSON.stringify({ a: Object.fromEntries(keys) }),
      items: JSON.stringify({ a: Array(500_000).fill(1) }),
      digits: JSON.stringify({ a: `${'1'.repeat(1_000_000)}x` }),
      text: 'a'.repeat(1_024 * 1_024),
    }
    const hard = `${'a'.repeat(500)}b${'a'.repeat(500)}`
    const rows: readonly [keyof typeof documents, Partial<Assertion>][] = [
      ['keys', { source: 'json', path: all, type: 'lengthEquals', value: '7' }],
      ['keys', { source: 'json', path: all, type: 'equals', value: '{"a":1}' }],
      ['keys', { source: 'json', path: all, type: 'type', value: 'boolean' }],
      ['items', { source: 'json', path: all, type: 'contains', value: 'zzz' }],
      ['digits', { source: 'json', path: all, type: 'greaterThan', value: '5' }],
      ['text', { source: 'body', type: 'contains', value: hard }],
      ['text', { source: 'body', type: 'notEquals', value: hard }],
    ]
    for (const [name, assertion] of rows) {
      const assertions = Array<typeof assertion>(20).fill(assertion)
      const tookMs = leastMs(1_500, () => check(assertions, { text: () => documents[name] }))
      t.ok(tookMs < 1_500, `${Math.round(tookMs)} ms: ${name} ${assertion.type}`)
    }
    const [failed] = check([{ source: 'json', path: all, type: 'contains', value: 'zzz' }], {
      text: () => documents.items,
    })
    t.equal(failed?.found, '(more data than a check examines)')
  },
)

t.test('an excerpt of a large value is the beginning of it', async (t) => {
  const text = JSON.stringify({
    list: Array(10_000).fill('x'),
    deep: JSON.parse('['.repeat(300) + ']'.repeat(300)),
  })
  const foundOf = (path: string) =>
    check([{ source: 'json', path, type: 'type', value: 'null' }], { text: () => text })[0]?.found
  t.match(foundOf('$'), /^\{"list":\["x","x".*…$/)
  t.match(foundOf('$.list'), /^\["x","x".*…$/)
  t.equal(foundOf('$.deep'), '(nested too deep to show)')
  t.equal(foundOf('$.list[0]'), 'x')
})

t.test('a large body is examined in steps that take a moment each', async (t) => {
  const text = '<p>a'.repeat(40_000) + 'x'.repeat(1_024 * 1_024 - 160_000)
  const path = 'p'
  const rows = ['equals', 'notEquals', 'exists'] as const
  const expect = makeExpectation({
    assertions: rows.map((type) => makeAssertion({ source: 'html', path, type, value: 'a' })),
  })
  const response = { ...seen, contentType: 'text/html', text: () => text }
  const steps = expectationSteps(expect, response)
  let count = 0
  let next = steps.next()
  for (; !next.done; next = steps.next()) count += 1
  t.ok(count >= 16 + rows.length, `${count} steps`)
  t.same(next.value, checkExpectation(expect, response))
})

t.test('texts of one check may share a budget, which they use up together', async (t) => {
  const path = '*:nth-last-child(2n+1)'
  const hard = makeExpectation({ assertions: [makeAssertion({ source: 'html', path })] })
  const easy = makeExpectation({ assertions: [makeAssertion({ source: 'html', path: 'p' })] })
  const budget = freshBudget()
  const text = () => '<p>'.repeat(500)
  t.ok(bodyHolds(easy, { contentType: '', text }, budget))
  for (let n = 0; n < 30; n += 1) bodyHolds(hard, { contentType: '', text }, budget)
  t.notOk(bodyHolds(easy, { contentType: '', text }, budget))
})
