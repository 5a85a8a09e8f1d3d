// The TCP probe: to be connected, to send, and to read until what is expected came.
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { type Clock, startClock } from '../../src/base/clock.ts'
import type { Expectation } from '../../src/domain/assertions/expectation.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { bytesToSend } from '../../src/probes/run/escapes.ts'
import { probeContract } from '../contracts/probe.contract.ts'
import { stuckIn } from '../support/deadline.ts'
import { makeTarget, type TargetFields } from '../support/make-target.ts'
import { openProbe } from '../support/open-probe.ts'
import { timed } from '../support/starvation.ts'
import { closedPort, startTarget } from '../support/target.ts'
import { startTickingClock } from '../support/ticking-clock.ts'
import { until } from '../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
const probe = openProbe(t, clock, { checkType: 'tcp' })

type Greet = (socket: Socket) => void

/** One that does to every connection what the test says. */
async function serve(t: Test, greet: Greet) {
  const target = await startTarget()
  t.after(() => target.close())
  target.greet = greet
  return target
}

async function check(t: Test, greet: Greet, fields: TargetFields = {}, at: Clock = clock) {
  const { port } = await serve(t, greet)
  return probe(makeTarget({ url: `tcp://localhost:${port}`, ...fields }), { clock: at })
}

/** Sends the pieces with a pause between them, so that each is a packet. */
const inPieces =
  (pieces: readonly string[], thenEnd = false): Greet =>
  (socket) => {
    socket.setNoDelay()
    const push = (i: number): void => {
      const piece = pieces[i]
      if (piece !== undefined) socket.write(piece, () => setTimeout(() => push(i + 1), 30))
      else if (thenEnd) socket.end()
    }
    push(0)
  }

const contains = (text: string): { expect: Partial<Expectation> } => ({
  expect: { bodyContains: text },
})

t.test('without expectations a connection is enough, even a silent one', async (t) => {
  const target = await serve(t, () => {})
  const url = `tcp://localhost:${target.port}`
  const [reading, tookMs] = await timed(() => probe(makeTarget({ url }), { clock }))
  t.match(reading, { result: 'good', address: '127.0.0.1' })
  t.ok(tookMs < 1_000)
  await until(() => target.open === 0)
})

t.test('the body is sent with its escapes as bytes', async (t) => {
  t.same(bytesToSend('PING\\r\\n'), Buffer.from('PING\r\n'))
  t.same(bytesToSend('a\\tb\\\\n'), Buffer.from('a\tb\\n'))
  t.same(bytesToSend('\\x00\\xff\\xFe'), Buffer.from([0, 255, 254]))
  t.same(bytesToSend('\\q \\xg1 \\R \\'), Buffer.from('\\q \\xg1 \\R \\'))
  t.same(bytesToSend('real\r\nlines ü'), Buffer.from('real\r\nlines ü'))
  let heard = ''
  const greet: Greet = (socket) => {
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
      if (heard.endsWith('\r\n')) socket.write('+PONG\r\n')
    })
  }
  const reading = await check(t, greet, { body: 'PING \\xff\\r\\n', ...contains('+PONG') })
  t.match(reading, { result: 'good' })
  t.equal(heard, 'PING \xff\r\n')
  heard = ''
  t.match(await check(t, greet, { body: 'BYE\\r\\n' }), { result: 'good' })
  await until(() => heard === 'BYE\r\n')
})

t.test('it reads until the expected text came, and not longer', async (t) => {
  const greet = inPieces(['220 mail.exam', 'ple ESM', 'TP ready\r\n', 'more', 'more'])
  const [reading, tookMs] = await timed(() => check(t, greet, contains('ESMTP')))
  t.match(reading, { result: 'good' })
  t.same(Object.keys(reading.phases ?? {}).sort(), ['connect', 'dns', 'download', 'firstByte'])
  t.ok(tookMs < 1_000, `${tookMs} ms`)
  const regex = { responseAssertionType: 'regex', responseAssertionValue: '^220 .* ready' } as const
  t.match(await check(t, greet, { expect: regex }), { result: 'good' })
  const json = {
    responseAssertionType: 'equals',
    responseAssertionPath: '$.ok',
    responseAssertionValue: 'true',
  } as const
  t.match(await check(t, inPieces(['{"ok', '":true', '}']), { expect: json }), { result: 'good' })
})

t.test('a forbidden text is awaited until the target is quiet or gone', async (t) => {
  const expect = { bodyNotContains: 'ERROR' }
  const forbidden = inPieces(['OK so far\n', 'but: ERR', 'OR\n'])
  const ticking = startTickingClock(t)
  const bad = await check(t, forbidden, { expect }, ticking)
  t.match(bad, { result: 'failed', error: { kind: 'assertion' } })
  t.ok(bad.durationMs < 1_500, 'what was said is said')
  const allowed = inPieces(['OK so far\n', 'and further\n'])
  const good = await check(t, allowed, { expect }, ticking)
  t.match(good, { result: 'good' })
  t.ok(good.durationMs < 1_500, 'silence is enough')
  const closed = await check(t, inPieces(['OK\n'], true), { expect })
  t.match(closed, { result: 'good' })
  const less = { responseAssertionType: 'lessThan', responseAssertionValue: '5' } as const
  const cut = await check(t, inPieces(['1', '2']), { expect: less, timeoutMs: 500 }, ticking)
  t.match(cut, { result: 'failed' }, 'the beginning of a number is not the number')
})

t.test('if it does not come, the received text is the evidence', async (t) => {
  const timeoutMs = 1_000
  const asked = { timeoutMs, ...contains('220') }
  const ticking = startTickingClock(t)
  const other = await check(t, inPieces(['500 out of order\r\n']), asked, ticking)
  t.match(other, {
    result: 'failed',
    error: { kind: 'assertion', message: 'expected answer to contain "220"' },
    evidence: { body: '500 out of order\r\n' },
  })
  t.ok(other.durationMs <= timeoutMs + 5, `${other.durationMs} ms`)
  const closing = inPieces(['-ERR\r\n'], true)
  const [closed, closedMs] = await timed(() => check(t, closing, contains('+OK')))
  t.match(closed, { error: { kind: 'assertion' }, evidence: { body: '-ERR\r\n' } })
  t.ok(closedMs < 1_000, 'a closed connection is not waited for')
})

t.test('a silent target is distinguished by how it is silent', async (t) => {
  const rows: readonly [Greet, object][] = [
    [
      (socket) => socket.end(),
      { kind: 'reset', message: 'the connection was closed without a word' },
    ],
    [
      (socket) => setTimeout(() => socket.resetAndDestroy(), 20),
      { kind: 'reset', message: 'the connection was reset without a word' },
    ],
  ]
  const silence = { bodyNotContains: 'x' }
  const why = 'also where silence would hold what is expected'
  for (const [greet, error] of rows) {
    t.match(await check(t, greet, contains('x')), { result: 'failed', error })
    t.match(await check(t, greet, { expect: silence }), { result: 'failed', error }, why)
  }
  for (const expect of [contains('x').expect, silence]) {
    const mute = (timeoutMs: number) => check(t, () => {}, { timeoutMs, expect })
    const reading = await stuckIn('firstByte', mute)
    t.match(reading, { result: 'failed', error: { kind: 'timeout' } }, why)
  }
})

t.test('an endless target is read up to a bound', async (t) => {
  let sent = 0
  const greet: Greet = (socket) => {
    const piece = Buffer.alloc(16 * 1024, 'x')
    const push = (): void => {
      while (!socket.destroyed && sent < 200e6 && socket.write(piece)) sent += piece.length
    }
    socket.on('drain', push)
    push()
  }
  const [reading, tookMs] = await timed(() => check(t, greet, contains('y')))
  t.match(reading, { result: 'failed', error: { kind: 'assertion' } })
  t.ok(tookMs < 1_000)
  t.ok(sent < 20e6, `${sent} bytes`)
  t.ok((reading.evidence?.body?.length ?? 0) <= limits.evidenceBodyBytesMax)
})

t.test('an expensive pattern on a dripping target leaves the daemon time for others', async (t) => {
  const text = 'ab '.repeat(3_000)
  const greet: Greet = (socket) => {
    socket.write(text)
    const timer = setInterval(() => socket.write('ab '), 1)
    socket.on('close', () => clearInterval(timer))
  }
  const value = '(a|b|ab)*c(a|b)*d(a|b)*e'
  const expect = { responseAssertionType: 'regex', responseAssertionValue: value } as const
  const before = process.cpuUsage()
  const reading = await check(t, greet, { timeoutMs: 1_500, expect })
  const { user, system } = process.cpuUsage(before)
  t.match(reading, { result: 'failed', error: { kind: 'assertion' } })
  t.ok((user + system) / 1_000 < 1_000, `${(user + system) / 1_000} ms of processor time`)
})

t.test('nor does a word or part of the sent text, plain or in Base64', async (t) => {
  const word = 's3cr3t-word'
  const look = async (said: string) => {
    const greet: Greet = (socket) => socket.end(`-ERR ${said}.\r\n`)
    const body = `AUTH ${word} now\\r\\nQUIT\\r\\n`
    const { evidence } = await check(t, greet, { body, ...contains('+OK') })
    return JSON.stringify(evidence)
  }
  t.match(await look(`who is '${word}'?`), /-ERR who is '••••'\?/)
  t.match(await look(`AUTH takes no ${word.slice(0, 9)}...`), /AUTH takes no ?••••\.\.\./)
  for (const how of ['base64', 'base64url'] as const) {
    const said = Buffer.from(`you said ${word} now`).toString(how)
    t.notMatch(await look(said), Buffer.from(`d ${word}`).toString(how).slice(4, -6), how)
  }
})

t.test('the sent text does not come back in the evidence', async (t) => {
  const echo: Greet = (socket) => {
    socket.on('data', (chunk) => socket.end(`you said: ${chunk}and: ${chunk.toString('base64')}`))
  }
  const body = 'AUTH s3cr3t-word\\r\\nQUIT\\r\\n'
  const reading = await check(t, echo, { body, ...contains('+OK') })
  t.equal(reading.result, 'failed')
  t.notMatch(JSON.stringify(reading), /s3cr3t-word/)
  t.match(reading.evidence?.body, /^you said: ••••/)
})

t.test('the contract of a probe', async (t) => {
  const drip: Greet = (socket) => {
    const timer = setInterval(() => socket.write('x'), 10)
    socket.on('close', () => clearInterval(timer))
  }
  const greets: Record<string, Greet> = {
    silent: () => {},
    closing: (socket) => socket.end(),
    reset: (socket) => socket.resetAndDestroy(),
    drip,
    binary: (socket) => socket.write(Buffer.from(Array.from({ length: 256 }, (_, i) => i))),
    halfCharacter: (socket) => socket.end(Buffer.from([0xe2, 0x82])),
    deaf: (socket) => socket.pause(),
  }
  const targets = await Promise.all(Object.values(greets).map((greet) => serve(t, greet)))
  const names = Object.keys(greets)
  const body = 'x'.repeat(50_000)
  const cases = targets.flatMap(({ port }, i) => {
    const url = `tcp://localhost:${port}`
    const row = (title: string, fields: TargetFields) => ({
      title: `${names[i]} ${title}`,
      target: makeTarget({ url, timeoutMs: 200, ...fields }),
    })
    return [
      row('with nothing expected', {}),
      row('with a text expected', contains('never')),
      row('with a text forbidden', { expect: { bodyNotContains: 'never' } }),
      row('with much to send', { body, ...contains('never') }),
    ]
  })
  const refused = makeTarget({ url: `tcp://127.0.0.1:${await closedPort()}` })
  cases.push(
    { title: 'a closed port', target: refused },
    { title: 'a URL that is none', target: makeTarget({ url: 'tcp://x' }) },
  )
  await probeContract(t, { probe, clock, cases })
  // A server that does not read does not see either that its client has gone.
  await until(() => targets.every(({ open }, i) => open === 0 || names[i] === 'deaf'))
})
