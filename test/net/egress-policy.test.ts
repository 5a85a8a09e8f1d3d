// The egress policy: every spelling of every place that a check may not reach.
import t from 'tap'
import { createGuard, type Listener } from '../../src/net/egress-policy.ts'
import { openMachine } from '../support/open-machine.ts'

const publicGuard = createGuard({ targets: 'public' })
const anyGuard = createGuard({ targets: 'any' })

t.test('under "public" only publicly reachable addresses are allowed', async (t) => {
  const denied = `
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254
    169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1
    192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1
    239.255.255.255 240.0.0.1 255.255.255.255 100.100.100.200 168.63.129.16
    :: ::1 ::2 ::127.0.0.1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1
    ::ffff:169.254.169.254 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::127.0.0.1
    64:ff9b::a9fe:a9fe 64:ff9b::8.8.8.8
    64:ff9b:1::1 64:ff9b:1:a9fe:a9:fe00:: 100::1 2001::1 2001:0:53aa:64c::1 2001:10::1 2001:20::1
    2001:2::1 2001:db8::1 2002:7f00:1:: 2002:0a00:1:: 2002:808:808:: 3fff::1 4000::1 5f00::1
    fc00::1 fd00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 ff0e::1
    a000::1 localhost example.com 127.1 0x7f000001 2130706433x nonsense`
  for (const address of denied.trim().split(/\s+/)) {
    t.equal(publicGuard.judgeAddress(address).allowed, false, address)
  }
  const allowed = `8.8.8.8 1.1.1.1 93.184.216.34 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1
    192.0.1.1 198.17.0.1 223.255.255.254 ::ffff:8.8.8.8 2606:4700::1111 2a00:1450::1 2001:4860::1
    2003::1`
  for (const address of allowed.trim().split(/\s+/)) {
    t.equal(publicGuard.judgeAddress(address).allowed, true, address)
  }
})

t.test('a refusal names the kind of address', async (t) => {
  const reasons = {
    '127.0.0.1': 'a loopback address',
    '10.1.1.1': 'a private address',
    'fd00::1': 'a private address',
    'fe80::1': 'a link-local address',
    '169.254.169.254': 'a cloud metadata address',
    '64:ff9b::1': 'a translated or tunnelled IPv4 address',
    '203.0.113.1': 'a reserved address',
  }
  for (const [address, reason] of Object.entries(reasons)) {
    t.match(publicGuard.judgeAddress(address), { allowed: false, reason })
  }
})

t.test('under "any" the local network is reachable, but never cloud metadata', async (t) => {
  for (const address of ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', 'fe80::1', '192.168.1.1']) {
    t.ok(anyGuard.judgeAddress(address).allowed, address)
  }
  const disguises = `169.254.169.254 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::169.254.169.254
    ::ffff:0:a9fe:a9fe 64:ff9b::169.254.169.254 64:ff9b:1:a9fe:a9:fe00:: 2002:a9fe:a9fe::1
    2001:0:1:2:3:4:5601:5601 fd00:ec2::254 FD00:0EC2:0:0::0254 100.100.100.200 169.254.170.2`
  for (const address of disguises.trim().split(/\s+/)) {
    t.notOk(anyGuard.judgeAddress(address).allowed, address)
  }
})

t.test('a metadata address needs its very own entry on the allow-list', async (t) => {
  const wide = createGuard({ targets: 'any', allow: ['169.254.0.0/16', 'fd00::/8'] })
  t.notOk(wide.judgeAddress('169.254.169.254').allowed)
  t.notOk(wide.judgeAddress('fd00:ec2::254').allowed)
  const own = createGuard({ targets: 'public', allow: ['169.254.169.254', 'fd00:ec2::254/128'] })
  t.ok(own.judgeAddress('169.254.169.254').allowed)
  t.ok(own.judgeAddress('fd00:ec2::254').allowed)
})

t.test('the allow-list opens what is private', async (t) => {
  const allow = ['10.1.0.0/16', 'fd00:1::/32']
  const guard = createGuard({ targets: 'public', allow })
  t.ok(guard.judgeAddress('10.1.2.3').allowed)
  t.ok(guard.judgeAddress('::ffff:10.1.2.3').allowed)
  t.ok(guard.judgeAddress('fd00:1::1').allowed)
  t.notOk(guard.judgeAddress('10.2.0.1').allowed)
  t.throws(() => createGuard({ targets: 'any', allow: ['not a network'] }))
})

t.test('the policy can change while the daemon runs', async (t) => {
  const guard = createGuard({ targets: 'any' })
  t.ok(guard.judgeAddress('127.0.0.1').allowed)
  guard.setRules({ targets: 'public' })
  t.notOk(guard.judgeAddress('127.0.0.1').allowed)
})

t.test('under "public" the daemon is not made to call itself', async (t) => {
  const listeners: Listener[] = [{ address: '127.0.0.1', port: 8080 }]
  const guard = createGuard({
    targets: 'public',
    allow: ['127.0.0.0/8'],
    ownListeners: () => listeners,
  })
  t.notOk(guard.judgeAddress('127.0.0.1', 8080).allowed)
  t.notOk(guard.judgeAddress('::ffff:127.0.0.1', 8080).allowed)
  t.ok(guard.judgeAddress('127.0.0.1', 8081).allowed)
  listeners.push({ address: '::', port: 9090 })
  t.notOk(guard.judgeAddress('127.0.0.1', 9090).allowed)
})

t.test('under "public" ports of databases and system services are closed', async (t) => {
  for (const port of [22, 25, 53, 3306, 5432, 6379, 9200, 11211, 2375, 10250, 27017]) {
    t.notOk(publicGuard.judgeAddress('8.8.8.8', port).allowed, String(port))
    t.ok(anyGuard.judgeAddress('8.8.8.8', port).allowed)
  }
  for (const port of [80, 443, 1024, 8080, 8443, 65535]) {
    t.ok(publicGuard.judgeAddress('8.8.8.8', port).allowed, String(port))
  }
  const own = createGuard({ targets: 'public', deniedPorts: [8080, 443] })
  t.notOk(own.judgeAddress('8.8.8.8', 8080).allowed, 'the operator says which')
  t.ok(own.judgeAddress('8.8.8.8', 6379).allowed)
  t.ok(own.judgeAddress('8.8.8.8', 443).allowed, 'the web stays open')
})

t.test('a closed port is refused by name, before it is resolved', async (t) => {
  for (const port of [25, 6379]) {
    const reason =
      `leads to port ${port}, which is not allowed: ` +
      'the operator decides with checks.targets and checks.deniedPorts'
    const url = `http://example.com:${port}/`
    t.same(publicGuard.judgeUrl(url), { code: 'target_not_allowed', reason })
    t.equal(anyGuard.judgeUrl(url), null)
    const open = createGuard({ targets: 'public', allow: ['10.1.0.0/16'] })
    t.equal(open.judgeUrl(url), null, 'it may lead to what is allowed by hand')
  }
  t.equal(publicGuard.judgeUrl('https://example.com:8443/'), null)
})

t.test('only plain http and https URLs are taken', async (t) => {
  const refused = [
    ...['file:///etc/passwd', ' file:///etc/passwd', 'FILE:///etc/passwd', 'file:/etc/passwd'],
    ...['source:file:///etc/passwd', 'gopher://x/', 'ftp://x/', 'data:text/html,x', 'jar:http://x'],
    ...['javascript:alert(1)', 'ws://x/', 'wss://x/', 'blob:http://x/', 'view-source:http://x/'],
    ...[
      'http:/\\host',
      'http:\\\\host',
      'http:host',
      'http:/host',
      'http:///host',
      '//host/',
      'host',
    ],
    ...['', ' ', 'http://', 'https://', 'http://?', 'http://#', 'http:// host/', ' http://host/'],
    ...['http://ho\tst/', 'http://host\n/', 'ht\ntp://host/', '\u0000http://host/', 'http://a\\b/'],
    ...['http://user@host/', 'http://user:pw@host/', 'http://:pw@host/', 'http://@host/'],
    ...[
      'http://host:99999/',
      'http://host:0/',
      'http://host:x/',
      'http://[::1/',
      'http://1.2.3.4.5/',
    ],
    ...['http://256.1.1.1/', 'http://ho%st/', 'http://./', `http://host/${'x'.repeat(2_040)}`],
    ...['httpx://host/', 'http ://host/', 'http//host/', 'hthttp://host'],
  ]
  t.ok(refused.length >= 40)
  for (const url of refused) {
    t.equal(anyGuard.judgeUrl(url)?.code, 'validation_failed', JSON.stringify(url))
  }
  const taken = ['http://host', 'HTTPS://Host/', 'http://host:8080/a?b=c#d', 'https://[::1]:1/']
  for (const url of [
    ...taken,
    'http://münchen.example/ü',
    'http://host/?u=a@b',
    'http://host/@x',
  ]) {
    t.equal(anyGuard.judgeUrl(url), null, url)
  }
})

t.test('a URL without its scheme is asked about, and nothing else is', async (t) => {
  const says = (url: string) => publicGuard.judgeUrl(url)?.reason
  for (const url of ['example.com', 'example.com/a?b', 'localhost:3000', '192.0.2.1', '[::1]:80']) {
    t.equal(says(url), `must start with http:// or https://; did you mean https://${url}?`)
  }
  for (const url of ['ftp://example.com', 'host', 'javascript:alert(1)', 'a@b.test', '']) {
    t.notMatch(says(url), 'did you mean', url)
  }
})

t.test('what is refused names the setting that would allow it', async (t) => {
  const says = (url: string) => publicGuard.judgeUrl(url)?.reason
  t.match(says('http://10.0.0.1/'), /a private address.*checks\.targets and checks\.allow$/)
  t.match(says('http://169.254.169.254/'), /metadata address.*checks\.allow$/)
  const ownListeners = () => [{ address: '192.0.2.1', port: 8080 }]
  const own = createGuard({ targets: 'public', ownListeners })
  t.match(own.judgeUrl('http://192.0.2.1:8080/')?.reason, /not allowed$/, 'no setting allows it')
})

t.test('an address is recognized in every notation', async (t) => {
  const spellings = `127.0.0.1 127.1 127.0.1 0x7f.1 0x7f000001 2130706433 0177.0.0.1 017700000001
    0x7f.0x0.0x0.0x1 127.0.0.1. %31%32%37.0.0.1 ①②⑦.⓪.⓪.① 127。0。0。1
    [::1] [0:0:0:0:0:0:0:1]
    [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1] [2002:7f00:1::]
    localhost LOCALHOST localhost. foo.localhost foo.bar.LocalHost. 10.0.0.1 0xa.1 167772161
    192.168.1 [fe80::1] [fc00::1] 169.254.169.254 2852039166 0xa9fea9fe 0.0.0.0 0 [::]
    ⓛocalhost 127.0.0.1:8080 [::1]:8080 localhost:3000`
  for (const host of spellings.trim().split(/\s+/)) {
    t.equal(publicGuard.judgeUrl(`http://${host}/`)?.code, 'target_not_allowed', host)
  }
  t.match(publicGuard.judgeUrl('http://127.1/')?.reason, /leads to a loopback address/)
  t.equal(publicGuard.judgeUrl('http://example.com/'), null, 'a name is judged when it is resolved')
  t.equal(publicGuard.judgeUrl('http://8.8.8.8:22/')?.code, 'target_not_allowed')
  t.equal(anyGuard.judgeUrl('http://localhost:3000/'), null)
  t.equal(anyGuard.judgeUrl('http://0xa9fea9fe/')?.code, 'target_not_allowed')
})

t.test('spaces around a URL are reported as such', async (t) => {
  for (const url of [' https://example.com/', 'https://example.com/ ', '\thttp://example.com']) {
    t.match(anyGuard.judgeUrl(url), { reason: 'must not begin or end with a space' }, url)
  }
  t.equal(anyGuard.judgeUrl('https://example.com/'), null)
})

t.test(
  'an organization is told the names of the proxies that it may use, and no others',
  async (t) => {
    const org = 'org_01jd0000000000000000000000'
    const proxies = { tor: 'socks5://10.0.0.2:9050', office: 'http://a:b@10.0.0.1:3128' }
    const namesFor = (proxyOrgs: readonly string[], isShared: boolean) =>
      createGuard({
        targets: 'any',
        isShared: () => isShared,
        machine: { ...openMachine, proxies, proxyOrgs },
      }).proxiesOf(org)
    t.same(namesFor([], false), ['office', 'tor'])
    t.same(namesFor([], true), [])
    t.same(namesFor([org], true), ['office', 'tor'])
    t.same(namesFor(['org_01jd0000000000000000000001'], false), [])
  },
)
