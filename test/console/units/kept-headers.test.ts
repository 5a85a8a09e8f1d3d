// When the editor of a monitor asks for its headers again.
import t from 'tap'
import {
  maskedNames,
  mustBeTypedAgain,
  tokensComeFromElsewhere,
} from '../../../src/console/pages/monitors/editor/kept-headers.ts'

const mask = '••••'
const stored = { url: 'https://inside.test/health', headers: { 'X-Key': mask } }

t.test('headers are asked for again where the address leads to another server', async (t) => {
  for (const url of ['https://other.test/', 'http://inside.test/', 'https://inside.test:8443/']) {
    t.ok(mustBeTypedAgain(stored, url), url)
  }
  for (const url of ['https://INSIDE.test:443/x', 'https:', 'inside', '', undefined]) {
    t.notOk(mustBeTypedAgain(stored, url), String(url))
  }
  const { url } = stored
  t.ok(mustBeTypedAgain(stored, url, { connectTo: '192.0.2.7' }), 'another address')
  t.ok(mustBeTypedAgain({ ...stored, proxy: 'office' }, url), 'not through the proxy')
  t.notOk(mustBeTypedAgain({ ...stored, proxy: 'office' }, url, { proxy: 'office' }))
  t.notOk(mustBeTypedAgain({ ...stored, headers: {} }, 'https://other.test/'), 'there are none')
  t.notOk(mustBeTypedAgain(undefined, 'https://other.test/'), 'nothing is stored')
  t.same(maskedNames({ ...stored.headers, Accept: 'text/plain' }), ['X-Key'])
})

t.test('and where another server gives the tokens', async (t) => {
  const asked = (before: string | null, now: unknown, password = mask) => {
    const auth = before === null ? null : { tokenUrl: before }
    return tokensComeFromElsewhere({ url: stored.url, password, auth }, now)
  }
  const tokens = 'https://id.test/token'
  for (const [before, now] of [
    [tokens, 'https://other.test/token'],
    [tokens, 'http://id.test/token'],
    [tokens, null],
    [null, tokens],
  ] as const) {
    t.ok(asked(before, now), `${before} ${now}`)
  }
  t.notOk(asked(tokens, 'https://id.test/oauth/token'), 'the same server')
  t.notOk(asked(tokens, 'https:'), 'it is being typed')
  t.notOk(asked(null, undefined), 'none')
  t.notOk(asked(tokens, null, ''), 'nothing is stored')
})
