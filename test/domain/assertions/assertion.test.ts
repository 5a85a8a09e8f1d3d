// What a response must be like: statuses, texts, JSON values.
import t, { type Test } from 'tap'
import { checkExpectation } from '../../../src/domain/assertions/assertion.ts'
import type { AssertionType, Expectation } from '../../../src/domain/assertions/expectation.ts'
import { makeExpectation } from '../../support/make-target.ts'
import { leastMs } from '../../support/starvation.ts'

const document = {
  status: 'ok',
  count: 42,
  ratio: 0.5,
  text: '17',
  since: '2026-02-01',
  empty: '',
  nothing: null,
  yes: true,
  list: [1, 'two', { three: 3 }],
  nested: { b: 2, a: [1] },
  rows: [{ up: true }, { up: false }],
}

function check(
  expect: Partial<Expectation>,
  text = JSON.stringify(document),
  type = 'application/json',
) {
  const response = { status: 200, contentType: type, text: () => text }
  return checkExpectation(makeExpectation(expect), response)
}

t.test('the status must be the expected one or an accepted one', async (t) => {
  const cases: readonly [number, Partial<Expectation>, boolean][] = [
    [200, {}, true],
    [201, {}, false],
    [404, { expectedStatus: 404 }, true],
    [204, { acceptedStatuses: ['200-299'] }, true],
    [300, { acceptedStatuses: ['200-299', '301'] }, false],
    [301, { acceptedStatuses: ['200-299', '301'] }, true],
    [200, { expectedStatus: 404, acceptedStatuses: ['500'] }, false],
  ]
  for (const [status, expect, holds] of cases) {
    const failed = checkExpectation(makeExpectation(expect), {
      status,
      contentType: '',
      text: () => {
        throw new Error('the body must not be looked at')
      },
    })
    t.equal(failed.length === 0, holds, `${status} ${JSON.stringify(expect)}`)
  }
  const [failed] = checkExpectation(makeExpectation({ acceptedStatuses: ['301', '200'] }), {
    status: 503,
    contentType: '',
    text: () => '',
  })
  t.match(failed, { kind: 'status', expected: 'status 200 or 301', found: '503' })
})

t.test('a text must or must not be in the body', async (t) => {
  t.same(check({ bodyContains: '"ok"', bodyNotContains: 'error' }), [])
  t.match(check({ bodyContains: 'error' }, ''), [
    { kind: 'assertion', expected: 'body to contain "error"', found: '(empty)' },
  ])
  t.match(check({ bodyNotContains: 'ok' }), [{ expected: 'body not to contain "ok"' }])
  t.same(check({ bodyContains: '', bodyNotContains: '' }), [], 'an empty text means none')
  t.equal(check({ bodyContains: 'zz', bodyNotContains: '"ok"', expectedStatus: 500 }).length, 3)
})

type Row = readonly [AssertionType, path: string | null, value: string | null, holds: boolean]

function table(t: Test, rows: readonly Row[], text?: string, type?: string) {
  for (const [
    responseAssertionType,
    responseAssertionPath,
    responseAssertionValue,
    holds,
  ] of rows) {
    const expect = { responseAssertionType, responseAssertionPath, responseAssertionValue }
    const failed = check(expect, text, type)
    t.equal(failed.length === 0, holds, JSON.stringify([expect, failed]))
  }
}

t.test('assertions on a JSON document', async (t) => {
  table(t, [
    ['equals', '$.status', 'ok', true],
    ['equals', '$.status', 'OK', false],
    ['equals', '$.count', '42', true],
    ['equals', '$.count', '42.0', true],
    ['equals', '$.count', '4.2e1', true],
    ['equals', '$.text', '17.0', true],
    ['equals', '$.yes', 'true', true],
    ['equals', '$.nothing', 'null', true],
    ['equals', '$.nested', '{"a":[1],"b":2}', true],
    ['equals', '$.nested', '{"a":[1]}', false],
    ['equals', '$.list', '[1,"two",{"three":3}]', true],
    ['equals', '$.missing', 'x', false],
    ['equals', '$.rows[*].up', 'false', true],
    ['notEquals', '$.status', 'error', true],
    ['notEquals', '$.status', 'ok', false],
    ['notEquals', '$.rows[*].up', 'false', false],
    ['notEquals', '$.missing', 'x', true],
    ['contains', '$.status', 'o', true],
    ['contains', '$.list', 'two', true],
    ['contains', '$.list', 'tw', false],
    ['contains', '$.nested', '"b":2', true],
    ['contains', null, '"count":42', true],
    ['notContains', '$.list', 'four', true],
    ['notContains', null, 'status', false],
    ['regex', '$.status', '^o.$', true],
    ['regex', '$.status', '^k', false],
    ['regex', null, '"count":\\d+', true],
    ['jsonPath', '$.status', null, true],
    ['jsonPath', '$.status', '', true],
    ['jsonPath', '$.status', 'ok', true],
    ['jsonPath', '$.status', 'no', false],
    ['jsonPath', '$.missing', null, false],
    ['jsonPath', '$.nothing', null, true],
    ['jsonPath', '$.rows[?@.up==false]', null, true],
    ['jsonPath', '$.rows[?match(@.up, "x")]', null, false],
    ['jsonPath', '$[?search(@, "^2026-")]', null, true],
    ['exists', '$.nothing', null, true],
    ['exists', '$.missing', null, false],
    ['exists', '$.constructor', null, false],
    ['exists', '$.__proto__', null, false],
    ['exists', '$.list.length', null, false],
    ['notExists', '$.missing', null, true],
    ['notExists', '$.status', null, false],
    ['greaterThan', '$.count', '41', true],
    ['greaterThan', '$.count', '42', false],
    ['greaterThan', '$.text', '9', true],
    ['greaterThan', '$.since', '2026-01-31', true],
    ['greaterThan', '$.yes', '0', false],
    ['greaterThan', '$.missing', '0', false],
    ['greaterThan', '$.status', '5', false],
    ['lessThan', '$.empty', '5', false],
    ['greaterOrEqual', '$.count', '42', true],
    ['lessThan', '$.ratio', '.6', true],
    ['lessThan', '$.ratio', '0.5', false],
    ['lessThan', '$.nothing', '1', false],
    ['lessOrEqual', '$.ratio', '5e-1', true],
    ['type', '$.status', 'string', true],
    ['type', '$.count', 'number', true],
    ['type', '$.count', 'integer', true],
    ['type', '$.ratio', 'integer', false],
    ['type', '$.yes', 'boolean', true],
    ['type', '$.nothing', 'null', true],
    ['type', '$.nothing', 'object', false],
    ['type', '$.list', 'array', true],
    ['type', '$.nested', 'object', true],
    ['type', null, 'object', true],
    ['lengthEquals', '$.list', '3', true],
    ['lengthEquals', '$.status', '2', true],
    ['lengthEquals', '$.nested', '2', true],
    ['lengthEquals', '$.empty', '0', true],
    ['lengthEquals', '$.count', '2', false],
    ['lengthEquals', '$.list', 'three', false],
  ])
})

t.test('assertions on a text', async (t) => {
  const rows: readonly Row[] = [
    ['equals', null, '42', true],
    ['equals', null, '42\n', true],
    ['equals', null, '43', false],
    ['notEquals', null, '43', true],
    ['contains', null, '4', true],
    ['notContains', null, 'x', true],
    ['regex', null, '^\\d+\\s$', true],
    ['greaterThan', null, '9', true],
    ['lessOrEqual', null, '42', true],
    ['exists', null, null, true],
    ['notExists', null, null, false],
    ['type', null, 'string', true],
    ['lengthEquals', null, '3', true],
  ]
  table(t, rows, '42\n', 'text/plain')
  table(t, [['notExists', null, null, true]], '', 'text/plain')
})

t.test('how the format of a body is decided', async (t) => {
  const path = { responseAssertionType: 'equals', responseAssertionPath: '$.a' } as const
  const one = { ...path, responseAssertionValue: '1' }
  t.same(check(one, '{"a":1}', 'text/plain'), [], 'a path makes it JSON')
  t.same(check(one, '{"a":1}', 'application/problem+json; charset=utf-8'), [])
  t.match(check(one, 'oops', 'text/html'), [{ kind: 'invalid_response', found: 'oops' }])
  const text = { responseFormat: 'text', responseAssertionType: 'equals' } as const
  t.same(check({ ...text, responseAssertionValue: '"a"' }, '"a"'), [], 'text stays text')
  t.match(check({ responseFormat: 'json' }, '{"a":'), [{ expected: 'a JSON body' }])
  t.same(check({ responseFormat: 'json' }, 'null'), [])
  t.same(check({ responseFormat: 'auto' }, '{"a":'), [], 'nothing is said about the body')
})

t.test('secrets are masked before an excerpt is cut', async (t) => {
  const response = {
    status: 200,
    contentType: 'text/plain',
    text: () => `${'x'.repeat(195)}secret`,
    redact: (text: string) => text.replaceAll('secret', '***'),
  }
  const [failed] = checkExpectation(makeExpectation({ bodyContains: 'y' }), response)
  t.equal(failed?.found, `${'x'.repeat(195)}***`)
})

t.test('hostile documents and patterns end soon, and as a failure', async (t) => {
  const deep = '['.repeat(30) + ']'.repeat(30)
  const wide = JSON.stringify(Array.from({ length: 30_000 }, (_, i) => i))
  const deepest = '['.repeat(100_000) + ']'.repeat(100_000)
  const letters = JSON.stringify(['a'.repeat(60_000)])
  const rows: readonly [string, AssertionType, string | null, string | null][] = [
    [deep, 'jsonPath', `$${'[*,*]'.repeat(30)}`, null],
    [wide, 'jsonPath', '$..[?count($..*)>0]', null],
    [wide, 'jsonPath', '$[?count($)>count($[*])]', null],
    [deepest, 'jsonPath', '$..x', null],
    [deepest, 'equals', null, '[]'],
    [deepest, 'lengthEquals', '$', '7'],
    [letters, 'jsonPath', '$[?match(@, "(a+)+b")]', null],
    ['é'.repeat(1_000_000), 'regex', null, '(\\pL{400}x|\\pL{400}y)$'],
    ['a'.repeat(1_000_000), 'regex', null, '(a+)+$x'],
  ]
  for (const [text, responseAssertionType, responseAssertionPath, responseAssertionValue] of rows) {
    const expect = { responseAssertionType, responseAssertionPath, responseAssertionValue }
    const tookMs = leastMs(1_000, () => {
      const failed = check(expect, text, responseAssertionPath ? 'application/json' : 'text/plain')
      t.equal(failed.length, 1, JSON.stringify([expect, failed[0]?.found]).slice(0, 200))
    })
    t.ok(tookMs < 1_000, `${Math.round(tookMs)} ms`)
  }
})
