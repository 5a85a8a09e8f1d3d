// Assertions that a part of an answer is as it was accepted.
import t from 'tap'
import { checkExpectation, type Response } from '../../../src/domain/assertions/assertion.ts'
import type { Assertion } from '../../../src/domain/assertions/expectation.ts'
import { makeExpectation } from '../../support/make-target.ts'
import { leastMs } from '../../support/starvation.ts'

const json = 'application/json'
const see = (
  at: Partial<Assertion>,
  value: string | null,
  text: string,
  more: Partial<Response> = {},
) => {
  const own = { source: 'json', path: null, type: 'unchanged', value, ...at } as const
  const other = { source: 'status', path: null, type: 'exists', value: null } as const
  return checkExpectation(makeExpectation({ assertions: [other, own] }), {
    ...{ status: 200, contentType: json, text: () => text },
    ...more,
  })
}
const foundIn = (at: Partial<Assertion>, text: string, more: Partial<Response> = {}) =>
  see(at, null, text, more)[0]?.found ?? ''

t.test('what is accepted holds until it changes, and then both are shown', async (t) => {
  const version = { path: '$.version' }
  const [first] = see(version, null, '{"version":"1.2.3"}')
  t.match(first, {
    kind: 'assertion',
    expected: '$.version to be accepted',
    found: /^[\w-]{22} 1\.2\.3$/,
    assertion: 1,
  })
  const accepted = first?.found ?? ''
  t.same(see(version, accepted, '{"version":"1.2.3","uptime":7}'), [])
  t.match(see(version, accepted, '{"version":"1.3.0"}'), [
    {
      expected: '$.version to be as accepted, beginning with "1.2.3"',
      found: /^[\w-]{22} 1\.3\.0$/,
      assertion: 1,
    },
  ])
  t.same(see(version, foundIn(version, '{"version":"1.3.0"}'), '{"version":"1.3.0"}'), [])
  const [gone] = see(version, accepted, '{}')
  t.equal(gone?.found, 'nothing')
  t.equal(gone?.assertion, undefined, 'nothing cannot be accepted')
})

t.test('every source with content has a mark: of all its values, and of the whole', async (t) => {
  const header = (name: string) => (name === 'server' ? ['nginx/1.2'] : [])
  const page = '<h1>Shop</h1><p class="a">Open</p>'
  const html = { contentType: 'text/html', header }
  const rows: [Partial<Assertion>, string, string, Partial<Response>][] = [
    [{ source: 'body' }, page, `${page} `, html],
    [{ source: 'html' }, page, page.replace('Open', 'Closed'), html],
    [{ source: 'html', path: 'p' }, page, page.replace('Open', 'Closed'), html],
    [{ path: '$.a[*]' }, '{"a":[1,2]}', '{"a":[2,1]}', {}],
    [{}, '{"a":1}', '{"a":"1"}', {}],
  ]
  for (const [at, before, after, more] of rows) {
    const accepted = foundIn(at, before, more)
    t.match(accepted, /^[\w-]{22} \S/)
    t.same(see(at, accepted, before, more), [], JSON.stringify(at))
    t.equal(see(at, accepted, after, more).length, 1, JSON.stringify(at))
  }
  const server = { source: 'header', path: 'Server' } as const
  const accepted = foundIn(server, '', html)
  t.same(see(server, accepted, '', html), [])
  t.equal(see(server, accepted, '', { header: () => ['nginx/1.3'] }).length, 1)
  // The order of keys, white space and tags say nothing.
  t.same(see({}, foundIn({}, '{"a":1,"b":[2]}'), '{ "b": [2], "a": 1 }'), [])
  const tagged = page.replace('class="a"', '')
  t.same(see({ source: 'html' }, foundIn({ source: 'html' }, page, html), tagged, html), [])
})

t.test('a mark is short, without secrets, and made in a moment', async (t) => {
  const redact = (text: string) => text.replaceAll('hunter22', '••••')
  const secret = foundIn({}, '"hunter22"', { redact })
  t.match(secret, /^[\w-]{22} ••••$/)
  t.same(see({}, secret, '"hunter22"', { redact }), [], 'and it still is that of the whole')
  const long = foundIn({ source: 'body' }, `a\n\n  b${'c'.repeat(10_000)}`)
  t.match(long, /^[\w-]{22} a\n\n {2}bc+/)
  const cut = foundIn({}, `"${'x'.repeat(170)}hunter22"`, { redact })
  t.notMatch(cut, /hunt/, 'nor half a secret')
  t.ok(long.length <= 200, `${long.length}`)
  const large = JSON.stringify(Array.from({ length: 200_000 }, (_, i) => i))
  const deep = '['.repeat(300_000) + ']'.repeat(300_000)
  for (const text of [large, deep, `"${'a'.repeat(1_000_000)}"`]) {
    const tookMs = leastMs(500, () => foundIn({}, text))
    t.ok(tookMs < 500, `${Math.round(tookMs)} ms`)
  }
  t.equal(foundIn({}, deep), '(more data than a check examines)')
  const cookie = { source: 'header', path: 'Set-Cookie' } as const
  const [hidden] = see(cookie, null, '', { header: () => ['session=secret'] })
  t.match(hidden, { found: '••••', assertion: undefined }, 'what is secret cannot be accepted')
})
