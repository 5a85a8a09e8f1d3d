// The PostgreSQL probe against a server that others wrote; skipped where it is not installed.
import net from 'node:net'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { postgres } from '../../../src/probes/databases/postgres.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithoutPostgres, startPostgres } from '../../support/servers/postgres.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe } = postgres.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  ca: [testCa],
})
const login = { checkType: 'postgres', username: 'ada', password: 's3cret' } as const
const look = (fields: TargetFields) =>
  probe(makeTarget({ ...login, timeoutMs: 8_000, ...fields }), { clock, keepsAnswer: true })

t.test('a PostgreSQL server', { skip: skipWithoutPostgres }, async (t) => {
  const server = await startPostgres(t)
  const url = `postgres://localhost:${server.port}/shop`
  server.sql('CREATE TABLE jobs (id int, note text)')
  server.sql("INSERT INTO jobs VALUES (1, 'a'), (2, null)")
  server.sql('GRANT SELECT ON jobs TO ada')

  await t.test('signs in over TLS, and tells its version', async (t) => {
    const found = await look({ url })
    t.match(
      found,
      { result: 'good', certificate: { issuer: /Stillup/ } },
      `${found.error?.message}`,
    )
    t.match(found.found, { version: /^\d+/ })
    t.same(Object.keys(found.phases ?? {}).toSorted(), [
      'connect',
      'dns',
      'download',
      'firstByte',
      'tls',
    ])
    const plain = await look({ url: `${url}?tls=off` })
    t.match(plain, { result: 'good', certificate: undefined }, `${plain.error?.message}`)
  })

  await t.test('answers a query in JSON, which assertions examine', async (t) => {
    const body =
      "SELECT 7 AS n, 12345678901234567890.5 AS big, true AS ok, null AS none, 'ä' AS word, " +
      `'{"a":[1]}'::jsonb AS doc, 9007199254740993 AS long`
    const found = await look({ url, body })
    t.same(found.found, {
      value: 7,
      rowCount: 1,
      rows: [
        {
          n: 7,
          big: '12345678901234567890.5',
          ok: true,
          none: null,
          word: 'ä',
          doc: { a: [1] },
          long: '9007199254740993',
        },
      ],
    })
    const jobs = {
      url: `postgres://localhost:${server.port}/postgres`,
      body: 'SELECT id FROM jobs',
    }
    const assertion = { source: 'json', path: '$.rowCount', type: 'lessThan', value: '2' } as const
    const many = await look({ ...jobs, expect: { assertions: [assertion] } })
    t.match(many.error, { kind: 'assertion', message: /\$\.rowCount/ })
    t.match(many.evidence?.body, '"rowCount":2', 'the evidence shows what was found')
    const several = await look({ url, body: 'SELECT 1; SELECT 2 AS two' })
    t.match(several.found, { value: 2 })
    const none = await look({ url, body: 'SELECT 1 WHERE false' })
    t.same(none.found, { value: null, rowCount: 0, rows: [] })
    const rows = await look({ url, body: 'SELECT * FROM generate_series(1, 500)' })
    t.match(rows.found, { rowCount: 500, value: 1 })
  })

  await t.test('says why it refused', async (t) => {
    const why = async (fields: TargetFields) => (await look({ url, ...fields })).error
    const wrong = await why({ password: 'wrong' })
    t.match(wrong, { kind: 'status', message: /^the server refused the sign-in \(28P01\): / })
    t.match(await why({ password: null }), { message: 'the server asks for a password' })
    t.match(await why({ username: 'bob' }), { kind: 'status', message: /28P01/ })
    const missing = await why({ url: `postgres://localhost:${server.port}/nowhere` })
    t.match(missing, { message: /\(3D000\): database "nowhere"/ })
    t.match(await why({ body: 'SELECT * FROM nothing' }), {
      message: /answered with an error \(42P01\)/,
    })
    t.match(await why({ body: 'DROP DATABASE postgres' }), { message: /\(42501\)/ })
    t.match(await why({ url: `postgres://127.0.0.2:${server.port}/shop?tls=off` }), {
      kind: 'connect',
    })
  })

  await t.test('is judged by its certificate', async (t) => {
    const other = `postgres://elsewhere.test:${server.port}/shop`
    t.match((await look({ url: other })).error, { kind: 'tls', message: /another host name/ })
    t.equal((await look({ url: other, ignoreTlsErrors: true })).result, 'good')
  })

  await t.test('is not left with a query that takes too long', async (t) => {
    const found = await look({ url, body: 'SELECT pg_sleep(60)', timeoutMs: 1_000 })
    t.match(found.error, { kind: 'timeout' })
    const running =
      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()"
    t.ok(await until(() => server.sql(running).trim() === '0'), 'the server stopped it')
  })

  await t.test('ends an answer that is too long', async (t) => {
    const found = await look({ url, body: "SELECT repeat('x', 5000000)" })
    t.match(found.error, { kind: 'body_too_large' })
  })

  await t.test('whatever becomes of the conversation', (t) =>
    conversationContract(t, {
      probe,
      clock,
      port: server.port,
      target: (port) => ({
        ...login,
        url: `postgres://localhost:${port}/shop?tls=off`,
        body: 'SELECT 1',
      }),
    }),
  )
})

t.test('a PostgreSQL server without TLS', { skip: skipWithoutPostgres }, async (t) => {
  const server = await startPostgres(t, { tls: false })
  const url = `postgres://localhost:${server.port}/shop`
  t.equal((await look({ url })).result, 'good', 'TLS is used if it is offered')
  const found = await look({ url: `${url}?tls=required` })
  t.match(found.error, { kind: 'tls', message: 'the server does not offer TLS' })
})

t.test('a password in clear text goes to no server without TLS', async (t) => {
  let told = ''
  // It has no TLS, and asks for the password in clear text.
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('N')
      socket.once('data', () => {
        socket.write(Buffer.from('520000000800000003', 'hex'))
        socket.on('data', (chunk) => (told += chunk.toString('latin1')))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as net.AddressInfo
  const found = await look({ url: `postgres://localhost:${port}/shop` })
  t.match(found.error, { kind: 'tls', message: 'the server does not offer TLS' })
  t.equal(told, '')
})
