// The way to a target that is silent: through routers that others wrote (the kernel's), and in the words of ping.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { ping } from '../../../src/probes/ping/ping.ts'
import { createPinger, type HopResult } from '../../../src/probes/ping/ping-command.ts'
import { createTracer, silentInARowMax, traceKeptMs } from '../../../src/probes/ping/traceroute.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeFakePing, worksAnd } from '../../support/fake-ping.ts'
import { makeTarget } from '../../support/make-target.ts'
import { namespaceProblem, openChain } from '../../support/network-namespace.ts'
import { pathOf, skipWithout } from '../../support/programs.ts'
import { startTickingClock } from '../../support/ticking-clock.ts'

const skip = skipWithout('ping', 'ip', 'nft') || namespaceProblem()

t.test('behind routers, a target that falls silent', { skip }, async (t) => {
  const chain = openChain(t, 5)
  const target = chain.addressOf(4)
  const clock = startTickingClock(t)
  const pinger = createPinger({ clock, paths: [pingWithin(t, chain.within)] })
  const resolver = createResolver({ clock })
  const guard = createGuard({ targets: 'any' })
  const { probe } = ping.open({ guard, resolver, clock, pinger })
  const look = (address: string, timeoutMs = 4_000) =>
    probe(makeTarget({ checkType: 'ping', url: `ping://${address}`, timeoutMs }), { clock })
  const passed = (at: number) => ({
    outcome: 'passed',
    address: chain.addressOf(at),
    roundTripMs: Number,
  })

  t.match(await look(target), { result: 'good' })
  const mend = chain.drop(4)
  const failed = await look(target)
  t.match(failed, { result: 'failed', error: { message: `no answer to the ping from ${target}` } })
  const { ageMs, hops = [] } = failed.evidence?.traceroute ?? {}
  t.equal(ageMs, 0)
  t.match(hops, [passed(1), passed(2), passed(3)], 'each router, until the one before the target')
  t.equal(hops.length, 3)
  for (const { roundTripMs = -1 } of hops) t.ok(roundTripMs > 0 && roundTripMs < 500)

  guard.setRules({ targets: 'public', allow: [target] })
  const second = await look(target, 1_000)
  const shown = second.evidence?.traceroute
  t.ok((shown?.ageMs ?? 0) > 0, 'it is that of the first failure')
  t.match(shown?.hops, Array(3).fill({ outcome: 'passed', isPrivate: true, roundTripMs: Number }))
  t.notMatch(
    JSON.stringify(shown),
    /10\.251\./,
    'where checks may not look at private addresses, those of routers are not shown either',
  )
  guard.setRules({ targets: 'any' })
  mend()
  t.match(await look(target), { result: 'good' })

  const gone = '10.251.9.9'
  const refused = await look(gone)
  t.match(refused, { result: 'failed', error: { message: `no way to reach ${gone}` } })
  // It says so once a second: of packets that are on their way together, any can be the one that is answered.
  const told = refused.evidence?.traceroute?.hops.filter(({ outcome }) => outcome !== 'silent')
  t.match(
    told,
    [passed(1), passed(2), passed(3), { outcome: 'refused', address: target }],
    'a router that knows no way further says so',
  )
})

/** A ping that is sent from a namespace. */
function pingWithin(t: Test, within: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'stillup-traced-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'ping')
  const [program = '', ...words] = within
  const command = [pathOf('ip') ?? program, ...words, pathOf('ping')].join(' ')
  writeFileSync(path, `#!/bin/sh\nexec ${command} "$@"\n`)
  chmodSync(path, 0o755)
  return path
}

t.test('what ping says of a router is understood', async (t) => {
  const fake = makeFakePing()
  t.after(() => fake.remove())
  const pinger = createPinger({ clock: new FakeClock(), paths: [fake.path] })
  const sent = 'echo "[1796031031.000000] no answer yet for icmp_seq=1"'
  const from = (seconds: string, words: string) => `echo "[179603103${seconds}] From ${words}"`
  const cases: readonly [expected: HopResult, lines: readonly string[]][] = [
    [
      { outcome: 'passed', address: '192.0.2.1', roundTripMs: 12.5 },
      [
        from('0.81', '192.0.2.1 icmp_seq=1 Time to live exceeded'),
        sent,
        from('1.012500', '192.0.2.1 icmp_seq=2 Time to live exceeded'),
      ],
    ],
    [
      { outcome: 'passed', address: 'fe80::1', roundTripMs: 250 },
      [
        sent,
        from('1.05', 'fe80::1%eth0 icmp_seq=1 Time exceeded: Hop limit'),
        from('1.25', 'fe80::1%eth0 icmp_seq=2 Time exceeded: Hop limit'),
      ],
    ],
    [
      { outcome: 'passed', address: '192.0.2.1', roundTripMs: null },
      [from('0.81', '192.0.2.1 icmp_seq=1 Time to live exceeded'), sent],
    ],
    [
      { outcome: 'refused', address: '192.0.2.1', roundTripMs: null },
      [sent, from('3.9', '192.0.2.1 icmp_seq=1 Destination Host Unreachable')],
    ],
    [
      { outcome: 'refused', address: '192.0.2.1', roundTripMs: 1 },
      [sent, from('1.001', '192.0.2.1 icmp_seq=2 Packet filtered')],
    ],
    [
      { outcome: 'reached', address: '192.0.2.9', roundTripMs: 0.19 },
      ['echo "[1796031030.79] 64 bytes from 192.0.2.9: icmp_seq=1 ttl=61 time=0.189 ms"'],
    ],
    ['silent', [sent]],
    ['silent', [sent, from('1.05', '192.0.2.1: icmp_seq=1 Redirect Host(New nexthop: 192.0.2.4)')]],
    ['silent', [sent, from('1.05', 'router.example icmp_seq=1 Time to live exceeded')]],
    ['unable', ['echo "ping: invalid option -- D" >&2; exit 2']],
    ['unable', ['echo "1 packets transmitted, 0 packets received, 100% packet loss"; exit 1']],
  ]
  for (const [expected, lines] of cases) {
    fake.script(worksAnd([...lines, 'exit 1'].join('\n')))
    t.same(await pinger.hop('192.0.2.9', 3, 2_000), expected, lines.join('\n'))
  }
  t.equal(fake.calls().at(-1), '-n -D -O -c 2 -i 0.2 -W 1 -t 3 -4 192.0.2.9')
  await t.rejects(pinger.hop('x.example', 3, 100), /only a literal address/)
})

/** A way of so many routers, of which some are silent; behind it nobody answers. */
function startWay(length: number, silent: readonly number[] = []) {
  const clock = new FakeClock()
  const asked: number[] = []
  let isOver = false
  const hop = async (_: string, ttl: number): Promise<HopResult> => {
    asked.push(ttl)
    if (isOver || ttl > length || silent.includes(ttl)) return 'silent'
    return { outcome: 'passed', address: `192.0.2.${ttl}`, roundTripMs: ttl }
  }
  const pinger = { ...createPinger({ clock }), hop }
  return {
    clock,
    asked,
    end: () => {
      isOver = true
    },
    tracer: createTracer({ pinger, clock }),
  }
}

const { signal } = new AbortController()

t.test('no router is asked that is far behind the last one that answered', async (t) => {
  const { tracer, asked } = startWay(4, [2])
  const made = await tracer.trace('192.0.2.99', 3_000, signal)
  t.same(
    made?.hops.map(({ outcome }) => outcome),
    ['passed', 'silent', 'passed', 'passed'],
  )
  t.equal(asked.length, 4 + silentInARowMax)
})

t.test('a way has at most thirty routers', async (t) => {
  const { tracer, asked } = startWay(1_000)
  const made = await tracer.trace('192.0.2.99', 3_000, signal)
  t.equal(made?.hops.length, 30)
  t.equal(asked.length, 30)
})

t.test('where no router answers, that is what the way says', async (t) => {
  const { tracer } = startWay(0)
  t.same(await tracer.trace('192.0.2.99', 3_000, signal), { ageMs: 0, hops: [] })
})

t.test('the way is that of the first failure in a row, for an hour', async (t) => {
  const { tracer, asked, clock, end } = startWay(2)
  const first = await tracer.trace('192.0.2.99', 3_000, signal)
  const count = asked.length
  end()
  await clock.advance(60_000)
  t.same(await tracer.trace('192.0.2.99', 3_000, signal), { ageMs: 60_000, hops: first?.hops })
  t.equal(asked.length, count, 'nothing was asked again')
  tracer.forget('192.0.2.99')
  t.same(await tracer.trace('192.0.2.99', 3_000, signal), { ageMs: 0, hops: [] })
  await clock.advance(traceKeptMs)
  t.match(await tracer.trace('192.0.2.99', 3_000, signal), { ageMs: 0 })
})

t.test('an outage of many targets has one way looked at at once', async (t) => {
  const clock = new FakeClock()
  let running = 0
  let most = 0
  const release: (() => void)[] = []
  const hop = async (): Promise<HopResult> => {
    running += 1
    most = Math.max(most, running)
    await new Promise<void>((resolve) => release.push(resolve))
    running -= 1
    return 'silent'
  }
  const tracer = createTracer({ pinger: { ...createPinger({ clock }), hop }, clock })
  const all = Array.from({ length: 20 }, (_, at) =>
    tracer.trace(`192.0.2.${at + 1}`, 3_000, signal),
  )
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  t.equal(most, 10, 'in as few processes')
  await clock.advance(3_000)
  for (const one of release) one()
  const made = await Promise.all(all)
  t.equal(made.filter((one) => one !== undefined).length, 1)
})
