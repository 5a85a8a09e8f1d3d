// The ping probe: ICMP where this machine permits it, TCP where not or where a port is given.
import t, { type Test } from 'tap'
import { type Clock, startClock } from '../../../src/base/clock.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { parsePingUrl, ping } from '../../../src/probes/ping/ping.ts'
import {
  createPinger,
  type Pinger,
  type PingProblem,
  type PingResult,
} from '../../../src/probes/ping/ping-command.ts'
import { probeContract } from '../../contracts/probe.contract.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { answeredIn, isAlive, makeFakePing, worksAnd } from '../../support/fake-ping.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import { startSilentPort } from '../../support/silent-port.ts'
import { closedPort, startTarget } from '../../support/target.ts'
import { startTickingClock } from '../../support/ticking-clock.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
const dns = await startDnsServer({
  'both.example': ['127.0.0.9', '::1'],
  'one.example': ['127.0.0.9'],
})
const resolver = createResolver({ clock, servers: [dns.server] })
const deps = { guard: createGuard({ targets: 'any' }), resolver, clock }
const target = await startTarget()
t.after(async () => {
  clock.stop()
  dns.close()
  await target.close()
})

type Say = (address: string, budgetMs: number) => PingResult

/** A pinger in whose words a host answers, or one that does not work on this machine. */
function pingerThat(say: Say | PingProblem = 'broken'): Pinger {
  const isWord = typeof say === 'string'
  return {
    trouble: async () => (isWord ? say : null),
    ping: async (address, budgetMs) =>
      isWord ? { kind: 'unavailable', trouble: say } : say(address, budgetMs),
    hop: async () => 'unable',
  }
}

const checkWith = (pinger: Pinger, fields: TargetFields) =>
  ping.open({ ...deps, pinger }).probe(makeTarget(fields), { clock })

/** What a good check found. */
async function answerOf(pinger: Pinger, fields: TargetFields): Promise<Record<string, unknown>> {
  const { result, found } = await checkWith(pinger, fields)
  if (result !== 'good' || typeof found !== 'object') throw new Error('no answer was found')
  return { ...found }
}

t.test('a host that answers the ping is good, and the round trip is its time', async (t) => {
  const pinger = pingerThat(() => ({ kind: 'answered', roundTripMs: 812.345 }))
  const reading = await checkWith(pinger, { url: 'ping://127.0.0.1' })
  t.match(reading, { result: 'good', address: '127.0.0.1', phases: { connect: 812.35 } })
  t.equal(reading.durationMs, 812.35, 'what it takes to start a program is not counted')
  t.same(await answerOf(pinger, { url: '127.0.0.1' }), {
    method: 'icmp',
    address: '127.0.0.1',
    roundTripMs: 812.35,
  })
})

t.test('assertions see how the host answered', async (t) => {
  const pinger = pingerThat(() => ({ kind: 'answered', roundTripMs: 80 }))
  const expect = {
    responseAssertionType: 'lessThan',
    responseAssertionPath: '$.roundTripMs',
    responseAssertionValue: '50',
  } as const
  const reading = await checkWith(pinger, { url: '127.0.0.1', expect })
  t.match(reading.error, { kind: 'assertion', message: /roundTripMs to be less than 50/ })
})

t.test('the reason for a missing answer is what ping reports', async (t) => {
  const cases: readonly [kind: PingResult['kind'], result: string, error: object][] = [
    ['silent', 'failed', { kind: 'timeout', message: 'no answer to the ping from 127.0.0.1' }],
    ['unreachable', 'failed', { kind: 'connect', message: 'no way to reach 127.0.0.1' }],
    ['noRoute', 'unknown', { kind: 'connect', message: /this machine has no route to the target/ }],
    ['crowded', 'unknown', { kind: 'connect', message: /too many pings are in progress/ }],
  ]
  for (const [kind, result, error] of cases) {
    const pinger = pingerThat(() => ({ kind }) as PingResult)
    t.match(await checkWith(pinger, { url: '127.0.0.1' }), { result, error })
  }
})

t.test('of a name one address per family is pinged, each with its share of time', async (t) => {
  const asked: string[] = []
  const pinger = pingerThat((address, budgetMs) => {
    asked.push(`${address} ${budgetMs} ms`)
    return address === '::1' ? { kind: 'noRoute' } : { kind: 'answered', roundTripMs: 1 }
  })
  const both = makeTarget({ url: 'ping://both.example', timeoutMs: 900 })
  // Time stands still: what is shared is all of it, but for the moment of the verdict.
  const reading = await ping.open({ ...deps, pinger }).probe(both, { clock: new FakeClock() })
  t.match(reading, { result: 'good', address: '127.0.0.9' })
  t.ok((reading.phases?.dns ?? -1) >= 0)
  t.same(asked, ['::1 405 ms', '127.0.0.9 810 ms'])
  const four = await checkWith(pinger, { url: 'both.example', ipFamily: 'ipv4' })
  t.equal(four.result, 'good')
  const silent = pingerThat((address) => ({ kind: address === '::1' ? 'noRoute' : 'silent' }))
  t.match(await checkWith(silent, { url: 'both.example' }), {
    result: 'failed',
    error: { kind: 'timeout' },
  })
})

t.test('with a port, a connection to it is tried instead of ping', async (t) => {
  const pinger = pingerThat(() => ({ kind: 'silent' }))
  const url = `ping://127.0.0.1:${target.port}`
  const startedMs = performance.now()
  const reading = await checkWith(pinger, { url })
  const tookMs = performance.now() - startedMs
  t.match(reading, { result: 'good', address: '127.0.0.1' })
  const { connect = -1 } = reading.phases ?? {}
  t.ok(connect >= 0 && connect <= tookMs + 1, `${connect} of ${tookMs} ms`)
  const found = await answerOf(pinger, { url })
  t.match(found, { method: 'tcp', address: '127.0.0.1', port: target.port, roundTripMs: Number })
  t.equal(found.note, undefined)
  await until(() => target.open === 0)
})

t.test('with a port, a refused connection is down', async (t) => {
  const port = await closedPort()
  const { result, error } = await checkWith(pingerThat(), { url: `127.0.0.1:${port}` })
  const message = `connection refused by 127.0.0.1:${port}`
  t.match({ result, error }, { result: 'failed', error: { kind: 'connect', message } })
})

t.test('without a port, a refused connection shows that the host is there', async (t) => {
  const { result, found } = await checkWith(pingerThat('missing'), { url: '127.0.0.1' })
  t.equal(result, 'good')
  t.match(found, {
    method: 'tcp',
    note: /no ping on this machine.*; .*shows that the host is there/,
  })
})

t.test('without ping the usual ports are tried, and the note says so, and why', async (t) => {
  const reasons: readonly [trouble: PingProblem, words: string][] = [
    ['missing', 'there is no ping on this machine'],
    ['forbidden', 'ping is not permitted on this machine'],
    ['slow', 'ping is too slow on this machine'],
    ['broken', 'ping does not work on this machine'],
  ]
  for (const [trouble, words] of reasons) {
    const found = await answerOf(pingerThat(trouble), { url: '127.0.0.1' })
    const note = new RegExp(`^${words}, so TCP on ports 443 and 80 was used; `)
    t.match(found, { method: 'tcp', port: 443, note })
    const lost = { ...pingerThat(trouble), trouble: async () => null }
    const later = await answerOf(lost, { url: '127.0.0.1' })
    t.match(later, { method: 'tcp', port: 443, note }, 'also where it was permitted until now')
  }
})

t.test('over TCP only silence and a missing route are failures', async (t) => {
  const silent = await startSilentPort()
  if (silent !== undefined) {
    t.after(() => silent.close())
    const place = `127.0.0.1:${silent.port}`
    const asked = { url: place, timeoutMs: 1_000 }
    const ticking = startTickingClock(t)
    const probe = ping.open({ ...deps, pinger: pingerThat() }).probe
    const reading = await probe(makeTarget(asked), { clock: ticking })
    t.match(reading, {
      result: 'failed',
      error: { kind: 'timeout', phase: 'connect', message: `no answer from ${place}` },
    })
    t.ok(reading.durationMs < 1_000)

    const late = new FakeClock()
    const found = probe(makeTarget(asked), { clock: late })
    await until(() => late.pending === 2)
    await Promise.all([late.runNext(), late.runNext()])
    const error = { message: `no answer from ${place}` }
    t.match(await found, { error }, 'also where the deadline comes in the same turn')
  }
  // The kernel refuses to connect to a broadcast address; no packet is sent.
  const far = resolverTo('255.255.255.255')
  const probe = ping.open({ ...deps, resolver: far, pinger: pingerThat() }).probe
  t.match(await probe(makeTarget({ url: 'far.example' }), { clock }), {
    result: 'unknown',
    error: { kind: 'connect', message: /this machine has no route to the target/ },
  })
})

t.test('the policy judges addresses, and ports if there are any', async (t) => {
  const asked: string[] = []
  const pinger = pingerThat((address) => {
    asked.push(address)
    return { kind: 'answered', roundTripMs: 1 }
  })
  const strict = { ...deps, guard: createGuard({ targets: 'public' }), pinger }
  const accepted = target.accepted
  for (const url of ['127.0.0.1', 'one.example', `one.example:${target.port}`, '[::1]']) {
    const { error } = await ping.open(strict).probe(makeTarget({ url }), { clock })
    t.match(error, { kind: 'blocked', message: /a loopback address, which is not allowed/ }, url)
  }
  const open = createGuard({ targets: 'public' })
  const guard = {
    ...open,
    judgeAddress: (address: string, port?: number) =>
      port === undefined ? ({ allowed: true } as const) : open.judgeAddress(address, port),
  }
  const noPing = ping.open({ ...deps, guard, pinger: pingerThat() }).probe
  const { error } = await noPing(makeTarget({ url: 'one.example' }), { clock })
  t.match(error, { kind: 'blocked', message: /^one.example leads to a loopback address/ })
  t.same(asked, [], 'nobody was pinged')
  t.equal(target.accepted, accepted)
})

t.test('an invalid host is refused with a reason', async (t) => {
  const good: readonly [text: string, host: string, port: number | null][] = [
    ['ping://x.example', 'x.example', null],
    ['PING://X.Example.', 'x.example', null],
    ['x.example', 'x.example', null],
    ['x.example:22', 'x.example', 22],
    ['ping://x.example:80', 'x.example', 80],
    ['ping://x.example:443/', 'x.example', 443],
    ['192.0.2.1', '192.0.2.1', null],
    ['0x7f.1', '127.0.0.1', null],
    ['ping://2130706433', '127.0.0.1', null],
    ['::1', '::1', null],
    ['[2001:DB8:0::1]:443', '2001:db8::1', 443],
    ['ping://[::ffff:127.0.0.1]', '::ffff:7f00:1', null],
    ['bücher.example', 'xn--bcher-kva.example', null],
  ]
  for (const [text, host, port] of good) t.same(parsePingUrl(text), { host, port }, text)
  const bad: readonly string[] = [
    ...['', 'ping://', 'https://x.example', 'ping:x.example', 'ping://ping://x', 'x.example/path'],
    ...['x.example?q', 'x.example#f', 'me@x.example', 'ping://me:pass@x.example', ' x.example'],
    ...['x.example\n', 'x example', '-c 1000', 'x\\y', 'fe80::1%eth0', '[fe80::1%eth0]', '[::1'],
    ...['x.example:', 'x.example:port', '::1:80:x', '999.1.1.1', 'x.example:80:80', '%2f'],
  ]
  for (const text of bad) t.match(parsePingUrl(text).problem, /^must be a host or/, text)
  t.match(parsePingUrl('x.example:0').problem, /a port from 1 to 65535/)
  t.match(parsePingUrl('x.example:65536').problem, /a port from 1 to 65535/)
  t.match(parsePingUrl(`${'x'.repeat(3_000)}.example`).problem, /at most 2048/)
  const { error } = await checkWith(pingerThat(), { url: 'file:///etc/passwd' })
  t.match(error, { kind: 'blocked', message: /^the URL must be a host or ping/ })
})

function programPinger(t: Test, lines: string, at: Clock = clock) {
  const fake = makeFakePing(lines)
  t.after(() => fake.remove())
  return { fake, pinger: createPinger({ clock: at, paths: [fake.path] }) }
}

t.test('a hanging ping counts as no answer, reported just before the deadline', async (t) => {
  const time = new FakeClock()
  const { fake, pinger } = programPinger(t, worksAnd('exec sleep 60'), time)
  await pinger.trouble(5_000)
  const probe = ping.open({ ...deps, pinger }).probe
  const asked = makeTarget({ url: 'ping://127.0.0.2', timeoutMs: 1_000 })
  const hanging = probe(asked, { clock: time })
  await until(() => fake.pids().length === 2)
  await time.advance(999)
  t.match(await hanging, {
    result: 'failed',
    error: { kind: 'timeout', message: /^no answer to the ping from/ },
  })
  const stop = new AbortController()
  const stopped = probe(makeTarget({ url: '127.0.0.2' }), { clock: time, signal: stop.signal })
  await until(() => fake.pids().length === 3)
  stop.abort()
  t.equal((await stopped).result, 'unknown')
  await until(() => !fake.pids().some(isAlive))
})

t.test('the contract of a probe', async (t) => {
  // Until a program has started, this process waits, in which nobody starves it.
  const clock = startTickingClock(t)
  const { fake, pinger } = programPinger(t, answeredIn('1'), clock)
  await pinger.trouble(5_000)
  const slow = { url: '127.0.0.2', timeoutMs: 200 }
  const cases = [
    { title: 'a host that answers', target: makeTarget({ url: '127.0.0.1' }) },
    { title: 'an open port', target: makeTarget({ url: `127.0.0.1:${target.port}` }) },
    { title: 'a closed port', target: makeTarget({ url: `127.0.0.1:${await closedPort()}` }) },
    { title: 'no such name', target: makeTarget({ url: 'x.example', timeoutMs: 200 }) },
    { title: 'another scheme', target: makeTarget({ url: 'file:///etc/passwd' }) },
  ]
  await probeContract(t, { probe: ping.open({ ...deps, pinger }).probe, clock, cases })
  for (const lines of ['exec sleep 60', 'exit 1', 'echo "100% packet loss"; exit 1']) {
    fake.script(worksAnd(lines))
    const hosts = [{ title: `a ping that does: ${lines}`, target: makeTarget(slow) }]
    await probeContract(t, { probe: ping.open({ ...deps, pinger }).probe, clock, cases: hosts })
  }
  await until(() => !fake.pids().some(isAlive))
})

const real = openProbe(t, clock, { checkType: 'ping' })

t.test('the contract of a probe on this machine, really', async (t) => {
  const cases = [{ title: 'this machine', target: makeTarget({ url: '127.0.0.1' }) }]
  await probeContract(t, { probe: real, clock, cases })
})
