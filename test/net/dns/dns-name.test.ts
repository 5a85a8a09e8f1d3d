// Names in the form of DNS, the names of addresses, and URLs that name a thing.
import fc from 'fast-check'
import t from 'tap'
import { dnsName, nameUrl, reverseName } from '../../../src/net/dns/dns-name.ts'
import { runs } from '../../support/depth.ts'

t.test('a name is taken in any script and case, with or without its last dot', async (t) => {
  const names: Record<string, string> = {
    'Example.COM.': 'example.com',
    com: 'com',
    'faß.de': 'xn--fa-hia.de',
    'ａ。test': 'a.test',
    '_dmarc.a_b.test': '_dmarc.a_b.test',
    '0-31.2.0.192.in-addr.arpa': '0-31.2.0.192.in-addr.arpa',
  }
  for (const [text, name] of Object.entries(names)) t.same(dnsName(text), { name }, text)
})

t.test('an invalid name is refused', async (t) => {
  const texts = [
    ...['', '.', '..', 'a..b', '.a', 'a b', 'a%2eb', 'a/b', 'a@b', 'a:1', '[::1]', '*.a', 'a\0b'],
    ...[
      '127.0.0.1',
      '127.1',
      '0x7f000001',
      '2130706433',
      '①②⑦.⓪.⓪.①',
      '::1',
      'a.123',
      'a"b',
      'a,b',
    ],
    ...[`${'a'.repeat(64)}.b`, 'a.'.repeat(128)],
  ]
  for (const text of texts) t.type(dnsName(text).problem, 'string', JSON.stringify(text))
})

t.test('any accepted name is normalized, and accepted again', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const { name } = dnsName(text)
      if (name === undefined) return
      t.match(name, /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/)
      t.equal(dnsName(name).name, name)
    }),
    runs(),
  )
})

t.test('an address has a name for questions about it', async (t) => {
  t.equal(reverseName('192.0.2.10'), '10.2.0.192.in-addr.arpa')
  t.equal(reverseName('2001:db8::f1'), `1.f${'.0'.repeat(22)}.8.b.d.0.1.0.0.2.ip6.arpa`)
})

t.test('a URL of a name has a name and a query, and nothing else', async (t) => {
  t.match(nameUrl('DNS://B%C3%BCcher.test/?type=A', 'dns'), { host: 'Bücher.test' })
  const texts = [
    ...['dns:a', 'domain://a', ' dns://a', 'dns://a\tb', 'dns://a\\b', 'dns://a:1', 'dns://u:p@a'],
    ...[
      'dns://@a',
      'dns://a/b',
      'dns://a#b',
      'dns://%ff',
      'dns://a%',
      `dns://${'a'.repeat(2_048)}`,
    ],
  ]
  for (const text of texts) t.hasProp(nameUrl(text, 'dns'), 'problem', JSON.stringify(text))
})
