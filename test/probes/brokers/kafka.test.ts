// The Kafka probe against clusters that others wrote; skipped where they cannot be built.
import net from 'node:net'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { kafka, parseKafkaUrl } from '../../../src/probes/brokers/kafka.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithoutKafka, startKafka } from '../../support/servers/kafka.ts'

const clock = startClock()
t.after(() => clock.stop())
const deps = { resolver: resolverTo('127.0.0.1'), clock, ca: [testCa] }
const { probe } = kafka.open({ ...deps, guard: createGuard({ targets: 'any' }) })
const look = (fields: TargetFields) =>
  probe(makeTarget({ checkType: 'kafka', timeoutMs: 8_000, ...fields }), {
    clock,
    keepsAnswer: true,
  })

t.test('a Kafka cluster', { skip: skipWithoutKafka() }, async (t) => {
  const { port, userPort, tlsPort } = await startKafka(t)
  const at = (path: string) => `kafka://localhost:${port}${path}`

  await t.test('tells of its topics and replicas', async (t) => {
    const all = await look({ url: at('') })
    t.match(all, { result: 'good' }, `${all.error?.message}`)
    t.match(all.found, { value: 0, brokers: 3, leaderless: 0, underReplicated: 0 })
    const orders = await look({ url: at('/orders') })
    t.match(orders.found, { topics: 1, partitions: 6 })
  })

  await t.test('tells how far a group is behind, whoever leads the partitions', async (t) => {
    const lag = { value: 18, lag: 18, brokers: 3, topics: 1, partitions: 6, leaderless: 0 }
    for (const path of ['/orders?group=shop', '?group=shop']) {
      const found = await look({ url: at(path) })
      t.match(found, { result: 'good', found: lag }, `${path}: ${found.error?.message}`)
    }
    const assertion = { source: 'json', path: '$.lag', type: 'lessThan', value: '10' } as const
    const late = await look({ url: at('?group=shop'), expect: { assertions: [assertion] } })
    t.match(late.error, { kind: 'assertion', message: /\$\.lag/ })
  })

  await t.test('cannot lead a check where it may not go', async (t) => {
    // The broker that is asked is in the internet; it names others on this machine.
    const outside = '127.0.0.9'
    const server = net.createServer((client) => {
      const peer = net.connect(port, '127.0.0.1')
      for (const one of [client, peer]) one.on('error', () => {})
      client.pipe(peer).pipe(client)
    })
    await new Promise<void>((resolve) => server.listen(0, outside, resolve))
    t.teardown(() => server.close())
    const guard = createGuard({ targets: 'public', allow: [outside] })
    const judged = kafka.open({ ...deps, guard, resolver: resolverTo(outside) })
    const url = `kafka://broker.test:${(server.address() as net.AddressInfo).port}/orders`
    const ask = (url: string) => judged.probe(makeTarget({ checkType: 'kafka', url }), { clock })
    t.match(await ask(url), { result: 'good' })
    t.match((await ask(`${url}?group=shop`)).error, {
      kind: 'blocked',
      message: /^the connection leads to .*not allowed/,
    })
  })

  await t.test('signs in by SCRAM and PLAIN', async (t) => {
    const url = `kafka://localhost:${userPort}/orders`
    const ada = { username: 'ada', password: 's3cret' }
    for (const [query, login] of [
      ['', ada],
      ['?sasl=scram-sha-256', { ...ada, username: 'bob' }],
      ['?sasl=plain', { ...ada, username: 'eve' }],
    ] as const) {
      const found = await look({ ...login, url: `${url}${query}` })
      t.match(found, { result: 'good', found: { partitions: 1 } }, `${found.error?.message}`)
    }
    const secured = await look({ ...ada, url: `kafkas://localhost:${tlsPort}/orders` })
    t.match(
      secured,
      { result: 'good', certificate: { issuer: /Stillup/ } },
      `${secured.error?.message}`,
    )
    const why = async (fields: TargetFields) => (await look({ url, ...ada, ...fields })).error
    // Kafka says so (SASL_AUTHENTICATION_FAILED); this one closes the connection.
    const refused = { kind: /status|reset/ }
    t.match(await why({ password: 'wrong' }), refused)
    t.match(await why({ username: 'nobody' }), refused)
    const plain = await why({ url: `${url}?sasl=plain`, username: 'eve', password: 'wrong' })
    t.match(plain, refused)
    t.match(await why({ username: null, password: null }), { kind: /reset|status/ })
    t.match(await why({ url: `kafkas://elsewhere.test:${tlsPort}` }), {
      kind: 'tls',
      message: /another host name/,
    })
    t.match(await why({ url: `kafkas://localhost:${userPort}`, timeoutMs: 2_000 }), {
      kind: /tls|timeout|reset/,
    })
  })

  await t.test('says what is missing', async (t) => {
    const why = async (path: string) => (await look({ url: at(path) })).error
    const missing = /^the server does not have what was asked for/
    t.match(await why('/nothing'), { message: /\(UNKNOWN_TOPIC_OR_PARTITION\)$/ })
    t.match(await why('/nothing'), { message: missing }, 'it was not made by asking for it')
    t.match(await why('?group=typo'), { message: missing })
    t.match(await why('/mails?group=shop'), { message: missing })
  })

  await t.test('whatever becomes of the conversation', (t) =>
    conversationContract(t, {
      probe,
      clock,
      port: userPort,
      target: (port) => ({
        checkType: 'kafka',
        username: 'ada',
        password: 's3cret',
        url: `kafka://localhost:${port}/orders`,
      }),
    }),
  )
})

t.test('an address names a topic and a group', (t) => {
  const read = (rest: string) => parseKafkaUrl(`kafka://broker.test${rest}`)
  t.match(read(''), { port: 9_092, isTls: false, topic: '', group: '', sasl: null })
  t.match(parseKafkaUrl('kafkas://broker.test/a'), { port: 9_093, isTls: true, topic: 'a' })
  t.match(read('/a.b-c_d?group=x%20y&sasl=plain'), {
    topic: 'a.b-c_d',
    group: 'x y',
    sasl: 'plain',
  })
  t.match(read('/a/b'), { problem: /must end after the name of one topic/ })
  t.match(read('/a?sasl=gssapi'), { problem: /must have as sasl one of scram-sha-512/ })
  t.end()
})
