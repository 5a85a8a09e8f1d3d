// Name servers and hosts that change while the daemon runs: another network, a VPN, an operator.
import type { ResolverOptions } from 'node:dns'
import { Resolver as CaresResolver } from 'node:dns/promises'
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createResolver, dnsFilesMs } from '../../../src/net/dns/resolver.ts'
import { startDnsServer, type Zone } from '../../support/dns-server.ts'
import { FakeClock } from '../../support/fake-clock.ts'

async function startServer(zone: Zone) {
  const dns = await startDnsServer(zone)
  t.after(() => dns.close())
  return dns
}

interface Test {
  testdir(files: Readonly<Record<string, string>>): string
}

/** A resolver of a system whose files the test writes. */
function start(t: Test, server: string, named: { readonly servers?: readonly string[] } = {}) {
  const directory = t.testdir({ hosts: '', resolv: server })
  const hostsFile = join(directory, 'hosts')
  const resolvFile = join(directory, 'resolv')
  const clock = new FakeClock()
  // As c-ares does it with its own file: it is read when a channel is opened.
  const openSystem = (how: ResolverOptions): CaresResolver => {
    const channel = new CaresResolver(how)
    channel.setServers([readFileSync(resolvFile, 'utf8')])
    return channel
  }
  const resolver = createResolver({ clock, hostsFile, resolvFile, openSystem, ...named })
  return { clock, resolver, hostsFile, resolvFile }
}

function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

t.test('another name server is used within seconds, for all names', async (t) => {
  const before = await startServer({ 'a.test': ['127.0.0.1'], 'slow.test': 'silent' })
  const after = await startServer({ 'a.test': ['127.0.0.2'], 'slow.test': ['127.0.0.2'] })
  const { clock, resolver, resolvFile } = start(t, before.server)
  t.same(await resolver.resolve('a.test', 'ipv4'), { addresses: ['127.0.0.1'] })
  await clock.advance(dnsFilesMs - 1)
  const late = resolver.resolve('slow.test', 'ipv4')
  replace(resolvFile, after.server)
  t.same(await resolver.resolve('a.test', 'ipv4'), { addresses: ['127.0.0.1'] }, 'not looked yet')
  await clock.advance(1)
  t.same(resolver.servers, [after.server])
  for (const name of ['a.test', 'slow.test']) {
    t.same(await resolver.resolve(name, 'ipv4'), { addresses: ['127.0.0.2'] }, name)
  }
  before.zone = { 'slow.test': ['127.0.0.1'] }
  before.speak()
  t.same(await late, { addresses: ['127.0.0.1'] }, 'an earlier question gets its own answer')
  t.same(await resolver.resolve('slow.test', 'ipv4'), { addresses: ['127.0.0.2'] })
  t.equal(resolver.hasAnswered(), true)
})

t.test('without a change nothing is queried again, however often the files are read', async (t) => {
  const dns = await startServer({ 'a.test': ['127.0.0.1'] })
  const { clock, resolver } = start(t, dns.server)
  for (let i = 0; i < 4; i++) {
    await resolver.resolve('a.test', 'ipv4')
    await clock.advance(dnsFilesMs)
  }
  t.equal(dns.questions.length, 1)
})

t.test('name servers that the operator named stay', async (t) => {
  const dns = await startServer({ 'a.test': ['127.0.0.1'] })
  const { clock, resolver, resolvFile } = start(t, 'nonsense', { servers: [dns.server] })
  await resolver.resolve('a.test', 'ipv4')
  replace(resolvFile, '127.0.0.9')
  await clock.advance(dnsFilesMs)
  t.same(await resolver.resolve('a.test', 'ipv4'), { addresses: ['127.0.0.1'] })
  t.same(resolver.servers, [dns.server])
  t.equal(dns.questions.length, 1, 'and so does what they said')
})

t.test('a file that cannot be applied leaves the former state', async (t) => {
  const dns = await startServer({ 'a.test': ['127.0.0.1'] })
  const { clock, resolver, resolvFile } = start(t, dns.server)
  replace(resolvFile, 'half wri')
  await clock.advance(dnsFilesMs)
  t.same(await resolver.resolve('a.test', 'ipv4'), { addresses: ['127.0.0.1'] })
})

t.test('if the files cannot be read, the known state stays', async (t) => {
  const dns = await startServer({ 'a.test': ['127.0.0.1'] })
  const directory = t.testdir({ hosts: '127.0.0.5 known.test', resolv: dns.server })
  const [hostsFile, resolvFile] = [join(directory, 'hosts'), join(directory, 'resolv')]
  const clock = new FakeClock()
  const openSystem = (how: ResolverOptions): CaresResolver => {
    const channel = new CaresResolver(how)
    channel.setServers([isReadable ? dns.server : '127.0.0.1'])
    return channel
  }
  let isReadable = true
  const resolver = createResolver({ clock, hostsFile, resolvFile, openSystem })
  isReadable = false
  for (const path of [hostsFile, resolvFile]) {
    rmSync(path)
    mkdirSync(path)
  }
  await clock.advance(dnsFilesMs)
  t.same(resolver.servers, [dns.server], 'not this machine, which c-ares falls back to')
  t.same(await resolver.resolve('known.test', 'ipv4'), { addresses: ['127.0.0.5'] })
  isReadable = true
  for (const path of [hostsFile, resolvFile]) {
    rmdirSync(path)
    writeFileSync(path, '127.0.0.6 known.test')
  }
  await clock.advance(dnsFilesMs)
  t.same(resolver.servers, [dns.server])
  t.same(await resolver.resolve('known.test', 'ipv4'), { addresses: ['127.0.0.6'] })
})

t.test('a name in the hosts file counts from then on, until it goes', async (t) => {
  const dns = await startServer({ 'a.test': ['127.0.0.1'] })
  const { clock, resolver, hostsFile } = start(t, dns.server)
  const steps = [
    ['127.0.0.7 a.test', '127.0.0.7'],
    ['', '127.0.0.1'],
  ] as const
  for (const [text, address] of steps) {
    replace(hostsFile, text)
    await clock.advance(dnsFilesMs)
    t.same(await resolver.resolve('a.test', 'ipv4'), { addresses: [address] })
  }
})
