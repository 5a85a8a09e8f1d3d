// No spelling of any inner place, on any way in, makes the daemon connect to it.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import net from 'node:net'
import { networkInterfaces } from 'node:os'
import t from 'tap'
import type { UserId, VerificationId } from '../../src/base/ids.ts'
import type { CheckType } from '../../src/domain/checks/check-type.ts'
import { newVerification } from '../../src/domain/identity-verification/kyc.ts'
import { hasField } from '../../src/domain/monitors/monitor-fields.ts'
import { completedStep } from '../../src/domain/steps/step.ts'
import { createHttpProvider } from '../../src/kyc/http-provider.ts'
import { createResolver, type Resolver } from '../../src/net/dns/resolver.ts'
import { createGuard, type GuardOptions } from '../../src/net/egress-policy.ts'
import { createEgress } from '../../src/net/http-client/guarded-client.ts'
import { createProbes, kindOf, probedKinds } from '../../src/probes/registry.ts'
import type { CheckWay } from '../../src/probes/targets.ts'
import { mintWebhookSecret, signWebhook } from '../../src/seal/sign.ts'
import { addresses, aliases, startBadNameServer } from '../support/bad-name-server.ts'
import { startProxy } from '../support/connect-proxy.ts'
import { amount } from '../support/depth.ts'
import { resolverThat, resolverTo } from '../support/fake-resolver.ts'
import { fullFields } from '../support/kyc-person.ts'
import { makeTarget } from '../support/make-target.ts'
import { openMachine } from '../support/open-machine.ts'
import { listenOnSamePort } from '../support/same-port.ts'
import { answer, redirectTo, startTarget } from '../support/target.ts'
import { testFolder } from '../support/test-folder.ts'
import { startTickingClock } from '../support/ticking-clock.ts'

/** Where the tests may go under the policy `public`: it stands for the internet. */
const outside = '127.0.0.9'

const clock = startTickingClock(t)
const canary = await startCanary()
t.after(() => canary.close())
const { port } = canary

/** One port on every address of this machine, TCP and UDP; counts who comes to any but one. */
async function startCanary() {
  let visits = 0
  const server = net.createServer((socket) => {
    if (!socket.localAddress?.endsWith(outside)) visits += 1
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  })
  server.unref()
  const hasIPv6 = Object.values(networkInterfaces()).some((list) =>
    list?.some(({ family }) => family === 'IPv6'),
  )
  const udp = createSocket({ type: hasIPv6 ? 'udp6' : 'udp4', reuseAddr: true })
  udp.on('message', () => (visits += 1))
  udp.unref()
  const port = await listenOnSamePort(server, udp, hasIPv6 ? '::' : '0.0.0.0')
  // A packet does not say where it arrived: those for the outside go to a socket that is closer to it.
  const outer = createSocket({ type: 'udp4', reuseAddr: true }).bind(port, outside)
  await once(outer, 'listening')
  outer.unref()
  return {
    port,
    /** How many came; a connection that is under way is waited for. */
    async visits() {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return visits
    },
    close() {
      udp.close()
      outer.close()
      server.close()
    },
  }
}

const hostsFile = `${testFolder(t, { hosts: '127.0.0.1 inner.test\n' })}/hosts`
const names = await startBadNameServer({
  'loopback.test': addresses(['127.0.0.1', '::1']),
  'loopback4.test': addresses(['127.7.7.7']),
  'loopback6.test': addresses(['::1']),
  'mapped.test': addresses(['::ffff:127.0.0.1']),
  'translated.test': addresses(['64:ff9b::7f00:1']),
  'private.test': addresses(['10.0.0.1']),
  'linklocal.test': addresses(['fe80::1']),
  'metadata.test': addresses(['169.254.169.254']),
  'zero.test': addresses(['0.0.0.0', '::']),
  'mixed.test': addresses([outside, '127.0.0.1']),
  'mixed6.test': addresses([outside, '::1']),
  'last.test': addresses([...Array.from({ length: 12 }, () => outside), '127.0.0.1']),
  'far.test': addresses([...Array.from({ length: 45 }, () => outside), '127.0.0.1']),
  'alias.test': aliases(['loopback4.test'], ['127.0.0.1']),
  'aliases.test': aliases(['a.example', 'b.example', 'localhost'], ['127.0.0.1']),
  // As a name server of an attacker answers whatever it is asked.
  '0x7f.1.test': addresses(['127.0.0.1']),
  'xn--9ca.test': addresses(['127.0.0.1']),
})
t.after(() => names.close())
const resolver = createResolver({ clock, servers: [names.server], hostsFile })

/** Hosts as somebody may write them, by why they are tempting. */
const spellings = {
  decimal: '127.0.0.1 127.0.0.2 127.1.2.3 127.255.255.254 0.0.0.0 0.0.0.1 10.0.0.1 10.255.255.255',
  more: '100.64.0.1 169.254.0.1 172.16.0.1 172.31.255.254 192.168.0.1 192.168.255.255 198.18.0.1',
  reserved:
    '192.0.0.1 192.0.2.1 192.88.99.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1',
  broadcast: '255.255.255.255',
  oneNumber: '2130706433 2130706434 0 1 167772161 3232235521 4294967295 2886729729 2851995649',
  octal: '0177.0.0.1 0177.0.0.01 00177.0.0.1 0177.1 017700000001 00000000000017700000001 012.0.0.1',
  hex: '0x7f.0.0.1 0x7f.1 0x7f000001 0X7F000001 0x0000007f000001 0xa.0.0.1 0xc0.0xa8.0.1 0x7F.0X1',
  mixed: '0x7f.0.0.01 0177.0.0x0.1 127.0x0.01 0x7f.0177.1 0xa9.0376.43518',
  short: '127.1 127.0.1 10.1 192.168.1 169.254.257 172.1048577',
  padded: '127.000.000.001 127.0.0.01',
  dotted: '127.0.0.1. 127.1. 2130706433. 0x7f000001. 10.0.0.1. 169.254.169.254.',
  percent: '%31%32%37.0.0.1 127%2e0%2e0%2e1 %6c%6f%63%61%6c%68%6f%73%74 127.0.0.%31 %30x7f.1',
  fullwidth: '１２７.0.0.1 127．0．0．1 １２７．０．０．１ 127。0。0。1 127｡0｡0｡1 ０ｘ７ｆ.1',
  circled: '①②⑦.⓪.⓪.① ⑫７.0.0.1 ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  styled:
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏 ¹²⁷.⁰.⁰.¹ ₁₂₇.₀.₀.₁ 𝟙𝟚𝟟.𝟘.𝟘.𝟙 ℒ𝑜𝒸𝒶𝓁𝒽𝑜𝓈𝓉 ﹒localhost ｌｏｃａｌｈｏｓｔ locaⅼhost loc\u00adalhost',
  ipv6: '[::1] [::] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [0::1] [::0:1]',
  mapped:
    '[::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:0:0]',
  mappedMore: '[::ffff:10.0.0.1] [::ffff:a00:1] [::ffff:192.168.0.1] [::ffff:169.254.169.254]',
  compatible: '[::2] [::127.0.0.1] [::7f00:1] [::10.0.0.1] [::a9fe:a9fe] [::192.168.0.1]',
  translated: '[::ffff:0:127.0.0.1] [::ffff:0:7f00:1] [::ffff:0:a9fe:a9fe]',
  nat64: '[64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a00:1] [64:ff9b::a9fe:a9fe]',
  nat64Local: '[64:ff9b:1::7f00:1] [64:ff9b:1::127.0.0.1] [64:ff9b:1:7f00:0:100::] [64:ff9b:1::]',
  sixToFour:
    '[2002:7f00:1::] [2002:7f00:0001::1] [2002:a00:1::] [2002:a9fe:a9fe::1] [2002:c0a8:1::]',
  teredo: '[2001::1] [2001:0:7f00:1::] [2001:0:1:2:3:4:80ff:fffe] [2001:0:1:2:3:4:5601:5601]',
  isatap:
    '[fe80::5efe:7f00:1] [fe80::200:5efe:a00:1] [fe80::5efe:127.0.0.1] [fd00::5efe:127.0.0.1]',
  linkLocal: '[fe80::1] [fe80::] [febf:ffff::1] [fe90::1] [fea0::1]',
  zones: '[fe80::1%25lo] [fe80::1%lo] [::1%25lo] [::1%lo] [fe80::1%251] [::ffff:127.0.0.1%25lo]',
  uniqueLocal: '[fc00::1] [fd00::1] [fdff:ffff:ffff::1] [fd12:3456:789a::1]',
  siteLocal: '[fec0::1] [feff::1]',
  multicast: '[ff00::1] [ff01::1] [ff02::1] [ff02::fb] [ff05::2] [ff0e::1]',
  documentation: '[2001:db8::1] [3fff::1] [100::1] [2001:10::1] [2001:20::1] [5f00::1] [4000::1]',
  metadata:
    '169.254.169.254 169.254.170.2 169.254.170.23 100.100.100.200 168.63.129.16 192.0.0.192',
  metadataSpelled: '2852039166 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376 025177524776',
  metadataMore: '169.254.43518 169.16689662 [fd00:ec2::254] [FD00:0EC2::0:254] [fd20:ce::254]',
  localNames:
    'localhost LOCALHOST LocalHost localhost. a.localhost a.b.LOCALHOST. localhost.localhost',
  overflowing: '256.0.0.1 127.0.0.256 127.0.0.0.1 4294967296 0x17f000001 127.0.65536 127.16777216',
  broken: '127..0.1 .127.0.0.1 [::1 ::1] [::1]] [127.0.0.1] [::ffff:127.0.0.256] [:::1] 0x',
  hidden:
    '127.0.0.1%00.example.com 127.0.0.1%2f.example.com localhost%00 127.0.0.1%0d%0a localhost%09',
  named:
    'inner.test INNER.TEST. loopback.test loopback4.test loopback6.test mapped.test private.test',
  namedMore:
    'translated.test linklocal.test metadata.test zero.test mixed.test mixed6.test last.test far.test',
  aliased: 'alias.test aliases.test ALIAS.test. 0x7f.1.test é.test',
} as const
const ownAddresses = Object.values(networkInterfaces()).flatMap((list) =>
  (list ?? []).map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
)
const written = Object.values(spellings).flatMap((line) => line.split(' '))
const hosts = [...new Set([...written, ...ownAddresses])]

/** How a host is written for each kind of check. */
const special: Readonly<Record<string, (at: string) => string>> = {
  endpoint: (at) => `http://${at}/`,
  keyword: (at) => `http://${at}/a?b=c#d`,
  websocket: (at) => `ws://${at}/`,
  dns: (at) => `dns://example.test?server=${encodeURIComponent(at)}`,
}

/** A URL that makes a check of the kind visit the place; only a domain names none. */
function urlOf(kind: string, at: string): string {
  const [scheme] = probedKinds.find(({ type }) => type === kind)?.schemes ?? []
  return special[kind]?.(at) ?? `${scheme}://${at}`
}
const typesOf = (some: typeof probedKinds) => some.map(({ type }) => type)
const ofMachine = typesOf(probedKinds.filter(({ fields }) => fields.includes('machine')))
const kinds = typesOf(probedKinds).filter((type) => type !== 'domain' && !ofMachine.includes(type))

/** Whole URLs that lead inside if they are read in another way than they were judged. */
const trickyUrls = [
  ...['file:///etc/passwd', ' file:///etc/passwd', 'FILE:///etc/passwd', 'file:/etc/passwd'],
  ...[
    'source:file:///etc/passwd',
    'view-source:http://HOST/',
    'jar:http://HOST!/',
    'gopher://HOST/_x',
  ],
  ...[
    'ftp://HOST/',
    'sftp://HOST/',
    'ldap://HOST/',
    'dict://HOST/d',
    'telnet://HOST',
    'unix:///run/x',
  ],
  ...['data:text/plain,x', 'javascript:fetch("http://HOST")', 'blob:http://HOST/x', 'about:blank'],
  ...['http+unix://%2Frun%2Fx/', 'httpx://HOST/', 'hthttp://HOST/'],
  ...[
    'http:HOST/',
    'http:/HOST/',
    'http:///HOST/',
    'http:\\\\HOST\\',
    'http:/\\HOST/',
    '\\\\HOST\\x',
  ],
  ...[
    '//HOST/',
    '///HOST/',
    '/\\HOST/',
    'http://example.test\\@HOST/',
    'http://HOST\\.example.test/',
  ],
  ...[
    'http://example.test@HOST/',
    'http://example.test:80@HOST/',
    'http://a:b@HOST/',
    'http://@HOST/',
  ],
  ...['http://HOST@example.test@HOST/', 'http://example.test%40HOST/'],
  ...['http://example.test&@HOST/', 'http://example.test;@HOST/'],
  ...[
    'ht\ttp://HOST/',
    'http:/\t/HOST/',
    'http://\tHOST/',
    'http://127.0.\t0.1/',
    'http://HOST\t/',
    '\thttp://HOST',
  ],
  ...[
    'ht\ntp://HOST/',
    'http://\nHOST/',
    'http://HOST\r\n/',
    'http://HOST/\r\nx: y',
    ' http://HOST/',
  ],
  ...[
    'http://HOST ',
    'http://HOST\0/',
    '\0http://HOST/',
    'http://HOST\u0001/',
    '\ufeffhttp://HOST/',
  ],
  ...['http://example.test HOST/', 'http://[HOST]/', 'http://HOST:0/', 'http://HOST:99999/'],
  ...[
    'http://HOST:-1/',
    'http://HOST:80:80/',
    'http://HOST:/',
    'http://HOST:٨٠/',
    'http://',
    'http://./',
  ],
] as const
/** These lead to a stranger, whatever they look like; nobody knows that name here. */
const strangerUrls = [
  ...['http://example.test/@HOST/', 'http://example.test#@HOST/', 'http://example.test?@HOST/'],
  ...[
    'http://http://HOST/',
    'http://example.test/\u2044\u2044HOST',
    'http://0xg/',
    'http://127.0.0.1../',
  ],
] as const

function world(options: Partial<GuardOptions> = {}, asked: Resolver = resolver) {
  const guard = createGuard({ targets: 'public', ...options })
  const probes = createProbes({ guard, resolver: asked, clock })
  const egress = createEgress({ clock, guard, resolver: asked })
  const send = (url: string) => {
    return egress({ url, method: 'POST', headers: {}, body: '{}', timeoutMs: 1_000 })
  }
  const verify = (url: string) => {
    const callbackUrl = 'https://up.test/callback'
    const secret = mintWebhookSecret()
    const deps = { clock, url, secret, callbackUrl, request: egress, sign: signWebhook }
    const ids = {
      id: 'kyc_01jd0000000000000000000000' as VerificationId,
      userId: 'usr_1' as UserId,
    }
    const verification = newVerification(ids, 'http', clock.nowMs())
    const { signal } = new AbortController()
    return createHttpProvider(deps).send?.({ verification, fields: fullFields }, signal)
  }
  const look = async (checkType: CheckType, url: string, stepUrl = '', way: CheckWay = {}) => {
    const steps = checkType === 'steps' ? [completedStep({ name: 'Look', url: stepUrl })] : []
    const game = checkType === 'game' ? 'minecraft' : null
    const target = makeTarget({ checkType, url, steps, game, timeoutMs: 1_000, ...way })
    const { error } = await probes.probe(target, { clock })
    return error?.kind ?? 'good'
  }
  return { ...probes, look, send, verify }
}

/** Names are judged when they are looked up, all else as soon as somebody writes it. */
const isName = (host: string) => /\.test\.?$/i.test(host)

t.test('there are many notations of "here"', async (t) => {
  t.ok(hosts.length >= 200, `${hosts.length} hosts`)
  t.ok(trickyUrls.length >= 60, `${trickyUrls.length} URLs`)
  t.same(
    written.filter((host, i) => written.indexOf(host) !== i),
    [],
    'none is there twice',
  )
})

t.test('no kind of monitor accepts or visits an internal host', async (t) => {
  const { judgeUrl, look } = world()
  for (const kind of kinds) {
    const wrong: string[] = []
    await Promise.all(
      hosts.map(async (host) => {
        const url = urlOf(kind, `${host}:${port}`)
        if (!isName(host) && kind !== 'dns' && judgeUrl(kind, url) === null) {
          // Not looked at: it may lead off this machine.
          wrong.push(`${url} is taken`)
          return
        }
        const found = await look(kind, url)
        if (found !== 'blocked') wrong.push(`${url}: ${found}`)
      }),
    )
    t.same(wrong, [], kind)
  }
  t.equal(await canary.visits(), 0)
})

t.test('no check is led to an internal host by connectTo, whatever its URL says', async (t) => {
  const { judgeUrl, look } = world({ allow: [outside] })
  const direct = typesOf(probedKinds.filter(({ fields }) => fields.includes('stream')))
  t.ok(direct.length >= 15, `${direct.length} kinds`)
  for (const kind of direct) {
    const url = urlOf(kind, `${outside}:${port}`)
    const wrong: string[] = []
    await Promise.all(
      hosts
        .flatMap((host) => [host, `${host}:${port}`])
        .map(async (connectTo) => {
          const isTaken = judgeUrl(kind, url, 'any', undefined, { connectTo }) === null
          if (isTaken && !isName(connectTo.replace(/:\d+$/, '')))
            wrong.push(`${connectTo} is taken`)
          const found = await look(kind, url, `http://${outside}:${port}/`, { connectTo })
          if (found !== 'blocked') wrong.push(`${connectTo}: ${found}`)
        }),
    )
    t.same(wrong, [], kind)
  }
  t.equal(await canary.visits(), 0)
  const there = { connectTo: `${outside}:${port}` }
  t.equal(judgeUrl('endpoint', 'http://nowhere.test/', 'any', undefined, there), null)
  t.equal(await look('endpoint', 'http://nowhere.test/', '', there), 'good')
})

t.test(
  'no proxy is asked for an internal host, nor for a name unless it resolves names',
  async (t) => {
    const { asked, url: proxyUrl } = await startProxy(t)
    const proxies = { plain: proxyUrl, naming: `${proxyUrl}?resolves=true` }
    const { judgeUrl, look } = world({ allow: [outside], machine: { ...openMachine, proxies } })
    const proxied = kinds.filter((kind) => hasField(kindOf({ checkType: kind }), 'proxy'))
    t.ok(proxied.length >= 17, `${proxied.length} kinds`)
    for (const kind of proxied) {
      const wrong: string[] = []
      await Promise.all(
        hosts
          .flatMap((host) => ['plain', 'naming'].map((proxy) => ({ host, proxy })))
          .map(async ({ host, proxy }) => {
            // What the proxy resolves is what the operator accepted.
            if (proxy === 'naming' && isName(host)) return
            const url = urlOf(kind, `${host}:${port}`)
            if (!isName(host) && judgeUrl(kind, url) === null) return
            const found = await look(kind, url, url, { proxy })
            if (found !== 'blocked') wrong.push(`${url} by ${proxy}: ${found}`)
          }),
      )
      t.same(wrong, [], kind)
    }
    t.same(asked, [])
    const target = `http://${outside}:${port}/`
    t.not(await look('endpoint', target, '', { proxy: 'plain' }), 'blocked')
    t.equal(
      await look('endpoint', target, '', { proxy: 'plain', connectTo: 'mixed.test' }),
      'blocked',
    )
    t.same(asked, [`${outside}:${port}`])
    t.equal(await canary.visits(), 0)
  },
)

t.test('a proxy is for the organizations that the operator names', async (t) => {
  const [org, other] = ['org_01jd0000000000000000000000', 'org_01jd0000000000000000000001']
  const proxies = { office: 'http://10.0.0.1:3128' }
  const mayUse = (proxyOrgs: readonly string[], isAlone: boolean, orgId?: string) => {
    const isShared = () => !isAlone
    const { judgeUrl } = world({ isShared, machine: { ...openMachine, proxies, proxyOrgs } })
    return judgeUrl('endpoint', 'http://a.test/', 'any', orgId, { proxy: 'office' }) === null
  }
  t.ok(mayUse([], true, org), 'the only one')
  t.notOk(mayUse([], false, org), 'none of several')
  t.ok(mayUse([org], false, org))
  t.notOk(mayUse([org], true, other))
  t.ok(mayUse([], false), 'that of a probe of its own')
  const { judgeUrl } = world({ machine: { ...openMachine, proxies } })
  for (const proxy of ['constructor', 'Office', 'office ', '__proto__']) {
    t.match(judgeUrl('endpoint', 'http://a.test/', 'any', undefined, { proxy }), {
      code: 'target_not_allowed',
      field: 'proxy',
    })
  }
})

t.test('no step leads to an internal host that the monitor itself does not name', async (t) => {
  const { look } = world()
  const wrong: string[] = []
  await Promise.all(
    hosts.map(async (host) => {
      const found = await look('steps', 'http://example.test/', `http://${host}:${port}/`)
      if (found !== 'blocked') wrong.push(`${host}: ${found}`)
    }),
  )
  for (const text of trickyUrls) {
    const url = text.replaceAll('HOST', `127.0.0.1:${port}`)
    const found = await look('steps', 'http://example.test/', url)
    // What is relative leads to a stranger whose name nobody knows.
    if (found !== 'blocked' && found !== 'dns') wrong.push(`${JSON.stringify(url)}: ${found}`)
  }
  t.same(wrong, [])
  t.equal(await canary.visits(), 0)
})

t.test('no kind of monitor accepts an ambiguous URL', async (t) => {
  const { judgeUrl, look } = world()
  const wrong: string[] = []
  const heres = ['127.0.0.1', 'localhost', '[::1]']
  // One of them each, in turn; all in a deep run.
  const heresEach = amount(1, heres.length)
  for (const [row, kind] of [...kinds, ...ofMachine].entries()) {
    for (const [column, text] of trickyUrls.entries()) {
      for (const [at, host] of heres.entries()) {
        if ((row + column + at) % heres.length >= heresEach) continue
        const url = text.replaceAll('HOST', `${host}:${port}`)
        if (judgeUrl(kind, url) === null) wrong.push(`${kind} ${JSON.stringify(url)} is taken`)
        const found = await look(kind, url)
        if (found !== 'blocked') wrong.push(`${kind} ${JSON.stringify(url)}: ${found}`)
      }
    }
    for (const text of strangerUrls) {
      const found = await look(kind, text.replaceAll('HOST', `127.0.0.1:${port}`))
      if (found !== 'blocked' && found !== 'dns') wrong.push(`${kind} ${text}: ${found}`)
    }
  }
  t.same(wrong, [])
  t.equal(await canary.visits(), 0)
})

t.test('nothing of this machine is looked at that is not listed, nor for a stranger', async (t) => {
  const urls: Readonly<Record<string, readonly string[]>> = {
    container: ['container://local/web', 'container://127.0.0.1/web', 'container://x/web'],
    systemd: ['systemd://nginx.service', 'systemd://-.mount', 'systemd://a.service'],
    browser: ['http://127.0.0.1/', 'https://192.0.2.1/', 'http://[::1]/'],
    host: ['host://memory', 'host://disk?path=/', 'host://disk?path=/var/..', 'host://cpu'],
    command: ['command://raid?disk=sda', 'command://sh', 'command://constructor'],
    file: [
      'file:///etc/passwd',
      'file:///var/backups/../../etc/passwd',
      'file:///proc/self/environ',
    ],
  }
  t.same(Object.keys(urls).sort(), ofMachine.toSorted(), 'every such kind')
  const closed = world({ targets: 'any' })
  for (const [kind, ways] of Object.entries(urls)) {
    for (const url of ways) {
      t.not(closed.judgeUrl(kind, url), null, url)
      t.equal(await closed.look(kind, url), 'blocked', url)
    }
  }
  const stranger = 'org_01jd0000000000000000000000'
  const open = { targets: 'any', machine: openMachine } as const
  const mayLook = (options: Partial<GuardOptions>, orgId?: string) =>
    world(options).judgeUrl('file', 'file:///var/backups/a', 'any', orgId)?.reason ?? null
  t.equal(mayLook(open), null, 'a probe that one organization runs for itself')
  t.match(mayLook(open, stranger), /a file of this machine, .* checks\.machineOrgs$/)
  t.equal(mayLook({ ...open, isShared: () => false }, stranger), null)
  const named = { ...openMachine, machineOrgs: [stranger] }
  t.equal(mayLook({ ...open, machine: named }, stranger), null)
  const other = { ...openMachine, machineOrgs: ['org_01jd0000000000000000000001'] }
  const isShared = () => false
  t.match(mayLook({ ...open, machine: other, isShared }, stranger), /not allowed/)
})

t.test('no webhook and no verification service is called at an internal address', async (t) => {
  const { send, verify } = world()
  const wrong: string[] = []
  const all = [
    ...hosts.map((host) => `http://${host}:${port}/`),
    ...trickyUrls.map((text) => text.replaceAll('HOST', `127.0.0.1:${port}`)),
  ]
  await Promise.all(
    all.map(async (url) => {
      const sent = await send(url)
      if (sent.kind !== 'refused') wrong.push(`${url}: ${JSON.stringify(sent)}`)
      const verified = await verify(url)
      if (verified?.kind !== 'failed') wrong.push(`${url}: ${JSON.stringify(verified)}`)
    }),
  )
  t.same(wrong, [])
  t.equal(await canary.visits(), 0)
})

t.test('no redirect leads to an internal address, at the first step or the last', async (t) => {
  const door = await startTarget(answer(), { address: outside })
  t.teardown(() => door.close())
  const { look, send } = world({ allow: [`${outside}/32`] })
  const wrong: string[] = []
  // The first step or the last in turn; both in a deep run.
  const pathsEach = amount(1, 2)
  for (const [index, host] of hosts.entries()) {
    const script = redirectTo(`http://${host}:${port}/`)
    door.script = { '/': script, '/a': redirectTo('/b', 307), '/b': redirectTo('/', 308) }
    for (const [at, path] of ['/', '/a'].entries()) {
      if ((index + at) % 2 >= pathsEach) continue
      // A step is led astray as a check of one request is.
      const kind = index % 8 === 0 ? 'steps' : 'endpoint'
      const found = await look(kind, `${door.url}${path}`)
      // A header has bytes, not letters: what is not ASCII arrives as a name that nobody knows.
      const isUnknown = found === 'dns' && /[^ -~]/.test(host)
      const isRefused = found === 'blocked' || found === 'invalid_response' || isUnknown
      if (!isRefused) wrong.push(`${host}: ${found}`)
    }
    const sent = await send(`${door.url}/`)
    if (sent.kind !== 'answered' || sent.status !== 302) wrong.push(`webhook: ${host}`)
  }
  t.same(wrong, [])
  for (const text of trickyUrls) {
    const location = text.replaceAll('HOST', `127.0.0.1:${port}`).replaceAll(/[\r\n\0]/g, '')
    door.script = { '/': redirectTo(location) }
    const found = await look('endpoint', `${door.url}/`)
    // What is relative to the door leads to the door again, where there is nothing.
    t.not(found, 'good', location)
  }
  t.equal(await canary.visits(), 0)
})

/** The same port of UDP outside and inside; nobody answers there. */
async function udpPair() {
  const bind = async (address: string, port: number) => {
    let packets = 0
    const socket = createSocket('udp4')
    socket.on('message', () => (packets += 1))
    socket.bind(port, address)
    await once(socket, 'listening')
    return { socket, port: socket.address().port, packets: () => packets }
  }
  const door = await bind(outside, 0)
  return [door, await bind('127.0.0.1', door.port)] as const
}

t.test('a name that changes between two queries is queried once a check', async (t) => {
  const [door, inner] = await udpPair()
  t.teardown(() => [door.socket.close(), inner.socket.close()])
  let asked = 0
  const turning = resolverThat(async () => {
    asked += 1
    return { addresses: [asked % 2 === 1 ? outside : '127.0.0.1'] }
  })
  const { look, send } = world({ allow: [`${outside}/32`] }, turning)
  for (const kind of kinds) {
    const url = urlOf(kind, `turn.test:${kind === 'dns' ? door.port : port}`)
    asked = 0
    await look(kind, url)
    t.equal(asked, 1, `${kind} asks once`)
    t.equal(await look(kind, url), 'blocked', `${kind} is blocked by the second answer`)
    t.equal(asked, 2)
  }
  asked = 0
  await send(`http://turn.test:${port}/`)
  t.equal(asked, 1, 'a webhook asks once')
  t.ok(door.packets() > 0)
  t.equal(inner.packets(), 0)
  const turns = amount(200, 1_000)
  for (let i = 0; i < turns; i++) await look('endpoint', `http://turn.test:${port}/`)
  t.equal(await canary.visits(), 0)
})

t.test('a domain registry at an internal address is not queried', async (t) => {
  const inner = resolverTo('127.0.0.1')
  t.equal(await world({}, inner).look('domain', 'domain://example.com'), 'blocked')
  const { judgeUrl } = world()
  for (const host of hosts) {
    const url = `domain://${host}:${port}`
    t.not(judgeUrl('domain', url), null, url)
  }
  t.equal(await canary.visits(), 0)
})

t.test('the daemon cannot be made to call itself where its network is allowed', async (t) => {
  const inside = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '192.0.2.0/24', 'fc00::/7', 'fe80::/10']
  const own = { allow: inside, ownListeners: () => [{ address: '::', port }] }
  const { judgeUrl, look, send } = world(own)
  const here = ['127.0.0.1', '127.1', '[::1]', '[::ffff:7f00:1]', 'localhost', 'loopback.test']
  for (const host of [...here, ...ownAddresses]) {
    for (const kind of kinds) {
      const url = urlOf(kind, `${host}:${port}`)
      if (!isName(host) && kind !== 'dns') t.not(judgeUrl(kind, url), null, url)
      t.equal(await look(kind, url), 'blocked', url)
    }
    t.equal((await send(`http://${host}:${port}/`)).kind, 'refused', host)
  }
  t.equal(await canary.visits(), 0)
})

t.test('connections that are accepted are seen here, so silence means something', async (t) => {
  const { look, send } = world({ targets: 'any' })
  await look('endpoint', `http://127.1:${port}/`)
  await look('tcp', `tcp://localhost:${port}`)
  await look('udp', `udp://localhost:${port}`)
  await send(`http://loopback4.test:${port}/`)
  t.equal(await canary.visits(), 4)
})
