// The run of a probe: the deadline, what is closed, what may be reached, and what is told.
import { once } from 'node:events'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { PhaseName } from '../../../src/domain/checks/reading.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { EndpointTarget } from '../../../src/domain/monitors/monitor.ts'
import type { NameResolution } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { failure } from '../../../src/net/failure.ts'
import { RunError } from '../../../src/net/run/guarded-run.ts'
import type { TargetAnswer } from '../../../src/probes/run/probe-recorder.ts'
import { createProbe, type ProbeRun } from '../../../src/probes/run/probe-run.ts'
import { probeContract } from '../../contracts/probe.contract.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { withDeadline } from '../../support/deadline.ts'
import { resolverThat } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { starvedMs } from '../../support/starvation.ts'
import { closedPort, startTarget } from '../../support/target.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())

const never = new Promise<never>(() => {})
let found: NameResolution | Promise<NameResolution> = { addresses: ['127.0.0.1'] }
const resolver = resolverThat(async () => found)
const anywhere = createGuard({ targets: 'any' })
const deps = { resolver, clock, guard: anywhere, ca: [testCa] }

type Steps = (target: EndpointTarget, run: ProbeRun) => Promise<TargetAnswer>

function look(steps: Steps, fields: TargetFields = {}, signal?: AbortSignal) {
  const context = signal === undefined ? { clock } : { clock, signal }
  return createProbe(deps, steps)(makeTarget(fields), context)
}

const target = await startTarget()
t.after(() => target.close())
const place = { host: '127.0.0.1', port: target.port, isTls: false }

t.test('a check that succeeds is a good reading with its phases and its address', async (t) => {
  const reading = await look(async (_target, run) => {
    await run.connect({ ...place, host: 'target.example' })
    return { text: 'hello' }
  })
  t.match(reading, { result: 'good', address: '127.0.0.1', error: undefined })
  t.same(Object.keys(reading.phases ?? {}).sort(), ['connect', 'dns'])
  t.equal(reading.evidence, undefined)
})

t.test('everything opened is closed with the check, however it ends', async (t) => {
  const ends: Steps[] = [
    async () => ({ text: 'fine' }),
    async () => {
      throw new RunError(failure('reset', 'broken'))
    },
    async () => {
      throw new TypeError('a bug')
    },
    () => never,
  ]
  for (const end of ends) {
    await look(
      async (asked, run) => {
        await run.connect(place)
        await run.connect(place)
        return end(asked, run)
      },
      { timeoutMs: 120 },
    )
    await until(() => target.open === 0)
  }
  t.equal(target.open, 0)
})

t.test('the deadline ends a check in any phase and names it', async (t) => {
  const mute = await startTarget(() => {}, { tls: testCertificates.good })
  t.after(() => mute.close())
  const late = new Map<PhaseName, number>()
  const lateMsMax = 250
  const stuck = (phase: PhaseName, steps: Steps) =>
    withDeadline(
      100,
      async (timeoutMs) => {
        const starvedBeforeMs = starvedMs()
        const reading = await look(steps, { timeoutMs })
        late.set(phase, reading.durationMs - timeoutMs - (starvedMs() - starvedBeforeMs))
        t.ok(reading.durationMs >= timeoutMs, `${reading.durationMs} ms`)
        return reading
      },
      // A pause of the whole machine does not repeat itself.
      ({ error }) => error?.phase === phase && (late.get(phase) ?? 0) < lateMsMax,
    )
  found = never
  const inDns = await stuck('dns', async (_target, run) => {
    await run.connect({ ...place, host: 'slow.example' })
    return {}
  })
  t.match(inDns.error, { kind: 'timeout', phase: 'dns', message: /still looking up the name/ })
  found = { addresses: ['127.0.0.1'] }
  const inTls = await stuck('tls', async (_target, run) => {
    await run.connect({ ...place, isTls: true })
    return {}
  })
  t.match(inTls.error, { kind: 'timeout', phase: 'tls' })
  const waiting = await stuck('firstByte', async (_target, run) => {
    await run.connect(place)
    return never
  })
  t.match(waiting.error, { kind: 'timeout', phase: 'firstByte' })
  const reading = await stuck('download', async (_target, run) => {
    run.record.enter('download')
    return never
  })
  t.match(reading.error, { kind: 'timeout', phase: 'download' })
  const phases = [inDns, inTls, waiting, reading].map((one) => Object.keys(one.phases ?? {}).sort())
  const hung = [['dns'], ['connect', 'tls'], ['connect', 'firstByte'], ['download']]
  t.same(phases, hung, 'with the one in which it hung, and no look-up of an address')
  for (const { result } of [inDns, inTls, waiting, reading]) t.equal(result, 'failed')
  for (const [phase, ms] of late) t.ok(ms < lateMsMax, `${phase}: ${ms} ms late`)
})

t.test('a check that ended before a response opens nothing after it', async (t) => {
  const late = Promise.withResolvers<NameResolution>()
  found = late.promise
  let whatCame: unknown
  const reading = await look(
    async (_target, run) => {
      await run.connect({ ...place, host: 'late.example' }).catch((cause) => {
        whatCame = cause
        throw cause
      })
      return {}
    },
    { timeoutMs: 60 },
  )
  const before = target.accepted
  const asTold = structuredClone(reading)
  late.resolve({ addresses: ['127.0.0.1'] })
  await until(() => whatCame !== undefined)
  t.type(whatCame, RunError)
  t.equal(target.accepted, before)
  t.same(reading, asTold, 'and changes nothing of what was told')
  found = { addresses: ['127.0.0.1'] }
})

t.test('an aborted check says nothing about its target', async (t) => {
  const stop = new AbortController()
  const reading = look(
    async (_target, run) => {
      await run.connect(place)
      stop.abort()
      return never
    },
    {},
    stop.signal,
  )
  t.match(await reading, { result: 'unknown', error: { message: 'the check was stopped' } })
  await until(() => target.open === 0)
  let ran = false
  const unbegun = await look(
    async () => {
      ran = true
      return {}
    },
    {},
    AbortSignal.abort(),
  )
  t.equal(unbegun.result, 'unknown')
  t.notOk(ran, 'one that was stopped before it began does nothing at all')
})

t.test('an internal error does not blame the target', async (t) => {
  const reading = await look(async () => {
    throw new TypeError('undefined is not a function')
  })
  t.match(reading, { result: 'unknown', error: { message: /a bug in this service/ } })
  t.notMatch(JSON.stringify(reading), /undefined is not/)
})

t.test('no forbidden address is connected to, even if it is one among others', async (t) => {
  const guard = createGuard({ targets: 'public' })
  const probe = createProbe({ ...deps, guard }, async (asked, run) => {
    const { hostname, port } = new URL(asked.url)
    await run.connect({ host: hostname, port: Number(port), isTls: false })
    return {}
  })
  const before = target.accepted
  const check = (url: string) => probe(makeTarget({ url }), { clock })
  const literal = await check(`tcp://127.0.0.1:${target.port}`)
  t.match(literal, { result: 'failed', error: { kind: 'blocked', message: /^127\.0\.0\.1 is / } })
  found = { addresses: ['93.184.216.34', '127.0.0.1'] }
  const mixed = await check(`tcp://mixed.example:${target.port}`)
  t.match(mixed.error, { kind: 'blocked', message: /^mixed\.example leads to .* not allowed$/ })
  t.equal(target.accepted, before)
  found = { addresses: ['127.0.0.1'] }
})

t.test(
  'a remote probe says of what it may not open that it could not look, and what to do',
  async (t) => {
    const guard = createGuard({ targets: 'public', isProbe: true })
    const probe = createProbe({ ...deps, guard }, async (asked, run) => {
      const { hostname, port } = new URL(asked.url)
      await run.connect({ host: hostname, port: Number(port), isTls: false })
      return {}
    })
    const before = target.accepted
    const refused = await probe(makeTarget({ url: `tcp://127.0.0.1:${target.port}` }), { clock })
    t.match(refused, {
      result: 'unknown',
      error: { kind: 'blocked', message: /^127\.0\.0\.1 is .*: .*probe.* STILLUP_CHECKS_ALLOW$/ },
    })
    t.notOk(refused.evidence)
    t.equal(target.accepted, before)
    guard.setRules({ targets: 'public', isProbe: true, allow: ['127.0.0.1'] })
    const allowed = await probe(makeTarget({ url: `tcp://127.0.0.1:${target.port}` }), { clock })
    t.equal(allowed.result, 'good')
  },
)

t.test('private ports are open to the kind of check they belong to', async (t) => {
  found = { addresses: ['93.184.216.34'] }
  const guard = createGuard({ targets: 'public' })
  const check = (isUsualPort: boolean) => {
    const probe = createProbe({ ...deps, guard }, async (_target, run) => {
      // Ends here, since no test may leave this machine.
      await run.resolve('mail.example', isUsualPort ? undefined : 25)
      return {}
    })
    return probe(makeTarget(), { clock })
  }
  t.match(await check(false), { error: { kind: 'blocked', message: /port 25, which is not/ } })
  t.match(await check(true), { result: 'good' })
  found = { addresses: ['127.0.0.1'] }
})

t.test('the target’s output is compared with the assertions, as text or as JSON', async (t) => {
  const says = (answer: TargetAnswer) => async () => answer
  const holds = await look(says({ text: 'PONG' }), { expect: { bodyContains: 'PONG' } })
  t.equal(holds.result, 'good')
  const wrong = await look(says({ text: 'no way' }), { expect: { bodyContains: 'PONG' } })
  t.match(wrong, {
    result: 'failed',
    error: { kind: 'assertion', message: 'expected body to contain "PONG"' },
    evidence: { body: 'no way', failedAssertions: [{ found: 'no way' }] },
  })
  const json = { text: '{"n":3}', contentType: 'application/json' }
  const path = { responseAssertionPath: '$.n', responseAssertionValue: '5' }
  const less = await look(says(json), { expect: { responseAssertionType: 'lessThan', ...path } })
  t.equal(less.result, 'good')
  const nothing = await look(says({}), { expect: { bodyContains: 'x' } })
  t.match(nothing, { result: 'failed', evidence: { failedAssertions: [{ found: '(empty)' }] } })
})

t.test('evidence is short, readable, and without sent secrets', async (t) => {
  const reading = await look(
    async (_target, run) => {
      run.record.sent.push('AUTH quite-private')
      run.record.text = `\0\x07you said AUTH quite-private and s3cr3t-key ${'ü'.repeat(5_000)}`
      throw new RunError(failure('status', 'refused'), 'download')
    },
    { headers: { 'x-api-key': 's3cr3t-key' } },
  )
  const body = reading.evidence?.body ?? ''
  t.match(body, /^\ufffd\ufffdyou said •••• and •••• ü/)
  t.ok(Buffer.byteLength(body) <= limits.evidenceBodyBytesMax)
  t.match(reading.error, { kind: 'status', phase: 'download' })
})

t.test('a plain connection can be upgraded to TLS, and is judged', async (t) => {
  const secure = await startTarget(undefined, { tls: testCertificates.good })
  const other = await startTarget(undefined, { tls: testCertificates.other })
  t.after(() => Promise.all([secure.close(), other.close()]))
  const upgrade: (port: number) => Steps = (port) => async (_target, run) => {
    const { socket } = await run.connect({ ...place, port })
    const secured = await run.secure(socket, 'localhost', { alpn: [] })
    secured.socket.write('GET / HTTP/1.1\r\n\r\n')
    const [chunk] = await once(secured.socket, 'data')
    return { text: String(chunk) }
  }
  const good = await look(upgrade(secure.port), { expect: { bodyContains: '200' } })
  t.match(good, { result: 'good', certificate: { issuer: 'Stillup Tests' } })
  t.ok((good.phases?.tls ?? 0) > 0)
  const wrong = await look(upgrade(other.port))
  const message = 'the certificate is for another host name'
  t.match(wrong, { result: 'failed', error: { kind: 'tls', phase: 'tls', message } })
  t.type(wrong.certificate?.expiresAtMs, 'number')
  await until(() => secure.open + other.open === 0)
})

t.test('the contract of a probe', async (t) => {
  const refused = await closedPort()
  const probe = createProbe(deps, async (asked, run) => {
    const url = new URL(asked.url)
    if (url.hostname === 'bug.example') throw new Error('a bug')
    const isTls = url.protocol === 'https:'
    await run.connect({ host: url.hostname, port: Number(url.port), isTls })
    return { text: 'x' }
  })
  const at = (url: string, fields: TargetFields = {}) => ({
    title: url,
    target: makeTarget({ url, timeoutMs: 200, ...fields }),
  })
  const cases = [
    at(target.url),
    at(`http://127.0.0.1:${refused}`),
    at(`https://127.0.0.1:${target.port}`),
    at('http://bug.example:1'),
    at(target.url.replace('http:', 'tcp:'), { expect: { bodyContains: 'y' } }),
  ]
  await probeContract(t, { probe, clock, cases })
})
