// The UDP probe: against a name server that others wrote, and against sockets of this test.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { udp } from '../../../src/probes/network/udp.ts'
import { prepareDnsmasq } from '../../support/child-peer.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithout } from '../../support/programs.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe, destination } = udp.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
})
const look = (fields: TargetFields) =>
  probe(makeTarget({ checkType: 'udp', timeoutMs: 2_000, ...fields }), { clock, keepsAnswer: true })
const contains = (value: string) =>
  ({ assertions: [{ source: 'body', path: null, type: 'contains', value }] }) as const

t.test(
  'a name server answers the bytes of a question',
  { skip: skipWithout('dnsmasq') },
  async (t) => {
    const server = await prepareDnsmasq(t)
    await server.start(['--txt-record=hello.test,it works'])
    const body =
      '\\x12\\x34\\x01\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x05hello\\x04test\\x00\\x00\\x10\\x00\\x01'
    const url = `udp://${server.server}`
    t.equal((await look({ url, body, expect: contains('it works') })).result, 'good')
    const { error } = await look({ url, body, timeoutMs: 600, expect: contains('it fails') })
    t.match(error, { kind: 'assertion' }, 'what came is judged shortly before the deadline')
  },
)

/** A socket that answers each datagram with those. */
async function startEcho(t: Test, answer: (asked: Buffer) => readonly (string | Buffer)[]) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  const asked: string[] = []
  socket.on('message', (bytes, { port, address }) => {
    asked.push(bytes.toString())
    for (const one of answer(bytes)) socket.send(one, port, address)
  })
  return { url: `udp://localhost:${socket.address().port}`, asked }
}

t.test('any answer is good where nothing is expected, also to nothing', async (t) => {
  const { url, asked } = await startEcho(t, () => ['hello'])
  const reading = await look({ url })
  t.match(reading, { result: 'good', found: 'hello', address: '127.0.0.1' })
  t.same(asked, [''])
})

t.test('the first answer that meets the expectations ends the check', async (t) => {
  const { url } = await startEcho(t, (bytes) => ['wait', 'wait', `${bytes}: ready`])
  const reading = await look({ url, body: 'a\\tb', expect: contains('ready') })
  t.match(reading, { result: 'good', found: /ready$/ })
})

t.test('nobody at the port, and nobody who answers, are down', async (t) => {
  const port = await freePort()
  const refused = await look({ url: `udp://localhost:${port}` })
  t.match(refused.error, {
    kind: 'connect',
    message: `connection refused by 127.0.0.1:${port}`,
  })
  const { url, asked } = await startEcho(t, () => [])
  t.match((await look({ url, timeoutMs: 1_500 })).error, { kind: 'timeout', message: /1500 ms/ })
  t.equal(asked.length, 1, 'it is not asked twice')
})

t.test('a flood ends the check', async (t) => {
  const { url } = await startEcho(t, () => Array.from({ length: 99 }, () => Buffer.alloc(60_000)))
  const { error } = await look({ url, expect: contains('ready') })
  t.match(error?.kind, /^(body_too_large|assertion)$/)
})

t.test('an answer of somebody else is not heard', async (t) => {
  const other = createSocket('udp4').bind(0, '127.0.0.1')
  t.teardown(() => other.close())
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  t.teardown(() => socket.close())
  await once(socket, 'listening')
  socket.on('message', (_, { port }) => other.send('forged', port, '127.0.0.1'))
  const url = `udp://localhost:${socket.address().port}`
  t.match((await look({ url, timeoutMs: 300 })).error, { kind: 'timeout' })
})

t.test('its address has a port', (t) => {
  t.match(destination('udp://host'), { problem: 'must name a port, such as udp://host:27015' })
  t.match(destination('udp://host:1?x=1'), { problem: 'must not have a query' })
  t.same(destination('udp://host:161'), { host: 'host', port: 161 })
  t.end()
})
