// Sentinels: who counts as answering, whom the daemon asks by itself, and where the gateways are.
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { createSentinels, gatewaysIn, gatewaysIn6 } from '../../../src/net/sentinels/sentinels.ts'
import { startDnsServer, type Zone } from '../../support/dns-server.ts'
import { startSilentPort } from '../../support/silent-port.ts'
import { closedPort } from '../../support/target.ts'
import { startTickingClock } from '../../support/ticking-clock.ts'
import { until } from '../../support/until.ts'

// Most of what they do is to wait for silence.
t.jobs = 4

const clock = startTickingClock(t)

async function openPort(t: Test): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** One that asks this name server only. */
function sentinelsOf(
  places: readonly string[],
  servers: readonly string[] = [],
  { proven = [], roots = [] }: { proven?: readonly string[]; roots?: readonly string[] } = {},
) {
  const answered = { hasAnswered: false, proven: [] as readonly string[] }
  const resolver = { servers, hasAnswered: () => answered.hasAnswered }
  const sentinels = createSentinels({
    clock,
    resolver,
    places,
    random: () => 0.5,
    proven,
    roots,
    gateways: async () => [],
    onProven: (now) => {
      answered.proven = now
    },
  })
  return { ...sentinels, answered }
}

t.test('a host that accepts or refuses is there; silence counts after an answer', async (t) => {
  const closed = `127.0.0.1:${await closedPort()}`
  const open = `127.0.0.1:${await openPort(t)}`
  const silent = await startSilentPort()
  t.after(() => silent?.close())
  const { look } = sentinelsOf([open, closed, `127.0.0.1:${silent?.port ?? 1}`, '[::1]:1'])
  const { sentinels, names } = await look()
  t.match(sentinels[0], { version: 'ipv4', answers: true, isProven: true })
  t.match(
    sentinels[1],
    { version: 'ipv4', answers: true, isProven: true },
    'a refusal is an answer',
  )
  if (silent) t.match(sentinels[2], { answers: false, isProven: false })
  t.match(sentinels[3], { version: 'ipv6' })
  t.equal(names, null, 'there are no name servers')
})

t.test('name servers are queried for uncached names, and any answer counts', async (t) => {
  const dns = await startDnsServer({})
  t.after(() => dns.close())
  const { look, answered } = sentinelsOf(['auto'], [dns.server])
  // What a name server says of every name.
  const saying = async (code: number | 'silent') => {
    dns.zone = new Proxy<Zone>({}, { get: () => code })
    return (await look()).names
  }
  t.match(await saying(2), { answers: false, isProven: false }, 'SERVFAIL')
  answered.hasAnswered = true
  t.match(await saying(5), { answers: false, hasAnsweredOthers: true }, 'REFUSED')
  t.match(await saying(3), { answers: true, isProven: true }, 'no such name')
  t.match(await saying(0), { answers: true }, 'no such record')
  const [question = ''] = dns.questions
  t.match(question, /^\S+ [a-z0-9-]+$/, 'a top-level domain')
  dns.zone = new Proxy<Zone>({}, { get: () => 'silent' })
  const { sentinels, names } = await look()
  t.match(names, { answers: false, isProven: true }, 'silence of one who has answered')
  t.same(sentinels, [])
})

t.test('a host that refuses is there, so its later silence means something', async (t) => {
  const all = (said: number | 'silent') => new Proxy<Zone>({}, { get: () => said })
  const [one, other] = await Promise.all([startDnsServer(all(5)), startDnsServer(all('silent'))])
  t.after(() => [one.close(), other.close()])
  const both = sentinelsOf(['auto'], [one.server, other.server])
  const alone = sentinelsOf(['auto'], [one.server])
  const failing = sentinelsOf(['auto'], [one.server])
  const names = (...all: readonly { look: typeof alone.look }[]) =>
    Promise.all(all.map(async ({ look }) => (await look()).names))
  const alive = { answers: false, isProven: false }
  t.match(await names(both, alone), [alive, alive], 'REFUSED')
  one.zone = all(2)
  t.match(await names(alone, failing), [alive, alive], 'SERVFAIL')
  one.zone = all('silent')
  const gone = { answers: false, isProven: true }
  t.match(await names(both, alone, failing), [alive, gone, alive], 'silence')
  t.same(alone.answered.proven, [], 'after a restart it tells nothing')
})

t.test('a sentinel that answered once counts after a restart, even if silent now', async (t) => {
  const place = `127.0.0.1:${await openPort(t)}`
  const before = sentinelsOf(['auto'], [], { roots: [place] })
  t.match((await before.look()).sentinels, [{ answers: true, isProven: true }], 'a root server')
  const silent = await startSilentPort()
  t.after(() => silent?.close())
  const key = `127.0.0.1 ${silent?.port}`
  t.match(before.answered.proven, [/^127\.0\.0\.1 \d+$/])
  const later = sentinelsOf([`127.0.0.1:${silent?.port}`], [], { proven: [key] })
  if (silent) t.match((await later.look()).sentinels, [{ answers: false, isProven: true }])
})

t.test('a sentinel check in progress ends with the daemon', async (t) => {
  const silent = await startSilentPort()
  const dns = await startDnsServer(new Proxy<Zone>({}, { get: () => 'silent' }))
  t.after(() => Promise.all([silent?.close(), dns.close()]))
  const { look, stop } = sentinelsOf([`127.0.0.1:${silent?.port ?? 1}`], [dns.server])
  const startedMs = clock.monoMs()
  const looking = look()
  await until(() => dns.questions.length > 0)
  stop()
  await looking
  t.ok(clock.monoMs() - startedMs < 1_900, 'it waits for nobody')
  t.same(await look(), { sentinels: [], names: null }, 'and there is no other')
})

t.test('the gateways are those of the default routes', async (t) => {
  const head = 'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT'
  const route = (destination: string, gateway: string, flags: string) =>
    ['eth0', destination, gateway, flags, '0', '0', '0', '00000000', '0', '0', '0'].join('\t')
  const table = [
    head,
    route('00000000', '0101A8C0', '0003'),
    route('0001A8C0', '00000000', '0001'),
    route('00000000', '0201A8C0', '0002'),
  ].join('\n')
  t.same(gatewaysIn(table), ['192.168.1.1'], 'those that are up, byte order turned')
  const zero = '0'.repeat(32)
  const route6 = (gateway: string, flags: string) =>
    `${zero} 00 ${zero} 00 ${gateway} 00000400 00000003 00000000 ${flags}     eth0`
  const gateway = 'fd000000000000000000000000000001'
  const linkLocal = 'fe800000000000000000000000000001'
  const table6 = [
    route6(gateway, '00000003'),
    route6(linkLocal, '00000003'),
    route6(zero, '00200200'),
  ]
  t.same(gatewaysIn6(table6.join('\n')), ['fd00:0000:0000:0000:0000:0000:0000:0001'])
  t.same([gatewaysIn(''), gatewaysIn6('nonsense')], [[], []])
})
