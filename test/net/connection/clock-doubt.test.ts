// A clock that is wrong makes every certificate look wrong: then nobody else is to blame.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createClockDoubt } from '../../../src/net/connection/clock-doubt.ts'
import { createGuard } from '../../../src/net/guard.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { chainIntermediate, chainRoot, chains } from '../../support/chain-certificates.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget } from '../../support/make-target.ts'
import { startTlsTarget } from '../../support/tls-target.ts'

const most = limits.clockDoubtHostsMin
const newYearMs = Date.parse('2030-01-01')
const dayMs = 24 * 60 * 60_000

t.test('some hosts are to blame themselves, very many are not', async (t) => {
  const clock = new FakeClock(newYearMs)
  const doubt = createClockDoubt({ clock })
  for (let at = 1; at < most; at += 1) t.notOk(doubt.isBehind(`host-${at}`, 'us'))
  t.notOk(doubt.isBehind('host-1', 'us'), 'the same again is no other host')
  t.ok(doubt.isBehind('one more', 'us'))
  doubt.noteValid()
  t.notOk(doubt.isBehind('host-1', 'us'), 'one that is valid says that the clock is right')
})

t.test('what one organization shows says nothing to another', async (t) => {
  const doubt = createClockDoubt({ clock: new FakeClock(newYearMs) })
  const validity = (at: number) => ({
    fromMs: newYearMs - 90 * dayMs,
    toMs: newYearMs - (at + 1) * dayMs,
  })
  for (let at = 0; at < 2 * most; at += 1) {
    doubt.isBehind(`host-${at}`, 'them')
    doubt.isAhead(`host-${at}`, 'them', validity(at))
  }
  t.notOk(doubt.isBehind('host-0', 'us'))
  t.notOk(doubt.isAhead('host-0', 'us', validity(0)))
  t.ok(doubt.isAhead('host-0', 'them', validity(0)))
})

t.test('what was long ago counts no more', async (t) => {
  const clock = new FakeClock(newYearMs)
  const doubt = createClockDoubt({ clock })
  for (let at = 1; at < most; at += 1) doubt.isBehind(`host-${at}`, 'us')
  await clock.advance(limits.clockDoubtMs + 1)
  t.notOk(doubt.isBehind('much later', 'us'))
})

t.test('a clock that says less than has been is wrong for the first host already', async (t) => {
  t.ok(
    createClockDoubt({ clock: new FakeClock(Date.parse('2021-01-01')) }).isBehind('host', 'us'),
    'as shipped',
  )
  const clock = new FakeClock(newYearMs)
  const doubt = createClockDoubt({ clock, pastMs: newYearMs + dayMs })
  t.ok(doubt.isBehind('host', 'us'), 'it ran a day later than now')
  doubt.noteValid()
  t.notOk(
    doubt.isBehind('host', 'us'),
    'the clock is set right, and it was the other one that was wrong',
  )
  clock.jump(-dayMs)
  t.ok(doubt.isBehind('host', 'us'), 'set back')
})

t.test(
  'while certificates are valid by the clock nothing makes it wrong but setting it',
  async (t) => {
    const clock = new FakeClock(newYearMs)
    const doubt = createClockDoubt({ clock })
    doubt.noteValid()
    for (let at = 0; at < 2 * most; at += 1) t.notOk(doubt.isBehind(`host-${at}`, 'us'))
    await clock.advance(limits.clockDoubtMs + 1)
    t.notOk(doubt.isBehind('host-1', 'us'), 'long ago')
    for (let at = 0; at < most; at += 1) doubt.isBehind(`host-${at}`, 'us')
    t.ok(doubt.isBehind('host-1', 'us'), 'and none was valid since')
  },
)

t.test('certificates that expired one by one, and all of them, are our clock', async (t) => {
  const clock = new FakeClock(newYearMs)
  const until = (days: number, validDays = 90) => {
    const toMs = newYearMs - days * dayMs
    return { fromMs: toMs - validDays * dayMs, toMs }
  }
  const all = (validityOf: (at: number) => ReturnType<typeof until>) => {
    const doubt = createClockDoubt({ clock })
    return Array.from({ length: most }, (_, at) =>
      doubt.isAhead(`host-${at}`, 'us', validityOf(at)),
    ).at(-1)
  }
  t.ok(
    all((at) => until(1_000 + at * 7)),
    'years ahead',
  )
  t.notOk(
    all(() => until(0.01)),
    'made in one go',
  )
  t.notOk(
    all((at) => until(at * 50)),
    'never valid at one time',
  )
  const doubt = createClockDoubt({ clock })
  for (let at = 0; at < most; at += 1) doubt.isAhead(`host-${at}`, 'us', until(at))
  t.ok(doubt.isAhead('host-0', 'us', until(0)))
  doubt.noteValid()
  t.notOk(doubt.isAhead('host-0', 'us', until(0)), 'one that is valid says that the clock is right')
})

t.test(
  'checks of many hosts say that the clock is wrong, and go on blaming a single one',
  async (t) => {
    const clock = startClock()
    t.teardown(() => clock.stop())
    const { leaf, future } = chains
    const early = { key: future.key, cert: future.cert + chainIntermediate }
    const valid = { key: leaf.key, cert: leaf.cert + chainIntermediate }
    const [earlyPort, validPort] = [await startTlsTarget(t, early), await startTlsTarget(t, valid)]
    const { probe } = createProbes({
      clock,
      guard: createGuard({ targets: 'any' }),
      ca: [chainRoot],
      resolver: resolverTo('127.0.0.1'),
    })
    const look = (checkType: 'ssl' | 'endpoint', host: string, port = earlyPort) =>
      probe(makeTarget({ checkType, url: `https://${host}:${port}/` }), { clock })
    const blamed = { outcome: 'failed', error: { kind: 'tls', message: /not valid yet/ } }
    for (let at = 1; at < most; at += 1) {
      t.match(await look(at % 2 === 0 ? 'ssl' : 'endpoint', `host-${at}.example`), blamed)
    }
    const ours = { outcome: 'unknown', error: { kind: 'tls', message: /clock of this machine/ } }
    t.match(await look('ssl', 'one-more.example'), ours)
    t.match(await look('endpoint', 'another.example'), ours)
    t.equal((await look('ssl', 'localhost', validPort)).outcome, 'good')
    t.match(await look('endpoint', 'another.example'), blamed)
  },
)
