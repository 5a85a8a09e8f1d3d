// The system's ping: when it is used, what it is told, and what its words mean.
import { chmodSync } from 'node:fs'
import t, { type Test } from 'tap'
import {
  createPinger,
  type PingResult,
  pingProcessesMax,
  pingRetryMs,
  pingTrialMs,
} from '../../../src/probes/ping/ping-command.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { answeredIn, isAlive, makeFakePing, worksAnd } from '../../support/fake-ping.ts'
import { skipWithout } from '../../support/programs.ts'
import { until } from '../../support/until.ts'

/** Its time goes on only where a test says so: a process takes any time to start on a busy machine. */
function start(t: Test, lines?: string) {
  const fake = makeFakePing(lines)
  t.after(() => fake.remove())
  const clock = new FakeClock()
  return { fake, clock, pinger: createPinger({ clock, paths: ['/no/such/ping', fake.path] }) }
}

t.test('ping gets only fixed options and the address', async (t) => {
  const { fake, pinger } = start(t)
  t.same(await pinger.ping('192.0.2.7', 2_500), { kind: 'answered', roundTripMs: 1.5 })
  t.same(await pinger.ping('2001:db8::7', 950), { kind: 'answered', roundTripMs: 1.5 })
  t.same(fake.calls(), [
    '-n -c 1 -W 1 -4 127.0.0.1',
    '-n -c 1 -W 3 -4 192.0.2.7',
    '-n -c 1 -W 1 -6 2001:db8::7',
  ])
  for (const text of ['x.example', '-f', '127.0.0.1; id', 'fe80::1%eth0', '$(id)', '']) {
    await t.rejects(pinger.ping(text, 100), /only a literal address/, text)
  }
  t.equal(fake.calls().length, 3)
})

t.test('ping gets no environment, and speaks English', async (t) => {
  process.env.STILLUP_TEST_SECRET = 'of the daemon'
  t.after(() => delete process.env.STILLUP_TEST_SECRET)
  const guarded = 'test -z "$STILLUP_TEST_SECRET" || exit 2; test "$LC_ALL" = C || exit 2'
  const { pinger } = start(t, `${guarded}\n${answeredIn('3')}`)
  t.same(await pinger.ping('192.0.2.7', 1_000), { kind: 'answered', roundTripMs: 3 })
})

t.test('the output of different ping programs is understood', async (t) => {
  const lost = '1 packets transmitted, 0 received, 100% packet loss, time 0ms'
  const cases: readonly [kind: PingResult['kind'], lines: string][] = [
    ['answered', 'echo "64 bytes from 192.0.2.7: seq=0 ttl=64 time=0.051 ms"'],
    ['answered', 'echo "64 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time<1 ms"'],
    ['answered', 'echo "64 bytes from 192.0.2.9: time=12 ms (DIFFERENT ADDRESS!)"'],
    ['silent', `echo "PING 192.0.2.7"; echo "${lost}"; exit 1`],
    ['silent', 'echo "1 packets transmitted, 0 packets received, 100% packet loss"; exit 1'],
    [
      'unreachable',
      `echo "From 10.0.0.1 icmp_seq=1 Destination Host Unreachable"; echo "${lost}"; exit 1`,
    ],
    [
      'unreachable',
      `echo "From 10.0.0.1 icmp_seq=1 Destination Net Unreachable"; echo "${lost}"; exit 1`,
    ],
    [
      'unreachable',
      `echo "From 10.0.0.1 icmp_seq=1 Time to live exceeded"; echo "${lost}"; exit 1`,
    ],
    ['unreachable', 'echo "ping: connect: No route to host" >&2; exit 2'],
    ['noRoute', 'echo "ping: connect: Network is unreachable" >&2; exit 2'],
    [
      'noRoute',
      'echo "ping: sendto: Network unreachable" >&2; echo "Network is unreachable"; exit 1',
    ],
    ['noRoute', 'echo "ping: socket: Address family not supported by protocol" >&2; exit 2'],
    ['unavailable', 'echo "ping: socket: Operation not permitted" >&2; exit 2'],
    ['unavailable', 'echo "ping: permission denied (are you root?)" >&2; exit 1'],
    ['unavailable', 'echo "ping: invalid option -- W" >&2; exit 2'],
    ['unavailable', 'exit 1'],
    ['unavailable', 'echo "all is well"'],
    ['unavailable', `${answeredIn('1')}; exit 3`],
    ['unavailable', `${answeredIn('1')}; kill -9 $$`],
    ['unavailable', 'while :; do echo 0123456789012345678901234567890123456789; done'],
  ]
  const { fake, pinger } = start(t, worksAnd(''))
  for (const [kind, lines] of cases) {
    fake.script(worksAnd(lines))
    t.equal((await pinger.ping('192.0.2.7', 2_000)).kind, kind, lines)
  }
})

t.test('ping is tried on this machine once, and again after it failed', async (t) => {
  const fake = makeFakePing('exit 2')
  t.after(() => fake.remove())
  const time = new FakeClock()
  const pinger = createPinger({ clock: time, paths: [fake.path] })
  t.same(await Promise.all([1, 2, 3].map(() => pinger.trouble(100))), Array(3).fill('broken'))
  t.equal(fake.calls().length, 1, 'one trial for all who ask')
  fake.script(answeredIn('1'))
  t.equal(await pinger.trouble(100), 'broken', 'what was found is remembered')
  await time.advance(pingRetryMs)
  t.equal(await pinger.trouble(100), null, 'but not for ever')
  await time.advance(pingRetryMs * 10)
  t.equal(await pinger.trouble(100), null)
  t.equal(fake.calls().length, 2)
  fake.script('echo "ping: socket: Operation not permitted" >&2; exit 2')
  t.same(await pinger.ping('192.0.2.7', 100), { kind: 'unavailable', trouble: 'forbidden' })
  t.equal(await pinger.trouble(100), 'forbidden', 'a permission that was lost is noticed at once')
  t.equal(time.pending, 0, 'no timer is left')
})

t.test('the reasons are distinguished: missing, not permitted, odd', async (t) => {
  const fake = makeFakePing()
  t.after(() => fake.remove())
  const clock = new FakeClock()
  const troubleWith = (...paths: readonly string[]) => createPinger({ clock, paths }).trouble(5_000)
  t.equal(await troubleWith('/no/such/ping', '/no/ping/either'), 'missing')
  // What systemd's filter of system calls, and a kernel that keeps ICMP for root, make ping say.
  for (const words of ['cap_set_proc: Operation not permitted', 'socket: Permission denied']) {
    fake.script(`echo "ping: ${words}" >&2; exit 2`)
    t.equal(await troubleWith(fake.path, '/no/such/ping'), 'forbidden', words)
  }
  fake.script('echo "ping: invalid option -- W" >&2; exit 2')
  t.equal(await troubleWith('/no/such/ping', fake.path), 'broken')
  chmodSync(fake.path, 0o644)
  t.equal(await troubleWith(fake.path), 'forbidden', 'a program that may not be run')
})

t.test('if ping hangs on this machine, no check waits beyond its own time', async (t) => {
  const { fake, clock, pinger } = start(t, 'exec sleep 60')
  const hasty = pinger.trouble(50)
  const patient = pinger.trouble(5_000)
  await until(() => fake.pids().length === 1)
  await clock.advance(50)
  t.equal(await hasty, 'slow')
  t.ok(fake.pids().some(isAlive), 'others still wait for it')
  await clock.advance(pingTrialMs - 50)
  t.equal(await patient, 'slow')
  await until(() => !fake.pids().some(isAlive))
})

t.test('a ping that hangs is killed at its time, and when it is stopped', async (t) => {
  const { fake, clock, pinger } = start(t, worksAnd('exec sleep 60'))
  t.equal(await pinger.trouble(5_000), null)
  const pinged = pinger.ping('192.0.2.7', 100)
  await until(() => fake.pids().length === 2)
  await clock.advance(100)
  t.same(await pinged, { kind: 'silent' })
  const stop = new AbortController()
  const stopped = pinger.ping('192.0.2.7', 30_000, stop.signal)
  await until(() => fake.pids().length === 3)
  stop.abort()
  await stopped
  await until(() => !fake.pids().some(isAlive))
  await pinger.ping('192.0.2.7', 30_000, stop.signal)
  await until(() => !fake.pids().some(isAlive))
})

t.test('a hundred at once are fifty processes, and none remains', async (t) => {
  const { fake, clock, pinger } = start(t, worksAnd('exec sleep 60'))
  t.equal(await pinger.trouble(5_000), null)
  const all = Array.from({ length: 100 }, () => pinger.ping('192.0.2.7', 1_500))
  await until(() => fake.pids().length > pingProcessesMax)
  t.equal(fake.pids().filter(isAlive).length, pingProcessesMax)
  await clock.advance(1_500)
  const kinds = (await Promise.all(all)).map((one) => one.kind)
  t.equal(kinds.filter((kind) => kind === 'silent').length, pingProcessesMax)
  t.equal(kinds.filter((kind) => kind === 'crowded').length, pingProcessesMax)
  await until(() => !fake.pids().some(isAlive))
  fake.script(answeredIn('2'))
  const laterCount = pingProcessesMax + 10
  const later = Array.from({ length: laterCount }, () => pinger.ping('192.0.2.7', 20_000))
  const answered = (await Promise.all(later)).filter((one) => one.kind === 'answered')
  t.equal(answered.length, laterCount, 'those that had no turn took none away')
})

t.test(
  'the ping of this machine is understood, if there is one',
  { skip: skipWithout('ping') },
  async (t) => {
    const pinger = createPinger({ clock: new FakeClock() })
    if ((await pinger.trouble(5_000)) !== null) return t.pass('it may not run')
    t.match(await pinger.ping('127.0.0.2', 2_000), { kind: 'answered', roundTripMs: Number })
  },
)
