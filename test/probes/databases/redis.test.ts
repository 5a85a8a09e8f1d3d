// The Redis probe against a server that others wrote; skipped where it is not installed.
import net from 'node:net'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { redis } from '../../../src/probes/databases/redis.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithout } from '../../support/programs.ts'
import { startRedis } from '../../support/servers/redis.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe } = redis.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  ca: [testCa],
})
const login = { checkType: 'redis', password: 's3cret' } as const
const look = (fields: TargetFields) =>
  probe(makeTarget({ ...login, timeoutMs: 8_000, ...fields }), { clock, keepsAnswer: true })

t.test('a Redis server', { skip: skipWithout('redis-server') }, async (t) => {
  const { port, tlsPort } = await startRedis(t)
  const url = `redis://localhost:${port}`

  await t.test('is asked what it is told to', async (t) => {
    const found = async (fields: TargetFields) => {
      const reading = await look({ url, ...fields })
      t.equal(reading.result, 'good', `${reading.error?.message}`)
      return reading.found
    }
    t.same(await found({}), { value: 'PONG' })
    t.same(await found({ username: 'ada', password: 'l0velace' }), { value: 'PONG' })
    t.same(await found({ url: `${url}/3`, body: 'DBSIZE' }), { value: 0 })
    t.same(await found({ body: 'get "no such \\"key\\""' }), { value: null })
    t.same(await found({ body: 'ECHO "two words"' }), { value: 'two words' })
    t.same(await found({ body: 'LRANGE jobs 0 -1' }), { value: [] })
    t.match(await found({ body: 'INFO server' }), {
      info: { redis_mode: 'standalone', tcp_port: port },
    })
    const secured = await look({ url: `rediss://localhost:${tlsPort}` })
    t.match(
      secured,
      { result: 'good', certificate: { issuer: /Stillup/ } },
      `${secured.error?.message}`,
    )
  })

  await t.test('says why it refused', async (t) => {
    const why = async (fields: TargetFields) => (await look({ url, ...fields })).error
    t.match(await why({ password: null }), {
      kind: 'status',
      message: /^the server refused the sign-in \(NOAUTH\)/,
    })
    t.match(await why({ password: 'wrong' }), {
      kind: 'status',
      message: /refused .*\(WRONGPASS\)/,
    })
    const forbidden = await why({ username: 'ada', password: 'l0velace', body: 'INFO' })
    t.match(forbidden, { message: /\(NOPERM\)/ })
    t.match(await why({ body: 'LLEN' }), {
      message: /answered with an error \(ERR\): .*wrong number/,
    })
    t.match(await why({ url: `rediss://localhost:${port}`, timeoutMs: 2_000 }), {
      kind: /tls|timeout/,
    })
    t.match(await why({ url: `rediss://elsewhere.test:${tlsPort}` }), {
      kind: 'tls',
      message: /another host/,
    })
  })

  await t.test('whatever becomes of the conversation', (t) =>
    conversationContract(t, {
      probe,
      clock,
      port,
      target: (port) => ({ ...login, url: `redis://localhost:${port}/1`, body: 'INFO' }),
    }),
  )
})

t.test('a command that could change something is refused when it is set', (t) => {
  const problem = (body: string) => redis.bodyProblem?.(body) ?? null
  for (const body of [
    'GET a',
    'get a',
    'CLUSTER INFO',
    'xinfo groups jobs',
    'SENTINEL MASTERS',
    ' ',
  ]) {
    t.equal(problem(body), null, body)
  }
  for (const body of [
    'SET a b',
    'FLUSHALL',
    'CONFIG SET dir /',
    'EVAL "x" 0',
    'XINFO HELP',
    'CLUSTER RESET',
    'BLPOP a 0',
  ]) {
    t.match(problem(body), /^must be a command that only reads: one of PING/, body)
  }
  t.match(problem('GET "a'), /^must have words apart/)
  t.end()
})

t.test(
  'a server that announces long lists within lists ends the check, and nothing else',
  async (t) => {
    for (const announced of ['*33554432\r\n', '*9999\r\n', '*1\r\n']) {
      const server = net.createServer((socket) => {
        socket.on('error', () => {})
        socket.write(announced.repeat(20_000))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      t.teardown(() => server.close())
      const { port } = server.address() as net.AddressInfo
      const before = process.memoryUsage().heapTotal
      const found = await look({
        url: `redis://localhost:${port}`,
        password: null,
        timeoutMs: 1_500,
      })
      t.equal(found.result, 'failed', `${found.error?.message}`)
      t.ok(process.memoryUsage().heapTotal - before < 100e6, 'without much memory')
    }
  },
)
