// DNS checks that ask for DNSSEC: against BIND, which signs a zone, and Unbound, which validates it.
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { parseDnsUrl } from '../../../src/probes/dns/dns.ts'
import { childOf } from '../../support/child-peer.ts'
import { rdata, startRecordsServer } from '../../support/dns-records-server.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import { pathOf, skipWithout } from '../../support/programs.ts'
import { testFolder } from '../../support/test-folder.ts'

const clock = startClock()
t.after(() => clock.stop())
const dayMs = 86_400_000
const records = [rdata.address('192.0.2.1')]

t.test('what a name server says of DNSSEC decides, if the monitor asks for it', async (t) => {
  const dns = await startRecordsServer({})
  t.teardown(() => dns.close())
  const probe = openProbe(t, clock, { checkType: 'dns', nameServers: [dns.server] })
  const look = async (url: string, says: object) => {
    dns.zone = { 'A a.test': { records, ...says } }
    const reading = await probe(makeTarget({ url }), { clock })
    return [reading.result, reading.error?.message, reading.found] as const
  }
  const inTenDays = Math.floor(Date.now() / 1_000) * 1_000 + 10 * dayMs + 60_000
  const shown = (dnssec: object) => ({ records: ['192.0.2.1'], dnssec })
  t.match(await look('dns://a.test?dnssec=required', { isAuthentic: true }), [
    'good',
    undefined,
    shown({ authenticated: true, signed: false }),
  ])
  t.match(await look('dns://a.test?dnssec=required', { signedUntilMs: inTenDays }), [
    'failed',
    'the name servers did not validate the answer for a.test (DNSSEC)',
    shown({ authenticated: false, signed: true }),
  ])
  const own = `dns://a.test?dnssec=required&server=${dns.server}`
  t.equal(
    (await look(own, {}))[1],
    `the name server ${dns.server} did not validate the answer for a.test (DNSSEC)`,
  )
  t.match(await look('dns://a.test?dnssec=signed', { signedUntilMs: inTenDays }), [
    'good',
    undefined,
    shown({ signed: true, expiresAt: new Date(inTenDays).toISOString(), daysLeft: 10 }),
  ])
  const expiredAtMs = Date.UTC(2026, 0, 31)
  t.equal(
    (await look('dns://a.test?dnssec=signed', { signedUntilMs: expiredAtMs }))[1],
    'the signature of a.test expired on 2026-01-31 (DNSSEC)',
  )
  t.equal(
    (await look('dns://a.test?dnssec=signed', {}))[1],
    'the answer for a.test is not signed (DNSSEC)',
  )
  const asked = dns.questions.length
  const [, , found] = await look('dns://a.test', { isAuthentic: true, signedUntilMs: inTenDays })
  t.notOk(JSON.stringify(found).includes('dnssec'), 'without the wish nothing is said')
  t.equal(dns.questions.length - asked, 1, 'and nothing is asked')
  t.match(parseDnsUrl('dns://a.test?dnssec=yes'), { problem: /dnssec of required or signed/ })
})

const skip = skipWithout('named', 'unbound', 'dnssec-keygen', 'dnssec-signzone')

t.test('BIND signs a zone, and Unbound validates it', { skip }, async (t) => {
  const folder = testFolder(t)
  const run = (program: 'dnssec-keygen' | 'dnssec-signzone', ...args: string[]) =>
    execFileSync(pathOf(program) ?? '', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  // Its user may be another one than that of the test.
  chmodSync(folder, 0o777)
  const key = run('dnssec-keygen', '-a', 'ECDSAP256SHA256', '-f', 'KSK', 'example.test')
    .toString()
    .trim()
  const zone = [
    '$TTL 300',
    '@ SOA ns.example.test. admin.example.test. 1 3600 600 86400 300',
    '@ NS ns.example.test.',
    'ns A 127.0.0.1',
    'www A 192.0.2.1',
    'alias CNAME www',
    '@ MX 10 www',
    '@ TXT "v=spf1 -all"',
    `$INCLUDE ${key}.key`,
    '',
  ].join('\n')
  writeFileSync(join(folder, 'zone'), zone)
  const sign = (...until: string[]) =>
    run('dnssec-signzone', '-z', '-o', 'example.test', '-K', folder, ...until, 'zone')
  sign('-e', 'now+864000')
  const port = await freePort()
  const options = [
    ...[
      `directory "${folder}";`,
      `listen-on port ${port} { 127.0.0.1; };`,
      'listen-on-v6 { none; };',
    ],
    ...['recursion no;', 'pid-file none;', 'session-keyfile none;', 'dnssec-validation no;'],
  ]
  const named = [
    `options { ${options.join(' ')} };`,
    'zone "example.test" { type primary; file "zone.signed"; };',
    'controls { };',
  ]
  writeFileSync(join(folder, 'named.conf'), named.join('\n'))
  const probe = openProbe(t, clock, { checkType: 'dns' })
  const look = (query: string) =>
    probe(makeTarget({ url: `dns://${query}`, timeoutMs: 20_000 }), { clock }).then(
      ({ result, error, found }) => {
        return [result, error?.message, found] as const
      },
    )
  const bind = childOf(t, pathOf('named') ?? '')
  const own = `server=127.0.0.1:${port}`
  const hasZone = async () => (await look(`ns.example.test?${own}`))[0] === 'good'
  const serve = () => bind.start(['-g', '-c', join(folder, 'named.conf')], hasZone)
  await serve()

  const validating = await freePort()
  const [anchor = ''] = readFileSync(join(folder, `${key}.key`), 'utf8')
    .split('\n')
    .filter((line) => line.includes('DNSKEY'))
  const server = [
    ...[`interface: 127.0.0.1@${validating}`, 'do-daemonize: no', 'username: ""', 'chroot: ""'],
    ...[`directory: "${folder}"`, 'pidfile: ""', 'use-syslog: no', 'do-not-query-localhost: no'],
    ...[`trust-anchor: "${anchor.replaceAll(/\s+/g, ' ')}"`, 'local-zone: "test." nodefault'],
    ...['module-config: "validator iterator"', 'cache-max-ttl: 0', 'cache-max-negative-ttl: 0'],
  ]
  const stub = ['stub-zone:', '  name: "example.test"', `  stub-addr: 127.0.0.1@${port}`, '']
  const unboundConf = ['server:', ...server.map((line) => `  ${line}`), ...stub].join('\n')
  writeFileSync(join(folder, 'unbound.conf'), unboundConf)
  const unbound = childOf(t, pathOf('unbound') ?? '')
  const conf = join(folder, 'unbound.conf')
  const resolver = `127.0.0.1:${validating}`
  const validates = async () => (await look(`ns.example.test?server=${resolver}`))[0] === 'good'
  await unbound.start(['-d', '-c', conf], validates)

  for (const [name, type] of [
    ['www.example.test', 'A'],
    ['alias.example.test', 'A'],
    ['example.test', 'MX'],
    ['example.test', 'TXT'],
    ['example.test', 'SOA'],
  ] as const) {
    const [result, message, found] = await look(
      `${name}?type=${type}&dnssec=required&server=${resolver}`,
    )
    t.equal(result, 'good', `${name} ${type}: ${message}`)
    t.match(found, { dnssec: { authenticated: true, signed: true, daysLeft: 9 } })
  }
  const [result, , found] = await look(`www.example.test?dnssec=signed&${own}`)
  t.equal(result, 'good')
  t.match(found, { dnssec: { authenticated: false, signed: true, daysLeft: 9 } })
  t.match(await look(`www.example.test?dnssec=required&${own}`), [
    'failed',
    /did not validate the answer for www.example.test/,
  ])

  // Without its own verification, which would refuse a signature that has expired.
  sign('-P', '-s', 'now-864000', '-e', 'now-86400')
  await serve()
  t.match(await look(`www.example.test?dnssec=signed&${own}`), [
    'failed',
    /^the signature of .* expired on 20/,
  ])
  t.match(await look(`www.example.test?dnssec=required&server=${resolver}`), [
    'failed',
    /failed to answer \(SERVFAIL\)/,
  ])
})
