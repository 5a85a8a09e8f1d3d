// The path that the service is below: taken off requests, and put before our own addresses alone.
import t from 'tap'
import {
  belowBase,
  cookiesBelow,
  patternsBelow,
  withoutBase,
} from '../../../src/http/edge/base-path.ts'

t.test('the path is taken off where it is a whole segment', async (t) => {
  for (const [path, base, inner] of [
    ['/up/app', '/up', '/app'],
    ['/up', '/up', '/'],
    ['/up/', '/up', '/'],
    ['/up/up/x', '/up', '/up/x'],
    ['/upside', '/up', undefined],
    ['/app', '/up', undefined],
    ['/app', '', undefined],
  ] as const) {
    t.equal(withoutBase(path, base), inner, path)
  }
  t.same(patternsBelow('/up', '/'), ['/up', '/up/'])
  t.same(patternsBelow('/up', '/api/*'), ['/up/api/*'])
  t.same(patternsBelow('', '/api/*'), [])
})

t.test('our own addresses get the path; those of others and what people wrote stay', async (t) => {
  const head =
    'text/html; charset=utf-8\r\nLocation: /app\r\nSet-Cookie: a=/x; Path=/; HttpOnly' +
    '\r\nSet-Cookie: b=1; Path=/api/v1; HttpOnly\r\nLink: </api/v1/x?a=/b>; rel="next"'
  const body =
    '<a href="/app">/app href=&quot;/x&quot;</a><img src="//cdn.test/a.png"><form action="/x">' +
    '<a href="https://a.test/app">a</a><input value="/docs"><p data-next="/app">'
  const below = belowBase({ status: 200, head, body }, '/up')
  t.equal(
    below.head,
    'text/html; charset=utf-8\r\nLocation: /up/app\r\nSet-Cookie: a-up=/x; Path=/up; HttpOnly' +
      '\r\nSet-Cookie: b=1; Path=/up/api/v1; HttpOnly\r\nLink: </up/api/v1/x?a=/b>; rel="next"',
  )
  t.equal(
    below.body,
    '<a href="/up/app">/app href=&quot;/x&quot;</a><img src="//cdn.test/a.png"><form action="/up/x">' +
      '<a href="https://a.test/app">a</a><input value="/docs"><p data-next="/up/app">',
  )
  const css = { status: 200, head: 'text/css', body: Buffer.from('a{b:url(/c.png)}d{e:url("/f")}') }
  t.equal(belowBase(css, '/up').body, 'a{b:url(/up/c.png)}d{e:url("/up/f")}')
  const json = { status: 200, head: 'application/json', body: '{"a":" href=\\"/x\\""}' }
  t.equal(belowBase(json, '/up').body, json.body)
  const away = { status: 303, head: 'text/plain\r\nLocation: https://a.test/\r\nX: /y' }
  t.equal(belowBase(away, '/up').head, away.head)
})

t.test(
  'a cookie of the root of the host is no second one, and counts only until there is one',
  async (t) => {
    t.equal(cookiesBelow('auth-token=old; auth-token-up=new; b=1', '/up'), 'auth-token=new; b=1')
    t.equal(cookiesBelow('auth-token-up=new; auth-token=old', '/up'), 'auth-token=new')
    t.equal(cookiesBelow('auth-token=old; b=1', '/up'), 'auth-token=old; b=1')
    t.equal(cookiesBelow('', '/up'), '')
    t.equal(
      cookiesBelow('auth-token-up=a; auth-token-up=b', '/up'),
      'auth-token=a; auth-token=b',
      'two of our own are two: somebody else set one of them',
    )
  },
)
