// Monitors in bulk and on trial through the API: shapes, bounds, roles, refusals.
import t, { type Test } from 'tap'
import { limits } from '../../../../src/domain/limits/limits.ts'
import { monitors } from '../../../../src/http/api/monitors/monitors.ts'
import { monitorsBulk } from '../../../../src/http/api/monitors/monitors-bulk.ts'
import { openApiDocument } from '../../../../src/http/openapi/openapi.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { orgA, startTestHttp } from '../../../support/http.ts'
import { type ServicesOptions, startMonitorServices } from '../../../support/monitor-services.ts'
import { failed, good } from '../../../support/monitor-world.ts'

const simple = { name: 'API', url: 'https://inside.test/health' }
const many = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ ...simple, name: `Monitor ${n}`, ...fields }))

async function open(t: Test, options: ServicesOptions = {}) {
  const world = startMonitorServices(t, { quotas: { monitors: 10_000 }, ...options })
  // Its organizations are on disk.
  await world.world.run(0)
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', [...monitors, ...monitorsBulk]),
    services: {
      monitors: world.monitors,
      monitorBulk: world.monitorBulk,
      trials: world.trials,
      readings: world.readings,
    },
    clock: world.clock,
  })
  t.teardown(() => server.stop())
  const send = (method: string, rest: string, json?: unknown, more: object = {}) =>
    world.done(
      server.ask(`/api/v1/orgs/${orgA}/monitors${rest}`, { as: 'alice', method, json, ...more }),
    )
  return { ...world, world: world.world, send }
}

t.test('a trial returns its findings and why they are bad', async (t) => {
  const { send, world, store } = await open(t)
  const certificate = { expiresAtMs: Date.UTC(2027, 0, 1), issuer: 'Test CA' }
  const phases = { dns: 1, connect: 2 }
  const found = { records: ['192.0.2.1'], ttl: 60 }
  const answer = {
    status: 200,
    headers: [['x-a', 'b']] as const,
    body: '{"state":"ok"}',
    isCut: false,
    note: null,
  }
  world.answer = () => ({ ...good, certificate, phases, address: '10.0.0.1', found, answer })
  t.match((await send('POST', '/test', simple)).json, {
    success: true,
    message: 'Check completed',
    data: {
      at: /Z$/,
      outcome: 'up',
      responseTimeMs: 100,
      status: 200,
      error: null,
      phases,
      address: '10.0.0.1',
      failure: null,
      found,
      answer: { ...answer, headers: [{ name: 'x-a', value: 'b' }] },
      certificate: { expiresAt: '2027-01-01T00:00:00.000Z', issuer: 'Test CA' },
    },
  })
  const failedAssertions = [{ expected: 'ok', found: 'oops' }]
  const evidence = { status: 500, headers: [['x-a', 'b']] as const, body: 'oops', failedAssertions }
  world.answer = () => ({ ...failed, evidence })
  t.match((await send('POST', '/test', simple)).json.data, {
    outcome: 'down',
    status: 500,
    error: { kind: 'status' },
    certificate: null,
    found: null,
    answer: null,
    failure: { headers: [{ name: 'x-a', value: 'b' }], body: 'oops', failedAssertions },
  })
  t.equal(store.monitors.count(orgA), 0)
})

t.test('a trial is refused as a creation is', async (t) => {
  const { send } = await open(t)
  const cases: [object, string][] = [
    [{ name: 'API' }, '/url'],
    [{ ...simple, colour: 'red' }, '/colour'],
    [{ ...simple, headers: { Host: 'x' } }, '/headers/Host'],
    [{ name: 'Job', checkType: 'push' }, '/checkType'],
  ]
  for (const [body, pointer] of cases) {
    const { status, json } = await send('POST', '/test', body)
    t.equal(status, 422, pointer)
    t.match(json.errors, [{ pointer }])
  }
  t.equal((await send('POST', '/test', simple, { as: 'bob' })).status, 403)
  t.equal((await send('POST', '/test', simple, { as: 'charlie' })).status, 404)
})

t.test('manual checks are limited, and the refusal says when to retry', async (t) => {
  const { send, clock, world } = await open(t, { hasRunLimits: true })
  const { id } = (await send('POST', '', simple)).json.data
  await world.run(1)
  for (let n = 0; n < 6; n++) t.equal((await send('POST', `/${id}`)).status, 200)
  const refused = await send('POST', `/${id}`)
  t.equal(refused.status, 429)
  t.equal(refused.headers.get('retry-after'), '10')
  t.match(refused.json, { code: 'rate_limited', message: /one monitor/ })
  for (let n = 0; n < 24; n++) t.equal((await send('POST', '/test', simple)).status, 200)
  t.match((await send('POST', '/test', simple)).json, { message: /one organization/ })
  await clock.advance(10_000)
  t.equal((await send('POST', `/${id}`)).status, 200)
})

t.test('many are created in one call, and not again by a repetition', async (t) => {
  const { send, store } = await open(t)
  const key = { headers: { 'idempotency-key': 'once' } }
  const first = await send('POST', '/bulk', { monitors: many(3, { headers: { A: 'b' } }) }, key)
  t.match(first.json, { success: true, message: 'Monitors created', data: { created: 3 } })
  t.equal(first.json.data.ids.length, 3)
  const again = await send('POST', '/bulk', { monitors: many(3, { headers: { A: 'b' } }) }, key)
  t.same(again.json.data, first.json.data)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.equal(store.monitors.count(orgA), 3)
  t.match((await send('GET', `/${first.json.data.ids[1]}`)).json.data, { name: 'Monitor 1' })
})

t.test('the problems of each part are reported with its place', async (t) => {
  const { send, store } = await open(t)
  const wrong = many(20)
  wrong[17] = { ...simple, name: '' }
  wrong[3] = { ...simple, url: 5 } as never
  const shape = await send('POST', '/bulk', { monitors: wrong })
  t.equal(shape.status, 422)
  t.same(
    shape.json.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/monitors/3/url', '/monitors/17/name'],
  )
  wrong[12] = { ...simple, url: 'ftp://inside.test/' } as never
  wrong[5] = { ...simple, timeoutMs: 60_000, intervalSeconds: 10, tags: 'a' } as never
  const mixed = await send('POST', '/bulk', { monitors: [...wrong, { name: 'None' }, 'x'] })
  t.same(
    mixed.json.errors.map(({ pointer }: { pointer: string }) => pointer),
    [
      ...['/monitors/3/url', '/monitors/5/tags', '/monitors/12/url', '/monitors/17/name'],
      ...['/monitors/20/url', '/monitors/21'],
    ],
    'of the shape and of the rules, in the order of the request',
  )
  t.match(mixed.json, { code: 'validation_failed', message: /^monitors\.3\.url must be/ })
  const endless = await send('POST', '/bulk', { monitors: Array(500).fill(5) })
  t.equal(endless.json.errors.length, limits.fieldProblemsMax)
  for (const monitors of [undefined, {}, 'x']) {
    t.match((await send('POST', '/bulk', { monitors })).json.errors, [{ pointer: '/monitors' }])
  }
  const rules = await send('POST', '/bulk', { monitors: [simple, { name: 'No address' }] })
  t.match(rules.json, {
    message: 'monitors.1.url is required',
    errors: [{ pointer: '/monitors/1/url' }],
  })
  t.equal((await send('POST', '/bulk', { monitors: many(10_001) })).status, 422)
  t.equal((await send('POST', '/bulk', { monitors: [simple] }, { as: 'bob' })).status, 403)
  t.equal(store.monitors.count(orgA), 0)
})

t.test('a part is validated like a single monitor', async (t) => {
  const { send } = await open(t)
  const parts: [object, string][] = [
    [{ body: 'ä'.repeat(33 * 1_024), method: 'POST' }, '/body'],
    [{ method: 'HEAD', bodyContains: 'x' }, '/method'],
    [
      { responseAssertionType: 'lengthEquals', responseAssertionValue: 'x' },
      '/responseAssertionValue',
    ],
    [{ name: 'a\nb' }, '/name'],
    [{ tags: ['a\0'] }, '/tags/0'],
  ]
  for (const [fields, pointer] of parts) {
    const all = await send('POST', '/bulk', { monitors: [simple, { ...simple, ...fields }] })
    t.match(all.json, { status: 422, errors: [{ pointer: `/monitors/1${pointer}` }] })
    const trial = await send('POST', '/test', { ...simple, ...fields })
    t.match(trial.json, { status: 422, errors: [{ pointer }] })
  }
  const whole = { ...simple, method: 'POST', body: '\u0001'.repeat(64 * 1_024) }
  t.equal((await send('POST', '/test', whole)).status, 200)
  const wrongTag = await send('PATCH', '', { tag: 'x', addTags: ['a\nb'] })
  t.match(wrongTag.json.errors, [{ pointer: '/addTags/0' }])
})

t.test('If-Match is refused for operations on many', async (t) => {
  const { send } = await open(t)
  const { ids } = (await send('POST', '/bulk', { monitors: many(2) })).json.data
  for (const value of ['"1"', '*', 'nonsense']) {
    const condition = { headers: { 'if-match': value } }
    for (const [method, body] of [
      ['PATCH', { ids, isActive: false }],
      ['DELETE', { ids }],
    ] as const) {
      const { status, json } = await send(method, '', body, condition)
      t.equal(status, 400, `${method} ${value}`)
      t.match(json, { code: 'invalid_parameter', message: /^If-Match cannot be used here/ })
    }
  }
  t.match((await send('GET', '')).json.data, [{ isActive: true }, { isActive: true }])
  const offered = (routes: typeof monitors) =>
    JSON.stringify(
      openApiDocument(routes, { baseUrl: 'http://a.test', version: '1.2.3' }),
    ).includes('"name":"If-Match"')
  t.same([offered(monitors), offered(monitorsBulk)], [true, false])
})

t.test('many are changed and deleted, by their ids or by a tag', async (t) => {
  const { send } = await open(t)
  const { ids } = (await send('POST', '/bulk', { monitors: many(4, { tags: ['shop'] }) })).json.data
  const paused = await send('PATCH', '', { ids: ids.slice(0, 3), isActive: false })
  const none = { unchanged: 0, refused: 0, refusals: [] }
  t.same(paused.json.data, { matched: 3, changed: 3, ...none })
  t.equal(paused.json.message, 'Monitors updated')
  const tagged = await send('PATCH', '', { tag: 'shop', isActive: false, addTags: ['old'] })
  t.same(tagged.json.data, { matched: 4, changed: 4, ...none })
  t.match((await send('GET', `/${ids[0]}`)).json.data, { state: 'paused', tags: ['shop', 'old'] })
  t.match((await send('DELETE', '', { ids: ids.slice(0, 1) })).json, {
    message: 'Monitors deleted',
    data: { deleted: 1 },
  })
  t.same((await send('DELETE', '', { tag: 'shop' })).json.data, { deleted: 3 })
  t.same((await send('GET', '')).json.data, [])
})

t.test('a selector of nothing, of both, or of unknown monitors does nothing', async (t) => {
  const { send } = await open(t)
  const { ids } = (await send('POST', '/bulk', { monitors: many(2) })).json.data
  const unknown = 'mon_01jd0000000000000000000000'
  const cases: [method: string, body: object, pointer: string][] = [
    ['DELETE', {}, '/ids'],
    ['DELETE', { ids, tag: 'x' }, '/tag'],
    ['DELETE', { ids: [...ids, unknown] }, '/ids/2'],
    ['DELETE', { ids: ['mon_1'] }, '/ids/0'],
    ['DELETE', { all: true }, '/all'],
    ['PATCH', { isActive: false }, '/ids'],
    ['PATCH', { ids }, ''],
    ['PATCH', { ids: [unknown], isActive: false }, '/ids/0'],
    ['PATCH', { ids, name: 'same for all' }, '/name'],
    ['PATCH', { ids, url: 'https://same.test/' }, '/url'],
    ['PATCH', { ids, intervalMinutes: 0 }, '/intervalMinutes'],
    ['PATCH', { ids, dryRun: true }, ''],
    ['POST/check', {}, '/ids'],
    ['POST/check', { ids: [unknown] }, '/ids/0'],
  ]
  for (const [method, body, pointer] of cases) {
    const [verb = '', path] = method.split('/')
    const { status, json } = await send(verb, path ? `/${path}` : '', body)
    t.equal(status, 422, `${method} ${pointer}`)
    t.match(json.errors, [{ pointer }])
  }
  t.equal((await send('DELETE', '')).status, 422, 'nothing said deletes nothing')
  t.equal((await send('DELETE', '', { ids }, { as: 'bob' })).status, 403)
  t.equal((await send('DELETE', '', { ids }, { as: 'charlie' })).status, 404)
  t.equal((await send('GET', '')).json.data.length, 2)
})

t.test('a dry run counts, and changes nothing', async (t) => {
  const { send } = await open(t)
  const job = { name: 'Job', checkType: 'push', tags: ['shop'] }
  const { ids } = (await send('POST', '/bulk', { monitors: [...many(3, { tags: ['shop'] }), job] }))
    .json.data
  const change = { tag: 'shop', timeoutMs: 5_000, intervalMinutes: 10, addTags: ['x'] }
  const dry = await send('PATCH', '', { ...change, dryRun: true })
  const refusals = [
    {
      pointer: '/timeoutMs',
      keyword: 'forbidden',
      message: 'does not apply to checkType push',
      ids: ids.slice(3),
    },
  ]
  t.match(dry.json, {
    message: 'Nothing was changed',
    data: { matched: 4, changed: 3, unchanged: 0, refused: 1, refusals },
  })
  t.match((await send('GET', '')).json.data, Array(4).fill({ tags: ['shop'] }))
  const refused = await send('PATCH', '', change)
  t.match(refused.json, {
    ...{ status: 422, code: 'validation_failed' },
    errors: [{ pointer: '/timeoutMs', message: `does not apply to checkType push: ${ids[3]}` }],
  })
  const done = await send('PATCH', '', { ...change, skipRefused: true, withUndo: true })
  t.match(done.json.data, { changed: 3, refused: 1 })
  t.same(done.json.data.undo, [
    {
      ids: ids.slice(0, 3).toReversed(),
      ...{ removeTags: ['x'], intervalSeconds: 300, timeoutMs: 10_000 },
    },
  ])
  const [undo] = done.json.data.undo
  t.match((await send('PATCH', '', undo)).json.data, { matched: 3, changed: 3 })
  t.match((await send('GET', `/${ids[0]}`)).json.data, {
    ...{ tags: ['shop'], intervalSeconds: 300, timeoutMs: 10_000 },
  })
  const secret = { ids: ids.slice(0, 1), headers: { A: 'b' }, withUndo: true }
  t.equal((await send('PATCH', '', secret)).json.data.undo, null)
})

t.test('many are checked at once, and members may ask for it', async (t) => {
  const { send, world } = await open(t)
  const { ids } = (await send('POST', '/bulk', { monitors: many(3, { tags: ['shop'] }) })).json.data
  t.match((await send('POST', '/check', { tag: 'shop' })).json, {
    message: 'Checks started',
    data: { matched: 3, started: 3, paused: 0, reporting: 0, limited: 0 },
  })
  await world.run(1_000)
  t.same(new Set(world.checks.map(({ monitorId }) => monitorId)), new Set(ids))
  t.equal((await send('POST', '/check', { ids }, { as: 'bob' })).status, 403)
  const jobs = many(2, { checkType: 'push', url: null, tags: ['jobs'] })
  t.equal((await send('POST', '/bulk', { monitors: jobs })).status, 200)
  t.match((await send('POST', '/check', { tag: 'jobs' })).json.data, {
    ...{ matched: 2, started: 0, paused: 0, reporting: 2, limited: 0 },
  })
})
