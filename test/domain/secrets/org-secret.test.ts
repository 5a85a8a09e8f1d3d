// Secrets of an organization: which values and hosts are taken, and where a value may go.
import t from 'tap'
import { secretMask } from '../../../src/domain/secret-mask.ts'
import {
  carriedHosts,
  mayBeSentTo,
  secretBytesMax,
  secretHostProblems,
  secretNamePattern,
  secretValueProblems,
  writtenHosts,
} from '../../../src/domain/secrets/org-secret.ts'

t.test('a value is text, and a key with line breaks is one', async (t) => {
  const key = '-----BEGIN KEY-----\nAAAA\n\tBBBB\r\n-----END KEY-----'
  for (const value of ['open sesame', key, '🔑🔑🔑🔑', 'x'.repeat(secretBytesMax)]) {
    t.same(secretValueProblems(value), [], value.slice(0, 20))
  }
  for (const [value, keyword] of [
    [secretMask, 'secret'],
    [' padded', 'pattern'],
    ['pasted with its end\n', 'pattern'],
    ['a\u0000b c', 'pattern'],
    ['a\u001b[2Jb', 'pattern'],
    ['\u0085next', 'pattern'],
    ['é'.repeat(secretBytesMax / 2 + 1), 'maxLength'],
  ] as const) {
    t.match(secretValueProblems(value), [{ pointer: '/value', keyword }], JSON.stringify(value))
  }
})

t.test('names are words, also those that objects of programs have', async (t) => {
  const pattern = new RegExp(secretNamePattern)
  for (const name of ['TOKEN', '_a1', '__proto__', 'constructor', 'x'.repeat(64)]) {
    t.match(name, pattern)
  }
  for (const name of ['', '1A', 'A-B', 'A.B', 'A B', 'Ä', 'A\n', '{{A}}', 'x'.repeat(65)]) {
    t.notMatch(name, pattern)
  }
})

t.test('hosts are written as URLs have them, and each is named once', async (t) => {
  const hosts = [
    'API.Example.com',
    'api.example.com',
    '*.Bücher.example',
    '10.0.0.7',
    '::1',
    '[::1]',
  ]
  const written = writtenHosts(hosts)
  t.same(written, ['api.example.com', '*.xn--bcher-kva.example', '10.0.0.7', '[::1]'])
  t.same(secretHostProblems(written), [])
})

t.test(
  'what is no host is refused, and so is a domain in which everybody may have a name',
  async (t) => {
    const wrong = [
      'https://example.com',
      'example.com:443',
      'example.com/path',
      'user@example.com',
      '*',
      '*.',
      '*.*.example.com',
      'a.*.example.com',
      'example.com.',
      '127.1',
      '0x7f.0.0.1',
      '*.10.0.0.1',
      'a b',
      '',
      '*.com',
      '*.co.uk',
      '*.github.io',
    ]
    for (const host of wrong) {
      t.match(secretHostProblems(writtenHosts([host])), [{ pointer: '/hosts/0' }], host)
    }
  },
)

t.test('a secret goes only to its hosts, by their whole names', async (t) => {
  const hosts = ['example.com', '*.example.org', '10.0.0.7', '[::1]']
  const goes = (host: string) => mayBeSentTo({ hosts }, host)
  for (const host of [
    'example.com',
    'a.example.org',
    'a.b.example.org',
    '10.0.0.7',
    '[::1]',
    '::1',
  ]) {
    t.ok(goes(host), host)
  }
  for (const host of [
    'a.example.com',
    'example.org',
    'evilexample.org',
    'example.com.evil.test',
    '10.0.0.70',
    '',
  ]) {
    t.notOk(goes(host), host)
  }
  t.ok(mayBeSentTo({ hosts: [] }, 'anything.test'), 'without hosts it goes everywhere')
})

t.test('fewer hosts are a matter of themselves; more need the value again', async (t) => {
  const isCarried = (before: string[], after: string[]) => carriedHosts(before, after).length > 0
  t.notOk(isCarried([], ['a.test']), 'from everywhere to one')
  t.notOk(isCarried([], []))
  t.notOk(isCarried(['a.test', 'b.test'], ['b.test']))
  t.notOk(isCarried(['*.a.test'], ['x.a.test', '*.y.a.test']))
  t.ok(isCarried(['a.test'], []), 'from one to everywhere')
  t.ok(isCarried(['a.test'], ['a.test', 'b.test']))
  t.ok(isCarried(['x.a.test'], ['*.a.test']))
  t.ok(isCarried(['*.a.test'], ['a.test']))
})
