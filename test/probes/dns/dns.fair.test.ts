// DNS monitors ask in their turn among the look-ups, and one with a server of its own alone.
import t from 'tap'
import type { OrgId } from '../../../src/base/ids.ts'
import { dnsDoubtfulLookupsMax } from '../../../src/net/dns/dns-concurrency.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { dns } from '../../../src/probes/dns/dns.ts'
import { startDnsServer, type Zone } from '../../support/dns-server.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeTarget } from '../../support/make-target.ts'
import { until } from '../../support/until.ts'

const monitors = 60
const timeoutMs = 10_000
const zone: Zone = Object.fromEntries([
  ...Array.from({ length: monitors }, (_, i) => [`quiet${i}.test`, 'silent'] as const),
  ['known.test', ['127.0.0.1']],
  ['new.test', ['127.0.0.1']],
])

async function start() {
  const ours = await startDnsServer(zone)
  const theirs = await startDnsServer(zone)
  const clock = new FakeClock()
  const resolver = createResolver({ clock, servers: [ours.server], hostsFile: '/dev/null' })
  const probe = dns.open({ guard: createGuard({ targets: 'any' }), resolver, clock }).probe
  const check = (url: string, orgId: string) =>
    probe(makeTarget({ url, timeoutMs, checkType: 'dns', orgId: orgId as OrgId }), { clock })
  const askedOf = ({ questions }: typeof ours) =>
    new Set(questions.filter((one) => one.includes('quiet'))).size
  /** Many monitors of silent names: `query` says whom they ask. */
  const flood = (query: string) =>
    Array.from({ length: monitors }, (_, i) => check(`dns://quiet${i}.test?${query}`, 'org_a'))
  const end = async (all: Promise<unknown>[]) => {
    await clock.advance(timeoutMs)
    await Promise.all(all)
    ours.close()
    theirs.close()
  }
  return { ours, theirs, clock, resolver, check, askedOf, flood, end }
}

t.test('silent names of DNS monitors delay nobody', async (t) => {
  const { ours, clock, resolver, check, askedOf, flood, end } = await start()
  t.equal((await check('dns://known.test', 'org_b')).result, 'good')
  // By its address it is the same server.
  const all = [...flood('type=A'), ...flood(`server=${ours.server}`)]
  await until(() => askedOf(ours) > 0)
  for (const url of ['dns://known.test', 'dns://new.test']) {
    t.equal((await check(url, 'org_b')).result, 'good', url)
  }
  t.same(await resolver.resolve('new.test', 'ipv4', 'org_b'), { addresses: ['127.0.0.1'] })
  t.ok(askedOf(ours) <= dnsDoubtfulLookupsMax, `${askedOf(ours)} wait for an answer`)
  await clock.advance(timeoutMs)
  const outcomes = (await Promise.all(all)).map(({ result }) => result)
  t.ok(outcomes.includes('unknown'), 'a check that was never made says nothing of its target')
  await end(all)
})

t.test('monitors with their own server wait for nobody, and nobody for them', async (t) => {
  const { ours, theirs, check, askedOf, flood, end } = await start()
  const all = flood(`server=${theirs.server}`)
  await until(() => askedOf(theirs) === monitors)
  t.equal(askedOf(ours), 0)
  t.equal((await check('dns://new.test', 'org_a')).result, 'good')
  await end(all)
})
