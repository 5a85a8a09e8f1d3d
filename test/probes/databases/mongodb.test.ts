// The MongoDB probe against a server that others wrote, FerretDB; skipped where it is not built.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { mongodb } from '../../../src/probes/databases/mongodb.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { skipWithoutFerretdb, startFerretdb } from '../../support/servers/ferretdb.ts'

const clock = startClock()
t.after(() => clock.stop())
const { probe } = mongodb.open({
  guard: createGuard({ targets: 'any' }),
  resolver: resolverTo('127.0.0.1'),
  clock,
  ca: [testCa],
})
const login = { checkType: 'mongodb', username: 'ada', password: 's3cret' } as const
const look = (fields: TargetFields) =>
  probe(makeTarget({ ...login, timeoutMs: 8_000, ...fields }), { clock, keepsAnswer: true })

t.test('a FerretDB server', { skip: skipWithoutFerretdb() }, async (t) => {
  const { port, tlsPort } = await startFerretdb(t)
  const url = `mongodb://localhost:${port}/shop?authSource=admin`
  const ask = async (command: object, fields: TargetFields = {}) => {
    const reading = await look({ url, body: JSON.stringify(command), ...fields })
    t.equal(reading.result, 'good', `${Object.keys(command)[0]}: ${reading.error?.message}`)
    return reading.found
  }
  const day = { $date: '2026-11-30T00:00:00Z' }
  const jobs = [1, 2, 3].map((id) => ({ _id: id, state: id === 3 ? 'failed' : 'done', day }))
  await ask({ insert: 'jobs', documents: jobs })
  const many = Array.from({ length: 250 }, (_, n) => ({ _id: n, n: { $numberLong: `${n}` } }))
  await ask({ insert: 'many', documents: many })

  await t.test('signs in, and is asked what it is told to', async (t) => {
    t.match(await ask({ ping: 1 }), { value: 1, reply: { ok: 1 } })
    t.match((await look({ url })).found, { value: 1 })
    t.match(await ask({ count: 'jobs', query: { state: 'failed' } }), { value: 1 })
    t.match(await ask({ count: 'jobs', query: { day: { $lt: day } } }), { value: 0 })
    t.same(await ask({ find: 'jobs', filter: { _id: 3 } }), {
      value: 'failed',
      rowCount: 1,
      rows: [{ _id: 3, state: 'failed', day: '2026-11-30T00:00:00.000Z' }],
    })
    const groups = [{ $group: { _id: '$state', count: { $sum: 1 } } }, { $sort: { count: -1 } }]
    t.match(await ask({ aggregate: 'jobs', pipeline: groups }), { value: 2, rowCount: 2 })
    t.match(await ask({ aggregate: 'many', pipeline: [] }), { rowCount: 100 })
    t.match(await ask({ find: 'many' }), { rowCount: 100, value: 0 })
    t.same(await ask({ find: 'none' }), { value: null, rowCount: 0, rows: [] })
    t.match(await ask({ dbStats: 1 }), { reply: { db: 'shop' } })
    t.match(await ask({ serverStatus: 1 }), { reply: { ok: 1 } })
    const assertion = { source: 'json', path: '$.value', type: 'lessThan', value: '1' } as const
    const failed = await look({
      url,
      body: '{"count": "jobs", "query": {"state": "failed"}}',
      expect: { assertions: [assertion] },
    })
    t.match(failed.error, { kind: 'assertion', message: /\$\.value/ })
    const eve = { username: 'eve', password: 'l0velace' }
    const mechanisms = ['SCRAM-SHA-1']
    await ask({ createUser: eve.username, pwd: eve.password, roles: [], mechanisms })
    const old = await look({ ...eve, url: `mongodb://localhost:${port}/shop` })
    t.equal(old.result, 'good', `a user of the past: ${old.error?.message}`)
    const secured = await look({ url: `mongodb://localhost:${tlsPort}?tls=true` })
    t.match(
      secured,
      { result: 'good', certificate: { issuer: /Stillup/ } },
      `${secured.error?.message}`,
    )
  })

  await t.test('says why it refused', async (t) => {
    const why = async (fields: TargetFields) => (await look({ url, ...fields })).error
    t.match(await why({ password: 'wrong' }), {
      kind: 'status',
      message: /^the server refused the sign-in \(18\): /,
    })
    t.match(await why({ username: 'bob' }), { message: /sign-in \(18\)/ })
    t.match(await why({ username: null, password: null, body: '{"count": "jobs"}' }), {
      kind: 'status',
    })
    t.match(await why({ body: '{"find": "jobs", "filter": {"$nothing": 1}}' }), {
      message: /answered with an error \(\d+\)/,
    })
    const elsewhere = await why({ url: `mongodb://elsewhere.test:${tlsPort}?tls=true` })
    t.match(elsewhere, { kind: 'tls', message: /another host name/ })
    const untold = await why({ url: `mongodb://localhost:${tlsPort}`, timeoutMs: 1_000 })
    t.match(untold, { kind: /reset|timeout|invalid_response/ })
  })

  await t.test('whatever becomes of the conversation', (t) =>
    conversationContract(t, {
      probe,
      clock,
      port,
      target: (port) => ({
        ...login,
        url: `mongodb://localhost:${port}/shop?authSource=admin`,
        body: '{"find": "jobs"}',
      }),
    }),
  )
})

t.test('a command that could change something is refused when it is set', (t) => {
  const problem = (body: string) => mongodb.bodyProblem?.(body) ?? null
  for (const body of [' ', '{"ping": 1}', '{"aggregate": "a", "pipeline": [{"$match": {}}]}']) {
    t.equal(problem(body), null, body)
  }
  for (const body of ['{"drop": "jobs"}', '{"insert": "a", "documents": []}', '{"$eval": ""}']) {
    t.match(problem(body), /^must be a command that only reads: one of ping/, body)
  }
  for (const body of ['ping', '[1]', '{}', 'null']) {
    t.match(problem(body), /^must be a command in JSON/, body)
  }
  const out = '{"aggregate": "a", "pipeline": [{"\\u0024out": "b"}]}'
  t.equal(problem(out), 'must leave out $out')
  t.equal(problem('{"ping": 1, "$db": "admin"}'), 'must leave out $db')
  t.end()
})
