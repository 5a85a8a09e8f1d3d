// Interim responses, asked for or not, wherever the packets are cut: the answer after them counts.
import { Readable } from 'node:stream'
import t from 'tap'
import type { Clock } from '../../../src/base/clock.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { readOverInterims } from '../../../src/net/http-client/interims.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openClock, openProbe } from '../../support/open-probe.ts'
import { raw, type Script, startTarget, type Target } from '../../support/target.ts'

const clock = openClock(t)
const probe = openProbe(t, clock, { ca: [testCa] })
const plain = await startTarget()
const secure = await startTarget(undefined, { tls: testCertificates.good })
t.after(() => Promise.all([plain.close(), secure.close()]))

const go = 'HTTP/1.1 100 Continue\r\n\r\n'
const goOfIis = 'HTTP/1.1 100 Continue\r\nServer: Microsoft-IIS/7.5\r\nConnection: close\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n'
const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine'
const fine = { expect: { bodyContains: 'fine' } } as const

async function check(script: Script, fields: TargetFields = {}, target: Target = plain) {
  target.script = script
  const places = { url: `${target.url}/`, ignoreTlsErrors: true }
  return probe(makeTarget({ ...places, ...fine, ...fields }), { clock })
}

t.test('an unrequested 100 precedes the response and changes nothing', async (t) => {
  const beginnings = {
    'without headers': go,
    'with headers': goOfIis,
    'without a reason': 'HTTP/1.1 100\r\n\r\n',
    'of HTTP/1.0': 'HTTP/1.0 100 Continue\r\n\r\n',
    'two of them': go + go,
    'with a length': 'HTTP/1.1 100 Continue\r\nContent-Length: 4\r\n\r\n',
    'and a 103': go + hints,
    'after a 103': hints + go,
    'after an empty line': `\r\n${go}\r\n`,
  }
  for (const [title, beginning] of Object.entries(beginnings)) {
    for (const target of [plain, secure]) {
      for (const fields of [{}, { method: 'POST', body: 'x' }] as const) {
        const { result, status, error } = await check(raw(beginning + answer), fields, target)
        t.match({ result, status }, { result: 'good', status: 200 }, `${title}: ${error?.message}`)
      }
    }
  }
  const head = await check(raw(`${go}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n`), {
    method: 'HEAD',
    expect: { bodyContains: null },
  })
  t.match(head, { result: 'good', status: 200 })
})

t.test('the response after a 100 is judged and shown like one without it', async (t) => {
  const failed = 'HTTP/1.1 500 Oh\r\nx-kept: yes\r\ncontent-length: 4\r\n\r\nfine'
  const { error, evidence } = await check(raw(goOfIis + failed))
  t.match(error, { kind: 'status' })
  t.equal(evidence?.body, 'fine')
  t.match(JSON.stringify(evidence), /x-kept/)
  t.notMatch(JSON.stringify(evidence), /IIS/)
  t.match(await check(raw(`${go}${answer.replace('4', 'four')}`)), {
    error: { kind: 'invalid_response', message: 'the response is not valid HTTP' },
  })
})

t.test('a WebSocket is judged by the response after a 100, not by the 100', async (t) => {
  const url = `ws://127.0.0.1:${plain.port}/`
  const refused = raw(`${go}HTTP/1.1 404 Not Found\r\n\r\n`)
  const reading = await check(refused, { checkType: 'websocket', url, expect: {} })
  t.match(reading.error, { kind: 'status', message: /404/ })
})

t.test('text that looks like a 100 in the body stays there', async (t) => {
  const body = `${go}${hints}fine`
  const sized = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const chunked = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`
  const cut: Script = ({ socket }) => {
    socket.write(`${go}HTTP/1.1 200 OK\r\n\r\n`)
    setTimeout(() => socket.end(body), 20)
  }
  const expect = { responseAssertionType: 'equals', responseAssertionValue: body } as const
  for (const script of [raw(sized), raw(go + sized), raw(chunked), cut]) {
    t.match(await check(script, { expect }), { result: 'good' })
  }
})

t.test('nothing but a 100 is no response', async (t) => {
  const short = { timeoutMs: 150 }
  t.match(await check(({ socket }) => socket.write(go), short), {
    error: { kind: 'timeout', phase: 'download' },
  })
  t.match(await check(raw(go)), { error: { kind: 'reset', message: /without a response/ } })
  t.match(await check(raw('HTTP/1.1 10')), { error: { kind: 'reset' } })
  t.match(await check(({ socket }) => socket.write(go, () => socket.resetAndDestroy())), {
    error: { kind: 'reset' },
  })
})

t.test('a flood of them, or an endless one, is aborted', async (t) => {
  const flood = await check(raw(go.repeat(limits.interimResponsesMax + 1) + answer))
  t.match(flood.error, { kind: 'invalid_response', message: /nothing but interim/ })
  const many = await check(raw(go.repeat(limits.interimResponsesMax) + answer))
  t.match(many, { result: 'good' })
  const large = await check(
    raw(`HTTP/1.1 100 Continue\r\n${'a: b\r\n'.repeat(4_000)}\r\n${answer}`),
  )
  t.match(large.error, { kind: 'invalid_response', message: /larger than 16 KiB/ })
})

t.test('the time of the first byte is that of the final response', async (t) => {
  const heard = Promise.withResolvers<void>()
  let isUnderWay = false
  let monoMs = 0
  // The check looks at its clock when a response begins: so it is seen that the 100 was heard.
  const watched: Clock = {
    ...clock,
    monoMs: () => {
      if (isUnderWay) heard.resolve()
      return monoMs
    },
  }
  plain.script = async ({ socket }) => {
    isUnderWay = true
    socket.write(go)
    await heard.promise
    monoMs = 80
    socket.end(answer)
  }
  const target = makeTarget({ url: `${plain.url}/`, ...fine })
  t.match(await probe(target, { clock: watched }), { result: 'good', phases: { firstByte: 80 } })
})

/** What is read of these pieces, how often a response began, and what it was broken off with. */
async function readOf(pieces: readonly Buffer[]) {
  let begun = 0
  const read: Buffer[] = []
  const source = new Readable({ read: () => {} })
  readOverInterims(source, () => {
    begun += 1
  })
  for (const piece of pieces) {
    source.push(piece)
    for (let got = source.read(); got !== null; got = source.read()) read.push(got)
  }
  return { text: Buffer.concat(read).toString('latin1'), begun }
}

t.test('however the packets are cut, the response is complete to the byte', async (t) => {
  const rest = `HTTP/1.1 200 OK\r\n\r\n${go}\0\xff${hints}`
  const whole = Buffer.from(`${goOfIis}\r\n${hints}HTTP/1.0 100\n\n${rest}`, 'latin1')
  const wrong: string[] = []
  for (let first = 0; first <= whole.length; first++) {
    const [head, tail] = [whole.subarray(0, first), whole.subarray(first)]
    for (const pieces of [[head, tail], [...head].map((byte) => Buffer.of(byte)).concat(tail)]) {
      const { text, begun } = await readOf(pieces)
      if (text !== rest || begun !== 4) wrong.push(`${first}: ${begun}, ${text}`)
    }
  }
  t.same(wrong, [])
})

t.test('anything other than an interim response is passed on unchanged', async (t) => {
  const others = [
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'HTTP/1.1 1000 Odd\r\n\r\n',
    'HTTP/1.1 99 No\r\n\r\n',
    'HTTP/2.0 100 Continue\r\n\r\n',
    'http/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1  100 Continue\r\n\r\n',
    'SSH-2.0-OpenSSH_9.2p1\r\n',
    '\0\0\0',
  ]
  for (const other of others) {
    const pieces = [...Buffer.from(other)].map((byte) => Buffer.of(byte))
    const title = JSON.stringify(other)
    t.same(await readOf(pieces), { text: other, begun: 1 }, title)
    t.same(await readOf([Buffer.from(go + other)]), { text: other, begun: 2 }, title)
  }
})
