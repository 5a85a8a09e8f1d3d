// One organization's look-ups do not hold up another's, nor push out what it got.
import { randomBytes } from 'node:crypto'
import { Resolver as CaresResolver } from 'node:dns/promises'
import { join } from 'node:path'
import t from 'tap'
import type { OrgId } from '../../../src/base/ids.ts'
import { createSender } from '../../../src/channels/sender.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  dnsDoubtfulLookupsMax,
  dnsForwarderMs,
  dnsKeptRatio,
  dnsLikelyLookupsMax,
  dnsWaitMsMax,
} from '../../../src/net/dns/dns-concurrency.ts'
import {
  dnsCacheMsMax,
  dnsNegativeCacheMs,
  dnsTimeoutMsMax,
} from '../../../src/net/dns/name-servers.ts'
import { createResolver, type NameResolution } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { failure } from '../../../src/net/failure.ts'
import { createEgress } from '../../../src/net/http-client/guarded-client.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { createBox } from '../../../src/seal/box.ts'
import { openKeyring } from '../../../src/seal/keyring.ts'
import { targetOf } from '../../../src/services/monitors/monitor-request.ts'
import { openedMessage } from '../../contracts/sender.contract.ts'
import { startDnsServer, type Zone } from '../../support/dns-server.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { resolverThat } from '../../support/fake-resolver.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { orgA } from '../../support/make-incident.ts'
import { makeMonitor } from '../../support/make-page.ts'
import { makeTarget } from '../../support/make-target.ts'
import { patienceMs, until } from '../../support/until.ts'

const good = ['127.0.0.1']
const names = (word: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${word}${i}.test`)
const zoneOf = (silent: readonly string[], fine: readonly string[]): Zone =>
  Object.fromEntries([
    ...silent.map((name) => [name, 'silent'] as const),
    ...fine.map((name) => [name, good] as const),
  ])

async function start(zone: Zone) {
  const dns = await startDnsServer(zone)
  const clock = new FakeClock()
  const channels: CaresResolver[] = []
  const resolver = createResolver({
    clock,
    hostsFile: '/dev/null',
    resolvFile: '/dev/null',
    // c-ares counts in real time: here it neither gives up nor asks again before the test says so.
    openSystem(how) {
      const channel = new CaresResolver({ ...how, timeout: patienceMs, maxTimeout: patienceMs })
      channel.setServers([dns.server])
      channels.push(channel)
      return channel
    },
  })
  const asked = (word: string) => new Set(dns.questions.filter((one) => one.includes(word))).size
  const ask = (host: string, orgId?: string) => resolver.resolve(host, 'ipv4', orgId)
  const flood = (hosts: readonly string[], orgId: string) => {
    const settled: NameResolution[] = []
    const all = hosts.map(async (host) => settled.push(await ask(host, orgId)))
    return { settled, all: Promise.all(all) }
  }
  /** Whatever is silent speaks, so that no question outlives the test. */
  const end = async () => {
    dns.zone = {}
    const speaking = setInterval(() => dns.speak(), 5)
    await clock.advance(dnsTimeoutMsMax + dnsWaitMsMax)
    return async (all: Promise<unknown>) => {
      await all
      clearInterval(speaking)
      for (const channel of channels) channel.cancel()
      dns.close()
    }
  }
  return { dns, clock, resolver, ask, asked, flood, end }
}

/** What one organization alone may have under way of names that may be silent. */
const doubtfulMax = dnsDoubtfulLookupsMax
const alone = doubtfulMax - Math.floor(doubtfulMax * dnsKeptRatio)

t.test('a thousand silent names of one organization delay no other', async (t) => {
  const silent = names('quiet', 1_000)
  const zone = zoneOf(silent, [...names('fine', 100), 'first.test', 'ours.test'])
  const { dns, ask, asked, flood, end } = await start(zone)
  const { settled, all } = flood(silent, 'org_a')
  t.same(await ask('first.test', 'org_b'), { addresses: good })
  const ahead = dns.questions.indexOf('A first.test')
  t.ok(ahead <= alone, `${ahead} questions are ahead of who comes just after them`)
  await until(() => asked('quiet') === alone)
  for (const name of names('fine', 100)) {
    const before = dns.questions.length
    t.same(await ask(name, 'org_b'), { addresses: good }, name)
    t.same(dns.questions.slice(before), [`A ${name}`], 'and then none is')
  }
  t.same(await ask('ours.test'), { addresses: good }, 'nor the daemon itself')
  t.equal(settled.length, 0, 'all that time they were silent')
  t.equal(asked('quiet'), alone, 'and the rest had to wait')
  await (await end())(all)
})

t.test('many such organizations leave room for a new name of one whose names answer', async (t) => {
  const zone = zoneOf(names('quiet', 1_000), ['first.test', 'fine.test'])
  const { dns, ask, flood, end } = await start(zone)
  await ask('first.test', 'org_b')
  const floods = Array.from({ length: 10 }, (_, i) =>
    flood(names('quiet', 1_000).slice(i * 100, i * 100 + 100), `org_${i}`),
  )
  await until(() => dns.questions.length >= doubtfulMax)
  t.same(await ask('fine.test', 'org_b'), { addresses: good })
  t.equal(dns.questions.length, doubtfulMax + 2, 'and the others wait')
  await (await end())(Promise.all(floods.map(({ all }) => all)))
})

t.test('a silent name keeps its place to its end, and waiting is bounded', async (t) => {
  const silent = names('quiet', 1_000)
  const { asked, clock, flood, end } = await start(zoneOf(silent, []))
  const { settled, all } = flood(silent, 'org_a')
  await until(() => asked('quiet') === alone)
  await clock.advance(dnsTimeoutMsMax - 1)
  t.equal(settled.length, 0)
  await clock.advance(1)
  t.equal(settled.length, alone, 'no name is waited for longer than the bound of a look-up')
  await clock.advance(dnsWaitMsMax)
  const turnedAway = settled.filter(({ failure }) => failure?.result === 'unknown')
  t.equal(turnedAway.length, 1_000 - alone)
  t.match(turnedAway[0]?.failure, { kind: 'dns', message: /too many name look-ups/ })
  const later = flood(names('later', alone), 'org_a')
  await clock.advance(0)
  t.equal(asked('later'), 0, 'a forwarder is not asked for more than it can bear')
  await clock.advance(dnsForwarderMs - dnsWaitMsMax)
  const again = flood(names('later', alone), 'org_a')
  await until(() => asked('later') === alone)
  await (await end())(Promise.all([all, later.all, again.all]))
})

t.test('sixty organizations of silent names do not touch names that answered before', async (t) => {
  const ours = names('ours', 20)
  const { dns, ask, clock, flood, end } = await start(zoneOf(names('quiet', 3_000), ours))
  for (const name of ours) await ask(name, 'org_b')
  const floods = Array.from({ length: 60 }, (_, i) =>
    flood(names('quiet', 3_000).slice(i * 50, i * 50 + 50), `org_${i}`),
  )
  for (let round = 0; round < 3; round++) {
    await clock.advance(dnsCacheMsMax)
    for (const name of ours) t.same(await ask(name, 'org_b'), { addresses: good }, name)
  }
  const silent = new Set(dns.questions.filter((one) => one.includes('quiet'))).size
  t.ok(silent > 0 && silent < 150, `${silent} questions that nobody answers`)
  await (await end())(Promise.all(floods.map(({ all }) => all)))
})

t.test('nor do organizations that had one name answered before', async (t) => {
  const ours = names('ours', 20)
  const theirs = names('theirs', 20)
  const zone = zoneOf(names('quiet', 1_000), [...ours, ...theirs])
  const { dns, ask, clock, flood, end } = await start(zone)
  for (const name of ours) await ask(name, 'org_b')
  for (const [i, name] of theirs.entries()) await ask(name, `org_${i}`)
  await clock.advance(dnsCacheMsMax)
  const before = dns.questions.length
  const floods = theirs.map((_, i) =>
    flood(names('quiet', 1_000).slice(i * 50, i * 50 + 50), `org_${i}`),
  )
  await until(() => dns.questions.length >= before + dnsLikelyLookupsMax)
  const asked = Promise.all(ours.map((name) => ask(name, 'org_b')))
  await clock.advance(dnsWaitMsMax / 2)
  t.same(
    await asked,
    ours.map(() => ({ addresses: good })),
  )
  await (await end())(Promise.all(floods.map(({ all }) => all)))
})

t.test(
  'the silent names of an organization do not delay its own names that answered',
  async (t) => {
    const ours = names('ours', 20)
    const { ask, asked, clock, flood, end } = await start(zoneOf(names('quiet', 1_000), ours))
    for (const name of ours) await ask(name, 'org_a')
    await clock.advance(dnsCacheMsMax)
    const { settled, all } = flood(names('quiet', 1_000), 'org_a')
    await until(() => asked('quiet') >= alone)
    for (const name of ours) t.same(await ask(name, 'org_a'), { addresses: good }, name)
    t.equal(settled.length, 0, 'all that time they were silent')
    await (await end())(all)
  },
)

t.test(
  'names that answered, and all fall silent at once, delay no other organization',
  async (t) => {
    const theirs = names('theirs', 200)
    const ours = names('ours', 20)
    const { dns, ask, clock, flood, end } = await start(zoneOf([], [...theirs, ...ours]))
    for (const name of ours) await ask(name, 'org_b')
    await flood(theirs, 'org_a').all
    await clock.advance(dnsCacheMsMax)
    dns.zone = zoneOf(theirs, ours)
    const before = dns.questions.length
    const { settled, all } = flood(theirs, 'org_a')
    await until(() => dns.questions.length > before + alone)
    for (const name of ours) t.same(await ask(name, 'org_b'), { addresses: good }, name)
    t.equal(settled.length, 0, 'all that time they were silent')
    await (await end())(all)
  },
)

t.test('a silent name is queried ever less often by its organization', async (t) => {
  const { ask, asked, clock, dns, end } = await start(zoneOf(['quiet.test'], names('fine', 10)))
  const count = () => dns.questions.filter((one) => one === 'A quiet.test').length
  for (const [i, keptMs] of [5_000, 10_000, 20_000, 40_000, 60_000, 60_000].entries()) {
    const answer = ask('quiet.test', 'org_a')
    await until(() => count() === i + 1)
    await ask(`fine${i}.test`, 'org_b')
    await clock.advance(dnsTimeoutMsMax)
    t.equal((await answer).failure?.result, 'failed')
    await clock.advance(keptMs - 1)
    t.match((await ask('quiet.test', 'org_a')).failure, { message: /did not answer in time/ })
    t.equal(count(), i + 1, `the silence counts for ${keptMs} ms`)
    await clock.advance(1)
  }
  const before = count()
  const theirs = ask('quiet.test', 'org_b')
  await until(() => count() === before + 1)
  t.equal(asked('quiet'), 1)
  await (await end())(theirs)
})

t.test('a name that was silent while we stood still is queried again at once', async (t) => {
  const { ask, clock, dns, end } = await start(zoneOf(['quiet.test'], names('fine', 10)))
  const count = () => dns.questions.filter((one) => one === 'A quiet.test').length
  const answer = ask('quiet.test')
  await until(() => count() === 1)
  await ask('fine0.test')
  clock.stall(10_000)
  await clock.advance(dnsTimeoutMsMax)
  t.equal((await answer).failure?.result, 'failed')
  const again = ask('quiet.test')
  t.equal(await until(() => count() === 2), true)
  await (await end())(again)
})

t.test('if nobody gets answers, no name is to blame', async (t) => {
  const { ask, clock, dns, end } = await start(zoneOf(['quiet.test'], []))
  const all: Promise<NameResolution>[] = []
  for (let i = 0; i < 4; i++) {
    all.push(ask('quiet.test', 'org_a'))
    t.equal(await until(() => dns.questions.length === i + 1), true, 'it is asked for as often')
    await clock.advance(dnsTimeoutMsMax + dnsNegativeCacheMs)
  }
  await (await end())(Promise.all(all))
})

t.test('a check that only waited for its turn does not blame its target', async (t) => {
  const { resolver, clock, asked, flood, end } = await start(
    zoneOf(names('quiet', 1_000), ['mine.test']),
  )
  const { probe } = createProbes({ clock, resolver, guard: createGuard({ targets: 'any' }) })
  const { all } = flood(names('quiet', 1_000), 'org_a')
  await until(() => asked('quiet') === alone)
  const checks = ['http://mine.test/', 'tcp://mine.test:1'].map((url) => {
    const checkType = url.startsWith('tcp') ? 'tcp' : 'endpoint'
    const target = makeTarget({ url, timeoutMs: 900, checkType, orgId: 'org_a' as OrgId })
    return probe(target, { clock })
  })
  await clock.advance(899)
  for (const reading of await Promise.all(checks)) {
    t.match(reading, {
      result: 'unknown',
      error: { kind: 'dns', message: /too many name look-ups/ },
    })
  }
  await (await end())(all)
})

t.test('queries of one organization share an answer, and no other gets it', async (t) => {
  const { dns, ask, flood, end } = await start(zoneOf([], ['both.test']))
  const count = () => dns.questions.filter((one) => one === 'A both.test').length
  const { settled, all } = flood(Array(10).fill('both.test'), 'org_a')
  await all
  t.same(settled, Array(10).fill({ addresses: good }))
  t.equal(count(), 1)
  t.same(await ask('both.test', 'org_b'), { addresses: good })
  t.equal(count(), 2, 'so nobody can tell from the time what others look up')
  await (await end())(all)
})

t.test('questions that waited share an answer as well', async (t) => {
  const silent = names('quiet', alone)
  const { dns, asked, clock, flood, end } = await start(zoneOf(silent, ['both.test']))
  const { all } = flood(silent, 'org_a')
  await until(() => asked('quiet') === alone)
  await clock.advance(dnsTimeoutMsMax)
  await clock.advance(dnsForwarderMs - dnsWaitMsMax)
  const { settled, all: waited } = flood(['both.test', 'both.test'], 'org_a')
  await clock.advance(dnsWaitMsMax)
  await waited
  t.same(settled, Array(2).fill({ addresses: good }))
  t.equal(dns.questions.filter((one) => one === 'A both.test').length, 1)
  await (await end())(all)
})

t.test('an organization with very many names displaces nobody else', async (t) => {
  const fine = names('fine', 20)
  const { dns, ask, flood, end } = await start(zoneOf([], [...fine, 'theirs.test']))
  for (const name of fine) await ask(name, 'org_b')
  await ask('theirs.test', 'org_a')
  const before = dns.questions.length
  // Names that cannot be: their answers are kept like all others, and take no packets.
  const { all } = flood(names('x'.repeat(64), limits.dnsCacheEntriesMax + 100), 'org_a')
  await all
  for (const name of fine) await ask(name, 'org_b')
  t.equal(dns.questions.length, before)
  await ask('theirs.test', 'org_a')
  t.equal(dns.questions.length, before + 1, 'their own had to go')
  await (await end())(all)
})

t.test('everything done for an organization is charged to its look-ups', async (t) => {
  const clock = new FakeClock()
  const seen: (string | undefined)[] = []
  const resolver = resolverThat(async (_host, _family, orgId) => {
    seen.push(orgId)
    return { failure: failure('dns', 'no such name') }
  })
  const deps = { guard: createGuard({ targets: 'any' }), resolver, clock }
  const { probe } = createProbes(deps)
  const file = join(t.testdir({}), 'key')
  const box = createBox(openKeyring({ file, create: true, random: randomBytes }))
  for (const [checkType, url] of [
    ...([
      ['endpoint', 'http://a.test/'],
      ['tcp', 'tcp://a.test:2000'],
    ] as const),
    ...([
      ['dns', 'dns://b.test?server=a.test'],
      ['ping', 'ping://a.test'],
    ] as const),
  ] as const) {
    await probe(targetOf(box, makeMonitor({ orgId: orgA, checkType, url })), { clock })
    t.same(seen.splice(0), [orgA], url)
  }
  const send = createSender({ request: createEgress(deps), sign: () => '' })
  const channel = makeChannel({ orgId: orgA })
  const config = { url: 'http://a.test/', secret: 'x' }
  await send(openedMessage, { channel, config }, { clock })
  t.same(seen, [orgA], 'a webhook')
})
