// The whole history through the API: each table says what the other answers of the API say.
import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { newId } from '../../../../src/base/ids.ts'
import type { ImportOrigin } from '../../../../src/domain/imports/import-record.ts'
import { home } from '../../../../src/domain/locations/choice.ts'
import type { PlaceId } from '../../../../src/domain/locations/place.ts'
import type { Monitor } from '../../../../src/domain/monitors/monitor.ts'
import { incidents } from '../../../../src/http/api/incidents/incidents.ts'
import { history } from '../../../../src/http/api/monitors/history.ts'
import { monitors } from '../../../../src/http/api/monitors/monitors.ts'
import { wholeHistory } from '../../../../src/http/api/orgs/whole-history.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { createHistories } from '../../../../src/services/checks/histories.ts'
import { newLocation } from '../../../../src/services/locations/locations.ts'
import { createWholeHistories } from '../../../../src/services/orgs/history/whole-history.ts'
import { orgA, orgB, startTestHttp } from '../../../support/http.ts'
import { monitorNo } from '../../../support/make-page.ts'
import { startMonitorServices } from '../../../support/monitor-services.ts'
import { failed, good, makeReading, type Seen } from '../../../support/monitor-world.ts'
import { until } from '../../../support/until.ts'

const minuteMs = 60_000
const hasty = { failureThreshold: 1, recoveryThreshold: 1, intervalSeconds: 300 }

async function open(t: Test) {
  const world = startMonitorServices(t)
  const { store, clock } = world
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', [...monitors, ...history, ...incidents, ...wholeHistory]),
    services: {
      monitors: world.monitors,
      readings: world.readings,
      incidents: world.incidents,
      histories: createHistories({ store, clock }),
      wholeHistories: createWholeHistories(world.core),
    },
    clock,
  })
  t.teardown(() => server.stop())
  const base = `/api/v1/orgs/${orgA}`
  const file = async (query: string, org = orgA, as = 'alice') => {
    const path = server.url(`/api/v1/orgs/${org}/history?${query}`)
    const answer = await world.done(fetch(path, { headers: { cookie: `auth-token=${as}` } }))
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const rows = async (query: string) => {
    const { status, text } = await file(query)
    if (status !== 200) throw new Error(`${status} ${text}`)
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  }
  const need = async (path: string) =>
    (await world.done(server.ask(`${base}${path}`, { as: 'alice' }))).json.data
  let number = 0
  return {
    ...world,
    server,
    base,
    file,
    rows,
    need,
    add(fields: Partial<Monitor> = {}) {
      number += 1
      return world.add({ id: monitorNo(number), orgId: orgA, ...hasty, ...fields })
    },
    async see(monitor: Monitor, seen: readonly Seen[]) {
      for (const one of seen) {
        await clock.advance(5 * minuteMs)
        await world.done(world.commit.reading(monitor, makeReading(clock.nowMs(), one)))
      }
    },
  }
}

const answers = (count: number): Seen[] =>
  Array.from({ length: count }, (_, at) => {
    const firstByte = 30 + ((at * 37) % 400)
    return { ...good, durationMs: firstByte + 12, phases: { connect: 12, firstByte } }
  })

t.test('every result is in it once, as the list of results shows it', async (t) => {
  const { add, see, rows, need } = await open(t)
  const monitor = await add({ name: 'Shop, "main"' })
  await see(monitor, [...answers(300), failed, failed, ...answers(40)])
  const found = await rows('table=results')
  t.equal(found.length, 342)
  t.ok(
    found.every(
      ({ monitorId, monitorName }) => monitorId === monitor.id && monitorName === 'Shop, "main"',
    ),
  )
  const shown = await need(`/monitors/${monitor.id}/checks?limit=200`)
  t.same(
    found
      .slice(-200)
      .reverse()
      .map((row) => ({
        at: row.at,
        location: row.location,
        outcome: row.outcome,
        responseTimeMs: row.responseTimeMs,
        status: row.status,
        error: row.errorKind && { kind: row.errorKind, message: row.message },
        phases: row.firstByteMs && { connect: row.connectMs, firstByte: row.firstByteMs },
      })),
    shown.map(({ message: _, ...row }: { message: unknown }) => row),
  )
  const [first, last] = [found[10], found[20]]
  const some = await rows(`table=results&from=${first.at}&to=${last.at}`)
  t.same(some, found.slice(10, 20), 'from a time, and before another')
})

t.test(
  'hours and days add up to the uptime, and have the response times of the charts',
  async (t) => {
    const { add, see, rows, need, clock } = await open(t)
    const monitor = await add()
    await see(monitor, [...answers(10), failed, failed, ...answers(290)])
    // Nothing was seen since: the hours that are over count all the same.
    await clock.advance(3 * 60 * minuteMs + 7 * minuteMs)
    const path = `/monitors/${monitor.id}`
    for (const [table, from, to] of [
      ['hours', '2026-01-01T00:00:00.000Z', '2026-01-02T04:00:00.000Z'],
      ['days', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
    ] as const) {
      const found = await rows(`table=${table}`)
      t.equal(found[0].at, from, table)
      t.equal(found.length, table === 'hours' ? 28 : 1, table)
      const sum = (name: string) => found.reduce((all, row) => all + row[name], 0) / 1_000
      const uptime = await need(`${path}/uptime?from=${from}&to=${to}`)
      t.same(
        {
          up: sum('upMs'),
          down: sum('downMs'),
          paused: sum('pausedMs'),
          unknown: sum('unknownMs'),
        },
        {
          up: uptime.upSeconds,
          down: uptime.downSeconds,
          paused: uptime.pausedSeconds,
          unknown: uptime.unknownSeconds,
        },
        table,
      )
      const chart = await need(`${path}/response-times?from=${from}&to=${to}&points=28`)
      t.equal(sum('responses') * 1_000, chart.total.count, table)
      const [row] = found
      if (table === 'days') {
        const { avgMs, p50Ms, p99Ms, maxMs, phases, results } = (
          await need(`${path}/response-times?from=${from}&to=${to}`)
        ).total
        t.same(
          [row.avgMs, row.p50Ms, row.p99Ms, row.maxMs, row.firstByteMs, row.resultsDown],
          [avgMs, p50Ms, p99Ms, maxMs, phases.firstByte, results.down],
        )
      }
    }
  },
)

t.test('incidents come with their timelines, also of monitors that are gone', async (t) => {
  const { add, see, rows, need, monitors, alice, done } = await open(t)
  const monitor = await add({ name: 'Shop' })
  await see(monitor, [good, failed, good, good])
  const other = await add({ name: 'Gone' })
  await see(other, [good, failed])
  await done(monitors.remove({ ...alice, orgId: orgA }, other.id))
  const shown = await need('/incidents')
  const found = await rows('table=incidents')
  t.equal(found.length, 2)
  const fields = [
    'id',
    'monitorIds',
    'title',
    'cause',
    'severity',
    'state',
    'startedAt',
    'resolvedAt',
  ]
  const picked = (one: Record<string, unknown>) => fields.map((name) => one[name])
  t.same(found.map(picked), shown.map(picked))
  t.match(found, [
    { monitorName: null, resolution: 'deleted' },
    { monitorName: 'Shop', errorKind: 'status', durationMs: 5 * minuteMs },
  ])
  const entries = await rows('table=timeline')
  t.same(
    entries.map(({ incidentId, at, kind, message }) => ({ incidentId, at, kind, message })),
    shown.flatMap(({ id, timeline }: { id: string; timeline: Record<string, unknown>[] }) =>
      timeline.map(({ at, kind, message }) => ({ incidentId: id, at, kind, message })),
    ),
  )
})

t.test('each row says what its monitor was in the product that it came from', async (t) => {
  const { add, see, rows, store } = await open(t)
  const [here, moved] = [await add({ name: 'Here' }), await add({ name: 'Moved' })]
  const origin: ImportOrigin = {
    orgId: orgA,
    source: { product: 'kuma', installation: 'of a test' },
    list: 'monitors',
    ...{ origin: 'monitor/12', name: 'Moved', id: moved.id, ref: null, fields: {} },
    importId: newId('import', 0),
  }
  await store.write((tx) => store.importOrigins.put(tx, origin))
  for (const monitor of [here, moved]) await see(monitor, [good, failed])
  for (const table of ['results', 'incidents', 'timeline']) {
    const said = (await rows(`table=${table}`)).map((row) =>
      [row.monitorName, row.monitorProduct, row.monitorOrigin].join(),
    )
    t.same([...new Set(said)].sort(), ['Here,,', 'Moved,kuma,monitor/12'], table)
  }
})

t.test('what each location saw is in tables of its own', async (t) => {
  const { add, rows, need, store, clock, commit, done } = await open(t)
  const location = newLocation(orgA, { name: 'Oslo' }, clock.nowMs())
  await store.write((tx) => store.locations.put(tx, location))
  const places: readonly PlaceId[] = [location.id, home]
  const monitor = await add({ locations: places, updatedAtMs: clock.nowMs() })
  for (let round = 0; round < 30; round += 1) {
    await clock.advance(5 * minuteMs)
    for (const [at, place] of places.entries()) {
      const reading = makeReading(clock.nowMs(), { ...good, durationMs: 100 + at })
      const slot = { dueAtMs: reading.atMs, try: 0 }
      await done(commit.placed(monitor, place, [{ reading, slot }]))
    }
  }
  const results = await rows('table=results')
  t.equal(results.length, 60)
  for (const [at, place] of places.entries()) {
    const own = results.filter((row) => row.location === place)
    t.ok(own.length === 30 && own.every((row) => row.responseTimeMs === 100 + at), place)
    const hours = (await rows('table=locationHours')).filter((row) => row.location === place)
    const window = `from=${hours[0].at}&to=2026-01-01T02:00:00Z&location=${place}`
    const { upSeconds } = await need(`/monitors/${monitor.id}/uptime?${window}`)
    t.equal(hours.reduce((sum, row) => sum + row.upMs, 0) / 1_000, upSeconds, place)
  }
  t.same(await rows('table=locationDays'), [], 'no day is over')
  t.equal((await rows('table=hours')).length, 2)
})

t.test('a table is a spreadsheet, too', async (t) => {
  const { add, see, file } = await open(t)
  await see(await add({ name: 'Shop, "main"' }), [good, failed])
  const { headers, text } = await file('table=results&format=csv')
  t.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  t.equal(headers.get('content-disposition'), `attachment; filename="stillup-${orgA}-results.csv"`)
  const lines = text.split('\r\n')
  t.match(lines[0], /^monitorId,monitorName,monitorProduct,monitorOrigin,location,at,outcome,/)
  t.match(lines[1], /^mon_[^,]+,"Shop, ""main""",,,,2026-01-01T00:05:00.000Z,up,100,200,,,/)
  t.equal(lines.length, 4)
})

t.test('only administrators of the organization read it, one file at a time', async (t) => {
  const { add, see, server, base, file, store } = await open(t)
  const monitor = await add()
  await see(monitor, answers(20))
  const path = `${base}/history?table=results`
  for (const [who, status] of [
    [{ key: 'key-member' }, 403],
    [{ key: 'key-viewer' }, 403],
    [{ as: 'bob' }, 403],
    [{ as: 'charlie' }, 404],
    [{}, 401],
  ] as const) {
    t.equal((await server.ask(path, who)).status, status)
  }
  const foreign = await file('table=results', orgB, 'charlie')
  t.same([foreign.status, foreign.text], [200, ''], 'an organization has only its own')
  t.same(store.audit.list(orgA, 9), [], 'what was refused is no export')
  await file('table=timeline')
  t.match(store.audit.list(orgA, 9), [{ action: 'organization.exported', detail: 'timeline' }])
  const { status, json } = await server.ask(`${base}/history?table=secrets`, { as: 'alice' })
  t.same([status, json.code], [400, 'invalid_parameter'])
})

t.test('a reader that leaves gives way to the next', async (t) => {
  const { add, see, server, base, file } = await open(t)
  for (let each = 0; each < 4; each += 1) await see(await add(), answers(10))
  const path = `${base}/history?table=results`
  for (const method of ['GET', 'HEAD', 'GET']) {
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: key-admin\r\n\r\n`)
    socket.destroy()
  }
  await until(async () => (await file('table=results')).status === 200)
  t.equal((await file('table=results')).text.split('\n').length, 41)
})
