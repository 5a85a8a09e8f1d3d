// What a caller may say of a monitor: defaults, merging, and the rules between fields.
import t from 'tap'
import { retrySeconds } from '../../src/domain/monitor.ts'
import {
  completedInput,
  inputProblems,
  intervalSecondsOf,
  type MonitorFields,
  monitorDefaults,
} from '../../src/domain/monitor-input.ts'
import { makeMonitor } from '../support/make-page.ts'

const url = 'https://inside.test/'

/** The pointers of what is wrong with a monitor of these fields. */
function wrongWith(fields: MonitorFields): string[] {
  const problems = inputProblems(completedInput({ name: 'API', url, ...fields }))
  return problems.map(({ pointer }) => pointer)
}

t.test('a name and a URL are enough', async (t) => {
  const input = completedInput({ name: 'API', url })
  t.same(input, { ...monitorDefaults, name: 'API', url })
  t.same(inputProblems(input), [])
  t.equal(intervalSecondsOf(input), 300)
})

t.test('null and an empty text mean that nothing was said', async (t) => {
  const said = { bodyContains: '', responseAssertionType: '', responseFormat: '', body: null }
  const input = completedInput({ name: 'API', url, ...said, intervalSeconds: null, tags: null })
  t.same(input, { ...monitorDefaults, name: 'API', url })
})

t.test('a change keeps what it does not name and clears what it names null', async (t) => {
  const base = completedInput({ name: 'API', url, intervalSeconds: 20, body: 'x', tags: ['a'] })
  const changed = completedInput({ name: 'New', body: null }, base)
  t.match(changed, { name: 'New', body: null, intervalSeconds: 20, tags: ['a'] })
})

t.test('an interval in minutes is meant where only that one is said', async (t) => {
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
    [{ headers: { 'Webhook-Signature': 'v1,x' } }, []],
  ]
  for (const [fields, pointers] of cases) {
    t.same(wrongWith(fields), pointers, JSON.stringify(fields))
  }
  const many = { url: null, intervalSeconds: 10, timeoutMs: 20_000, headers: { Host: 'x' } }
  t.same(wrongWith(many), ['/url', '/timeoutMs', '/headers/Host'], 'all are told at once')
})

t.test(
  'a list of assertions is held against the rules, each wrong part by its pointer',
  async (t) => {
    const list = (...assertions: object[]): MonitorFields => ({ assertions })
    const cases: [MonitorFields, string[]][] = [
      [list({ source: 'status', type: 'lessThan', value: '300' }), []],
      [list({ source: 'header', path: 'X-Cache', type: 'exists' }), []],
      [list({ source: 'html', path: 'a@href', type: 'regex', value: '^https:' }), []],
      [list({ source: 'xml', type: 'exists', path: '' }), []],
      [list({ source: 'json', path: '$.a', type: 'jsonPath', value: '' }), []],
      [list({ source: 'certificateDays', type: 'greaterThan', value: '14' }), []],
      [list({ source: 'ip', type: 'equals', value: '192.0.2.1' }), []],
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
      [
        { ...list({ source: 'ip', type: 'exists' }), checkType: 'push', url: null },
        ['/assertions'],
      ],
      [{ responseFormat: 'html', responseAssertionType: 'exists', responseAssertionPath: 'p' }, []],
      [
        { responseFormat: 'json', responseAssertionType: 'exists', responseAssertionPath: 'p' },
        ['/responseAssertionPath'],
      ],
      [
        { responseFormat: 'xml', responseAssertionType: 'exists', responseAssertionPath: '$.a' },
        ['/responseAssertionPath'],
      ],
      [
        { responseAssertionType: 'exists', responseAssertionPath: 'p:' },
        ['/responseAssertionPath'],
      ],
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
  },
)

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
