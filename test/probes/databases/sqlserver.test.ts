// The SQL Server probe against what a server said that others wrote, Babelfish; or against a server that is named
// by STILLUP_TEST_SQLSERVER.
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { sqlserver } from '../../../src/probes/databases/sqlserver.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { startTds } from '../../support/servers/tds.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe, destination } = sqlserver.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  ca: [testCa],
})
const login = { checkType: 'sqlserver', username: 'ada', password: 's3cret' } as const
const look = (fields: TargetFields) =>
  probe(makeTarget({ ...login, timeoutMs: 8_000, ...fields }), { clock, keepsAnswer: true })

const server = await startTds(t)
const url = `sqlserver://localhost:${server.port}`

t.test('signs in over TLS, and tells the version of the server', async (t) => {
  const found = await look({ url })
  t.match(found, { result: 'good', certificate: { issuer: /Stillup/ } }, `${found.error?.message}`)
  t.match(found.found, { version: /^\d+\.\d+\.\d+$/ })
  t.same(Object.keys(found.phases ?? {}).toSorted(), [
    'connect',
    'dns',
    'download',
    'firstByte',
    'tls',
  ])
  for (const option of ['tls=required', 'tls=strict']) {
    const secured = await look({ url: `${url.replace('sqlserver', 'mssql')}?${option}` })
    t.match(secured, { result: 'good', certificate: { issuer: /Stillup/ } }, option)
  }
  const plain = await look({ url: `${url}?tls=off` })
  t.match(plain, { result: 'good', certificate: undefined }, `${plain.error?.message}`)
  t.match(await look({ url: `${url}/master` }), { result: 'good' })
})

t.test('answers a query in JSON, which assertions examine', async (t) => {
  const body = [
    'SELECT 7 AS n, CAST(9007199254740993 AS bigint) AS long, CAST(5 AS bigint) AS short',
    'CAST(1.5 AS float) AS half, CAST(12.34 AS decimal(10,2)) AS exact, CAST(3.5 AS money) AS price',
    "NULL AS none, N'ä?' AS word, CAST(N'ä' AS varchar(10)) AS narrow, CAST('x' AS nvarchar(max)) AS doc",
    "CAST('2026-11-30' AS date) AS day, CAST('2026-11-30T10:00:00' AS datetime) AS at",
    "CAST('2026-11-30T10:00:00+02:00' AS datetimeoffset) AS zoned, CAST('10:11:12' AS time) AS time",
    'CAST(1 AS bit) AS yes, 0xCAFE AS bytes',
  ].join(', ')
  const found = await look({ url, body })
  t.same(
    found.found,
    {
      value: 7,
      rowCount: 1,
      rows: [
        {
          n: 7,
          long: '9007199254740993',
          short: 5,
          half: 1.5,
          exact: 12.34,
          price: 3.5,
          none: null,
          word: 'ä?',
          narrow: 'ä',
          doc: 'x',
          day: '2026-11-30',
          at: '2026-11-30T10:00:00.000',
          zoned: '2026-11-30T08:00:00.000Z',
          time: '10:11:12.000',
          yes: true,
          bytes: '0xCAFE',
        },
      ],
    },
    `${found.error?.message}`,
  )
  const assertion = { source: 'json', path: '$.rowCount', type: 'lessThan', value: '2' } as const
  const rows = "SELECT id, note FROM (VALUES (1, 'a'), (2, NULL)) AS jobs (id, note)"
  const jobs = await look({ url, body: rows, expect: { assertions: [assertion] } })
  t.match(jobs.error, { kind: 'assertion', message: /\$\.rowCount/ })
  t.match(jobs.evidence?.body, '"rowCount":2', 'the evidence shows what was found')
  const none = await look({ url, body: 'SELECT 1 WHERE 1 = 0' })
  t.same(none.found, { value: null, rowCount: 0, rows: [] })
  const many = await look({ url, body: 'SELECT TOP 500 object_id FROM sys.all_objects' })
  t.match(many.found, { rowCount: 500 })
  t.equal((many.found as { rows: unknown[] } | undefined)?.rows.length, 100)
  const two = await look({ url, body: 'SELECT 1 AS one; SELECT 2 AS two, 3 AS three' })
  t.match(two.found, { value: 2, rowCount: 1, rows: [{ two: 2, three: 3 }] })
  const changed = 'CREATE TABLE #jobs (id int); INSERT INTO #jobs VALUES (1), (2), (3)'
  t.same((await look({ url, body: changed })).found, { value: null, rowCount: 3, rows: [] })
})

t.test('says why the server refused', async (t) => {
  const why = async (fields: TargetFields) => (await look({ url, ...fields })).error
  const wrong = await why({ password: 'wrong' })
  t.match(wrong, { kind: 'status', message: /^the server refused the sign-in \(18456\): / })
  t.match(await why({ url: `${url}/nowhere` }), {
    message: /^the server does not have what was asked for \((911|4060)\)/,
  })
  t.match(await why({ body: 'SELECT * FROM nothing' }), {
    message: /answered with an error \(\d+\): .*nothing/,
  })
  t.match(await why({ body: 'SELECT 1/0' }), { message: /error \(8134\): /i })
  const unoffered = await startTds(t, { tls: 'none' })
  t.match(await why({ url: `sqlserver://localhost:${unoffered.port}` }), {
    kind: 'tls',
    message: 'the server does not offer TLS',
  })
  t.same(unoffered.asked, ['prelogin'], 'and gets no password')
  const required = await startTds(t, { tls: 'required' })
  t.match(await why({ url: `sqlserver://localhost:${required.port}?tls=off` }), {
    kind: 'tls',
    message: 'the server requires TLS',
  })
  t.same(required.asked, ['prelogin'])
})

t.test('is judged by its certificate', async (t) => {
  for (const option of ['', '?tls=strict']) {
    const other = `sqlserver://elsewhere.test:${server.port}${option}`
    t.match((await look({ url: other })).error, { kind: 'tls', message: /another host name/ })
    t.equal((await look({ url: other, ignoreTlsErrors: true })).result, 'good')
  }
})

t.test('is told to stop a query that takes too long', async (t) => {
  const endless = 'SELECT count(*) FROM sys.all_objects a, sys.all_objects b, sys.all_objects c'
  const found = await look({ url, body: endless, timeoutMs: 1_000 })
  t.match(found.error, { kind: 'timeout', message: /cancelled/ })
  t.ok(await until(() => server.asked.includes('attention')))
})

t.test('is followed to where it sends the client, if that is permitted', async (t) => {
  const sender = await startTds(t, { routeTo: { host: 'localhost', port: server.port } })
  const from = `sqlserver://localhost:${sender.port}`
  t.match(await look({ url: from, body: 'SELECT 1/0' }), { error: { message: /8134/ } })
  t.notOk(sender.asked.includes('SELECT 1/0'), 'the query goes to the other one')
  const plain = await look({ url: `${from}?tls=off` })
  t.match(plain.error, {
    kind: 'status',
    message: `the server sends clients to another one: sqlserver://localhost:${server.port}`,
  })
  const inner = await startTds(t, { routeTo: { host: '10.0.0.1', port: server.port } })
  const guarded = sqlserver.open({
    guard: createGuard({ targets: 'public', allow: ['127.0.0.0/8'] }),
    resolver: resolverTo('127.0.0.1'),
    clock,
    ca: [testCa],
  })
  const target = makeTarget({ ...login, url: `sqlserver://localhost:${inner.port}` })
  t.match((await guarded.probe(target, { clock })).error, { kind: 'blocked' })
  const route = { host: 'localhost', port: 0 }
  const circle = await startTds(t, { routeTo: route })
  route.port = circle.port
  const inCircle = { url: `sqlserver://localhost:${circle.port}` }
  t.match((await look(inCircle)).error, { kind: 'status', message: /sends clients to another one/ })
  t.equal(circle.asked.filter((name) => name.startsWith('login')).length, 4, 'no more than 3 times')
  route.host = 'a b/\\c'
  t.match((await look(inCircle)).error, { kind: 'status', message: /sends clients to another one/ })
  route.host = 'a\u202e\n\tb'
  t.match((await look(inCircle)).error, {
    message: `the server sends clients to another one: sqlserver://a b:${circle.port}`,
  })
})

/** Tokens as a server may write them, 2.2.7: each of what it has, with their length before it. */
const uint16 = (value: number) => Buffer.from([value & 0xff, value >> 8])
const word = (text: string) =>
  Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'utf16le')])
const columns = (names: readonly string[], type: readonly number[]) => {
  const each = names.map((name) => Buffer.concat([Buffer.alloc(6), Buffer.from(type), word(name)]))
  return Buffer.concat([Buffer.from([0x81]), uint16(names.length), ...each])
}
const row = (hex: string) => Buffer.from(`d1${hex}`, 'hex')
const emptyRows = (count: number) => Buffer.alloc(count, row(''))
const change = (type: number, values: Buffer) =>
  Buffer.concat([Buffer.from([0xe3]), uint16(values.length + 1), Buffer.from([type]), values])
const acknowledged = Buffer.from('ad0a00017400000400100001c6', 'hex')
const done = Buffer.from('fd000000000000000000000000', 'hex')
/** The types of columns: null alone, which has no bytes in a row, a whole number, and a date with a time. */
const types = { none: [0x1f], int: [0x38], datetime: [0x3d] } as const

const saying = async (t: Test, said: { login?: Buffer[]; query?: Buffer[] }) => {
  const { login = [], query = [] } = said
  const { port } = await startTds(t, {
    says: {
      login: Buffer.concat([acknowledged, ...login, done]),
      'SELECT 1': Buffer.concat([...query, done]),
    },
  })
  return look({ url: `sqlserver://localhost:${port}?tls=off`, body: 'SELECT 1' })
}

t.test('reads no more of an answer than a server has reason to send', async (t) => {
  const most = (text: string) => ({
    kind: 'body_too_large',
    message: `the server sent more than a check reads (${text})`,
  })
  const names = (count: number, length = 0) =>
    Array.from({ length: count }, (_, i) => i.toString(36).padStart(length, 'x'))
  const none = Array.from({ length: 200 }, () => '')
  const bomb = [columns(none, types.none), emptyRows(900_000)]
  t.match((await saying(t, { query: bomb })).error, most('250,000 values'))
  t.match((await saying(t, { query: [columns([], types.none), emptyRows(900_000)] })).error, {
    ...most('250,000 values'),
  })
  t.match((await saying(t, { login: bomb })).error, { kind: 'invalid_response' }, 'a sign-in')
  const wide = [columns(names(50_000), types.none), emptyRows(100)]
  t.match((await saying(t, { query: wide })).error, most('4,096 columns'))
  const long = [columns(names(1_800, 250), types.none), emptyRows(100)]
  t.match((await saying(t, { query: long })).error, most('2 MiB of JSON'))
  const usual = [columns(names(9), types.none), emptyRows(1_000)]
  t.match((await saying(t, { query: usual })).found, { rowCount: 1_000 })
})

t.test('leaves to other work its turns while it reads', async (t) => {
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const rowCount = 240_000
  const found = await saying(t, { query: [columns(['n'], types.none), emptyRows(rowCount)] })
  clearImmediate(next)
  t.match(found.found, { rowCount })
  t.ok(turns > 5, `${turns} turns`)
})

t.test('writes nothing on the console, whatever setting a server changes', async (t) => {
  const printed = t.capture(console, 'error')
  const others = [17, 99].map((type) => change(type, Buffer.alloc(3)))
  const query = [columns(['n'], types.int), row('07000000')]
  t.match((await saying(t, { login: others, query: [...others, ...query] })).found, { value: 7 })
  const emptyChange = Buffer.from('e30000', 'hex')
  t.match((await saying(t, { login: [emptyChange] })).error, { kind: 'invalid_response' })
  t.same(printed(), [])
})

t.test('asks in packets of the usual size if the server tells a size that is none', async (t) => {
  for (const size of ['abc', '12', '99999']) {
    const login = [change(4, Buffer.concat([word(size), word('4096')]))]
    const query = [columns(['n'], types.int), row('07000000')]
    t.match((await saying(t, { login, query })).found, { value: 7 }, size)
  }
})

t.test('takes a date that is none for what it is: not of the protocol', async (t) => {
  const query = [columns(['at'], types.datetime), row('ffffff7f00000000')]
  t.match((await saying(t, { query })).error, {
    kind: 'invalid_response',
    message: 'the server does not speak TDS',
  })
})

t.test('numbers columns without a name', async (t) => {
  const query = [columns(['', 'n', ''], types.int), row('070000000800000009000000')]
  t.same((await saying(t, { query })).found, {
    value: 7,
    rowCount: 1,
    rows: [{ '': 7, n: 8, column3: 9 }],
  })
})

t.test('whatever becomes of the conversation', async (t) => {
  for (const option of ['?tls=off', '', '?tls=strict']) {
    await conversationContract(t, {
      probe,
      clock,
      port: server.port,
      target: (port) => ({
        ...login,
        url: `sqlserver://localhost:${port}${option}`,
        body: 'SELECT 1 AS one; SELECT 2 AS two, 3 AS three',
      }),
    })
  }
})

t.test('an address that is none of a server is refused by its rule', (t) => {
  const problem = (text: string) => (destination(text) as { problem?: string }).problem
  t.match(problem('sqlserver://db\\SHOP'), /spaces, control characters or \\/)
  t.match(problem('sqlserver://db/a/b'), /one database/)
  t.match(problem('sqlserver://db?tls=maybe'), /one of required, off, strict/)
  t.match(problem('sqlserver://sa:x@db'), /user name or password/)
  t.equal(problem('mssql://db:1500/shop?tls=strict'), undefined)
  t.end()
})
