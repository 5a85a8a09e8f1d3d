// What a check records on its way, told as a reading.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { failure, silence } from '../../../src/net/failure.ts'
import type { Discretion } from '../../../src/probes/run/evidence.ts'
import { ProbeRecorder } from '../../../src/probes/run/probe-recorder.ts'
import { tcp } from '../../../src/probes/tcp.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeTarget } from '../../support/make-target.ts'

t.test('a reading has its time, its duration and the recorded facts', async (t) => {
  const clock = new FakeClock()
  const record = new ProbeRecorder(makeTarget(), clock, {})
  const atMs = clock.nowMs()
  record.set('connect', 1.23456)
  await clock.advance(250)
  const phases = { connect: 1.23 }
  t.same(await record.judged({}), { atMs, result: 'good', phases, durationMs: 250 })
  record.reached('127.0.0.1')
  t.match(await record.judged({}), { address: '127.0.0.1' })
})

t.test('facts recorded afterwards do not change a reading', async (t) => {
  const record = new ProbeRecorder(makeTarget(), new FakeClock(), {})
  const reading = await record.judged({})
  record.set('dns', 5)
  t.same(reading.phases, {})
})

t.test('a long sentence is cut, and trouble of our own has no evidence', async (t) => {
  const record = new ProbeRecorder(makeTarget(), new FakeClock(), {})
  record.text = 'heard'
  const long = await record.failed(failure('reset', 'x'.repeat(1_000)), 'connect')
  t.equal(long.error?.message.length, limits.errorMessageCharsMax)
  t.match(long, { error: { phase: 'connect' }, evidence: { body: 'heard' } })
  const own = { result: 'unknown', kind: 'connect', message: 'no route' } as const
  t.equal((await record.failed(own, 'connect')).evidence, undefined)
})

t.test('of a private address only our own facts are kept, where configured', async (t) => {
  const expect = { bodyContains: 'ready' }
  async function seen(
    addresses: readonly string[],
    reached?: string,
    hidesPrivate?: () => boolean,
  ) {
    const discretion = hidesPrivate === undefined ? {} : { hidesPrivate }
    const options = { kind: tcp }
    const record = new ProbeRecorder(makeTarget({ expect }), new FakeClock(), discretion, options)
    record.addresses = addresses
    if (reached !== undefined) record.reached(reached)
    return (await record.judged({ text: 'marker' })).evidence
  }
  const yes = () => true
  const expected = 'answer to contain "ready"'
  const note = 'not kept: a private address on a shared service'
  const hidden = { failedAssertions: [{ expected, found: `(${note})` }], note }
  t.same(await seen([], '10.0.0.1', yes), hidden)
  t.same(await seen([], '::ffff:127.0.0.1', yes), hidden)
  t.same(await seen(['1.1.1.1', 'fd00::1'], undefined, yes), hidden, 'it may have been that one')
  const shown = { failedAssertions: [{ expected, found: 'marker' }], body: 'marker' }
  t.same(await seen(['1.1.1.1', 'fd00::1'], '1.1.1.1', yes), shown)
  t.same(await seen([], '10.0.0.1', () => false), shown)
  t.same(await seen([], '10.0.0.1'), shown)
  t.same(await seen([], undefined, yes), shown, 'nobody was connected to')
})

t.test('the target’s own words are added for readers who may see them', async (t) => {
  const found = { ...failure('tls', 'another name'), detail: 'it is for a.example' }
  const hidesPrivate = () => true
  async function errorAt(address: string, failed = found) {
    const record = new ProbeRecorder(makeTarget(), new FakeClock(), { hidesPrivate })
    record.reached(address)
    return (await record.failed(failed, 'tls')).error
  }
  const message = 'another name: it is for a.example'
  t.same(await errorAt('1.1.1.1'), { kind: 'tls', message, phase: 'tls' })
  t.equal((await errorAt('10.0.0.1'))?.message, 'another name')
  const endless = await errorAt('1.1.1.1', { ...found, detail: 'x'.repeat(999) })
  t.equal(endless?.message.length, limits.errorMessageCharsMax)
})

t.test(
  'a private address is shown to nobody on a shared service, unless the URL has it',
  async (t) => {
    const refused = (at: string) => failure('connect', `connection refused by ${at}:80`)
    async function seen(address: string, over: { url?: string; isShared?: boolean } = {}) {
      const { url = 'http://db.example/', isShared = true } = over
      const discretion = { hidesPrivate: () => isShared }
      const record = new ProbeRecorder(makeTarget({ url }), new FakeClock(), discretion)
      record.reached(address)
      const good = await record.judged({})
      const place = address.includes(':') ? `[${address}]` : address
      const bad = await record.failed(refused(place))
      t.equal(good.address, bad.address)
      return [bad.address, bad.error?.message]
    }
    const hidden = [undefined, 'connection refused by (a private address):80']
    t.same(await seen('10.0.0.1'), hidden)
    t.same(await seen('fd00::1'), hidden)
    t.same(await seen('1.1.1.1'), ['1.1.1.1', 'connection refused by 1.1.1.1:80'])
    const shown = ['10.0.0.1', 'connection refused by 10.0.0.1:80']
    t.same(await seen('10.0.0.1', { isShared: false }), shown)
    t.same(await seen('10.0.0.1', { url: 'http://10.0.0.1/' }), shown)
    const record = new ProbeRecorder(makeTarget(), new FakeClock(), { hidesPrivate: () => true })
    record.addresses = ['10.0.0.1', '10.0.0.10']
    const both = await record.failed(failure('connect', 'no answer by 10.0.0.10 and 10.0.0.1'))
    const message = 'no answer by (a private address) and (a private address)'
    t.equal(both.error?.message, message, 'nothing is left of the longer one')
  },
)

t.test('a possible failure of ours is marked', async (t) => {
  const record = new ProbeRecorder(makeTarget(), new FakeClock(), {})
  record.reached('192.0.2.1')
  t.equal((await record.failed(silence('timeout', 'no answer'))).doubt, 'ipv4')
  t.notOk('doubt' in (await record.failed(failure('connect', 'refused'))))
})

t.test('the issuer of a private certificate is not shown, only its expiry', async (t) => {
  const certificate = { expiresAtMs: 5_000, issuer: 'Vault of Secret Project' }
  let asked = 0
  function recorded(address: string | undefined, discretion: Discretion) {
    const record = new ProbeRecorder(makeTarget(), new FakeClock(), discretion)
    if (address !== undefined) record.reached(address)
    record.certificate = certificate
    return record
  }
  const shared = { hidesPrivate: () => ++asked > 0 }
  t.same((await recorded('8.8.8.8', shared).judged({})).certificate, certificate)
  t.equal(asked, 0, 'of a public address nobody is asked')
  const issuer = '(not kept: a private address on a shared service)'
  const found = failure('tls', 'it has expired')
  for (const address of ['10.0.0.7', '::ffff:127.0.0.1', undefined]) {
    const record = recorded(address, shared)
    const readings = [await record.judged({}), await record.failed(found, 'tls')]
    for (const reading of readings) t.same(reading.certificate, { expiresAtMs: 5_000, issuer })
    const own = await recorded(address, {}).judged({})
    t.same(own.certificate, certificate, 'where one’s own is kept')
  }
})

t.test('findings are an object if they are JSON, else text', async (t) => {
  const found = async (text: string) => {
    const reading = await new ProbeRecorder(makeTarget(), new FakeClock(), {}).judged({ text })
    return reading.found
  }
  t.same(await found('{"ttl":60,"records":["a"]}'), { ttl: 60, records: ['a'] })
  t.equal(await found('220 mx.example ESMTP\r\n'), '220 mx.example ESMTP\r\n')
  for (const text of ['[1,2]', '{"cut":', '"word"', '']) t.equal(await found(text), text)
  t.equal(await found('a\0b'), 'a\ufffdb')
  const long = `{"a":"${'x'.repeat(limits.foundCharsShownMax)}"}`
  t.equal(await found(long), long.slice(0, limits.foundCharsShownMax))
  const deep = '{"a":'.repeat(5_000)
  const deeper = await found(`${deep}1${'}'.repeat(5_000)}`)
  t.doesNotThrow(() => JSON.stringify(deeper))
  t.notOk('found' in (await new ProbeRecorder(makeTarget(), new FakeClock(), {}).judged({})))
})

t.test('they exist even if an assertion fails, but not if we failed', async (t) => {
  const record = new ProbeRecorder(
    makeTarget({ expect: { bodyContains: 'b' } }),
    new FakeClock(),
    {},
  )
  t.match(await record.judged({ text: 'a' }), { result: 'failed', found: 'a' })
  const own = { result: 'unknown', kind: 'connect', message: 'no route' } as const
  t.notOk('found' in (await record.failed(own, 'connect')))
})

t.test('our secrets are masked in them, even behind a long beginning', async (t) => {
  const body = '{"token":"s3cret-s3cret"}'
  const record = new ProbeRecorder(makeTarget({ body }), new FakeClock(), {})
  record.sent.push('LOGIN hunter2-hunter2')
  const before = 'y'.repeat(limits.foundCharsShownMax - 6)
  const all = [`{"echo":"s3cret-s3cret"}`, 'OK hunter2-hunter2', `${before}s3cret-s3cret`]
  for (const text of all) {
    const told = JSON.stringify((await record.judged({ text })).found)
    t.notMatch(told, /s3cret|hunter2/)
    t.match(told, /••••/)
  }
})

t.test('at a private address of a shared service nobody sees them', async (t) => {
  const record = new ProbeRecorder(makeTarget(), new FakeClock(), { hidesPrivate: () => true })
  record.reached('10.0.0.1')
  const reading = await record.judged({ text: 'marker' })
  t.equal(reading.found, '(not kept: a private address on a shared service)')
  t.notMatch(JSON.stringify(reading), /marker/)
})

t.test(
  'what a remote probe keeps to itself is said to be not sent, and by whose setting',
  async (t) => {
    const guard = createGuard({ targets: 'any', isProbe: true })
    const discretion = { hidesPrivate: () => true, guard }
    const record = new ProbeRecorder(makeTarget(), new FakeClock(), discretion)
    record.reached('10.0.0.1')
    const good = await record.judged({ text: 'marker' })
    t.match(good.found, /^\(not sent: checks\.keepPrivateAnswers of the probe /)
    const bad = await record.failed(failure('status', 'expected 200, found 503'))
    t.match(bad.found, /not sent/)
    t.notMatch(JSON.stringify([good, bad]), /marker|shared service/)
  },
)

t.test(
  'private routers on the way to a silent target are not shown on a shared service',
  async (t) => {
    const way = {
      ageMs: 0,
      hops: [
        { outcome: 'passed', address: '10.0.0.1', roundTripMs: 1 },
        { outcome: 'silent' },
        { outcome: 'passed', address: '9.9.9.9', roundTripMs: 2 },
        { outcome: 'reached', address: '10.0.0.9', roundTripMs: 3 },
      ],
    } as const
    for (const isShared of [true, false]) {
      const target = makeTarget({ url: 'ping://10.0.0.9' })
      const guard = createGuard({ targets: 'any' })
      const discretion = { hidesPrivate: () => isShared, guard }
      const record = new ProbeRecorder(target, new FakeClock(), discretion)
      record.traceroute = way
      const { evidence } = await record.failed(failure('timeout', 'no answer'))
      const [first, ...others] = way.hops
      const masked = { outcome: 'passed', isPrivate: true, roundTripMs: 1 }
      t.same(evidence?.traceroute, { ageMs: 0, hops: [isShared ? masked : first, ...others] })
    }
  },
)

t.test('the findings are computed only when read', async (t) => {
  let asked = 0
  const hidesPrivate = () => ++asked > 0
  const target = makeTarget({ url: 'http://10.0.0.1/' })
  const record = new ProbeRecorder(target, new FakeClock(), { hidesPrivate })
  record.reached('10.0.0.1')
  const reading = await record.judged({ text: 'marker' })
  t.equal(asked, 0)
  t.ok(reading.found)
  t.ok(reading.found)
  t.equal(asked, 1, 'and only once')
})
