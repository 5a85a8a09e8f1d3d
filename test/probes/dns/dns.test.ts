// The DNS probe: every type of record, whom it asks, and what it says where there is no answer.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import type { TargetPolicy } from '../../../src/net/egress-policy.ts'
import { parseDnsUrl } from '../../../src/probes/dns/dns.ts'
import { recordTypes } from '../../../src/probes/dns/dns-records.ts'
import { probeContract } from '../../contracts/probe.contract.ts'
import { type RecordsZone, rdata, startRecordsServer } from '../../support/dns-records-server.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'

const clock = startClock()
const dns = await startRecordsServer({})
t.after(async () => {
  clock.stop()
  await dns.close()
})

interface World {
  readonly targets?: TargetPolicy
  readonly servers?: readonly string[]
  readonly allow?: readonly string[]
}

function makeProbe({ targets = 'any', servers = [dns.server], allow = [] }: World = {}) {
  return openProbe(t, clock, { checkType: 'dns', nameServers: servers, targets, allow })
}

function check(url: string, fields: TargetFields = {}, world: World = {}): Promise<Reading> {
  return makeProbe(world)(makeTarget({ url, ...fields }), { clock })
}

const { address, name, text, mx, srv, caa, soa } = rdata

/** What was said, read from the evidence of an assertion that cannot hold. */
async function said(url: string, zone: RecordsZone): Promise<unknown> {
  dns.zone = zone
  const reading = await check(url, { expect: { bodyContains: 'no answer holds this' } })
  return JSON.parse(reading.evidence?.body ?? 'null')
}

t.test('addresses come in order, with the shortest time to live', async (t) => {
  const records = [address('192.0.2.20'), address('192.0.2.1'), address('192.0.2.3')]
  t.same(await said('dns://a.test', { 'A a.test': { records, ttlSeconds: 77 } }), {
    type: 'A',
    name: 'a.test',
    server: null,
    ttl: 77,
    records: ['192.0.2.1', '192.0.2.20', '192.0.2.3'],
  })
  const six = { 'AAAA a.test': { records: [address('2001:db8::1')] } }
  t.match(await said('dns://a.test?type=aaaa', six), { records: ['2001:db8::1'] })
})

t.test('every type of record has its fields, and its line of a zone file', async (t) => {
  const cases: [type: string, bytes: Buffer[], wanted: unknown[]][] = [
    ['CNAME', [name('Web.Example.TEST')], ['web.example.test']],
    ['NS', [name('ns2.test'), name('ns1.test')], ['ns1.test', 'ns2.test']],
    ['TXT', [text('v=spf1 ', '-all')], ['v=spf1 -all']],
    [
      'MX',
      [mx(20, 'b.test'), mx(10, 'a.test')],
      [
        { text: '10 a.test', priority: 10, exchange: 'a.test' },
        { text: '20 b.test', priority: 20, exchange: 'b.test' },
      ],
    ],
    ['MX', [mx(0, '')], [{ text: '0 .', priority: 0, exchange: '.' }]],
    [
      'SRV',
      [srv(1, 2, 5060, 'sip.test')],
      [{ text: '1 2 5060 sip.test', priority: 1, weight: 2, port: 5060, target: 'sip.test' }],
    ],
    [
      'CAA',
      [caa(0, 'issue', 'ca.test')],
      [{ text: '0 issue ca.test', critical: 0, tag: 'issue', value: 'ca.test' }],
    ],
    [
      'SOA',
      [soa('ns1.test', 'admin.test', 7, 1, 2, 3, 4)],
      [
        {
          text: 'ns1.test admin.test 7 1 2 3 4',
          primary: 'ns1.test',
          hostmaster: 'admin.test',
          serial: 7,
          refresh: 1,
          retry: 2,
          expire: 3,
          minimumTtl: 4,
        },
      ],
    ],
  ]
  const elsewhere = ['A', 'AAAA', 'PTR']
  t.same(new Set([...cases.map(([type]) => type), ...elsewhere]), new Set(recordTypes))
  for (const [type, records, wanted] of cases) {
    const found = await said(`dns://_x.a.test?type=${type}`, { [`${type} _x.a.test`]: { records } })
    t.same(found, { type, name: '_x.a.test', server: null, records: wanted }, type)
  }
})

t.test('a PTR query resolves an address to its name', async (t) => {
  const records = [name('Host.Test')]
  const four = { 'PTR 1.2.0.192.in-addr.arpa': { records } }
  t.match(await said('dns://192.0.2.1?type=PTR', four), { records: ['host.test'] })
  const six = `PTR 1${'.0'.repeat(23)}.8.b.d.0.1.0.0.2.ip6.arpa`
  t.match(await said('dns://[2001:db8::1]?type=PTR', { [six]: { records } }), {
    records: ['host.test'],
  })
})

t.test('assertions of the monitor hold or fail', async (t) => {
  const records = [mx(10, 'a.test'), mx(20, 'b.test')]
  dns.zone = { 'MX m.test': { records }, 'A m.test': { records: [address('192.0.2.1')] } }
  const url = 'dns://m.test?type=MX'
  t.match(await check('dns://m.test', { expect: { bodyContains: '192.0.2.1' } }), {
    result: 'good',
  })
  t.match(await check(url, { expect: { bodyContains: '10 a.test' } }), { result: 'good' })
  const path = {
    responseAssertionType: 'equals',
    responseAssertionPath: '$.records[*].exchange',
    responseAssertionValue: 'b.test',
  } as const
  t.match(await check(url, { expect: path }), { result: 'good' })
  const wrong = await check(url, { expect: { ...path, responseAssertionValue: 'c.test' } })
  t.match(wrong, { result: 'failed', error: { kind: 'assertion' } })
  t.match(wrong.evidence?.failedAssertions, [{ found: 'a.test, b.test' }])
})

t.test('a name in any script and case is queried in DNS form', async (t) => {
  const zone = { 'A xn--bcher-kva.test': { records: [address('192.0.2.1')] } }
  for (const url of ['dns://Bücher.test.', 'dns://b%C3%BCcher.TEST/', 'dns://xn--bcher-kva.test']) {
    t.match(await said(url, zone), { name: 'xn--bcher-kva.test' }, url)
  }
})

t.test('without an answer the sentence says why', async (t) => {
  dns.zone = {
    'A none.test': {},
    'A fail.test': { code: 2 },
    'A refuse.test': { code: 5 },
    'A odd.test': { code: 4 },
    'A silent.test': 'silent',
  }
  const sentences: Record<string, RegExp> = {
    missing: /^there is no such name as missing\.test$/,
    none: /^none\.test has no A record$/,
    fail: /^the name servers failed to answer \(SERVFAIL\) for fail\.test$/,
    refuse: /^the name servers refused to answer for refuse\.test$/,
    odd: /^the name servers did not accept the query \(NOTIMP\)$/,
    silent: /^the name servers did not answer in time for silent\.test$/,
  }
  for (const [label, message] of Object.entries(sentences)) {
    const reading = await check(`dns://${label}.test`, { timeoutMs: 2_500 })
    t.match(reading, { result: 'failed', error: { kind: 'dns', message, phase: 'dns' } }, label)
  }
  const named = await check(`dns://fail.test?server=${dns.server}`)
  t.equal(named.error?.message.includes(`the name server ${dns.server} failed`), true)
})

t.test('a missing name server is the fault of the monitor that names it', async (t) => {
  const closed = `127.0.0.1:${await freePort()}`
  const theirs = await check(`dns://a.test?server=${closed}`)
  t.match(theirs, { result: 'failed', error: { kind: 'dns', message: /nothing answers at/ } })
  const ours = await check('dns://a.test', {}, { servers: [closed] })
  t.match(ours, { result: 'unknown', error: { kind: 'dns', message: /no name server is reach/ } })
  const noWay = await check('dns://a.test?server=255.255.255.255')
  t.match(noWay, { result: 'unknown', error: { message: /this machine does not permit it/ } })
})

t.test('the server that a monitor names is queried, by its address or its name', async (t) => {
  const other = await startRecordsServer({ 'A a.test': { records: [address('192.0.2.9')] } })
  t.after(() => other.close())
  dns.zone = { 'A ns.test': { records: [address('127.0.0.1')] } }
  const expect = { bodyContains: '192.0.2.9' }
  const byAddress = await check(`dns://a.test?server=${other.server}`, { expect })
  t.match(byAddress, { result: 'good', address: '127.0.0.1' })
  const byName = await check(`dns://a.test?type=A&server=NS.test:${other.port}`, { expect })
  t.match(byName, { result: 'good', address: '127.0.0.1' })
  const unknown = await check('dns://a.test?server=nowhere.test')
  t.match(unknown.error, { kind: 'dns', message: /no such name as nowhere\.test/ })
})

t.test('a long answer comes over TCP, and at most 200 records of it are kept', async (t) => {
  const records = Array.from({ length: 300 }, (_, i) => text(`record ${1_000 + i}`))
  const zone = { 'TXT long.test': { records, isTruncated: true } }
  const expect = {
    responseAssertionType: 'lengthEquals',
    responseAssertionPath: '$.records',
    responseAssertionValue: '200',
  } as const
  dns.zone = zone
  t.match(await check('dns://long.test?type=TXT', { expect }), { result: 'good' })
  t.same(dns.questions.slice(-2), ['udp TXT long.test', 'tcp TXT long.test'])
})

t.test('a stranger learns nothing about the daemon’s own network', async (t) => {
  dns.zone = {
    'A inside.test': { records: [address('93.184.215.14'), address('10.1.2.3')] },
    'PTR 3.2.1.10.in-addr.arpa': { records: [name('db.inside.test')] },
  }
  const open: World = { targets: 'public' }
  const before = dns.questions.length
  const blocked = { result: 'failed', error: { kind: 'blocked' } }
  const inside = await check('dns://inside.test', {}, open)
  t.match(inside, blocked)
  t.notMatch(JSON.stringify(inside), /10\.1\.2\.3/)
  t.match(await check('dns://10.1.2.3?type=PTR', {}, open), blocked)
  t.match(await check('dns://a.test?server=10.0.0.53', {}, open), blocked)
  t.match(await check('dns://a.test?server=169.254.169.254', {}, open), blocked)
  t.match(await check('dns://a.test?server=8.8.8.8:25', {}, open), {
    result: 'failed',
    error: { message: /port 25, which is not allowed/ },
  })
  t.match(await check('dns://a.test?server=8.8.8.8:11211', {}, open), blocked)
  t.equal(dns.questions.length - before, 1, 'only the first was asked')
  // The operator's own servers may be asked by name as well.
  const own = await check(`dns://inside.test?type=MX&server=${dns.server}`, {}, open)
  t.match(own.error, { kind: 'dns', message: /no such name/ })
  const trusted = await check('dns://inside.test', {}, { targets: 'public', allow: ['10.0.0.0/8'] })
  t.match(trusted, { result: 'good' })
})

t.test('on a shared service nobody sees the private address behind a name', async (t) => {
  const look = (at: string) => {
    dns.zone = { 'A a.test': { records: [address(at)] } }
    const probe = openProbe(t, clock, {
      ...{ checkType: 'dns', nameServers: [dns.server], hidesPrivate: true },
    })
    const expect = { bodyContains: 'no answer holds this' }
    return probe(makeTarget({ url: 'dns://a.test', expect }), { clock })
  }
  const inner = await look('10.0.0.5')
  t.match(inner, { result: 'failed', found: /^\(not kept/, evidence: { note: /^not kept/ } })
  t.notMatch(JSON.stringify(inner), /10\.0\.0\.5/)
  t.match(await look('1.1.1.1'), { found: { records: ['1.1.1.1'] } })
})

t.test('port 53 is open to DNS monitors under every policy', async (t) => {
  const reading = await check('dns://a.test?server=192.0.2.1', {}, { targets: 'public' })
  t.match(reading.error, { kind: 'blocked' })
  t.notMatch(reading.error?.message, /port/)
  const pass = await check(
    'dns://a.test?server=127.0.0.53',
    { timeoutMs: 300 },
    { targets: 'public', allow: ['127.0.0.53'] },
  )
  t.not(pass.error?.kind, 'blocked')
})

t.test('an invalid URL is refused with its reason', async (t) => {
  const reasons: Record<string, RegExp> = {
    'http://a.test': /must start with dns:\/\//,
    'dns:a.test': /must start with/,
    'dns://': /must contain a name/,
    'dns:///a.test': /must contain a name|must not have a path/,
    'dns://*.a.test': /wildcard/,
    'dns://a..test': /not a valid name/,
    'dns://a b.test': /spaces/,
    'dns://a%20b.test': /not a valid name/,
    'dns://a%00.test': /not a valid name/,
    'dns://a%.test': /not a valid/,
    'dns://a.test\\x': /must not contain/,
    'dns://me@a.test': /user name/,
    'dns://a.test:53': /port/,
    'dns://a.test/path': /path/,
    'dns://a.test#x': /a fragment/,
    'dns://a.test?type=ANY': /must have a type of A, AAAA/,
    'dns://a.test?type=A&type=MX': /only one type/,
    'dns://a.test?typ=A': /other than type, server and dnssec/,
    'dns://a.test?server=': /must have a server such as/,
    'dns://a.test?server=a:0': /must have a server/,
    'dns://a.test?server=a:70000': /must have a server/,
    'dns://a.test?server=[a.test]': /must have a server/,
    'dns://192.0.2.1': /no A record: use type=PTR/,
    'dns://0x7f.1': /must be a name, not an address/,
    'dns://1.2.3': /must be a name, not an address/,
    'dns://localhost': /this machine itself/,
    'dns://1.2.0.192.in-addr.arpa?type=PTR': /the address itself/,
    [`dns://${'a'.repeat(64)}.test`]: /at most 63/,
    [`dns://${'a.'.repeat(130)}test`]: /at most 253/,
    [`dns://${'a'.repeat(2_050)}`]: /at most 2048/,
  }
  for (const [url, reason] of Object.entries(reasons)) {
    const parsed = parseDnsUrl(url)
    t.match(parsed.problem, reason, url)
  }
  t.match(await check('dns://*.a.test'), { result: 'failed', error: { kind: 'blocked' } })
  t.same(parseDnsUrl('dns://a.test?server=2001:db8::1&type=mx'), {
    type: 'MX',
    name: 'a.test',
    server: { host: '2001:db8::1', port: 53 },
  })
  t.same(parseDnsUrl('DNS://a.test?server=[2001:db8::1]:5353'), {
    type: 'A',
    name: 'a.test',
    server: { host: '2001:db8::1', port: 5353 },
  })
})

const hostile = await startRecordsServer({
  'A good.test': { records: [address('192.0.2.1')] },
  'A silent.test': 'silent',
  'A fail.test': { code: 2 },
  'A none.test': {},
  'A garbage.test': Buffer.from('this is no answer at all, it is only a text'),
  'A short.test': Buffer.from([1, 2, 3]),
  'A wrong.test': { records: [Buffer.from([1, 2])] },
  'A empty.test': Buffer.alloc(0),
  'CNAME loop.test': { records: [name('loop.test')] },
})
t.after(() => hostile.close())
const troubles = ['silent', 'fail', 'none', 'garbage', 'short', 'wrong', 'empty', 'missing']
await probeContract(t, {
  probe: makeProbe({ servers: [hostile.server] }),
  clock,
  cases: [
    ...['good', ...troubles].map((label) => ({
      title: `the name ${label}.test`,
      target: makeTarget({ url: `dns://${label}.test`, timeoutMs: 1_500 }),
    })),
    { title: 'no URL', target: makeTarget({ url: 'dns://' }) },
    { title: 'a loop', target: makeTarget({ url: 'dns://loop.test?type=CNAME' }) },
    {
      title: 'a silent server in a moment',
      target: makeTarget({ url: 'dns://silent.test', timeoutMs: 100 }),
    },
  ],
})
