// The MQTT probe against a broker that others wrote; skipped where it is not installed.
import net from 'node:net'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { mqtt, parseMqttUrl } from '../../../src/probes/brokers/mqtt.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithout } from '../../support/programs.ts'
import { startMosquitto } from '../../support/servers/mosquitto.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe } = mqtt.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  ca: [testCa],
})
const login = { checkType: 'mqtt', username: 'ada', password: 's3cret' } as const
const look = (fields: TargetFields) =>
  probe(makeTarget({ ...login, timeoutMs: 8_000, ...fields }), { clock, keepsAnswer: true })
const valueIs = (path: string, type: 'equals' | 'lessThan', value: string) => ({
  assertions: [{ source: 'json', path, type, value } as const],
})

t.test('an MQTT broker', { skip: skipWithout('mosquitto', 'mosquitto_pub') }, async (t) => {
  const { port, tlsPort, openPort, publish } = await startMosquitto(t)
  const at = (path: string) => `mqtt://localhost:${port}${path}`
  const open = (path: string) => ({
    url: `mqtt://localhost:${openPort}${path}`,
    username: null,
    password: null,
  })

  await t.test('lets it in, and answers', async (t) => {
    const found = await look({ url: at('') })
    t.match(found, { result: 'good', found: { version: '5.0' } }, `${found.error?.message}`)
    t.match(await look({ ...open('') }), { result: 'good' })
    const secured = await look({ ...open(''), url: `mqtts://localhost:${tlsPort}` })
    t.match(
      secured,
      { result: 'good', certificate: { issuer: /Stillup/ } },
      `${secured.error?.message}`,
    )
  })

  await t.test('has a message that the broker kept', async (t) => {
    publish('sensors/boiler', '71.5', '-r')
    publish('sensors/tank', '{"litres": 940, "unit": "l"}', '-r', '-q', '1')
    publish('sensors/door', 'open ü', '-r')
    t.same((await look({ url: at('/sensors/boiler') })).found, {
      value: 71.5,
      topic: 'sensors/boiler',
      retained: true,
      qos: 0,
    })
    const tank = { url: at('/sensors/tank'), expect: valueIs('$.value.litres', 'lessThan', '1000') }
    t.match(await look(tank), { result: 'good', found: { qos: 1 } })
    t.match((await look({ url: at('/sensors/door') })).found, { value: 'open ü' })
    const any = await look({
      url: at('/sensors/%23'),
      expect: valueIs('$.value', 'equals', 'open ü'),
    })
    t.match(any, { result: 'good', found: { topic: 'sensors/door' } }, 'one of several meets it')
    const level = await look({ url: at('/+/boiler') })
    t.match(level.found, { topic: 'sensors/boiler' })
    const hot = { url: at('/sensors/boiler'), expect: valueIs('$.value', 'lessThan', '60') }
    const found = await look({ ...hot, timeoutMs: 1_000 })
    t.match(found.error, { kind: 'assertion', message: /\$\.value/ })
    t.match(found.evidence?.body, '71.5', 'the evidence shows the last one')
    const fresh = await look({ url: at('/sensors/boiler?retained=ignore'), timeoutMs: 700 })
    t.match(fresh.error, { kind: 'timeout', message: 'no message came in time' })
  })

  await t.test('has a message that is sent while it waits', async (t) => {
    const waiting = look({ url: at('/sensors/boiler?retained=ignore') })
    const timer = setInterval(() => publish('sensors/boiler', '55'), 300)
    const found = await waiting
    clearInterval(timer)
    t.match(found, { result: 'good', found: { value: 55, retained: false } })
  })

  await t.test('passes a message on', async (t) => {
    publish('jobs/echo', 'from before', '-r')
    const own = await look({ url: at('/jobs/echo'), body: 'hello' })
    t.match(own, { result: 'good', found: { retained: false } }, `${own.error?.message}`)
    t.match(own.found, { value: '••••' }, 'as secret as what other checks send')
    const other = at('/jobs/%23?publish=jobs/other')
    t.match(await look({ url: other, body: 'hello' }), { found: { topic: 'jobs/other' } })
    const alone = await look({ url: at('?publish=jobs/other'), body: 'hello' })
    t.match(alone, { result: 'good', found: { version: '5.0' } }, 'the broker has it')
    const wrong = { url: at('/jobs/echo'), body: 'a', expect: valueIs('$.value', 'equals', 'b') }
    t.match((await look({ ...wrong, timeoutMs: 700 })).error, { kind: 'assertion' })
  })

  await t.test('says why it refused', async (t) => {
    const why = async (fields: TargetFields) =>
      (await look({ url: at('/sensors/boiler'), ...fields })).error
    const signIn = { kind: 'status', message: /^the server refused the sign-in \(0x/ }
    t.match(await why({ password: 'wrong' }), signIn)
    t.match(await why({ username: null, password: null }), signIn)
    const rights = { kind: 'status', message: /does not permit that to this user \(0x87\)/ }
    t.match(await why({ url: at('?publish=sensors/boiler'), body: 'a' }), rights)
    const elsewhere = { ...open(''), url: `mqtts://elsewhere.test:${tlsPort}` }
    t.match(await why(elsewhere), { kind: 'tls', message: /another host name/ })
    const plain = await why({ url: `mqtts://localhost:${port}`, timeoutMs: 2_000 })
    t.match(plain, { kind: /tls|timeout|reset/ })
  })

  await t.test('that knows only version 3.1.1 is asked in that', async (t) => {
    for (const refusal of [Buffer.from('20020001', 'hex'), Buffer.alloc(0)]) {
      const old = await startOldBroker(t, openPort, refusal)
      const found = await look({ ...open('/sensors/boiler'), url: `mqtt://localhost:${old}` })
      t.match(found, { result: 'good', found: { version: '3.1.1' } }, `${found.error?.message}`)
      const kept = await look({ ...open(''), url: `mqtt://localhost:${old}/sensors/boiler` })
      t.match(kept.found, { value: 71.5, retained: true })
      const body = { body: 'hello', ...open(''), url: `mqtt://localhost:${old}/jobs/echo` }
      t.match((await look(body)).result, 'good')
    }
  })

  await t.test('whatever becomes of the conversation', (t) =>
    conversationContract(t, {
      probe,
      clock,
      port,
      target: (port) => ({
        ...login,
        url: `mqtt://localhost:${port}/sensors/tank`,
        expect: valueIs('$.value.litres', 'equals', '940'),
      }),
    }),
  )
})

/** In front of a broker: refuses version 5.0 as older ones do. */
async function startOldBroker(t: Test, to: number, refusal: Buffer): Promise<number> {
  const server = net.createServer((client) => {
    client.on('error', () => {})
    client.once('data', (chunk) => {
      if (chunk[8] === 5) return void client.end(refusal)
      const peer = net.connect(to, '127.0.0.1')
      peer.on('error', () => {})
      peer.write(chunk)
      client.pipe(peer).pipe(client)
    })
  })
  server.unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return (server.address() as net.AddressInfo).port
}

t.test('a broker that floods a check with what it does not wait for', async (t) => {
  const server = net.createServer((client) => {
    client.on('error', () => {})
    client.once('data', () => {
      client.write(Buffer.from('2003000000', 'hex'))
      client.once('data', () => {
        const kept = Buffer.from('3104000161' + '00', 'hex')
        client.write(Buffer.concat(Array.from({ length: 100_000 }, () => kept)))
        client.write(Buffer.from('900400010001', 'hex'))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as net.AddressInfo
  const url = `mqtt://localhost:${port}/a?retained=ignore`
  const found = await look({ url, timeoutMs: 60_000 })
  t.match(found.error, { kind: 'timeout', message: 'no message came in time' })
  t.ok(found.durationMs < 50_000, 'it does not wait for all of it')
})

t.test('an address names what is listened to', (t) => {
  const read = (rest: string) => parseMqttUrl(`mqtt://broker.test${rest}`)
  t.match(read(''), { port: 1_883, isTls: false, topic: '', publish: '', takesRetained: true })
  t.match(parseMqttUrl('mqtts://broker.test/a'), { port: 8_883, isTls: true, topic: 'a' })
  t.match(read('/a%20b/c'), { topic: 'a b/c', publish: 'a b/c' })
  t.match(read('//a'), { topic: '/a' })
  t.match(read('/a/+/%23?publish=b'), { topic: 'a/+/#', publish: 'b' })
  t.match(read('/a?retained=ignore'), { takesRetained: false })
  for (const rest of ['/a+', '/%23/a', '/a%23', '/%ff'])
    t.match(read(rest), { problem: /level each/ })
  t.match(read('/$share/all/jobs'), { problem: /must not share/ })
  t.match(read('/a?publish=b/%23'), { problem: /without \+ and #/ })
  t.match(read('/a?qos=2'), { problem: /no query parameters other than publish, retained/ })
  const problems = (path: string, body: string | null) =>
    mqtt.problems?.({ url: `mqtt://broker.test${path}`, body } as never)
  t.match(problems('', 'hello'), [{ pointer: '/url', message: /must name the topic/ }])
  t.match(problems('/a/+', 'hello'), [{ pointer: '/url' }])
  t.same(problems('/a', 'hello'), [])
  t.same(problems('/a/+', null), [])
  t.end()
})
