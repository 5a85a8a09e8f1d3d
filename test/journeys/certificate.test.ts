// A certificate near its end, on the whole daemon: who should know is told, once a threshold.
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { RunningClock } from '../../src/base/clock.ts'
import { registerWithKey } from '../support/cast.ts'
import { testCertificates } from '../support/certificates.ts'
import { startCalmClock, startDaemon } from '../support/daemon.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { trustTestCa } from '../support/trust.ts'
import { until } from '../support/until.ts'

trustTestCa(t)

const dayMs = 86_400_000
const expiresAtMs = Date.UTC(2125, 0, 1)

/** A clock that is ahead of the machine's: as far as it takes for so little to be left. */
function startClockAhead(daysLeft: number) {
  const real = startCalmClock()
  const ahead = { ms: expiresAtMs - daysLeft * dayMs - real.nowMs() }
  const clock: RunningClock = {
    ...real,
    nowMs: () => real.nowMs() + ahead.ms,
    wallMs: () => real.wallMs() + ahead.ms,
  }
  return { clock, pass: (ms: number) => (ahead.ms += ms) }
}

t.test('a certificate with five days left is announced, without an incident', async (t) => {
  const server = createServer(testCertificates.good, (_request, response) => response.end('open'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver = await startReceiver()
  t.teardown(() => Promise.all([receiver.close(), server.close()]))
  const { port } = server.address() as AddressInfo

  const { clock, pass } = startClockAhead(5)
  // Closed to strangers, since of what is on loopback an open service keeps nothing.
  const daemon = await startDaemon(t, { clock, env: { AUTH_REGISTRATION: 'first-user' } })
  const { org, orgId, key } = await registerWithKey(daemon, 'alice', daemon.setupToken)
  const channel = await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'On call', type: 'webhook', config: { url: receiver.url } },
  })
  const make = (fields: object) =>
    daemon.need('POST', `${org}/monitors`, { key, json: { name: 'Shop', ...fields } })
  const url = `https://127.0.0.1:${port}/pay`
  const shop = await make({ url: `${url}?token=hidden`, intervalMinutes: 1_440 })
  t.same(shop.certificateWarnDays, [30, 14, 7, 3, 1])
  const run = (monitor: { id: string }) =>
    daemon.need('POST', `${org}/monitors/${monitor.id}`, { key })

  const [first] = await receiver.received(1)
  t.match(bodyOf(first), { type: 'certificate.expiring' })
  const { data } = bodyOf(first) as Record<string, unknown>
  t.same(data, {
    orgId,
    monitor: { id: shop.id, name: 'Shop', url, runbookUrl: null },
    monitors: [{ id: shop.id, name: 'Shop', url, runbookUrl: null }],
    monitorsTotal: 1,
    certificate: { expiresAt: '2125-01-01T00:00:00.000Z', issuer: 'Stillup Tests', daysLeft: 4 },
    thresholdDays: 7,
  })
  t.match(await run(shop), { state: 'up', openIncidentId: null })

  const silent = await make({ name: 'Silent', url, certificateWarnDays: [] })
  t.same(silent.certificateWarnDays, [])
  t.match(await run(silent), { state: 'up' })
  const ssl = await make({ name: 'Chain', checkType: 'ssl', url, certificateWarnDays: [60] })
  t.match(await run(ssl), { state: 'up' }, 'its channels were told of the certificate')

  pass(1.5 * dayMs)
  t.match(await run(shop), { state: 'up' })
  const [, second] = await receiver.received(2)
  t.match(bodyOf(second), {
    data: {
      monitor: { id: shop.id },
      monitors: [{ name: 'Shop' }, { name: 'Silent' }, { name: 'Chain' }],
      monitorsTotal: 3,
      certificate: { daysLeft: 3 },
      thresholdDays: 3,
    },
  })
  t.match(await run(ssl), { state: 'up' })
  t.match(await run(shop), { state: 'up' })

  t.same(await daemon.need('GET', `${org}/incidents`, { key }), [])
  const path = `${org}/alert-channels/${channel.id}/deliveries`
  const deliveries = await until(async () => {
    const found = await daemon.need('GET', path, { key })
    return found.every(({ state }: { state: string }) => state === 'delivered') && found
  })
  const shown = { event: 'certificate.expiring', incidentId: null, attempts: 1 }
  t.match(deliveries, [shown, shown])

  const kept = { certificateWarnDays: [2, 1] }
  t.match(await daemon.need('PATCH', `${org}/monitors/${shop.id}`, { key, json: kept }), kept)
  t.match(await run(shop), { state: 'up' })
  const { monitors } = await daemon.need('GET', `${org}/export`, { key })
  t.match(
    monitors.find(({ id }: { id: string }) => id === shop.id),
    kept,
  )
  await daemon.stop()
  t.equal(receiver.requests.length, 2, 'nothing was told twice')
  t.notMatch(JSON.stringify(receiver.requests), /hidden/, 'the query of a target stays inside')
})
