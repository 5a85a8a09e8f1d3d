// The MySQL probe against servers that others wrote, MariaDB and go-mysql; skipped where they are missing.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { mysql } from '../../../src/probes/databases/mysql.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithoutMariadb, startMariadb } from '../../support/servers/mariadb.ts'
import { skipWithoutMysqlMethods, startMysqlMethods } from '../../support/servers/mysql-methods.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe } = mysql.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  ca: [testCa],
})
const login = { checkType: 'mysql', username: 'ada', password: 's3cret' } as const
const look = (fields: TargetFields) =>
  probe(makeTarget({ ...login, timeoutMs: 8_000, ...fields }), { clock, keepsAnswer: true })

t.test('a MariaDB server', { skip: skipWithoutMariadb }, async (t) => {
  const server = await startMariadb(t)
  const url = `mysql://localhost:${server.port}/shop`
  server.sql('CREATE TABLE shop.jobs (id int, note text)')
  server.sql("INSERT INTO shop.jobs VALUES (1, 'a'), (2, null)")

  await t.test('signs in over TLS, and tells its version', async (t) => {
    const found = await look({ url: url.replace('mysql', 'mariadb') })
    t.match(
      found,
      { result: 'good', certificate: { issuer: /Stillup/ } },
      `${found.error?.message}`,
    )
    t.match(found.found, { version: /^1\d\.\d+.*MariaDB/ })
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
      "SELECT 7 AS n, 12345678901234567890.5 AS big, 1.5e0 AS half, null AS none, 'ä?' AS word, " +
      `JSON_EXTRACT('{"a":[1]}', '$') AS doc, 9007199254740993 AS \`long\`, DATE '2026-11-30' AS day`
    const found = await look({ url, body })
    t.same(
      found.found,
      {
        value: 7,
        rowCount: 1,
        rows: [
          {
            n: 7,
            big: '12345678901234567890.5',
            half: 1.5,
            none: null,
            word: 'ä?',
            doc: { a: [1] },
            long: '9007199254740993',
            day: '2026-11-30',
          },
        ],
      },
      `${found.error?.message}`,
    )
    const assertion = { source: 'json', path: '$.rowCount', type: 'lessThan', value: '2' } as const
    const jobs = await look({
      url,
      body: 'SELECT * FROM jobs',
      expect: { assertions: [assertion] },
    })
    t.match(jobs.error, { kind: 'assertion', message: /\$\.rowCount/ })
    t.match(jobs.evidence?.body, '"rowCount":2', 'the evidence shows what was found')
    const changed = await look({ url, body: "UPDATE jobs SET note = 'b'" })
    t.match(changed.found, { value: null, rowCount: 2, rows: [] })
    const two = 'BEGIN SELECT 1; SELECT 2 AS two, 3; END'
    server.sql(`DELIMITER //\nCREATE PROCEDURE shop.two() ${two} //`)
    t.match((await look({ url, body: 'CALL two()' })).found, { value: 2, rowCount: 1 })
    const none = await look({ url, body: 'SELECT 1 FROM jobs WHERE false' })
    t.same(none.found, { value: null, rowCount: 0, rows: [] })
    const rows = await look({ url, body: 'SELECT seq FROM seq_1_to_500' })
    t.match(rows.found, { rowCount: 500, value: 1 })
    t.notMatch(server.log(), /Aborted/, 'every check says goodbye')
  })

  await t.test('says why it refused', async (t) => {
    const why = async (fields: TargetFields) => (await look({ url, ...fields })).error
    const wrong = await why({ password: 'wrong' })
    t.match(wrong, { kind: 'status', message: /^the server refused the sign-in \(1045\): / })
    t.match(await why({ password: null }), { kind: 'status', message: /\(1045\)/ })
    t.match(await why({ url: `mysql://localhost:${server.port}/nowhere` }), {
      message: /^the server does not (permit|have) .*\((1044|1049)\)/,
    })
    t.match(await why({ body: 'SELECT * FROM nothing' }), {
      message: /answered with an error \(1146\)/,
    })
    t.match(await why({ body: 'DROP DATABASE mysql' }), { message: /does not permit .*\(1044\)/ })
    t.match(await why({ body: 'SELECT 1; SELECT 2' }), { message: /error \(1064\)/ })
    t.match(await why({ body: "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE jobs" }), {
      message: /error \((1148|4166)\)/,
    })
    server.sql("INSTALL SONAME 'auth_ed25519'")
    server.sql("CREATE USER eve IDENTIFIED VIA ed25519 USING PASSWORD('s3cret')")
    t.match(await why({ username: 'eve' }), {
      message: 'the server refused the sign-in: It asks for client_ed25519.',
    })
  })

  await t.test('is judged by its certificate', async (t) => {
    const other = `mysql://elsewhere.test:${server.port}/shop`
    t.match((await look({ url: other })).error, { kind: 'tls', message: /another host name/ })
    t.equal((await look({ url: other, ignoreTlsErrors: true })).result, 'good')
  })

  await t.test('is not left with a query that takes too long', async (t) => {
    const found = await look({ url, body: 'SELECT SLEEP(60) FROM jobs', timeoutMs: 1_000 })
    t.match(found.error, { kind: 'timeout', message: /cancelled/ })
    const running =
      "SELECT count(*) FROM information_schema.processlist WHERE info LIKE '%SLEEP(60)%'"
    t.ok(await until(() => server.sql(`${running} AND id <> connection_id()`).trim() === '0'))
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
        url: `mysql://localhost:${port}/shop?tls=off`,
        body: 'SELECT 1',
      }),
    }),
  )

  await t.test('that does not offer TLS is good unless TLS is required', async (t) => {
    await server.withoutTls()
    const plain = await look({ url })
    t.match(plain, { result: 'good', certificate: undefined }, `${plain.error?.message}`)
    const found = await look({ url: `${url}?tls=required` })
    t.match(found.error, { kind: 'tls', message: 'the server does not offer TLS' })
  })
})

t.test('the methods of MySQL 8 to sign in', { skip: skipWithoutMysqlMethods() }, async (t) => {
  for (const [method, port] of await startMysqlMethods(t)) {
    const url = `mysql://localhost:${port}/shop`
    const ask = (fields: TargetFields) =>
      look({ url, body: 'SELECT n', ignoreTlsErrors: true, ...fields })
    // What a server does not know of the password it learns at the first sign-in.
    for (const turn of ['first', 'second']) {
      const found = await ask({})
      t.match(found, { result: 'good', found: { value: 7 } }, `${method}, ${turn}`)
      t.ok(found.certificate, `${method}, ${turn}: over TLS`)
    }
    const wrong = await ask({ password: 'wrong' })
    t.match(wrong.error, { kind: 'status', message: /refused the sign-in/ }, method)
    const plain = await ask({ url: `${url}?tls=off` })
    t.match(plain, { result: 'good', certificate: undefined }, `${method}, without TLS`)
  }
})
