// Host names of custom domains: which are allowed, and how they are written.
import t from 'tap'
import { hostnameFrom, isApex, zonesOf } from '../../../src/domain/pages/custom-hostname.ts'

const own = { baseHost: 'up.example.com', statusDomain: 'pages.example.net' }

t.test('a host name is stored as the DNS writes it', async (t) => {
  const names = {
    'status.example.com': 'status.example.com',
    'Status.Example.COM': 'status.example.com',
    'status.example.com.': 'status.example.com',
    ' status.example.com ': 'status.example.com',
    'example.com': 'example.com',
    'bücher.example': 'xn--bcher-kva.example',
    'xn--bcher-kva.example': 'xn--bcher-kva.example',
    '状態.例え.jp': 'xn--8huq10b.xn--r8jz45g.jp',
    'a.b.c.example.co.uk': 'a.b.c.example.co.uk',
    'acme.github.io': 'acme.github.io',
    'status.corp.internal': 'status.corp.internal',
    'other.up.example.com': 'other.up.example.com',
    'xpages.example.net': 'xpages.example.net',
  }
  for (const [text, hostname] of Object.entries(names)) {
    t.same(hostnameFrom(text, own), { hostname }, text)
  }
})

t.test('what cannot be a custom domain is refused with the broken rule', async (t) => {
  const long = `${'a.'.repeat(126)}example.com`
  const refusals: readonly (readonly [string, string])[] = [
    ['', 'format'],
    ['status', 'format'],
    ['.', 'format'],
    ['..', 'format'],
    ['status..example.com', 'format'],
    ['.status.example.com', 'format'],
    ['-status.example.com', 'format'],
    ['status-.example.com', 'format'],
    ['_dmarc.example.com', 'format'],
    ['*.example.com', 'format'],
    ['status example.com', 'format'],
    ['https://status.example.com', 'format'],
    ['status.example.com/', 'format'],
    ['status.example.com:443', 'format'],
    ['ada@example.com', 'format'],
    ['status.%65xample.com', 'format'],
    [`${'a'.repeat(64)}.example.com`, 'format'],
    ['status.example.com\0', 'format'],
    ['127.0.0.1', 'format'],
    ['0x7f.1', 'format'],
    ['2130706433', 'format'],
    ['[::1]', 'format'],
    ['2001:db8::1', 'format'],
    [long, 'maxLength'],
    ['com', 'format'],
    ['co.uk', 'publicSuffix'],
    ['github.io', 'publicSuffix'],
    ['printer.local', 'reserved'],
    ['a.localhost', 'reserved'],
    ['abc.onion', 'reserved'],
    ['up.example.com', 'reserved'],
    ['UP.example.com.', 'reserved'],
    ['pages.example.net', 'reserved'],
    ['acme.pages.example.net', 'reserved'],
  ]
  for (const [text, keyword] of refusals) {
    t.equal(hostnameFrom(text, own).problem?.keyword, keyword, JSON.stringify(text))
  }
})

t.test('a registered domain itself cannot have a CNAME record', async (t) => {
  t.ok(isApex('example.com'))
  t.ok(isApex('example.co.uk'))
  t.notOk(isApex('status.example.com'))
})

t.test('the name servers of a name are those of its zones', async (t) => {
  t.same(zonesOf('a.b.example.co.uk'), ['a.b.example.co.uk', 'b.example.co.uk', 'example.co.uk'])
  t.same(zonesOf('example.com'), ['example.com'])
})
