// Redirects after a sign-in: the table of what is let through, and of every trick that is not.
import fc from 'fast-check'
import t from 'tap'
import { redirectProblem, resolvedRedirect } from '../../../src/domain/sign-in/redirect.ts'
import { runs } from '../../support/depth.ts'
import { leastMs } from '../../support/starvation.ts'

const rules = {
  baseOrigin: 'https://up.example.com',
  origins: [
    ...['https://app.example.com', 'https://app.example.com:8443', 'http://plain.example.com'],
    ...['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'],
  ],
}

const allowed = [
  ...['/', '/dashboard', '/orgs/org_1/monitors', '/a/b/', '/?tab=1', '/a?b=c&d=e', '/a.b/c..d/...'],
  ...['/100%25', '/caf%C3%A9', '/a%2Fb', '/%20x', '/a;b=c', '/a:b@c', '/a?mail=a@b.c'],
  ...['https://up.example.com', 'https://up.example.com/', 'https://up.example.com/x?y=z'],
  ...['HTTPS://UP.example.COM/x', 'https://up.example.com:443/x', 'https://app.example.com?x=1'],
  ...['https://app.example.com/cb', 'https://app.example.com:8443/cb?state=a.b'],
  ...['http://localhost:3000/cb', 'http://127.0.0.1:3000/cb', 'http://[::1]:3000/cb'],
]

const refused: Readonly<Record<string, readonly string[]>> = {
  'another origin': [
    ...['https://evil.example', 'https://app.example.com.evil.example/', 'https://example.com'],
    ...['https://evilapp.example.com', 'https://app.example.com:444/', 'http://up.example.com/'],
    ...['https://up.example.com.', 'https://app.example.com:8080', 'http://localhost:3001/'],
    ...['http://localhost.evil.example:3000', 'http://plain.example.com/', 'http://[::2]:3000/'],
    ...['https://app-example.com', 'https://xn--pp-oka.example.com/', 'https://app.example.com-'],
  ],
  'another scheme': [
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///x',
    ],
    ...['ftp://app.example.com/', 'ws://app.example.com/', 'blob:https://app.example.com/x'],
    ...['https:app.example.com', 'https:/app.example.com', 'https:///evil.example', 'https://'],
    ...['view-source:https://app.example.com', 'about:blank', 'mailto:a@b.c', 'https:'],
  ],
  'no path and no address': [
    ...[
      '',
      ' ',
      'dashboard',
      './a',
      '../a',
      '?a=b',
      '.',
      'evil.example',
      'www.evil.example/x',
      '@',
    ],
  ],
  'a user before the host': [
    ...['https://app.example.com@evil.example/', 'https://user@app.example.com/'],
    ...['https://user:secret@app.example.com/', 'https://:@app.example.com/'],
    ...['https://evil.example%40app.example.com/', 'https://app.example.com%2f@evil.example'],
  ],
  'a fragment': ['/a#b', '/#//evil.example', 'https://app.example.com/#x', '#', '/a#'],
  'a backslash': [
    ...[
      '/\\evil.example',
      '\\\\evil.example',
      '/a\\b',
      '/\\/evil.example',
      'https:\\\\evil.example',
    ],
    ...['https://app.example.com\\@evil.example', '/%5cevil.example', '/%5Cevil.example', '/a%5c'],
    ...['/%255cevil.example', '/%25255cevil.example'],
  ],
  'two slashes': [
    ...['//evil.example', '///evil.example', '////evil.example', '/a//b', '/%2fevil.example'],
    ...[
      '/%2Fevil.example',
      '/a%2f%2fb',
      '/a%2f/b',
      '/a/%2fb',
      '/%252fevil.example',
      '/?next=//x.y',
    ],
    ...['/x?u=https%3A%2F%2Fevil.example', 'https://app.example.com//evil.example'],
    ...['https://up.example.com/%2f%2fevil.example'],
  ],
  'a control character': [
    ...['/\tx', '/\nx', '/\r\nSet-Cookie: a=b', '/\0', '\t/x', ' /x', '/x ', '/ //evil.example'],
    ...['/\t/evil.example', '/%09/evil.example', '/%0a/evil.example', '/%0d%0aLocation:x', '/%00'],
    ...['/%7f', '/%1f', '/%2509/evil.example', '/%C2%85', 'java\nscript:alert(1)', '/\u007f'],
  ],
  'a walk out of the path': [
    ...['/..', '/../x', '/a/../b', '/a/./b', '/.', '/%2e%2e', '/%2E%2E/x', '/.%2e/x', '/%2e/x'],
    ...['/a/%2e%2e%2fb', '/..%2f..%2fx', '/%252e%252e/x', '/..;/x', '/a/..;a=b/c', '/a?b=/../c'],
    ...['/?next=..', 'https://app.example.com/..', 'https://app.example.com/%2e%2e/x'],
  ],
  'the strings of CVE-2025-4123': [
    '/public/..%2F%5coast.pro%2F%3f%2F..%2F..',
    '/public/..%2F%5coast.pro%2f%3f%2f..%2f..',
    '/render/public/..%252f%255Coast.pro%252f%253F%252f..%252f..',
    '/\\oast.pro/?/../../',
    '/user/auth-tokens/rotate?redirectTo=/%5coast.pro%2F%3f%2F..%2F..',
    '/public/build/..%2f..%2f%5coast.pro',
  ],
  'slashes that only look so': [
    ...['/\u2044evil.example', '/\u2215\u2215evil.example', '/\uff0fevil.example', '\uff0f/x'],
    ...['/%E2%81%84evil.example', '/%EF%BC%8F%EF%BC%8Fevil.example', '/%EF%BC%BCevil.example'],
    ...['https://app.example.com\uff0f.evil.example', 'https://app.example.com\u3002', '/\u202ex'],
  ],
  'broken escapes': [
    '/%',
    '/%z1',
    '/%2',
    '/%ff',
    '/%c0%af',
    '/%c0%ae%c0%ae/',
    '/%u2215',
    '/\ud800',
  ],
  'hosts in disguise': [
    ...['https://%65vil.example', 'https://app.example.com%00.evil.example', 'https://[evil]/'],
    ...['https://app.example.com:x/', 'https://app.example.com:99999/', 'https://app_example.com'],
    ...[
      'https://app.example.com;evil.example',
      'https://app.example.com,evil.example',
      'https://[::1',
    ],
    ...['https://app.example.com"onload=x', 'https://app.example.com?@evil.example#'],
  ],
  'more than 2,048 characters': [
    `/${'a'.repeat(2_048)}`,
    `https://app.example.com/${'a'.repeat(2_048)}`,
  ],
}

t.test('a sign-in leads to a path of the service or to an allowed origin', async (t) => {
  for (const uri of allowed) t.equal(redirectProblem(uri, rules), null, uri)
  t.equal(redirectProblem(`/${'a'.repeat(2_047)}`, rules), null)
  const atHome = { baseOrigin: 'http://192.168.1.5:8080', origins: [] }
  t.equal(redirectProblem('http://192.168.1.5:8080/x', atHome), null, 'a base without https')
})

for (const [trick, uris] of Object.entries(refused)) {
  t.test(`a sign-in does not lead astray by ${trick}`, async (t) => {
    for (const uri of uris) {
      t.match(redirectProblem(uri, rules), /^must /, JSON.stringify(uri).slice(0, 100))
    }
  })
}

t.test('there are enough tricks in the table', async (t) => {
  t.ok(Object.values(refused).flat().length >= 60)
})

t.test('an accepted redirect stays within its judged origin, in every browser', async (t) => {
  const origins = new Set([rules.baseOrigin, ...rules.origins])
  const part = fc.constantFrom(
    ...['/', '\\', '%2f', '%5c', '.', '%2e', '%09', '\t', '@', ':', '?', '#', ';', '%25', 'a', '['],
    ...['evil.example', 'https://', 'https:', 'app.example.com', 'up.example.com', '%ff', '\u2215'],
  )
  const uri = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
  const judged = fc.property(uri, (text) => {
    if (redirectProblem(text, rules) !== null) return true
    const leadsTo = new URL(resolvedRedirect(text, rules.baseOrigin))
    return origins.has(leadsTo.origin) && leadsTo.username === '' && leadsTo.hash === ''
  })
  fc.assert(judged, runs(20_000))
  t.equal(resolvedRedirect('/a?b=c', rules.baseOrigin), 'https://up.example.com/a?b=c')
  t.equal(resolvedRedirect('https://app.example.com', rules.baseOrigin), 'https://app.example.com/')
})

t.test('a long text of escapes is judged at once', async (t) => {
  const deep = `/%${'25'.repeat(1_000)}`
  const tookMs = leastMs(50, () => {
    redirectProblem(deep, rules)
    redirectProblem(`/${'%2525'.repeat(400)}2e`, rules)
  })
  t.ok(tookMs < 50, `${tookMs} ms`)
})
