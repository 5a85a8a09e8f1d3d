// A clock that is wrong makes every certificate look wrong: then no target is to blame.
import { X509Certificate } from 'node:crypto'
import t from 'tap'
import { clockFailure, clockSetMs, clockTrustOf } from '../../../src/net/connection/clock-trust.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { chainIntermediate, chainRoot, chains } from '../../support/chain-certificates.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget } from '../../support/make-target.ts'
import { startTickingClock } from '../../support/ticking-clock.ts'
import { startTlsTarget } from '../../support/tls-target.ts'

const newYearMs = Date.parse('2030-01-01')
const dayMs = 24 * 60 * 60_000

/** A certificate for these days around the new year of 2030. */
function certificateFor(fromDay: number, toDay: number): X509Certificate {
  return Object.create(new X509Certificate(chains.leaf.cert), {
    validFromDate: { value: new Date(newYearMs + fromDay * dayMs) },
    validToDate: { value: new Date(newYearMs + toDay * dayMs) },
  })
}

const expired = (deps: Parameters<typeof clockFailure>[0], toDay: number) =>
  clockFailure(deps, 'CERT_HAS_EXPIRED', certificateFor(toDay - 90, toDay))
const early = (deps: Parameters<typeof clockFailure>[0], fromDay: number) =>
  clockFailure(deps, 'CERT_NOT_YET_VALID', certificateFor(fromDay, fromDay + 90))

t.test('an expired certificate counts once another was valid by our clock', async (t) => {
  const clock = new FakeClock(newYearMs)
  const deps = { clock }
  const unknown = { result: 'unknown', kind: 'tls', message: /clock of this machine/ }
  t.match(expired(deps, -1), unknown, 'the clock may be years ahead')
  clockTrustOf(deps).noteValid()
  t.equal(expired(deps, -1), undefined)
  await clock.advance(30 * dayMs)
  t.equal(expired(deps, 20), undefined, 'nothing was valid since, but nobody set the clock')
  clock.jump(3 * 365 * dayMs)
  t.match(expired(deps, 200), unknown, 'somebody did')
  clock.jump(-3 * 365 * dayMs + clockSetMs / 2)
  t.equal(expired(deps, 20), undefined, 'and set it right')
})

t.test('a certificate that expired before the last run has expired', async (t) => {
  const deps = { clock: new FakeClock(newYearMs), pastMs: newYearMs - 10 * dayMs }
  t.equal(expired(deps, -11), undefined)
  t.ok(expired(deps, -9))
  const fresh = { clock: new FakeClock(newYearMs) }
  t.equal(expired(fresh, -10 * 365), undefined, 'or before it was made')
})

t.test('a clock that is behind known times is wrong', async (t) => {
  const ours = { result: 'unknown', message: /clock of this machine is behind/ }
  t.match(early({ clock: new FakeClock(Date.parse('2021-01-01')) }, 0), ours, 'as shipped')
  const clock = new FakeClock(newYearMs)
  const deps = { clock, pastMs: newYearMs + dayMs }
  t.match(early(deps, 1), ours, 'the daemon ran a day later than now')
  clockTrustOf(deps).noteValid()
  t.equal(early(deps, 1), undefined, 'it was the other clock that was wrong')
  clock.jump(-dayMs)
  t.match(early(deps, 1), ours, 'set back')
  const behind = { clock: new FakeClock(Date.parse('2021-01-01')) }
  clockTrustOf(behind).noteValid()
  t.match(early(behind, 0), ours, 'a certificate that is old enough to be valid proves nothing')
  const plausible = { clock: new FakeClock(newYearMs) }
  t.equal(early(plausible, 1), undefined, 'of a clock that may be right the target is to blame')
})

t.test('who watches the clock hears what certificates tell of it', async (t) => {
  const clock = new FakeClock(newYearMs)
  const heard: string[] = []
  const clockWatch = {
    doubted: (doubt: string) => void heard.push(doubt),
    confirmed: () => void heard.push('confirmed'),
  }
  const deps = { clock, clockWatch, pastMs: newYearMs + dayMs }
  early(deps, 1)
  expired(deps, -1)
  expired({ clock, clockWatch }, -1)
  clockTrustOf(deps).noteValid()
  early(deps, 1)
  t.same(heard, ['behind', 'unproven', 'confirmed'])
})

t.test('other faults, and those of the chain, have nothing to do with our clock', async (t) => {
  const deps = { clock: new FakeClock(newYearMs) }
  const leaf = certificateFor(-90, -1)
  t.equal(clockFailure(deps, 'DEPTH_ZERO_SELF_SIGNED_CERT', leaf), undefined)
  t.equal(clockFailure(deps, 'CERT_HAS_EXPIRED', undefined), undefined)
  t.equal(clockFailure(deps, 'CERT_HAS_EXPIRED', certificateFor(-1, 1)), undefined)
})

t.test('checks of every kind report it, until a certificate is valid', async (t) => {
  const clock = startTickingClock(t)
  const { leaf, future } = chains
  const early = { key: future.key, cert: future.cert + chainIntermediate }
  const valid = { key: leaf.key, cert: leaf.cert + chainIntermediate }
  const [earlyPort, validPort] = [await startTlsTarget(t, early), await startTlsTarget(t, valid)]
  const { probe } = createProbes({
    clock,
    pastMs: clock.nowMs() + dayMs,
    guard: createGuard({ targets: 'any' }),
    ca: [chainRoot],
    resolver: resolverTo('127.0.0.1'),
  })
  const check = (checkType: 'ssl' | 'endpoint', port: number) =>
    probe(makeTarget({ checkType, url: `https://localhost:${port}/` }), { clock })
  const ours = { result: 'unknown', error: { kind: 'tls', message: /clock of this machine/ } }
  t.match(await check('ssl', earlyPort), ours)
  t.match(await check('endpoint', earlyPort), ours)
  t.equal((await check('ssl', validPort)).result, 'good')
  const blamed = { result: 'failed', error: { kind: 'tls', message: /not valid yet/ } }
  t.match(await check('endpoint', earlyPort), blamed)
  t.match(await check('ssl', earlyPort), blamed)
})
