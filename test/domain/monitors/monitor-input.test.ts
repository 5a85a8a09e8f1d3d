// What a caller may say of a monitor: defaults, merging, and the rules between fields.
import t from 'tap'
import { retrySeconds } from '../../../src/domain/monitors/monitor.ts'
import {
  type MonitorFields,
  type MonitorInput,
  monitorDefaults,
} from '../../../src/domain/monitors/monitor-fields.ts'
import {
  completedInput,
  inputProblems,
  intervalSecondsOf,
} from '../../../src/domain/monitors/monitor-input.ts'
import { kindOf } from '../../../src/probes/registry.ts'
import { makeMonitor } from '../../support/make-page.ts'

const url = 'https://inside.test/'

const problemsOf = (input: MonitorInput) => inputProblems(input, kindOf(input))

/** The pointers of what is wrong with a monitor of these fields. */
function wrongWith(fields: MonitorFields): string[] {
  const problems = problemsOf(completedInput({ name: 'API', url, ...fields }))
  return problems.map(({ pointer }) => pointer)
}

t.test('a name and a URL are enough', async (t) => {
  const input = completedInput({ name: 'API', url })
  t.same(input, { ...monitorDefaults, name: 'API', url })
  t.same(problemsOf(input), [])
  t.equal(intervalSecondsOf(input), 300)
})

t.test('null and an empty text mean "not given"', async (t) => {
  const said = { bodyContains: '', responseAssertionType: '', responseFormat: '', body: null }
  const input = completedInput({ name: 'API', url, ...said, intervalSeconds: null, tags: null })
  t.same(input, { ...monitorDefaults, name: 'API', url })
})

t.test('a change keeps omitted fields and clears those set to null', async (t) => {
  const base = completedInput({ name: 'API', url, intervalSeconds: 20, body: 'x', tags: ['a'] })
  const changed = completedInput({ name: 'New', body: null }, base)
  t.match(changed, { name: 'New', body: null, intervalSeconds: 20, tags: ['a'] })
})

t.test('an interval in minutes applies if only that one is given', async (t) => {
  const base = completedInput({ name: 'API', url, intervalSeconds: 20 })
  t.equal(intervalSecondsOf(base), 20)
  t.equal(intervalSecondsOf(completedInput({ intervalMinutes: 10 }, base)), 600)
  t.equal(intervalSecondsOf(completedInput({ intervalMinutes: null }, base)), 300)
  const both = { intervalMinutes: 10, intervalSeconds: 30 }
  t.equal(intervalSecondsOf(completedInput(both, base)), 30)
})

t.test('null turns slowness off; a short timeout leaves no room for the default', async (t) => {
  const threshold = (fields: MonitorFields) =>
    completedInput({ name: 'API', url, ...fields }).degradedThresholdMs
  t.equal(threshold({}), 3_000)
  t.equal(threshold({ degradedThresholdMs: null }), null)
  t.equal(threshold({ timeoutMs: 2_000 }), null)
  t.equal(threshold({ timeoutMs: 2_000, degradedThresholdMs: 500 }), 500)
  t.same(wrongWith({ timeoutMs: 2_000, degradedThresholdMs: 2_000 }), ['/degradedThresholdMs'])
})

t.test('a threshold that nobody set follows the timeout, on change as on creation', async (t) => {
  const base = completedInput({ name: 'API', url })
  const changed = completedInput({ timeoutMs: 2_000 }, base)
  t.same(problemsOf(changed), [])
  t.equal(changed.degradedThresholdMs, null)
  t.equal(completedInput({ timeoutMs: 4_000 }, base).degradedThresholdMs, 3_000)
  const own = completedInput({ name: 'API', url, degradedThresholdMs: 2_500 })
  t.match(problemsOf(completedInput({ timeoutMs: 2_000 }, own)), [
    { pointer: '/degradedThresholdMs', message: 'must be below timeoutMs' },
  ])
  const both = { timeoutMs: 2_000, degradedThresholdMs: 3_000 }
  t.same(wrongWith(both), ['/degradedThresholdMs'], 'what is said now is meant')
  t.match(problemsOf(completedInput(both, base)), [{ pointer: '/degradedThresholdMs' }])
})

t.test('fields that contradict each other are named by pointer', async (t) => {
  const cases: [MonitorFields, string[]][] = [
    [{ url: null }, ['/url']],
    [{ checkType: 'push' }, ['/url']],
    [{ checkType: 'push', url: null }, []],
    [{ intervalSeconds: 10, timeoutMs: 10_001 }, ['/timeoutMs']],
    [{ intervalSeconds: 10, timeoutMs: 10_000 }, []],
    [{ intervalSeconds: 60, retryIntervalSeconds: 61 }, ['/retryIntervalSeconds']],
    [{ runbookUrl: 'javascript:alert(1)' }, ['/runbookUrl']],
    [{ runbookUrl: 'https://wiki.test/x' }, []],
    [{ responseAssertionValue: 'x' }, ['/responseAssertionType']],
    [{ responseAssertionPath: '$.a' }, ['/responseAssertionType']],
    [{ responseAssertionType: 'equals' }, ['/responseAssertionValue']],
    [{ responseAssertionType: 'jsonPath' }, ['/responseAssertionPath']],
    [{ responseAssertionType: 'exists', responseAssertionPath: '$.a' }, []],
    [
      { responseAssertionType: 'exists', responseAssertionPath: '$.a', responseFormat: 'text' },
      ['/responseAssertionPath'],
    ],
    [{ responseAssertionType: 'exists', responseAssertionPath: '$[' }, ['/responseAssertionPath']],
    [{ responseAssertionType: 'regex', responseAssertionValue: '(' }, ['/responseAssertionValue']],
    [{ acceptedStatuses: ['301', '200-299'] }, []],
    [{ acceptedStatuses: ['200', '299-200'] }, ['/acceptedStatuses/1']],
    [{ headers: { Host: 'x', 'X-Key': 'y' } }, ['/headers/Host']],
    [{ headers: { 'X-Key': 'a', 'x-key': 'b' } }, ['/headers/x-key']],
    [{ headers: { 'X-Key': 'a\r\nHost: b' } }, ['/headers/X-Key']],
    [{ headers: { 'Webhook-Signature': 'v1,x' } }, ['/headers/Webhook-Signature']],
  ]
  for (const [fields, pointers] of cases) {
    t.same(wrongWith(fields), pointers, JSON.stringify(fields))
  }
  const many = { url: null, intervalSeconds: 10, timeoutMs: 20_000, headers: { Host: 'x' } }
  t.same(wrongWith(many), ['/url', '/timeoutMs', '/headers/Host'], 'all are told at once')
})

t.test('assertions are validated, each invalid part by its pointer', async (t) => {
  const list = (...assertions: object[]): MonitorFields => ({ assertions })
  const schema = '{"type":"object"}'
  const long = 'x'.repeat(1_025)
  const value = JSON.stringify({ title: 'x'.repeat(16_000) })
  const longSchema = { source: 'json', type: 'jsonSchema', value }
  const cases: [MonitorFields, string[]][] = [
    [list({ source: 'status', type: 'lessThan', value: '300' }), []],
    [list({ source: 'header', path: 'X-Cache', type: 'exists' }), []],
    [list({ source: 'html', path: 'a@href', type: 'regex', value: '^https:' }), []],
    [list({ source: 'xml', type: 'exists', path: '' }), []],
    [list({ source: 'json', path: '$.a', type: 'jsonPath', value: '' }), []],
    [list({ source: 'json', path: '$.a', type: 'jsonSchema', value: schema }), []],
    [{ responseAssertionType: 'jsonSchema', responseAssertionValue: schema }, []],
    [list({ source: 'body', type: 'unchanged' }), []],
    [list({ source: 'body', type: 'unchanged', value: `${'a'.repeat(22)} text` }), []],
    [list({ source: 'body', type: 'unchanged', value: 'text' }), ['/assertions/0/value']],
    [list({ source: 'ip', type: 'unchanged' }), ['/assertions/0/type']],
    [list({ source: 'json', type: 'jsonSchema' }), ['/assertions/0/value']],
    [list({ source: 'json', type: 'jsonSchema', value: '{' }), ['/assertions/0/value']],
    [list({ source: 'html', type: 'jsonSchema', value: schema }), ['/assertions/0/type']],
    [list({ source: 'body', type: 'equals', value: long }), ['/assertions/0/value']],
    [list(...Array(3).fill(longSchema)), ['/assertions']],
    [list({ source: 'certificateDays', type: 'greaterThan', value: '14' }), []],
    [list({ source: 'ip', type: 'equals', value: '192.0.2.1' }), []],
    [list({ source: 'size', type: 'lessThan', value: '1000' }), []],
    [list({ source: 'size', type: 'lessThan', value: '1 kB' }), ['/assertions/0/value']],
    [list({ source: 'redirects', type: 'equals', value: 'none' }), ['/assertions/0/value']],
    [list({ source: 'tlsVersion', type: 'greaterOrEqual', value: 'TLSv1.2' }), []],
    [list({ source: 'tlsVersion', type: 'greaterOrEqual', value: '1.2' }), ['/assertions/0/value']],
    [list({ source: 'tlsCipher', type: 'contains', value: 'GCM' }), []],
    [list({ source: 'tlsCipher', path: 'x', type: 'exists' }), ['/assertions/0/path']],
    [list({ source: 'header', type: 'exists' }), ['/assertions/0/path']],
    [list({ source: 'header', path: 'a b', type: 'exists' }), ['/assertions/0/path']],
    [list({ source: 'ip', path: 'x', type: 'exists' }), ['/assertions/0/path']],
    [list({ source: 'body', path: '$.a', type: 'exists' }), ['/assertions/0/path']],
    [list({ source: 'json', path: 'a', type: 'exists' }), ['/assertions/0/path']],
    [list({ source: 'json', type: 'jsonPath' }), ['/assertions/0/path']],
    [list({ source: 'html', path: 'p', type: 'jsonPath' }), ['/assertions/0/type']],
    [list({ source: 'html', path: '$.a', type: 'exists' }), ['/assertions/0/path']],
    [list({ source: 'body', type: 'equals' }), ['/assertions/0/value']],
    [list({ source: 'body', type: 'regex', value: '(' }), ['/assertions/0/value']],
    [list({ source: 'body', type: 'lengthEquals', value: 'x' }), ['/assertions/0/value']],
    [list({ source: 'responseTime', type: 'lessThan', value: '1 s' }), ['/assertions/0/value']],
    [
      list({ source: 'body', type: 'exists' }, { source: 'status', type: 'equals', value: 'x' }),
      ['/assertions/1/value'],
    ],
    [
      { ...list({ source: 'status', type: 'exists' }), checkType: 'tcp', url: 'tcp://a.test:1' },
      ['/assertions/0/source'],
    ],
    [{ ...list({ source: 'ip', type: 'exists' }), checkType: 'push', url: null }, ['/assertions']],
    [{ responseFormat: 'html', responseAssertionType: 'exists', responseAssertionPath: 'p' }, []],
    [
      { responseFormat: 'json', responseAssertionType: 'exists', responseAssertionPath: 'p' },
      ['/responseAssertionPath'],
    ],
    [
      { responseFormat: 'xml', responseAssertionType: 'exists', responseAssertionPath: '$.a' },
      ['/responseAssertionPath'],
    ],
    [{ responseAssertionType: 'exists', responseAssertionPath: 'p:' }, ['/responseAssertionPath']],
  ]
  for (const [fields, pointers] of cases) {
    t.same(wrongWith(fields), pointers, JSON.stringify(fields))
  }
  const { assertions } = completedInput({
    name: 'A',
    url,
    ...list({ source: 'ip', type: 'exists' }),
  })
  t.same(assertions, [{ source: 'ip', path: null, type: 'exists', value: null }])
  t.same(completedInput({ assertions: null }, { assertions }).assertions, [], 'null clears them')
  t.same(completedInput({}, { assertions }).assertions, assertions)
})

/** What is said of the first problem: `pointer message`. */
function saidOf(fields: MonitorFields): string | undefined {
  const [first] = problemsOf(completedInput({ name: 'A', url, ...fields }))
  return first && `${first.pointer} ${first.message}`
}

t.test("a monitor's own assertion is judged as one of the list", async (t) => {
  const types = 'string, number, integer, boolean, null, object, array'
  const own = (type: string, path = '', value = '', format = 'auto'): MonitorFields => ({
    responseAssertionType: type,
    responseAssertionPath: path,
    responseAssertionValue: value,
    responseFormat: format,
  })
  const noJsonPath = "is not a valid JSONPath: expected '$', found 's' ('status':0)"
  const cases: [MonitorFields, string | undefined][] = [
    [own('jsonPath', 'status'), `/responseAssertionPath ${noJsonPath}`],
    [own('jsonPath', '$.status'), undefined],
    [own('jsonPath', '$.status', 'ok', 'json'), undefined],
    [
      own('jsonPath', 'p', '', 'html'),
      '/responseAssertionType must not be jsonPath with the responseFormat html',
    ],
    [
      own('jsonPath', 'p', '', 'xml'),
      '/responseAssertionType must not be jsonPath with the responseFormat xml',
    ],
    [
      own('jsonPath', '', '', 'text'),
      '/responseAssertionType must not be jsonPath with the responseFormat text',
    ],
    [
      own('jsonPath', '$.a', '', 'text'),
      '/responseAssertionPath must be absent for the responseFormat text',
    ],
    [
      own('exists', 'p', '', 'json'),
      "/responseAssertionPath is not a valid JSONPath: expected '$', found 'p' ('p':0)",
    ],
    [
      own('exists', '$.a', '', 'html'),
      '/responseAssertionPath is not a valid CSS selector: Empty sub-selector',
    ],
    [own('exists', 'p'), undefined],
    [own('lengthEquals', '', 'abc'), '/responseAssertionValue must be a whole number, 0 or more'],
    [own('lengthEquals', '', '-1'), '/responseAssertionValue must be a whole number, 0 or more'],
    [own('lengthEquals', '', '1.5'), '/responseAssertionValue must be a whole number, 0 or more'],
    [own('lengthEquals', '', '0'), undefined],
    [own('type', '$.a', 'strng'), `/responseAssertionValue must be one of ${types}`],
    [own('type', '$.a', 'integer'), undefined],
    [own('greaterThan', '$.since', '2026-01-31'), undefined],
    [
      own('regex', '', '('),
      '/responseAssertionValue is not a valid RE2 expression: missing closing ): `(`',
    ],
  ]
  for (const [fields, said] of cases) t.equal(saidOf(fields), said, JSON.stringify(fields))
  const listed = (source: string, type: string, value = '') =>
    saidOf({ assertions: [{ source, type, value }] })
  t.equal(listed('json', 'type', 'strng'), `/assertions/0/value must be one of ${types}`)
  t.equal(
    listed('html', 'jsonPath'),
    '/assertions/0/type must not be jsonPath with the source html',
  )
})

t.test('an assertion on a source that the kind does not have is refused', async (t) => {
  const days = { assertions: [{ source: 'certificateDays', type: 'exists' }] }
  const ip = { assertions: [{ source: 'ip', type: 'exists' }] }
  const at = (checkType: string, url: string, more: object) => saidOf({ checkType, url, ...more })
  const never = (checkType: string) =>
    `/assertions/0/source does not apply to checkType ${checkType}`
  const noTls = (scheme: string) =>
    `/assertions/0/source does not apply to a ${scheme}:// URL: it has no certificate`
  t.equal(at('endpoint', 'http://a.test/', days), noTls('http'))
  t.equal(at('websocket', 'WS://a.test/', days), noTls('ws'))
  t.equal(at('tcp', 'tcp://a.test:1', days), never('tcp'))
  t.equal(at('dns', 'dns://a.test', days), never('dns'))
  t.equal(at('ping', 'a.test', days), never('ping'))
  t.equal(at('domain', 'domain://a.test', days), never('domain'))
  t.equal(at('dns', 'dns://a.test', ip), never('dns'))
  t.equal(at('domain', 'domain://a.test', ip), never('domain'))
  for (const [kind, place] of [
    ['endpoint', url],
    ['websocket', 'wss://a.test'],
    ['ssl', 'https://a.test'],
    ['smtp', 'smtp://a.test'],
  ] as const) {
    t.equal(at(kind, place, days), undefined, kind)
  }
  t.equal(at('ping', 'a.test', ip), undefined)
  const of = (source: string) => ({ assertions: [{ source, type: 'exists' }] })
  t.equal(at('ssl', 'https://a.test', of('size')), never('ssl'))
  t.equal(at('websocket', 'wss://a.test', of('redirects')), never('websocket'))
  t.equal(at('tcp', 'tcp://a.test:1', of('tlsVersion')), never('tcp'))
  t.equal(at('endpoint', 'http://a.test/', of('tlsCipher')), noTls('http'))
  t.equal(at('smtp', 'smtp://a.test', of('tlsCipher')), undefined)
  const headless = { method: 'HEAD', ...of('size') }
  t.match(at('endpoint', 'https://a.test/', headless), /^\/method must not be HEAD when assertions/)
})

t.test('a field without effect for its kind is refused', async (t) => {
  const four = { ipFamily: 'ipv4' }
  const lax = { ignoreTlsErrors: true }
  const warned = { certificateWarnDays: [5] }
  const push = { checkType: 'push', url: null }
  const never = (field: string, kind: string) => `/${field} does not apply to checkType ${kind}`
  const cases: [MonitorFields, string | undefined][] = [
    [{ checkType: 'domain', url: 'domain://a.test', ...four }, never('ipFamily', 'domain')],
    [
      { checkType: 'dns', url: 'dns://a.test?type=MX', ...four },
      '/ipFamily applies only when the url names a server',
    ],
    [{ checkType: 'dns', url: 'dns://a.test?type=MX&server=ns.a.test', ...four }, undefined],
    [{ checkType: 'ssl', url: 'https://a.test', ...lax }, never('ignoreTlsErrors', 'ssl')],
    [{ checkType: 'ssl', url: 'https://a.test', ...warned }, undefined],
    [{ checkType: 'smtp', url: 'smtp://a.test', ...warned }, undefined],
    [{ checkType: 'domain', url: 'domain://a.test', domainWarnDays: [60] }, undefined],
    [
      { checkType: 'ssl', url: 'https://a.test', domainWarnDays: [60] },
      never('domainWarnDays', 'ssl'),
    ],
    [{ checkType: 'tcp', url: 'tcp://a.test:1', ...warned }, never('certificateWarnDays', 'tcp')],
    [{ ...push, certificateWarnDays: [] }, never('certificateWarnDays', 'push')],
    [{ ...push, certificateWarnDays: [30, 14, 7, 3, 1] }, undefined],
    [{ checkType: 'smtp', url: 'smtp://a.test', ...lax }, undefined],
    [{ ...push, timeoutMs: 5_000 }, never('timeoutMs', 'push')],
    [{ ...push, failureThreshold: 2 }, never('failureThreshold', 'push')],
    [{ ...push, recoveryThreshold: 3 }, never('recoveryThreshold', 'push')],
    [{ ...push, failureThreshold: 1, recoveryThreshold: 1 }, undefined],
    [{ ...push, degradedThresholdMs: 500 }, never('degradedThresholdMs', 'push')],
    [{ ...push, degradedThreshold: 1 }, never('degradedThreshold', 'push')],
    [{ ...push, degradedOpensIncident: true }, never('degradedOpensIncident', 'push')],
    [{ ...push, retryIntervalSeconds: 30 }, never('retryIntervalSeconds', 'push')],
    [{ ...push, degradedThresholdMs: null, retryIntervalSeconds: null }, undefined],
  ]
  for (const [fields, said] of cases) t.equal(saidOf(fields), said, JSON.stringify(fields))
  // The very shape of an endpoint, as the interface shows it.
  const shape = { method: 'GET', expectedStatus: 200, headers: {}, body: '', bodyContains: '' }
  const times = { intervalMinutes: 5, timeoutMs: 10_000, degradedThresholdMs: 3_000 }
  t.equal(saidOf({ ...push, ...shape, ...times }), undefined)
})

t.test('HEAD allows no expectations about a body', async (t) => {
  const json = { source: 'json', path: '$.a', type: 'exists' }
  const rules: [MonitorFields, string][] = [
    [{ bodyContains: 'x' }, 'bodyContains'],
    [{ bodyNotContains: 'x' }, 'bodyNotContains'],
    [{ responseFormat: 'json' }, 'responseFormat'],
    [{ responseAssertionType: 'exists' }, 'responseAssertionType'],
    [{ assertions: [json] }, 'assertions'],
  ]
  for (const [fields, field] of rules) {
    const said = `/method must not be HEAD when ${field} is given: it needs a response body`
    t.equal(saidOf({ method: 'HEAD', ...fields }), said)
  }
  const header = { source: 'header', path: 'Age', type: 'exists' }
  t.equal(saidOf({ method: 'HEAD', assertions: [header], bodyContains: '' }), undefined)
})

t.test('a body is measured in bytes, and a range begins with its lower end', async (t) => {
  const kib = 1_024
  t.equal(saidOf({ method: 'POST', body: 'x'.repeat(64 * kib) }), undefined)
  t.equal(saidOf({ method: 'POST', body: 'ä'.repeat(32 * kib) }), undefined)
  const tooLong = '/body must have at most 65536 bytes in UTF-8'
  t.equal(saidOf({ method: 'POST', body: `${'ä'.repeat(32 * kib)}x` }), tooLong)
  const turned = '/acceptedStatuses/0 must name the lower status first: 200-299'
  t.equal(saidOf({ acceptedStatuses: ['299-200'] }), turned)
})

t.test('health and keyword checks need a body, and keyword checks a word', async (t) => {
  const cases: [MonitorFields, string[]][] = [
    [{ checkType: 'health' }, []],
    [{ checkType: 'health', method: 'HEAD' }, ['/method']],
    [{ checkType: 'keyword' }, ['/bodyContains']],
    [{ checkType: 'keyword', bodyContains: '' }, ['/bodyContains']],
    [{ checkType: 'keyword', bodyContains: 'x' }, []],
    [{ checkType: 'keyword', bodyNotContains: 'x' }, []],
    [{ checkType: 'keyword', bodyContains: 'x', method: 'HEAD' }, ['/method']],
  ]
  for (const [fields, pointers] of cases) {
    t.same(wrongWith(fields), pointers, JSON.stringify(fields))
  }
})

t.test('while something is confirmed checks come at half the interval, 5 to 30 s', async (t) => {
  const pace = (intervalSeconds: number) => retrySeconds(makeMonitor({ intervalSeconds }))
  t.same([10, 25, 60, 3_600].map(pace), [5, 13, 30, 30])
  t.equal(retrySeconds(makeMonitor({ retryIntervalSeconds: 7 })), 7)
})

t.test('an assertion that would always hold, or never, is refused', async (t) => {
  const said = (source: string, type: string, value = '5') =>
    saidOf({ assertions: [{ source, type, value }] })
  const plain = ['size', 'redirects', 'tlsVersion', 'tlsCipher']
  for (const source of ['status', 'responseTime', 'certificateDays', 'ip', ...plain]) {
    for (const type of ['type', 'lengthEquals']) {
      const value = type === 'type' ? 'number' : '3'
      const rule = `/assertions/0/type must not be ${type} with the source ${source}`
      t.equal(said(source, type, value), rule)
    }
  }
  for (const type of ['greaterThan', 'greaterOrEqual', 'lessThan', 'lessOrEqual']) {
    t.equal(said('ip', type), `/assertions/0/type must not be ${type} with the source ip`)
    t.equal(
      said('tlsCipher', type),
      `/assertions/0/type must not be ${type} with the source tlsCipher`,
    )
    t.equal(said('responseTime', type), undefined)
    t.equal(
      saidOf({ assertions: [{ source: 'header', path: 'age', type, value: '5' }] }),
      undefined,
    )
  }
  t.equal(said('ip', 'equals', '192.0.2.1'), undefined)
  t.equal(said('body', 'lengthEquals'), undefined)
})

t.test('a tcp check accepts only known escapes', async (t) => {
  const tcp = (body: string) => saidOf({ checkType: 'tcp', url: 'tcp://a.test:1', body })
  const rule = (found: string) =>
    `/body must not contain ${found} (the escapes are \\r, \\n, \\t, \\\\ and \\xNN, a byte in hex)`
  for (const body of ['PING\\r\\n', '\\x00\\xfF', '\\\\q', 'a\nb', '']) {
    t.equal(tcp(body), undefined, body)
  }
  t.equal(tcp('a\\r\\q'), rule('\\q'))
  t.equal(tcp('\\x4'), rule('\\x'))
  t.equal(tcp('\\\\\\'), rule('\\'))
  t.equal(saidOf({ method: 'POST', body: '\\q' }), undefined, 'for others it is a text')
})
