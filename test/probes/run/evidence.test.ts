// Evidence of a failed check: enough to see why, bounded, and without our secrets.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import { answer, answerJson, type Script, startTarget } from '../../support/target.ts'

const clock = startClock()
const guard = createGuard({ targets: 'any' })
const probeEndpoint = openProbe(t, clock)
const target = await startTarget()
t.after(async () => {
  clock.stop()
  await target.close()
})

async function check(script: Script, fields: TargetFields = {}) {
  target.script = script
  return probeEndpoint(makeTarget({ url: `${target.url}/`, ...fields }), { clock })
}

t.test('a failure keeps the status, the headers and the first 2 KiB of the body', async (t) => {
  const headers = { 'x-shown': 'yes', 'set-cookie': 'id=hidden', 'x-auth-token': 'hidden' }
  const { evidence } = await check(answer({ status: 500, headers, body: `é${'y'.repeat(3_000)}` }))
  t.equal(evidence?.status, 500)
  t.equal(evidence?.body, `é${'y'.repeat(2_046)}`)
  const shown = new Map(evidence?.headers)
  t.equal(shown.get('x-shown'), 'yes')
  t.notMatch(JSON.stringify(evidence), /hidden/)
})

t.test('in URLs of headers, values with telling names are masked', async (t) => {
  const location = '/x?token=abcdef&page=2&api%5Fkey=k1#access_token=ghi&state=5'
  const link = '</a?sig=abc>; rel="next", <https://u.test/?code=1%2C2>; rel="last"'
  const expect = {
    assertions: [{ source: 'header', path: 'Location', type: 'equals', value: '/y' }],
  } as const
  const { evidence } = await check(answer({ status: 500, headers: { location, link } }), { expect })
  const shown = new Map(evidence?.headers)
  const masked = '/x?token=••••&page=2&api%5Fkey=••••#access_token=••••&state=5'
  t.equal(shown.get('location'), masked)
  t.equal(shown.get('link'), '</a?sig=••••>; rel="next", <https://u.test/?code=••••>; rel="last"')
  t.match(evidence?.failedAssertions, [{}, { expected: 'header Location to equal "/y"' }])
  t.equal(evidence?.failedAssertions?.[1]?.found, masked)
})

t.test('headers are bounded in number and length', async (t) => {
  const headers = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`x-${i}`, 'v'.repeat(200)]),
  )
  const { evidence } = await check(
    answer({ status: 500, headers: { ...headers, a: 'z'.repeat(999) } }),
  )
  t.equal(evidence?.headers?.length, 40)
  t.ok(evidence?.headers?.every(([, value]) => value.length <= 512))
})

t.test('a target that sends our secrets back gets them masked', async (t) => {
  const secrets = ['tok-en"123456', 'user:pa&ss word', 'session-abcdef', 'the whole body']
  const [token = '', login = '', session = '', body = ''] = secrets
  const basic = Buffer.from(login).toString('base64')
  const echo: Script = (call) => {
    const sent = `${JSON.stringify(call.headers)} ${token} ${login} pa&ss word ${call.body}`
    const text = `${sent} ${'x'.repeat(2_048 - sent.length - 6)}${token}`
    answer({ status: 500, body: text, headers: { 'x-echo': token } })(call)
  }
  const { evidence, error } = await check(echo, {
    method: 'POST',
    headers: { Authorization: `Basic ${basic}`, 'X-Key': token, Cookie: `a=b; id=${session}` },
    body,
    expect: { bodyContains: 'not there', responseAssertionType: 'equals' },
  })
  const told = JSON.stringify({ evidence, error })
  for (const secret of ['tok-en', '123456', 'pa&ss', basic, session, body]) {
    t.notMatch(told, new RegExp(secret.replace(/[+]/g, '\\+')), secret)
  }
  t.match(evidence?.body, /••••/)
})

t.test('nor are they shown in another charset, or as the name of a header', async (t) => {
  const token = 'sk-Live_9fQ2xZ7LmT4vB8nR1cW6'
  const said = `no such key: ${token}`
  const wide = Buffer.from(said, 'utf16le')
  const bodies: readonly (readonly [string, Buffer])[] = [
    ['text/plain; charset=utf-16le', wide],
    ['text/plain; charset=utf-16be', Buffer.from(wide).swap16()],
    ['text/plain', wide],
    ['text/plain', Buffer.concat([Buffer.from([0xff, 0xfe]), wide])],
    ['text/plain; charset=iso-8859-1', Buffer.from(said.toUpperCase())],
  ]
  for (const [type, body] of bodies) {
    const headers = { 'content-type': type, [`x-${token}`]: '1', location: `/?k=${token}` }
    const { evidence } = await check(answer({ status: 500, headers, body }), {
      headers: { 'X-Api-Key': token },
    })
    t.match(evidence?.body, /••••/, type)
    const plain = JSON.stringify(evidence).replace(/[\ufffd\0]/g, '')
    t.notMatch(plain.toLowerCase(), /9fq2xz7l|live_9fq/, type)
  }
})

t.test('remains of a secret at a cut are removed as well', async (t) => {
  const token = `${'0a1b2c3d4e5f6g7h8i9j'.repeat(5)}-end`
  const text = token.repeat(60).slice(0, 4_096 - 7) + token.slice(0, 99)
  const expect = { bodyNotContains: 'forbidden' }
  const { evidence } = await check(answer({ status: 500, body: `${text.slice(0, 5_000)}` }), {
    headers: { 'X-Api-Key': token },
  })
  t.equal(evidence?.body, '••••')
  const lead = `${' '.repeat(500)}${token}${' '.repeat(43)}is forbidden`
  const { evidence: other } = await check(answer({ body: lead }), {
    headers: { 'X-Api-Key': token },
    expect,
  })
  const [failed] = other?.failedAssertions ?? []
  t.notMatch(failed?.found, /9j-end|-end/)
  t.match(failed?.found, /••••\s+is forbidden/)
})

t.test('expected and found values are shown, the found one not in the message', async (t) => {
  const expect = {
    responseAssertionType: 'equals',
    responseAssertionPath: '$.state',
    responseAssertionValue: 'ok',
  } as const
  const reading = await check(answerJson({ state: 'marker' }), { expect })
  t.same(reading.error, { kind: 'assertion', message: 'expected $.state to equal "ok"' })
  const failed = [{ expected: '$.state to equal "ok"', found: 'marker' }]
  t.same(reading.evidence?.failedAssertions, failed)
})

t.test('at a private address of a shared service nothing of the target is kept', async (t) => {
  let isAsked = 0
  const hidesPrivate = () => ++isAsked > 0
  const resolver = createResolver({ clock })
  const { probe } = createProbes({ guard, resolver, clock, hidesPrivate })
  const say = (path: string) => ({ source: 'json', path, type: 'equals', value: 'ok' }) as const
  const expect = { expectedStatus: 201, assertions: [say('$.state')] }
  const look = (script: Script) => {
    target.script = script
    return probe(makeTarget({ url: `${target.url}/`, expect }), { clock })
  }
  const failed = await look(answerJson({ state: 'marker' }, { headers: { 'x-said': 'marker' } }))
  t.match(failed, { status: 200, address: '127.0.0.1', error: { kind: 'status' } })
  const note = 'not kept: a private address on a shared service'
  const failedAssertions = [
    { expected: 'status 201', found: '200' },
    { expected: '$.state to equal "ok"', found: `(${note})` },
  ]
  t.same(failed.evidence, { status: 200, failedAssertions, note })
  t.notMatch(JSON.stringify(failed), /marker/)
  t.match(await look(answerJson({ state: 'ok' }, { status: 201 })), { result: 'good' })
  t.equal(isAsked, 1, 'a good check asks nobody')
})

t.test('nor is the issuer of its certificate, even for good checks', async (t) => {
  const inside = await startTarget(answer(), { tls: testCertificates.good })
  t.teardown(() => inside.close())
  const { port } = inside
  const secure = { guard, resolver: resolverTo('127.0.0.1'), clock, ca: [testCa] }
  const look = (checkType: 'endpoint' | 'ssl', hidesPrivate: () => boolean) => {
    const scheme = checkType === 'ssl' ? 'tls' : 'https'
    const url = `${scheme}://localhost:${port}/`
    return createProbes({ ...secure, hidesPrivate }).probe(makeTarget({ url, checkType }), {
      clock,
    })
  }
  const issuer = '(not kept: a private address on a shared service)'
  for (const checkType of ['endpoint', 'ssl'] as const) {
    const own = await look(checkType, () => false)
    t.match(own, { result: 'good', certificate: { issuer: 'Stillup Tests' } })
    const hidden = await look(checkType, () => true)
    t.equal(hidden.result, 'good')
    t.same(hidden.certificate, { ...own.certificate, issuer })
    t.notMatch(JSON.stringify(hidden), /Stillup Tests/)
  }
})

t.test('a trial also shows a good answer: bounded, masked, and not that of others', async (t) => {
  const token = 'tok-en-123456'
  const script: Script = (call) => {
    const state = { state: 'ok', echo: call.headers['x-key'], items: 'x'.repeat(30_000) }
    answer({
      body: JSON.stringify(state),
      headers: { 'Content-Type': 'application/json', 'X-Echo': token, 'Set-Cookie': 'a=b' },
    })(call)
  }
  target.script = script
  const asked = makeTarget({ url: `${target.url}/`, headers: { 'X-Key': token } })
  const { result, answer: shown } = await probeEndpoint(asked, { clock, keepsAnswer: true })
  t.match([result, shown?.status, shown?.isCut, shown?.note], ['good', 200, true, null])
  t.equal(shown?.body?.length, 24 * 1024)
  t.match(shown?.body, /^{"state":"ok","echo":"••••","items":"xxx/)
  t.equal(new Map(shown?.headers).get('x-echo'), '••••')
  t.notMatch(JSON.stringify(shown), /tok-en|set-cookie/)

  target.script = answerJson({ state: 'ok' })
  const whole = await probeEndpoint(asked, { clock, keepsAnswer: true })
  t.match(whole.answer, { body: '{"state":"ok"}', isCut: false })
  t.equal(
    (await probeEndpoint(asked, { clock })).answer,
    undefined,
    'a routine check keeps nothing',
  )

  const foreign = createProbes({
    guard,
    resolver: createResolver({ clock }),
    clock,
    hidesPrivate: () => true,
  })
  const hidden = await foreign.probe(asked, { clock, keepsAnswer: true })
  t.match(hidden, { result: 'good', answer: { status: 200, headers: [], body: null } })
  t.match(hidden.answer?.note, /private address/)
})
