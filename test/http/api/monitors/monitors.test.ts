// Monitors, their results and incidents through the API: shapes, roles, pages and conditions.
import t, { type Test } from 'tap'
import { limits } from '../../../../src/domain/limits/limits.ts'
import { incidents } from '../../../../src/http/api/incidents/incidents.ts'
import { monitorToWire } from '../../../../src/http/api/monitors/monitor-wire.ts'
import { monitors } from '../../../../src/http/api/monitors/monitors.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { pageLongCharsMax } from '../../../../src/services/monitors/monitors.ts'
import { orgA, startTestHttp } from '../../../support/http.ts'
import { makeChannel } from '../../../support/make-channel.ts'
import { startMonitorServices } from '../../../support/monitor-services.ts'
import { failed, failedBy, good } from '../../../support/monitor-world.ts'

const simple = { name: 'API', url: 'https://inside.test/health' }
const mask = '••••'
const maskRule = 'is the mask, but no value is stored for it: send the value itself'
const latinRule = 'must contain only Latin-1 characters: HTTP headers allow no others'
const orderRule = 'must name the lower status first: 200-299'

async function open(t: Test) {
  const world = startMonitorServices(t)
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', [...monitors, ...incidents]),
    services: { monitors: world.monitors, readings: world.readings, incidents: world.incidents },
    clock: world.clock,
  })
  t.teardown(() => server.stop())
  const send = (method: string, rest: string, json?: unknown, more: object = {}) =>
    world.done(server.ask(`/api/v1/orgs/${orgA}${rest}`, { as: 'alice', method, json, ...more }))
  const create = async (fields: object = {}) =>
    (await send('POST', '/monitors', { ...simple, ...fields })).json.data
  return { ...world, world, send, create }
}

t.test('a monitor is created from the fields of the interface and comes back whole', async (t) => {
  const { send, world } = await open(t)
  const body = {
    ...simple,
    checkType: 'endpoint',
    method: 'POST',
    expectedStatus: 201,
    bodyContains: '',
    headers: { 'X-Key': 'k' },
    body: '{}',
    intervalMinutes: 2,
    timeoutMs: 5_000,
    responseFormat: '',
    responseAssertionType: null,
    tags: ['shop'],
    isPublic: true,
  }
  const { status, json, headers } = await send('POST', '/monitors', body)
  t.equal(status, 200)
  t.match(json, { success: true, message: 'Monitor created' })
  t.match(json.data, {
    id: /^mon_/,
    orgId: orgA,
    ...simple,
    headers: { 'X-Key': mask },
    body: '{}',
    method: 'POST',
    expectedStatus: 201,
    bodyContains: null,
    responseFormat: 'auto',
    intervalMinutes: 2,
    intervalSeconds: 120,
    retryIntervalSeconds: 30,
    tags: ['shop'],
    state: 'pending',
    lastCheckAt: null,
    openIncidentId: null,
    certificate: null,
    uptime: { '24h': null, '90d': null },
    createdAt: /Z$/,
    nextCheckAt: /Z$/,
    pushToken: null,
    pushUrl: null,
    isActive: true,
    isPublic: true,
  })
  t.ok(headers.get('etag'))
  for (const secret of ['requestBox', 'pushTokenHash', 'pushTokenBox', 'revision']) {
    t.notOk(secret in json.data, secret)
  }
  const certificate = { expiresAtMs: Date.UTC(2027, 0, 1), issuer: 'Test CA' }
  world.world.answer = () => ({ ...good, certificate })
  await world.world.run(1)
  const seen = (await send('GET', `/monitors/${json.data.id}`)).json.data
  t.match(seen, { state: 'up', lastOutcome: 'up', responseTimeMs: 100, uptime: { '24h': null } })
  t.match(seen.certificate, { expiresAt: '2027-01-01T00:00:00.000Z', issuer: 'Test CA' })
})

t.test('invalid fields are named, and a response can be sent back', async (t) => {
  const { send, create } = await open(t)
  const cases: [object, string][] = [
    [{ ...simple, name: ' ' }, '/name'],
    [{ ...simple, url: 5 }, '/url'],
    [{ ...simple, url: 'ftp://a.test' }, '/url'],
    [{ ...simple, method: 'TRACE' }, '/method'],
    [{ ...simple, intervalSeconds: 9 }, '/intervalSeconds'],
    [{ ...simple, acceptedStatuses: ['2xx'] }, '/acceptedStatuses/0'],
    [{ ...simple, headers: { Host: 'x' } }, '/headers/Host'],
    [{ ...simple, notifyChannelIds: ['chn_1'] }, '/notifyChannelIds/0'],
    [{ ...simple, colour: 'red' }, '/colour'],
  ]
  for (const [body, pointer] of cases) {
    const { status, json } = await send('POST', '/monitors', body)
    t.equal(status, 422, pointer)
    t.match(json.errors, [{ pointer }])
  }
  t.same((await send('GET', '/monitors')).json.data, [])
  const made = await create({ headers: { 'X-Key': 'k' }, intervalSeconds: 25 })
  const { name, url, headers, body, intervalSeconds, retryIntervalSeconds, tags, timeoutMs } = made
  const same = { name, url, headers, body, intervalSeconds, retryIntervalSeconds, tags, timeoutMs }
  t.equal((await send('PATCH', `/monitors/${made.id}`, same)).status, 200)
})

t.test('problems are reported in words', async (t) => {
  const { send } = await open(t)
  const noLine = 'must be one line with visible characters and no control characters'
  const noTag = 'must not contain control characters, such as line breaks'
  const cases: [object, string, string][] = [
    [{ name: ' ' }, '/name', noLine],
    [{ name: 'API\0' }, '/name', noLine],
    [{ name: 'API\nBcc: all' }, '/name', noLine],
    [{ name: 'API\x85' }, '/name', noLine],
    [{ tags: ['a\tb'] }, '/tags/0', noTag],
    [{ responseFormat: 'yaml' }, '/responseFormat', 'must be one of auto, text, json, xml, html'],
    [{ headers: { 'X-Key': mask } }, '/headers/X-Key', maskRule],
    [{ headers: { 'X-Key': '€' } }, '/headers/X-Key', latinRule],
    [{ headers: { 'Webhook-Id': '1' } }, '/headers/Webhook-Id', 'is a header that cannot be set'],
    [{ acceptedStatuses: ['299-200'] }, '/acceptedStatuses/0', orderRule],
  ]
  for (const [fields, pointer, message] of cases) {
    const { status, json } = await send('POST', '/monitors', { ...simple, ...fields })
    t.equal(status, 422, pointer)
    t.match(json.errors, [{ pointer, message }])
  }
  t.equal((await send('POST', '/monitors', { ...simple, name: ' Größe 10 ☕ ' })).status, 200)
})

t.test('a body of 64 KiB can be sent, however JSON escapes it', async (t) => {
  const { send, create } = await open(t)
  const kib = 1_024
  const post = { method: 'POST' }
  for (const body of ['x'.repeat(64 * kib), '\u0001'.repeat(64 * kib), 'ä'.repeat(32 * kib)]) {
    const { id } = await create({ ...post, body })
    t.equal((await send('GET', `/monitors/${id}`)).json.data.body, body)
    t.equal((await send('PATCH', `/monitors/${id}`, { body })).status, 200)
  }
  const long = await send('POST', '/monitors', { ...simple, ...post, body: '€'.repeat(30 * kib) })
  t.equal(long.status, 422)
  t.match(long.json.errors, [
    { pointer: '/body', message: 'must have at most 65536 bytes in UTF-8' },
  ])
})

t.test('a shorter timeout lowers a threshold that nobody set', async (t) => {
  const { send, create } = await open(t)
  const { id } = await create()
  const changed = await send('PATCH', `/monitors/${id}`, { timeoutMs: 2_000 })
  t.match(changed.json.data, { timeoutMs: 2_000, degradedThresholdMs: null })
  t.match(await create({ timeoutMs: 2_000 }), { timeoutMs: 2_000, degradedThresholdMs: null })
  const own = await create({ degradedThresholdMs: 2_500 })
  const refused = await send('PATCH', `/monitors/${own.id}`, { timeoutMs: 2_000 })
  t.match(refused.json, { status: 422, message: 'degradedThresholdMs must be below timeoutMs' })
})

t.test('a push monitor shows only what a push monitor has', async (t) => {
  const { send } = await open(t)
  const made = await send('POST', '/monitors', { name: 'Job', checkType: 'push' })
  const path = `/monitors/${made.json.data.id}`
  const [listed] = (await send('GET', '/monitors')).json.data
  for (const shown of [made.json.data, (await send('GET', path)).json.data, listed]) {
    t.match(shown, { checkType: 'push', url: null, graceSeconds: 60, intervalMinutes: 5 })
    t.same(
      ['method', 'expectedStatus', 'timeoutMs', 'failureThreshold', 'assertions', 'headers'].filter(
        (name) => name in shown,
      ),
      [],
    )
  }
  const { name, intervalMinutes, graceSeconds, tags } = listed
  const same = { name, intervalMinutes, graceSeconds, tags }
  t.equal((await send('PATCH', path, same)).status, 200, 'what it shows, it takes')
  for (const [field, value] of Object.entries({
    timeoutMs: 5_000,
    responseAssertionPath: '$.a',
    assertions: [{ source: 'body', type: 'exists' }],
  })) {
    const { json } = await send('PATCH', path, { [field]: value })
    const message = 'does not apply to checkType push'
    t.match(json, { status: 422, errors: [{ pointer: `/${field}`, message }] })
    t.equal(json.errors.length, 1)
  }
})

t.test('a push monitor has no timeout to compare its interval with', async (t) => {
  const { send } = await open(t)
  const made = await send('POST', '/monitors', { name: 'Job', checkType: 'push' })
  const whole = { timeoutMs: 10_000, degradedThresholdMs: null, failureThreshold: 1 }
  const path = `/monitors/${made.json.data.id}`
  t.equal((await send('PATCH', path, { ...whole, intervalSeconds: 10 })).status, 200)
})

t.test('assertions are accepted, returned completely, and removed with null', async (t) => {
  const { send, create } = await open(t)
  const assertions = [
    { source: 'header', path: 'X-Cache', type: 'equals', value: 'HIT' },
    { source: 'responseTime', type: 'lessThan', value: '500' },
    { source: 'html', path: 'link[rel=canonical]@href', type: 'exists', value: '' },
  ]
  const whole = [
    { source: 'header', path: 'X-Cache', type: 'equals', value: 'HIT' },
    { source: 'responseTime', path: null, type: 'lessThan', value: '500' },
    { source: 'html', path: 'link[rel=canonical]@href', type: 'exists', value: null },
  ]
  t.same((await create()).assertions, [])
  const made = await create({ assertions })
  t.same(made.assertions, whole)
  const path = `/monitors/${made.id}`
  t.same(
    (await send('PATCH', path, { assertions: whole, name: 'New' })).json.data.assertions,
    whole,
  )
  t.same((await send('PATCH', path, { name: 'Newer' })).json.data.assertions, whole)
  t.same((await send('PATCH', path, { assertions: null })).json.data.assertions, [])
  const exists = { source: 'body', type: 'exists' }
  const cases: [object, string][] = [
    [{ assertions: Array.from({ length: 21 }, () => exists) }, '/assertions'],
    [{ assertions: [{ type: 'exists' }] }, '/assertions/0/source'],
    [{ assertions: [{ source: 'weather', type: 'exists' }] }, '/assertions/0/source'],
    [{ assertions: [exists, { source: 'body' }] }, '/assertions/1/type'],
    [{ assertions: [{ ...exists, colour: 'red' }] }, '/assertions/0/colour'],
    [{ assertions: [{ ...exists, value: 5 }] }, '/assertions/0/value'],
    [
      { assertions: [exists, exists, exists, { source: 'json', path: '$[', type: 'exists' }] },
      '/assertions/3/path',
    ],
    [{ checkType: 'keyword' }, '/bodyContains'],
    [{ checkType: 'health', method: 'HEAD' }, '/method'],
  ]
  for (const [body, pointer] of cases) {
    const { status, json } = await send('POST', '/monitors', { ...simple, ...body })
    t.equal(status, 422, pointer)
    t.match(json.errors, [{ pointer }])
  }
  const keyword = await create({ checkType: 'keyword', bodyContains: 'ok', responseFormat: 'html' })
  t.match(keyword, { checkType: 'keyword', responseFormat: 'html' })
  const cleared = await send('PATCH', `/monitors/${keyword.id}`, { bodyContains: null })
  t.match(cleared.json.errors, [{ pointer: '/bodyContains' }])
  t.match(await create({ checkType: 'health' }), { checkType: 'health' })
})

t.test('a change applies only to the version it was made for', async (t) => {
  const { send, create } = await open(t)
  const { id } = await create()
  const etag = (await send('GET', `/monitors/${id}`)).headers.get('etag')
  const condition = { headers: { 'if-match': etag } }
  const changed = await send('PATCH', `/monitors/${id}`, { name: 'New', tags: null }, condition)
  t.match(changed.json, { message: 'Monitor updated', data: { name: 'New' } })
  t.equal((await send('PATCH', `/monitors/${id}`, { name: 'Late' }, condition)).status, 412)
  t.equal((await send('DELETE', `/monitors/${id}`, undefined, condition)).status, 412)
  t.match((await send('PATCH', `/monitors/${id}`, { checkType: 'push' })).json.errors, [
    { pointer: '/checkType' },
  ])
  const gone = await send('DELETE', `/monitors/${id}`)
  t.match(gone.json, { message: 'Monitor deleted' })
  t.equal((await send('GET', `/monitors/${id}`)).status, 404)
})

t.test('a viewer reads, and changes nothing', async (t) => {
  const { send, create } = await open(t)
  const { id } = await create({ failureThreshold: 1 })
  const bob = { as: 'bob' }
  for (const path of ['/monitors', `/monitors/${id}`, `/monitors/${id}/checks`, '/incidents']) {
    t.equal((await send('GET', path, undefined, bob)).status, 200, path)
    t.equal((await send('GET', path, undefined, { as: 'charlie' })).status, 404, path)
  }
  for (const [method, path] of [
    ...[
      ['POST', '/monitors'],
      ['PATCH', `/monitors/${id}`],
      ['DELETE', `/monitors/${id}`],
    ],
    ...[
      ['POST', `/monitors/${id}`],
      ['POST', `/monitors/${id}/pause`],
    ],
    ['POST', `/monitors/${id}/resume`],
  ]) {
    t.equal((await send(method ?? '', path ?? '', simple, bob)).status, 403, `${method} ${path}`)
  }
})

t.test('a run, a pause and a resume answer with the state they led to', async (t) => {
  const { send, create, world } = await open(t)
  const { id } = await create({ failureThreshold: 1 })
  await world.world.run(1)
  const error = {
    ...failedBy('timeout', 'no answer'),
    phases: { connect: 3 },
    address: '192.0.2.1',
    certificate: { expiresAtMs: Date.UTC(2027, 0, 1), issuer: 'Test CA' },
    evidence: { status: 500, headers: [['x-a', 'b']] as const, body: 'oops' },
    found: '220 mx.example ESMTP',
  }
  world.world.answer = () => error
  const ran = await send('POST', `/monitors/${id}`)
  t.match(ran.json, { message: 'Check completed' })
  t.match(ran.json.data, {
    monitorId: id,
    outcome: 'down',
    status: 500,
    error: { kind: 'timeout' },
    state: 'down',
    phases: { connect: 3 },
    address: '192.0.2.1',
    openIncidentId: /^inc_/,
    at: /Z$/,
    certificate: { expiresAt: '2027-01-01T00:00:00.000Z', issuer: 'Test CA' },
    failure: { status: 500, headers: [{ name: 'x-a', value: 'b' }], body: 'oops', at: /Z$/ },
    found: '220 mx.example ESMTP',
  })
  const paused = await send('POST', `/monitors/${id}/pause`)
  t.match(paused.json, { message: 'Monitor paused', data: { state: 'paused', nextCheckAt: null } })
  t.equal((await send('POST', `/monitors/${id}`)).status, 409)
  const resumed = await send('POST', `/monitors/${id}/resume`)
  t.match(resumed.json, { message: 'Monitor resumed', data: { state: 'pending' } })
})

t.test('results come in pages, and the newest with its evidence', async (t) => {
  const { send, create, world, clock } = await open(t)
  const { id } = await create({ intervalSeconds: 10, failureThreshold: 1 })
  await world.world.run(60_000)
  world.world.answer = () => ({ ...failed, evidence: { status: 500, body: 'oops' } })
  const fromMs = clock.nowMs()
  await world.world.run(25_000)
  const times: string[] = []
  let path = `/monitors/${id}/checks?limit=3`
  for (let page = 0; page < 9; page++) {
    const { json } = await send('GET', path)
    times.push(...json.data.map(({ at }: { at: string }) => at))
    if (json.meta.nextCursor === null) break
    path = `/monitors/${id}/checks?limit=3&cursor=${json.meta.nextCursor}`
  }
  t.ok(times.length >= 8)
  t.same(times, times.toSorted().toReversed())
  t.equal(new Set(times).size, times.length)
  const from = encodeURIComponent(new Date(fromMs).toISOString())
  const down = (await send('GET', `/monitors/${id}/checks?outcome=down&from=${from}`)).json.data
  t.ok(down.length >= 2)
  t.match(down[0], {
    outcome: 'down',
    error: { kind: 'status' },
    message: null,
    status: 500,
    phases: null,
  })
  t.equal((await send('GET', `/monitors/${id}/checks?from=yesterday`)).status, 400)
  const latest = await send('GET', `/monitors/${id}/checks/latest`)
  t.match(latest.json.data, {
    outcome: 'down',
    failure: { status: 500, body: 'oops', headers: [] },
    report: null,
  })
})

t.test('a viewer has the newest result, without the words of the target', async (t) => {
  const { send, create, world } = await open(t)
  const tcp = { checkType: 'tcp', url: 'tcp://127.0.0.1:7' }
  const { id } = await create({ ...tcp, failureThreshold: 1 })
  const path = `/monitors/${id}/checks/latest`
  const found = { banner: 'marker' }
  world.world.answer = () => ({ ...failed, evidence: { status: 500, body: 'marker' }, found })
  await world.world.run(1)
  const whole = (await send('GET', path)).json.data
  t.match(whole, { outcome: 'down', failure: { body: 'marker' }, found: { banner: 'marker' } })
  const seen = (await send('GET', path, undefined, { as: 'bob' })).json.data
  t.same(seen, { ...whole, failure: null, report: null, found: null })
  t.equal((await send('GET', path, undefined, { as: 'charlie' })).status, 404)
})

t.test('an incident has the evidence of its check, for members and nowhere else', async (t) => {
  const { send, create, world, store } = await open(t)
  await world.done(world.world.addChannel({ orgId: orgA }))
  const { id } = await create({ failureThreshold: 1 })
  const evidence = {
    status: 503,
    headers: [['x-a', 'marker']] as const,
    body: 'marker',
    url: 'https://a.example/marker',
    redirects: 1,
    failedAssertions: [{ expected: 'status 200', found: '503' }],
  }
  const error = { kind: 'status', message: 'expected status 200', phase: 'firstByte' } as const
  world.world.answer = () => ({ ...failed, error, phases: { dns: 1 }, evidence })
  await world.world.run(1)
  const { openIncidentId } = (await send('GET', `/monitors/${id}`)).json.data
  const path = `/incidents/${openIncidentId}`
  t.same((await send('GET', path)).json.data.evidence, {
    error,
    phases: { dns: 1 },
    status: 503,
    body: 'marker',
    headers: [{ name: 'x-a', value: 'marker' }],
    note: null,
    message: null,
    metadata: null,
    url: evidence.url,
    redirects: 1,
    failedAssertions: evidence.failedAssertions,
    steps: [],
    traceroute: null,
  })
  const viewed = await send('GET', path, undefined, { as: 'bob' })
  t.equal(viewed.json.data.evidence, null)
  t.equal(viewed.json.data.cause, 'expected status 200')
  const elsewhere = [
    await send('GET', '/incidents'),
    await send('POST', `${path}/acknowledge`),
    await send('POST', `${path}/updates`, { message: 'we look', isPublic: true }),
  ]
  const owed = store.deliveries.list(orgA, makeChannel().id, { limit: 10 })
  t.ok(owed.length > 0)
  t.notMatch(JSON.stringify([viewed.json, elsewhere.map(({ json }) => json), owed]), /marker/)
})

t.test('the list supports filters and its own cursor', async (t) => {
  const { send, create } = await open(t)
  for (const name of ['one', 'two', 'three']) await create({ name, tags: [name] })
  const first = (await send('GET', '/monitors?limit=2')).json
  t.equal(first.data.length, 2)
  const rest = await send('GET', `/monitors?limit=2&cursor=${first.meta.nextCursor}`)
  t.match(rest.json, { data: [{ name: 'one' }], meta: { nextCursor: null } })
  t.match((await send('GET', '/monitors?tag=two')).json.data, [{ name: 'two' }])
  t.match((await send('GET', '/monitors?state=pending&q=THR')).json.data, [{ name: 'three' }])
  t.same((await send('GET', '/monitors?isActive=false')).json.data, [])
  t.equal((await send('GET', '/monitors?state=asleep')).status, 400)
})

t.test('incidents are listed, acknowledged, updated and resolved', async (t) => {
  const { send, create, world } = await open(t)
  world.world.answer = () => failedBy('connect', 'refused')
  const { id: monitorId } = await create({ failureThreshold: 1 })
  await world.world.run(90_000)
  const [incident] = (await send('GET', `/incidents?monitorId=${monitorId}`)).json.data
  t.match(incident, {
    id: /^inc_/,
    monitorIds: [monitorId],
    title: 'API is down',
    cause: 'refused',
    state: 'open',
    severity: 'down',
    acknowledgedAt: null,
    resolvedAt: null,
    flapping: false,
    startedAt: /Z$/,
    durationMs: 90_000,
    postmortem: null,
    timeline: [{ kind: 'opened', status: null, by: null }],
  })
  const path = `/incidents/${incident.id}`
  const acted = await send('POST', `${path}/acknowledge`, { message: 'mine' })
  t.match(acted.json, { message: 'Incident acknowledged', data: { state: 'acknowledged' } })
  t.match(acted.json.data, { acknowledgedBy: 'usr_alice', acknowledgedAt: /Z$/ })
  const told = await send('POST', `${path}/updates`, { message: 'A disk', status: 'identified' })
  t.match(told.json.data.timeline.at(-1), { kind: 'update', status: 'identified', isPublic: false })
  t.equal((await send('POST', `${path}/updates`, {})).status, 422)
  const ended = await send('POST', `${path}/resolve`)
  t.match(ended.json, { message: /^Incident closed by hand; .* reopens at about 1 January 2026, / })
  t.match(ended.json.data, { resolution: 'manual', reopensAt: /Z$/, timeline: { length: 4 } })
  const renamed = await send('PATCH', path, { title: 'Shop is down', isPublic: true })
  t.match(renamed.json.data, { title: 'Shop is down', isPublic: true, state: 'resolved' })
  t.equal((await send('PATCH', path, { title: '' })).status, 422)
  t.equal((await send('POST', `${path}/resolve`)).status, 409)
  t.match((await send('GET', path)).json.data, { state: 'resolved', durationMs: 90_000 })
  const phrase = { status: 404, json: { detail: 'There is no such incident.' } }
  t.match(await send('GET', '/incidents/inc_1'), phrase)
  t.match(
    await send(
      'GET',
      `/incidents/${incident.id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))}`,
    ),
    phrase,
  )
  t.same((await send('GET', '/incidents?state=open')).json.data, [])
})

t.test('no field of a record leaves unless the interface names it', async (t) => {
  const { create, monitors, alice } = await open(t)
  const { id } = await create({ headers: { 'X-Key': 'top secret' } })
  const view = monitors.get({ ...alice, orgId: orgA }, id)
  t.notOk(JSON.stringify(monitorToWire(view)).includes('top secret'))
})

t.test('each response is of this moment and for its reader, however often one asks', async (t) => {
  const { send, create, world } = await open(t)
  // A change is followed by a check of its own, which must not end the outage here.
  const thresholds = { failureThreshold: 1, recoveryThreshold: 10 }
  const { id } = await create({ body: 'top secret', method: 'POST', ...thresholds })
  const get = async (as: string) => {
    const { json } = await send('GET', `/monitors/${id}`, undefined, { as })
    const list = await send('GET', '/monitors', undefined, { as })
    t.same(list.json.data, [json.data], 'one by one and listed it is the same')
    return json.data
  }
  for (const _again of [1, 2]) {
    t.match(await get('alice'), { body: 'top secret', state: 'pending', lastCheckAt: null })
    t.match(await get('bob'), { body: null })
  }
  const record = world.store.monitors.get(orgA, id)
  if (!record) return t.fail('it is stored')
  // Uptime is stated after an hour.
  await world.world.run(80 * 60_000)
  await world.see(record, [good, failed], 60_000)
  const down = await get('alice')
  t.match(down, { state: 'down', lastOutcome: 'down', lastCheckAt: /Z$/ })
  await world.world.run(60_000)
  t.ok((await get('alice')).uptime['24h'] < down.uptime['24h'], 'the outage counts to this moment')
  await send('PATCH', `/monitors/${id}`, { name: 'Other', body: 'new secret' })
  t.match(await get('alice'), { name: 'Other', body: 'new secret', state: 'down' })
  t.match(await get('bob'), { name: 'Other', body: null })
  await send('POST', `/monitors/${id}/pause`)
  t.match(await get('bob'), { state: 'paused', isActive: false, nextCheckAt: null })
})

t.test('a page of monitors with long bodies ends early, and the next one goes on', async (t) => {
  const { send, create } = await open(t)
  const body = 'x'.repeat(limits.requestBodyBytesMax)
  const perPage = pageLongCharsMax / limits.requestBodyBytesMax
  const made: string[] = []
  for (let n = 0; n < perPage + 2; n += 1) {
    made.push((await create({ name: `${n}`, method: 'POST', body })).id)
  }
  const first = (await send('GET', '/monitors?limit=200')).json
  t.equal(first.data.length, perPage)
  const rest = (await send('GET', `/monitors?limit=200&cursor=${first.meta.nextCursor}`)).json
  t.equal(rest.meta.nextCursor, null)
  const listed = [...first.data, ...rest.data].map(({ id }) => id)
  t.same(listed, made.toReversed())
})
