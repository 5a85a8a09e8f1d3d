// The AMQP probe against a broker that others wrote; skipped where it is not installed.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { amqp, parseAmqpUrl } from '../../../src/probes/brokers/amqp.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithoutRabbitmq, startRabbitmq } from '../../support/servers/rabbitmq.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe } = amqp.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  ca: [testCa],
})
const login = { checkType: 'amqp', username: 'ada', password: 's3cret' } as const
const look = (fields: TargetFields) =>
  probe(makeTarget({ ...login, timeoutMs: 8_000, ...fields }), { clock, keepsAnswer: true })

t.test('an AMQP broker', { skip: skipWithoutRabbitmq }, async (t) => {
  const { port, tlsPort, startWorker } = await startRabbitmq(t)
  const at = (path: string) => `amqp://localhost:${port}${path}`

  await t.test('lets it in, and says what it is', async (t) => {
    const found = await look({ url: at('/shop') })
    t.match(found, { result: 'good' }, `${found.error?.message}`)
    t.match(found.found, { product: 'RabbitMQ', version: /^\d+\.\d+/ })
    const secured = await look({ url: `amqps://localhost:${tlsPort}/shop` })
    t.match(
      secured,
      { result: 'good', certificate: { issuer: /Stillup/ } },
      `${secured.error?.message}`,
    )
  })

  await t.test('tells how full a queue is, and consumes nothing', async (t) => {
    const queue = { url: at('/shop?queue=letters') }
    t.same((await look(queue)).found, { value: 0, messages: 0, consumers: 0 })
    const assertion = {
      source: 'json',
      path: '$.consumers',
      type: 'greaterThan',
      value: '0',
    } as const
    startWorker()
    const letters = await until(async () => {
      const { found } = await look(queue)
      return JSON.stringify(found).includes('"messages":3') && found
    })
    t.same(letters, { value: 3, messages: 3, consumers: 0 })
    t.same((await look(queue)).found, letters, 'nothing was consumed')
    const mails = await look({ username: 'eve', url: at('/shop?queue=mails') })
    t.same(mails.found, { value: 0, messages: 0, consumers: 1 }, 'it needs no rights but to enter')
    const idle = await look({ ...queue, expect: { assertions: [assertion] } })
    t.match(idle.error, { kind: 'assertion', message: /\$\.consumers/ })
  })

  await t.test('says why it refused', async (t) => {
    const why = async (fields: TargetFields) => (await look({ url: at('/shop'), ...fields })).error
    const signIn = { kind: 'status', message: /^the server refused the sign-in \(403\): ACCESS_/ }
    t.match(await why({ password: 'wrong' }), signIn)
    t.match(await why({ username: null, password: null }), signIn)
    t.match(await why({ url: at('') }), { message: /does not permit that .* \(530\): NOT_ALLOWED/ })
    t.match(await why({ url: at('/nowhere') }), { message: /\(530\): .*not found/ })
    t.match(await why({ url: at('/shop?queue=none') }), {
      message: /^the server does not have what was asked for \(404\): NOT_FOUND/,
    })
    const elsewhere = { url: `amqps://elsewhere.test:${tlsPort}/shop` }
    t.match(await why(elsewhere), { kind: 'tls', message: /another host name/ })
    const plain = await why({ url: `amqps://localhost:${port}`, timeoutMs: 2_000 })
    t.match(plain, { kind: /tls|timeout|reset/ })
    const secured = await why({ url: `amqp://localhost:${tlsPort}`, timeoutMs: 2_000 })
    t.match(secured, { kind: /invalid_response|reset/ })
  })

  await t.test('whatever becomes of the conversation', (t) =>
    conversationContract(t, {
      probe,
      clock,
      port,
      target: (port) => ({ ...login, url: `amqp://localhost:${port}/shop?queue=mails` }),
    }),
  )
})

t.test('an address names a virtual host and a queue', (t) => {
  const read = (rest: string) => parseAmqpUrl(`amqp://mq.test${rest}`)
  t.match(read(''), { port: 5_672, isTls: false, vhost: '/', queue: '' })
  t.match(read('/%2F?queue=a%20b'), { vhost: '/', queue: 'a b' })
  t.match(read('/shop'), { vhost: 'shop' })
  t.match(parseAmqpUrl('amqps://mq.test'), { port: 5_671, isTls: true })
  t.match(read('/shop/mails'), { problem: /must end after the name of a virtual host/ })
  t.match(read(`/${'ü'.repeat(200)}`), { problem: /at most 255 bytes/ })
  t.match(read('/shop?exchange=a'), { problem: /no query parameters other than queue/ })
  t.end()
})
