// The URLs of checks that are no HTTP exchange: what is read from them, and what is refused.
import t from 'tap'
import { parsePlaceUrl } from '../../../src/probes/run/place-url.ts'
import { parseSmtpUrl } from '../../../src/probes/smtp/smtp.ts'
import { parseTcpUrl } from '../../../src/probes/tcp.ts'
import { parseSslUrl } from '../../../src/probes/tls/ssl.ts'

t.test('a host is parsed like that of a web address, in any notation', async (t) => {
  const cases: readonly [string, string][] = [
    ['tcp://Example.COM:80', 'example.com'],
    ['TCP://example.com.:80', 'example.com'],
    ['tcp://bücher.example:80', 'xn--bcher-kva.example'],
    ['tcp://[2001:DB8:0:0::1]:80', '2001:db8::1'],
    ['tcp://0x7f.1:80', '127.0.0.1'],
    ['tcp://2130706433:80', '127.0.0.1'],
    ['tcp://0177.0.0.1:80', '127.0.0.1'],
    ['tcp://①②⑦.⓪.⓪.①:80', '127.0.0.1'],
    ['tcp://%31%32%37.0.0.1:80', '127.0.0.1'],
    ['tcp://localhost:80/', 'localhost'],
  ]
  for (const [url, host] of cases) t.match(parseTcpUrl(url), { host, port: 80 }, url)
})

t.test('an invalid URL is refused with the rule it breaks', async (t) => {
  const ports = 'must name a port from 1 to 65535'
  const cases: readonly [string, string][] = [
    ['', 'must start with tcp://'],
    ['example.com:80', 'must start with tcp://; did you mean tcp://example.com:80?'],
    ['http://example.com:80', 'must start with tcp://'],
    ['tcp:example.com:80', 'must start with tcp://'],
    ['tcp:/example.com:80', 'must start with tcp://'],
    ['javascript://x:1', 'must start with tcp://'],
    [' tcp://example.com:80', 'must not contain spaces, control characters or \\'],
    ['tcp://exa\tmple.com:80', 'must not contain spaces, control characters or \\'],
    ['tcp://example.com:80\n', 'must not contain spaces, control characters or \\'],
    ['tcp:\\\\example.com:80', 'must not contain spaces, control characters or \\'],
    ['tcp://user:password@example.com:80', 'must not contain a user name or password'],
    ['tcp://@example.com:80', 'must not contain a user name or password'],
    ['tcp://example.com:80#x', 'must not contain a #'],
    ['tcp://', 'must name a host'],
    ['tcp://:80', 'must name a host'],
    ['tcp://%00:80', 'must name a valid host'],
    ['tcp://1.2.3.256:80', 'must name a valid host'],
    ['tcp://[::1:80', 'must name a valid host'],
    ['tcp://[example.com]:80', 'must name a valid host'],
    ['tcp://a<b:80', 'must name a valid host'],
    ['tcp://example.com:', ports],
    ['tcp://example.com:0', ports],
    ['tcp://example.com:65536', ports],
    ['tcp://example.com:-1', ports],
    ['tcp://example.com:8x', ports],
    ['tcp://example.com:80:90', ports],
    ['tcp://::1:80', 'must name a host'],
    ['tcp://example.com', 'must name a port, such as tcp://host:5432'],
    ['tcp://example.com:80/path', 'must end after the port'],
    ['tcp://example.com:80?a=b', 'must end after the port'],
    [`tcp://${'a'.repeat(2_048)}:80`, 'must be at most 2048 characters'],
  ]
  for (const [url, problem] of cases) t.same(parseTcpUrl(url), { problem }, JSON.stringify(url))
  const edge = `tcp://${'a'.repeat(2_039)}:80`
  t.equal(edge.length, 2_048)
  t.match(parseTcpUrl(edge), { port: 80 })
})

t.test('a certificate is examined on the port of the URL, or its default', async (t) => {
  const web = ['h2', 'http/1.1']
  t.same(parseSslUrl('https://example.com'), { host: 'example.com', port: 443, alpn: web })
  t.match(parseSslUrl('https://example.com:8443/shop?item=1'), { port: 8443 })
  t.same(parseSslUrl('tls://[::1]:993'), { host: '::1', port: 993, alpn: [] })
  t.match(parseSslUrl('tls://example.com'), { problem: /must name a port/ })
  t.match(parseSslUrl('tls://example.com:993/inbox'), { problem: 'must end after the port' })
  t.match(parseSslUrl('http://example.com'), { problem: 'must start with https:// or tls://' })
  t.match(parseSslUrl('https://me@example.com'), { problem: /user name/ })
  t.match(parseSslUrl('https://example.com:99999'), { problem: /1 to 65535/ })
})

t.test('a mail server has a port by its scheme, which also says how TLS begins', async (t) => {
  const host = 'mx.example'
  const plain = { host, port: 25, isTls: false, needsStarttls: false }
  t.same(parseSmtpUrl('smtp://mx.example'), plain)
  t.same(parseSmtpUrl('smtp://mx.example:587'), { ...plain, port: 587 })
  t.same(parseSmtpUrl('smtp://mx.example:465'), { ...plain, port: 465, isTls: true })
  t.same(parseSmtpUrl('smtps://mx.example'), { ...plain, port: 465, isTls: true })
  t.same(parseSmtpUrl('smtps://mx.example:2465'), { ...plain, port: 2465, isTls: true })
  t.same(parseSmtpUrl('smtp://mx.example/?starttls=required'), { ...plain, needsStarttls: true })
  t.match(parseSmtpUrl('smtp://mx.example?starttls=no'), { problem: /\?starttls=required/ })
  t.match(parseSmtpUrl('smtps://mx.example?starttls=required'), { problem: /first byte/ })
  t.match(parseSmtpUrl('smtp://mx.example/inbox'), { problem: 'must not have a path' })
  t.match(parseSmtpUrl('mailto:me@mx.example'), { problem: /smtp:\/\/ or smtps:\/\// })
  t.match(parseSmtpUrl('smtp://me:pw@mx.example'), { problem: /user name or password/ })
})

t.test('no text makes the reader hang or throw', async (t) => {
  const pieces = ['tcp://', 'a', ':', '[', ']', '%', '/', '?', '#', '@', '.', '1', '\u{1f600}', '']
  for (let i = 0; i < 5_000; i++) {
    const text = Array.from({ length: 8 }, (_, j) => pieces[(i * 7 + j * j * i) % pieces.length])
    parsePlaceUrl(text.join(''), ['tcp'])
  }
  parsePlaceUrl(`tcp://${':'.repeat(2_000)}`, ['tcp'])
  t.pass()
})
