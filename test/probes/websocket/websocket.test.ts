// The probe of WebSockets against a real server, and against servers of every trouble.
import t, { type Test } from 'tap'
import { type Clock, startClock } from '../../../src/base/clock.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { parseWebsocketUrl, websocket } from '../../../src/probes/websocket/websocket.ts'
import { websocketBytesMax } from '../../../src/probes/websocket/websocket-frames.ts'
import { probeContract } from '../../contracts/probe.contract.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { stuckIn, withDeadline } from '../../support/deadline.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import { fairMs } from '../../support/starvation.ts'
import {
  answer,
  closedPort,
  drip,
  endless,
  hangUp,
  raw,
  redirectTo,
  reset,
  type Script,
  silent,
  startTarget,
} from '../../support/target.ts'
import { startTickingClock } from '../../support/ticking-clock.ts'
import { until } from '../../support/until.ts'
import { serverFrame, startEchoServer, welcome, welcomeTo } from '../../support/websocket.ts'

const clock = startClock()
const dns = await startDnsServer({ 'sockets.example': ['127.0.0.1'] })
const resolver = createResolver({ clock, servers: [dns.server] })
const deps = { guard: createGuard({ targets: 'any' }), resolver, clock, ca: [testCa] }
const probe = openProbe(t, clock, {
  checkType: 'websocket',
  nameServers: [dns.server],
  ca: [testCa],
})
const target = await startTarget()
t.after(async () => {
  clock.stop()
  dns.close()
  await target.close()
})
const wsUrl = target.url.replace('http', 'ws')
const startEcho = async (t: Test) => {
  const echo = await startEchoServer()
  t.after(() => echo.close())
  return echo
}
const check = (fields: TargetFields, at: Clock = clock) => probe(makeTarget(fields), { clock: at })
const checkScript = (script: Script, fields: TargetFields = {}, at: Clock = clock) => {
  target.script = script
  return check({ url: `${wsUrl}/`, ...fields }, at)
}

t.test('a handshake is enough if nothing is expected of messages', async (t) => {
  const echo = await startEcho(t)
  const closes = echo.closes.length
  const reading = await check({ url: echo.url })
  t.match(reading, { result: 'good', address: '127.0.0.1' })
  t.same(Object.keys(reading.phases ?? {}).sort(), ['connect', 'firstByte'])
  await until(() => echo.closes.length > closes)
  t.equal(echo.closes.at(-1), 1_000, 'the server is told that all was well')
})

t.test('the body is sent as one message, and messages are read until one holds', async (t) => {
  const echo = await startEcho(t)
  const messages = echo.messages.length
  const said = 'wie geht’s? '.repeat(1_000)
  const reading = await check({ url: echo.url, body: said, expect: { bodyContains: 'echo: wie' } })
  t.match(reading, { result: 'good' }, 'the greeting that came first is no failure')
  t.ok((reading.phases?.download ?? -1) >= 0)
  t.same(echo.messages.slice(messages), [said])
  const onlySent = await check({ url: echo.url, body: 'just so' })
  t.equal(onlySent.result, 'good')
  await until(() => echo.messages.at(-1) === 'just so')
})

t.test('where no message holds, the last one is shown when the time is over', async (t) => {
  const echo = await startEcho(t)
  const expect = { bodyContains: 'never said' }
  const asked = { url: echo.url, body: '{"go":1}', timeoutMs: 1_000, expect }
  const reading = await check(asked, startTickingClock(t))
  t.match(reading, {
    result: 'failed',
    error: { kind: 'assertion', message: /to contain "never said"/ },
    evidence: { body: 'echo: ••••', failedAssertions: [{ found: /^echo/ }] },
  })
  t.ok(reading.durationMs < 1_000)
  const mute = await stuckIn('download', (timeoutMs) =>
    checkScript(welcome(), { timeoutMs, expect }),
  )
  t.match(
    mute.error,
    { kind: 'timeout', phase: 'download' },
    'without a message time is the reason',
  )
})

t.test('a field of the sent message is not repeated either', async (t) => {
  const said = { op: 'login', token: 't0k3n' }
  const script = welcome(serverFrame(0x81, 'no such t0k3n at this login'))
  const expect = { bodyContains: 'never said' }
  const fields = { timeoutMs: 1_000, expect, body: JSON.stringify(said) }
  const { evidence } = await checkScript(script, fields, startTickingClock(t))
  t.match(evidence, {
    body: 'no such •••• at this login',
    failedAssertions: [{ found: 'no such •••• at this login' }],
  })
})

t.test('each message is judged on its own, JSON as well', async (t) => {
  const script = welcome(
    Buffer.concat([
      serverFrame(0x81, 'not JSON'),
      serverFrame(0x89, 'ping'),
      serverFrame(0x01, '{"state":'),
      serverFrame(0x80, '"ready"}'),
    ]),
  )
  const expect = {
    responseAssertionType: 'equals',
    responseAssertionPath: '$.state',
    responseAssertionValue: 'ready',
  } as const
  t.equal((await checkScript(script, { expect })).result, 'good')
  const other = { ...expect, responseAssertionValue: 'gone' }
  const asked = { timeoutMs: 1_000, expect: other }
  const reading = await checkScript(script, asked, startTickingClock(t))
  t.match(reading, { error: { kind: 'assertion' }, evidence: { body: '{"state":"ready"}' } })
})

t.test('pings of the server are answered', async (t) => {
  let got = Buffer.alloc(0)
  const script = welcome(serverFrame(0x89, 'abc'), (socket) => {
    socket.on('data', (chunk: Buffer) => {
      got = Buffer.concat([got, chunk])
      if (got.length >= 9) socket.write(serverFrame(0x81, 'thanks'))
    })
  })
  const reading = await checkScript(script, { expect: { bodyContains: 'thanks' } })
  t.equal(reading.result, 'good')
  t.equal(got[0], 0x8a, 'a pong')
  t.equal(got[1], 0x80 | 3, 'masked, with what the ping carried')
})

t.test('the handshake carries the headers of the monitor and our own framing', async (t) => {
  await checkScript(welcome(), {
    url: `${wsUrl}/room?id=7#part`,
    method: 'POST',
    headers: {
      'X-Key': 'abc',
      Origin: 'https://app.example',
      Upgrade: 'h2c',
      'Sec-WebSocket-Key': 'mine',
      'sec-websocket-version': '8',
    },
  })
  const call = target.calls.at(-1)
  t.match(call, { method: 'GET', path: '/room?id=7', body: '' })
  t.match(call?.headers, {
    host: `127.0.0.1:${target.port}`,
    upgrade: 'websocket',
    connection: 'upgrade',
    'user-agent': 'stillup',
    'x-key': 'abc',
    origin: 'https://app.example',
    'sec-websocket-version': '13',
  })
  t.equal(Buffer.from(call?.headers['sec-websocket-key'] ?? '', 'base64').length, 16)
  t.equal(call?.headers['sec-websocket-extensions'], undefined, 'no compression is asked for')
  const first = call?.headers['sec-websocket-key']
  await checkScript(welcome())
  t.not(target.calls.at(-1)?.headers['sec-websocket-key'], first, 'a new key each time')
})

t.test('a response other than WebSocket says why', async (t) => {
  const answered = (headers: Record<string, string>): Script => {
    return (call) => call.socket.write(welcomeTo(call, headers))
  }
  const stale = welcomeTo({ ...target.calls[0], headers: {} } as never)
  const cases: readonly [kind: string, message: RegExp, script: Script, fields?: TargetFields][] = [
    ['status', /^expected status 101, found 403$/, answer({ status: 403 })],
    ['status', /found 200$/, answer()],
    ['status', /found 302: redirects of a WebSocket are not followed/, redirectTo('ws://x/')],
    [
      'status',
      /found 426/,
      raw('HTTP/1.1 426 No\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['invalid_response', /Sec-WebSocket-Accept/, raw(stale)],
    ['invalid_response', /other than WebSocket/, answered({ upgrade: 'h2c' })],
    ['invalid_response', /kept speaking HTTP/, raw('HTTP/1.1 101 Switching\r\n\r\n')],
    ['invalid_response', /an extension/, answered({ 'sec-websocket-extensions': 'x-more' })],
    ['invalid_response', /a subprotocol/, answered({ 'sec-websocket-protocol': 'chat' })],
    ['invalid_response', /not valid HTTP/, raw('SSH-2.0-OpenSSH_9.2\r\n')],
    ['invalid_response', /16 KiB/, answered({ 'x-big': 'x'.repeat(17_000) })],
    ['reset', /closed without a response/, hangUp],
    ['reset', /reset before the response/, reset()],
    ['timeout', /./, drip('HTTP/1.1 101 Switching\r\n', 'a: b\r\n'), { timeoutMs: 150 }],
  ]
  for (const [kind, message, script, fields] of cases) {
    const { result, error } = await checkScript(script, fields)
    t.match({ result, error }, { result: 'failed', error: { kind, message } })
  }
  const mute = await stuckIn('firstByte', (timeoutMs) => checkScript(silent, { timeoutMs }), 150)
  const message = /still waiting for the response/
  t.match(mute, { result: 'failed', error: { kind: 'timeout', message } })
  const asked = { headers: { 'Sec-WebSocket-Protocol': 'soap, chat' } }
  const chat = answered({ 'sec-websocket-protocol': 'chat' })
  t.equal((await checkScript(chat, asked)).result, 'good', 'a subprotocol that was offered')
  const early = raw('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\n')
  t.match((await checkScript(early)).error, { kind: 'status', message: /found 404/ })
})

t.test('a refusal keeps its status, its headers and the beginning of its body', async (t) => {
  const headers = { 'x-why': 'no token', 'set-cookie': 'id=hidden' }
  const asked = { headers: { authorization: 'Bearer s3cret-s3cret' } }
  const body = `{"error":"s3cret-s3cret"}${'x'.repeat(9_000)}`
  const refused = await checkScript(answer({ status: 403, headers, body }), asked)
  t.match(refused, { result: 'failed', status: 403, error: { kind: 'status' } })
  t.match(refused.evidence, { status: 403, body: /^{"error":"••••"}x+$/ })
  t.equal(Buffer.byteLength(refused.evidence?.body ?? ''), limits.evidenceBodyBytesMax)
  t.equal(new Map(refused.evidence?.headers).get('x-why'), 'no token')
  t.notMatch(JSON.stringify(refused), /hidden|s3cret/)
  const head = 'HTTP/1.1 403 Forbidden\r\ncontent-length: 99\r\n\r\n'
  const startedMs = fairMs()
  const dripped = await checkScript(raw(`${head}half`))
  t.match(dripped.evidence, { status: 403, body: 'half' })
  const cut = await checkScript((call) => call.socket.end(`${head}half`))
  t.match(cut.evidence, { status: 403, body: 'half' })
  t.ok(fairMs() - startedMs < 2_000, 'a body that does not end is not waited for')
  const hurried = await withDeadline(
    300,
    (timeoutMs) => checkScript(raw(`${head}half`), { timeoutMs }),
    ({ error }) => error?.kind === 'status',
  )
  t.match(hurried, { error: { kind: 'status' }, evidence: { body: 'half' } })
  const inside = websocket.open({ ...deps, hidesPrivate: () => true }).probe
  target.script = answer({ status: 403, headers, body: 'marker' })
  const hidden = await inside(makeTarget({ url: `${wsUrl}/` }), { clock })
  t.match(hidden, { status: 403, evidence: { status: 403, note: /private address/ } })
  t.notMatch(JSON.stringify(hidden), /marker|no token/)
})

t.test('a conversation that ends early says how', async (t) => {
  const expect = { bodyContains: 'wanted' }
  const rude = serverFrame(0x88, Buffer.concat([Buffer.from([0x03, 0xf0]), Buffer.from('go away')]))
  const closed = await checkScript(welcome(rude), { expect })
  t.match(closed, {
    error: { kind: 'assertion', message: /closed the WebSocket with code 1008/ },
    evidence: { body: 'go away' },
  })
  const afterOne = await checkScript(welcome(Buffer.concat([serverFrame(0x81, 'hm'), rude])), {
    expect,
  })
  t.match(afterOne, { error: { kind: 'assertion', message: /"wanted"/ }, evidence: { body: 'hm' } })
  const gone = await checkScript(
    welcome(undefined, (socket) => socket.end()),
    { expect },
  )
  t.match(gone.error, { kind: 'reset', message: /closed before a message came/ })
  const broken = await checkScript(welcome(serverFrame(0xc1, 'x')), { expect })
  t.match(broken.error, { kind: 'invalid_response', message: /broke the WebSocket protocol/ })
  const long = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 1, 0, 1])
  t.equal(websocketBytesMax, 65_536)
  t.match((await checkScript(welcome(long), { expect })).error, {
    kind: 'body_too_large',
    message: /64 KiB or 1000 frames/,
  })
})

t.test('over TLS the certificate is judged first', async (t) => {
  for (const name of ['good', 'self'] as const) {
    const secure = await startTarget(welcome(serverFrame(0x81, 'hi')), {
      tls: testCertificates[name],
    })
    t.after(() => secure.close())
    const url = `wss://localhost:${secure.port}/`
    const reading = await check({ url, expect: { bodyContains: 'hi' } })
    t.equal(reading.result, name === 'good' ? 'good' : 'failed')
    if (name === 'self') t.match(reading.error, { kind: 'tls', message: /self-signed/ })
    t.type(reading.certificate?.expiresAtMs, 'number')
    t.equal((await check({ url, ignoreTlsErrors: true })).result, 'good')
  }
})

t.test('no address is connected to that the policy forbids', async (t) => {
  const strict = websocket.open({ ...deps, guard: createGuard({ targets: 'public' }) }).probe
  const accepted = target.accepted
  for (const host of ['127.0.0.1', 'sockets.example']) {
    const url = `ws://${host}:${target.port}/`
    const { error } = await strict(makeTarget({ url }), { clock })
    t.match(error, { kind: 'blocked', message: /a loopback address, which is not allowed/ })
  }
  t.equal(target.accepted, accepted)
})

t.test('an invalid WebSocket URL is refused with a reason', async (t) => {
  const cases: readonly [text: string, problem: RegExp][] = [
    ['https://x.example', /must start with ws:\/\/ or wss:\/\//],
    ['wsx://x.example', /must start with/],
    [' ws://x.example', /must start with/],
    ['ws://', /./],
    ['ws://me:pass@x.example/', /user name or password/],
    ['ws://x.example/a b', /spaces/],
    ['ws:\\\\x.example', /must start with/],
    ['ws://x.example:0/', /port 0/],
    [`ws://x.example/${'x'.repeat(2_100)}`, /at most 2048/],
  ]
  for (const [text, problem] of cases) t.match(parseWebsocketUrl(text), { problem }, text)
  t.equal(String(parseWebsocketUrl('WSS://X.example:8443/a?b')), 'https://x.example:8443/a?b')
  const { error } = await check({ url: 'file:///etc/passwd' })
  t.match(error, { kind: 'blocked', message: 'the URL must start with ws:// or wss://' })
})

t.test('the contract of a probe', async (t) => {
  const scripts: Record<string, Script> = {
    '/good': welcome(serverFrame(0x81, 'hi')),
    '/refused': answer({ status: 503 }),
    '/endless-http': endless,
    '/garbage': raw('\0\0\0\0'),
    '/drip': drip('HTTP/1.1 101 X\r\n', 'a: b\r\n'),
    '/hang-up': hangUp,
    '/reset': reset(),
    '/silent-after': welcome(),
    '/reset-after': welcome(undefined, (socket) => socket.resetAndDestroy()),
    '/drip-after': (call) => drip(welcomeTo(call), '\x81')(call),
    '/pings-after': welcome(undefined, (socket) => {
      const timer = setInterval(() => socket.write(serverFrame(0x89, 'x')), 5)
      socket.on('close', () => clearInterval(timer))
    }),
    '/flood-after': welcome(undefined, (socket) => {
      const many = Buffer.concat(Array.from({ length: 500 }, () => serverFrame(0x81, 'no')))
      const pour = (): void => {
        while (!socket.destroyed && socket.write(many));
      }
      socket.on('drain', pour)
      pour()
    }),
  }
  const troubled = await startTarget(scripts)
  t.after(() => troubled.close())
  const url = troubled.url.replace('http', 'ws')
  const cases = Object.keys(scripts).flatMap((path) => {
    const quick = { url: url + path, timeoutMs: 250 }
    return [
      { title: path, target: makeTarget(quick) },
      {
        title: `${path}, listening`,
        target: makeTarget({ ...quick, body: 'x', expect: { bodyContains: 'yes' } }),
      },
    ]
  })
  const refused = { url: `ws://127.0.0.1:${await closedPort()}/` }
  cases.push(
    { title: 'a closed port', target: makeTarget(refused) },
    { title: 'no such name', target: makeTarget({ url: 'ws://x.example/', timeoutMs: 200 }) },
    { title: 'no TLS', target: makeTarget({ url: url.replace('ws', 'wss'), timeoutMs: 300 }) },
    { title: 'another scheme', target: makeTarget({ url: 'file:///etc/passwd' }) },
    { title: 'a bad header', target: makeTarget({ url, headers: { a: 'b\r\nc: d' } }) },
  )
  await probeContract(t, { probe, clock, cases })
  await until(() => troubled.open === 0)
  t.equal(troubled.open, 0, 'nothing is left open')
})
