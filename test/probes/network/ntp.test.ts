// The NTP probe against chronyd, and against answers as the RFC has them.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { ntp } from '../../../src/probes/network/ntp.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithout } from '../../support/programs.ts'
import { startChrony } from '../../support/servers/chrony.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe } = ntp.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
})
const look = (fields: TargetFields) =>
  probe(makeTarget({ checkType: 'ntp', timeoutMs: 2_000, ...fields }), { clock, keepsAnswer: true })

t.test('chronyd tells the time', { skip: skipWithout('chronyd') }, async (t) => {
  const server = await startChrony(t, 'local stratum 5')
  const url = `ntp://localhost:${server.port}`
  const reading = await look({ url })
  t.equal(reading.result, 'good', `${reading.error?.message}`)
  t.match(reading.found, { stratum: 5, leap: 'none', reference: '127.127.1.1' })
  const { value, delayMs } = reading.found as { value: number; delayMs: number }
  t.ok(value <= 500, `the same clock, not ${value} ms away`)
  t.ok(delayMs >= 0 && delayMs < 1_000)
  const assertion = { source: 'json', path: '$.stratum', type: 'lessOrEqual', value: '3' } as const
  const far = await look({ url, expect: { assertions: [assertion] } })
  t.match(far.error, { kind: 'assertion', message: /\$\.stratum/ })
  await server.restart('')
  t.match((await look({ url })).error, {
    kind: 'status',
    message: 'the clock of the server is not synchronised',
  })
  await server.stop()
  t.match((await look({ url })).error, { kind: 'connect', message: /^connection refused by/ })
})

/** A server that answers each question with what is made of it. */
async function startAnswers(t: Test, answer: (asked: Buffer) => readonly Buffer[]) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  socket.on('message', (asked, { port, address }) => {
    for (const bytes of answer(asked)) socket.send(bytes, port, address)
  })
  return `ntp://127.0.0.1:${socket.address().port}`
}

/** Leap 0, version 4, mode 4; stratum 1 of a GPS clock; the time is that of the answer. */
function answerTo(asked: Buffer, aheadMs: number): Buffer {
  const bytes = Buffer.alloc(48)
  bytes.write('24010000', 'hex')
  bytes.writeUInt32BE(2 ** 15, 8)
  bytes.write('GPS\0', 12, 'latin1')
  asked.copy(bytes, 24, 40, 48)
  const seconds = (clock.wallMs() + aheadMs) / 1_000 + 2_208_988_800
  for (const at of [32, 40]) {
    bytes.writeUInt32BE(Math.floor(seconds) % 2 ** 32, at)
    bytes.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), at + 4)
  }
  return bytes
}

t.test('an offset has a sign, and its size is the value', async (t) => {
  for (const aheadMs of [90_000, -90_000, 20 * 365.25 * 86_400_000]) {
    const url = await startAnswers(t, (asked) => [answerTo(asked, aheadMs)])
    const { found } = await look({ url })
    t.match(found, { stratum: 1, reference: 'GPS', rootDispersionMs: 500 })
    const { value, offsetMs } = found as { value: number; offsetMs: number }
    t.ok(Math.abs(offsetMs - aheadMs) < 500, `${offsetMs} for ${aheadMs}`)
    t.equal(value, Math.abs(offsetMs))
  }
})

t.test('a server that does not want to be asked says so', async (t) => {
  const url = await startAnswers(t, (asked) => {
    const bytes = answerTo(asked, 0)
    bytes[1] = 0
    bytes.write('RATE', 12, 'latin1')
    return [bytes]
  })
  const { error } = await look({ url })
  t.match(error, { kind: 'status', message: 'the server answered with an error (RATE)' })
})

t.test('only an answer to the question counts', async (t) => {
  const url = await startAnswers(t, (asked) => {
    const forged = answerTo(asked, 90_000)
    forged[24] = (forged[24] ?? 0) ^ 1
    return [Buffer.alloc(0), Buffer.from('junk'), asked, forged, answerTo(asked, 0)]
  })
  const { found } = await look({ url })
  t.ok((found as { value: number }).value < 500)
})

t.test('a lost packet is sent again, and silence ends in time', async (t) => {
  let count = 0
  const url = await startAnswers(t, (asked) => (++count === 1 ? [] : [answerTo(asked, 0)]))
  t.equal((await look({ url, timeoutMs: 3_000 })).result, 'good')
  const silent = await startAnswers(t, () => [])
  t.match((await look({ url: silent, timeoutMs: 500 })).error, { kind: 'timeout' })
})
