// The requests of a check: what is sent to a target, and where a redirect leads.
import t from 'tap'
import { type Hop, hopFor } from '../../../src/net/http-client/plan.ts'
import { followRedirect } from '../../../src/net/http-client/redirect-chain.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'

function hopOf(fields: TargetFields): Hop {
  const target = makeTarget(fields)
  return hopFor(target, new URL(target.url))
}

t.test('a URL becomes a host, a port and a path', async (t) => {
  t.match(hopOf({ url: 'https://Example.com./a?b#c' }), {
    isTls: true,
    host: 'example.com',
    port: 443,
    path: '/a?b',
  })
  t.match(hopOf({ url: 'http://[::1]:8080' }), { host: '::1', port: 8080 })
  t.match(hopOf({ url: 'http://0x7f.1/' }), { host: '127.0.0.1' })
})

t.test('headers that frame the message are not for users to set', async (t) => {
  const headers = { Host: 'a', 'Content-Length': '1', TE: 'x', 'proxy-a': 'b', 'X-Y': 'z' }
  const { headers: sent } = hopOf({ headers: { ...headers, Accept: 'a/b' } })
  t.same(sent, ['user-agent', 'stillup', 'X-Y', 'z', 'Accept', 'a/b'])
})

t.test('a relative redirect is read against where it came from', async (t) => {
  const from = hopOf({ url: 'https://example.com/a/b?c' })
  const paths = { d: '/a/d', '/e': '/e', '?f': '/a/b?f', '../g': '/g', '//other.example/h': '/h' }
  for (const [location, path] of Object.entries(paths)) {
    t.equal(followRedirect(from, 302, location).hop?.path, path, location)
  }
  t.equal(followRedirect(from, 302, 'http://example.com/').problem, 'downgrade')
  t.equal(followRedirect(from, 302, 'ftp://example.com/').problem, 'scheme')
  t.equal(followRedirect(from, 302, 'https://u:p@example.com/').problem, 'scheme')
  t.equal(followRedirect(from, 302, 'https://').problem, 'location')
})

t.test('another port or scheme is another origin, which gets no headers', async (t) => {
  const from = hopOf({ url: 'http://example.com/', headers: { Authorization: 'secret' } })
  t.match(followRedirect(from, 302, '/x').hop?.headers.join(), /secret/)
  for (const location of ['https://example.com/', 'http://example.com:81/', 'http://a.example/']) {
    t.notMatch(followRedirect(from, 302, location).hop?.headers.join(), /secret/, location)
  }
})
