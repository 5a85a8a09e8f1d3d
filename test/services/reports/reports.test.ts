// Reports: exact figures, signatures that other libraries verify, and the command that does so offline.

import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { verifyReport } from '../../../src/commands/verify-report.ts'
import { dayMs } from '../../../src/domain/health/span.ts'
import { type ReportFacts, uptimeReport } from '../../../src/domain/reports/uptime-report.ts'
import { reports as reportRoutes } from '../../../src/http/api/reports/reports.ts'
import { wellKnownRoute } from '../../../src/http/public/well-known.ts'
import { atPrefix } from '../../../src/http/routing/route.ts'
import { toText } from '../../../src/pages/html.ts'
import { reportPage } from '../../../src/pages/report-page.ts'
import { mintReportSeed, reportKeyId, reportSigner } from '../../../src/seal/report-signature.ts'
import { createReportKeys } from '../../../src/services/reports/report-keys.ts'
import { createReports, reportAgeMsMax } from '../../../src/services/reports/reports.ts'
import { fakeHost } from '../../support/fake-host.ts'
import { orgA as orgOfHttp, startTestHttp } from '../../support/http.ts'
import { makeIncident } from '../../support/make-incident.ts'
import { makeMonitor } from '../../support/make-page.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good } from '../../support/monitor-world.ts'

async function begin(t: Test) {
  const world = startMonitorServices(t)
  const { core, readings } = world
  const keys = createReportKeys(core)
  await keys.ensure()
  const reports = createReports(
    { ...core, baseUrl: 'https://up.example' },
    {
      keys,
      uptimeOf: readings.uptimeOf,
      version: '1.2.3',
    },
  )
  return { ...world, keys, reports }
}

/** A monitor that was down for three minutes of this month. */
async function withOutage(t: Test) {
  const world = await begin(t)
  const monitor = await world.add({ intervalSeconds: 60, sloPercent: 99.9 })
  await world.see(monitor, [...Array(20).fill(good), ...Array(3).fill(failed), good, good, good])
  return { ...world, monitor }
}

const monthOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 7)

t.test('a report has exact seconds and every incident, and its parts are the whole', async (t) => {
  const { reports, bob, monitor, clock } = await withOutage(t)
  const { report } = reports.of(bob, monitor.id, monthOf(clock.nowMs()))
  const { seconds } = report
  t.match(report, {
    monitor: { id: monitor.id, name: 'Website' },
    service: 'https://up.example',
    product: { name: 'stillup', version: '1.2.3' },
    period: { isComplete: false, to: new Date(clock.nowMs()).toISOString() },
    seconds: { down: 180, up: 22 * 60, degraded: 0 },
    uptimeRatio: 0.88,
    objectivePercent: 99.9,
    incidents: [{ severity: 'down', causeKind: 'status', seconds: 180 }],
    incidentsTotal: 1,
  })
  const { total, up, degraded, down, maintenance, paused, unknown } = seconds
  t.equal(up + degraded + down + maintenance + paused + unknown, total)
})

t.test('a report calls a monitor by its public name', async (t) => {
  const { reports, bob, add, clock } = await begin(t)
  const { id } = await add({ name: '10.0.0.7:8080', publicName: 'Shop' })
  const { report, statement } = reports.of(bob, id, monthOf(clock.nowMs()))
  t.equal(report.monitor.name, 'Shop')
  t.notMatch(statement, '10.0.0.7')
})

t.test(
  'a report says which incidents a person declared, and counts no time for them',
  async (t) => {
    const { reports, bob, monitor, clock, store } = await withOutage(t)
    const month = monthOf(clock.nowMs())
    const { seconds } = reports.of(bob, monitor.id, month).report
    const atMs = clock.nowMs() - 60_000
    const declared = makeIncident({
      ...{ id: newId('incident', atMs), orgId: monitor.orgId, monitorIds: [monitor.id] },
      ...{ isDeclared: true, severity: 'down', startedAtMs: atMs, confirmedAtMs: atMs },
    })
    await store.write((tx) => store.incidents.put(tx, declared))
    const signed = reports.of(bob, monitor.id, month)
    t.same(signed.report.seconds, seconds)
    t.match(signed.report.incidents, [{ isDeclared: false }, { isDeclared: true, causeKind: null }])
    t.match(toText(reportPage(signed, 'en')), /Down <small>declared by a person/)
  },
)

t.test('parts of a second are rounded so that the parts are still the whole', async (t) => {
  const times = { degradedMs: 0, pausedMs: 0, maintenanceMs: 0, upMs: 1_600, downMs: 1_700 }
  const facts: ReportFacts = {
    keyId: 'k',
    nowMs: 5_000,
    productVersion: '1',
    service: 'https://up.example',
    organizationName: 'Acme',
    monitor: makeMonitor(),
    month: '1970-01',
    fromMs: 0,
    toMs: 5_000,
    isComplete: false,
    times: { ...times, unknownMs: 1_700 },
    incidents: [],
  }
  t.same(uptimeReport(facts).seconds, {
    total: 5,
    up: 1,
    degraded: 0,
    down: 2,
    maintenance: 0,
    paused: 0,
    unknown: 2,
  })
  const early = makeIncident({ startedAtMs: -60_000, resolvedAtMs: 2_000 })
  t.match(uptimeReport({ ...facts, incidents: [early] }).incidents, [{ seconds: 2 }])
  t.equal(
    uptimeReport({ ...facts, times: { ...times, upMs: 0, downMs: 0, unknownMs: 5_000 } })
      .uptimeRatio,
    null,
  )
  const nearly = { ...times, upMs: 999_999_999, downMs: 1, unknownMs: 0 }
  t.equal(uptimeReport({ ...facts, times: nearly }).uptimeRatio, 0.999999, 'it is never rounded up')
})

t.test('another library verifies the signature of exactly these bytes', async (t) => {
  const { reports, bob, monitor, clock, keys } = await withOutage(t)
  const signed = reports.of(bob, monitor.id, monthOf(clock.nowMs()))
  t.same(JSON.parse(signed.statement), signed.report)
  t.match(keys.published(), [
    { keyId: signed.keyId, publicKey: signed.publicKey, retiredAtMs: null },
  ])
  t.equal(signed.keyId, reportKeyId(signed.publicKey))
  const x = Buffer.from(signed.publicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const fits = (text: string) =>
    verify(null, Buffer.from(text), key, Buffer.from(signed.signature, 'base64'))
  t.ok(fits(signed.statement))
  t.notOk(fits(signed.statement.replace('"down":180', '"down":18')))
})

t.test('a report of a past month is signed once, one of this month once a minute', async (t) => {
  const { reports, bob, monitor, clock, world } = await withOutage(t)
  const month = monthOf(clock.nowMs())
  const first = reports.of(bob, monitor.id, month)
  await clock.advance(reportAgeMsMax - 1)
  t.equal(reports.of(bob, monitor.id, month), first)
  await clock.advance(1)
  t.not(reports.of(bob, monitor.id, month), first)
  await clock.advance(40 * dayMs)
  const past = reports.of(bob, monitor.id, month)
  t.match(past.report.period, { isComplete: true })
  t.match(past.report.seconds, { down: 180 })
  await clock.advance(dayMs)
  t.equal(reports.of(bob, monitor.id, month), past)
  await world.store.write((tx) =>
    world.store.monitors.put(tx, { ...monitor, name: 'Shop', revision: 2 }),
  )
  t.match(reports.of(bob, monitor.id, month).report.monitor, { name: 'Shop' })
  t.equal(
    reports.of(bob, monitor.id).report.period.month,
    monthOf(clock.nowMs() - 28 * dayMs),
    'the last complete month if none is named',
  )
})

t.test('a month that has not begun, and a foreign monitor, have no report', async (t) => {
  const { reports, bob, charlie, monitor, clock } = await withOutage(t)
  t.throws(() => reports.of(bob, monitor.id, monthOf(clock.nowMs() + 40 * dayMs)), {
    code: 'invalid_parameter',
  })
  t.throws(() => reports.of(charlie, monitor.id), { code: 'not_found' })
  t.match(reports.of(bob, monitor.id, '2001-02').report, {
    uptimeRatio: null,
    coverage: 0,
    seconds: { total: 28 * 86_400, unknown: 28 * 86_400 },
  })
})

t.test('verify-report says whether a file is what was signed', async (t) => {
  const { reports, bob, monitor, clock, keys } = await withOutage(t)
  const signed = reports.of(bob, monitor.id, monthOf(clock.nowMs()))
  const data = { ...signed, algorithm: 'Ed25519' }
  const dir = t.testdir()
  const check = async (content: unknown, more: { key?: string; url?: string } = {}) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(dir, 'report.json'), text)
    const host = fakeHost(dir)
    const { key, url } = more
    const code = await verifyReport(host, { file: 'report.json', key, url })
    return { code, said: host.printed.join('\n'), warned: host.complaints.join('\n') }
  }
  const whole = await check({ success: true, data })
  t.match(whole, { code: 0, said: /Monitor: Website, of .+\nPeriod: .+\nUptime: 88%; down: 180 s/ })
  t.match(whole.warned, /not who signed it/)
  t.match(await check(data, { key: signed.publicKey }), { code: 0, warned: '' })
  const changed = { ...data, statement: signed.statement.replace('"down":180', '"down":0') }
  t.match(await check(changed), { code: 1, said: '', warned: /was changed after it was signed/ })
  const prettier = { ...data, report: { ...signed.report, uptimeRatio: 1 } }
  t.match(await check(prettier), { code: 1, warned: /differs from what was signed/ })
  const other = reportSigner(mintReportSeed())
  t.match(await check(data, { key: other.publicKey }), { code: 1, warned: /another key/ })
  const forged = { ...data, signature: other.sign(signed.statement), publicKey: other.publicKey }
  t.match(await check(forged), { code: 0 }, 'whole, but by anybody: the file brings its own key')
  t.match(await check(forged, { key: signed.publicKey }), { code: 1 })
  t.match(await check('{}'), { code: 1, warned: /not a signed report/ })
  t.match(await check('no'), { code: 1, warned: /not JSON/ })
  t.match(await check(data, { key: 'short' }), { code: 1, warned: /32 bytes as base64/ })
  t.match(await check({ ...data, signature: '' }), { code: 1 })

  const server = await startTestHttp({ routes: [], services: { reportKeys: keys }, clock })
  t.teardown(() => server.stop())
  t.match(await check(data, { url: server.url('') }), { code: 0, warned: '' })
  t.match(await check(forged, { url: server.url('') }), {
    code: 1,
    warned: /is not signed with a key that/,
  })
  t.match(await check(data, { url: 'http://127.0.0.1:1' }), {
    code: 1,
    warned: /cannot be compared/,
  })
  const endless = createServer((_request, response) => {
    const more = () => response.write('x'.repeat(64 * 1024), (error) => error ?? more())
    more()
  })
  endless.listen(0, '127.0.0.1')
  await once(endless, 'listening')
  t.teardown(() => endless.close())
  const { port } = endless.address() as AddressInfo
  t.match(await check(data, { url: `http://127.0.0.1:${port}` }), {
    code: 1,
    warned: /cannot be compared with .* \(is too large for a report\)/,
  })
  t.match(await server.ask(wellKnownRoute('https://up.example').path), {
    status: 200,
    json: { product: 'stillup', reportKeys: [{ keyId: signed.keyId, retiredAt: null }] },
  })
})

t.test('viewers get the report as JSON, and as a page without scripts', async (t) => {
  const world = await begin(t)
  const { reports, clock } = world
  const monitor = await world.add({ orgId: orgOfHttp, name: 'A & <b>', intervalSeconds: 60 })
  await world.see(monitor, [good, good, failed, failed, failed, good])
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', reportRoutes),
    services: { reports },
    clock,
  })
  t.teardown(() => server.stop())
  const path = `/api/v1/orgs/${orgOfHttp}/monitors/${monitor.id}/report`
  const month = monthOf(clock.nowMs())
  const { json } = await server.ask(`${path}?month=${month}`, { as: 'bob' })
  t.match(json.data, { algorithm: 'Ed25519', report: { monitor: { name: 'A & <b>' } } })
  t.same(json.data.report, JSON.parse(json.data.statement), 'the readable part is complete')
  t.match(await server.ask(`${path}?month=2026-13`, { as: 'bob' }), { status: 400 })
  const page = await server.ask(`${path}.html?month=${month}`, { as: 'bob' })
  t.equal(page.status, 200)
  t.match(page.headers.get('content-type'), 'text/html')
  t.match(page.headers.get('content-security-policy'), /default-src 'none'/)
  t.match(page.text, /A &amp; &lt;b&gt;/)
  t.match(page.text, /This month is still running/)
  t.match(page.text, /wrong status/)
  t.notMatch(page.text, /<script/)
  t.match(await server.ask(`${path}.html?month=${month}`), { status: 401 })
  const german = { as: 'bob', headers: { 'accept-language': 'de-AT, en;q=0.5' } }
  const asked = await server.ask(`${path}.html?month=${month}`, german)
  t.match(asked.text, /<html lang="de">[\s\S]*Dieser Monat läuft noch/, 'what the browser asks for')
  const chosen = await server.ask(`${path}.html?month=${month}&language=ja`, german)
  t.match(
    chosen.text,
    /<html lang="ja">[\s\S]*この月はまだ終わっていない/,
    'what the address names',
  )
  t.match(await server.ask(`${path}.html?language=xx`, german), { status: 400 })
  const signed = await server.ask(`${path}?month=${month}`, german)
  t.equal(signed.json.data.statement, json.data.statement, 'what is signed has no language')
})

t.test('the page of a report without incidents or data says so', async (t) => {
  const { reports, bob, monitor } = await withOutage(t)
  const text = toText(reportPage(reports.of(bob, monitor.id, '2001-02'), 'en'))
  t.match(text, /There was no incident/)
  t.match(text, /<dt>Uptime<\/dt><dd><b>not known<\/b>/)
  t.match(
    text,
    /<dd>99\.9%<\/dd>/,
    'an objective that nothing is known of is neither met nor missed',
  )
})

t.test('the key is made once, and stays the same', async (t) => {
  const { core, keys } = await begin(t)
  const again = createReportKeys(core)
  await again.ensure()
  t.equal(again.signer().keyId, keys.signer().keyId)
  t.not(reportSigner(randomBytes(32).toString('base64')).keyId, keys.signer().keyId)
})
