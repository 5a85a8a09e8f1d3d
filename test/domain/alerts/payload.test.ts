// What leaves for a channel, and what never does.
import t from 'tap'
import {
  bareUrl,
  certificatePayload,
  detailsIn,
  detailsOf,
  domainPayload,
  type IncidentEvent,
  incidentPayload,
  payloadUrlCharsMax,
} from '../../../src/domain/alerts/payload.ts'
import {
  closedByHand,
  type Incident,
  resolvedIncident,
  withUpdate,
} from '../../../src/domain/incidents/incident.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { incidentA, makeIncident, monitorA, orgA } from '../../support/make-incident.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'

const monitor = { id: monitorA, name: 'API', url: 'https://user:pass@api.test/health?key=secret#x' }

t.test('an opening says what, since when, why, and where to look', async (t) => {
  const payload = incidentPayload(
    'incident.opened',
    makeIncident(),
    [monitor],
    61_000,
    'http://s/alerts/x',
  )
  t.same(payload, {
    type: 'incident.opened',
    timestamp: '1970-01-01T00:01:01.000Z',
    data: {
      orgId: orgA,
      incident: {
        id: incidentA,
        title: 'API is down',
        cause: 'timeout: no answer within 10,000 ms',
        severity: 'down',
        state: 'open',
        startedAt: '1970-01-01T00:00:01.000Z',
        confirmedAt: '1970-01-01T00:01:01.000Z',
        acknowledgedAt: null,
        resolvedAt: null,
        resolution: null,
        stillFailing: false,
        durationMs: 60_000,
        flapping: false,
        worsened: false,
        details: null,
        locations: null,
        url: 'http://s/alerts/x',
      },
      update: null,
      monitors: [{ id: monitorA, name: 'API', url: 'https://api.test/health', runbookUrl: null }],
      monitorsTotal: 1,
    },
  })
})

t.test('what the failing check measured is said in the language of the reader', async (t) => {
  const measured = { dns: 3.2, connect: 12, tls: 25, firstByte: 1_090, download: 7 }
  const evidence = { status: 503, phases: measured } as Incident['evidence']
  const details = detailsOf(makeIncident({ evidence })) ?? ''
  t.equal(
    details,
    'HTTP 503, DNS 3 ms, connect 12 ms, TLS 25 ms, first byte 1090 ms, download 7 ms',
  )
  t.equal(
    detailsIn('de', details).replaceAll('\u00a0', ' '),
    'HTTP 503, DNS 3 ms, Verbindung 12 ms, TLS 25 ms, erstes Byte 1.090 ms, Übertragung 7 ms',
  )
  t.match(detailsIn('ja', details), /^HTTP 503、DNS 3.*、接続 12/)
  t.equal(detailsIn('de', 'what an older version said'), 'what an older version said')
})

t.test('an update carries what a person wrote, and a reminder carries nothing', async (t) => {
  const written = { message: 'We look.', by: 'usr_1', status: 'investigating' } as const
  const incident = withUpdate(makeIncident(), {
    ...written,
    id: 'upd_1',
    atMs: 62_000,
    isPublic: false,
  })
  const updateOf = (event: IncidentEvent) =>
    incidentPayload(event, incident, [monitor], 62_000, '').data.update
  const at = '1970-01-01T00:01:02.000Z'
  t.same(updateOf('incident.updated'), { kind: 'update', ...written, at })
  t.equal(updateOf('incident.reminder'), null)
})

t.test('the end of an incident whose service still fails is told apart', async (t) => {
  const person = { id: 'upd_1', by: 'usr_1', atMs: 70_000 }
  const payloadOf = (stillBad: 'down' | null) =>
    incidentPayload(
      'incident.resolved',
      closedByHand(makeIncident(), person, stillBad),
      [monitor],
      70_000,
      '',
    ).data
  t.match(payloadOf('down').incident, { resolution: 'manual', stillFailing: true })
  t.match(payloadOf(null).incident, { resolution: 'manual', stillFailing: false })
  t.match(payloadOf('down').update, { message: /still failing/, by: 'usr_1', status: 'resolved' })
})

t.test('a resolution carries both the beginning and the end', async (t) => {
  const end = { resolution: 'recovered', resolvedAtMs: 91_000, atMs: 121_000 } as const
  const incident = resolvedIncident(makeIncident(), end)
  const { data } = incidentPayload('incident.resolved', incident, [monitor], 121_000, '')
  t.match(data.incident, { startedAt: /:01.000Z$/, resolvedAt: '1970-01-01T00:01:31.000Z' })
  t.match(data.incident, { durationMs: 90_000, resolution: 'recovered', state: 'resolved' })
})

t.test('neither evidence nor possibly secret parts of the target are sent', async (t) => {
  const evidence = { body: 'SECRET-BODY', headers: [['x-token', 'SECRET-HEADER']] as const }
  const incident = makeIncident({ evidence, postmortem: 'SECRET-LESSON' })
  const json = JSON.stringify(incidentPayload('incident.opened', incident, [monitor], 0, ''))
  t.notMatch(json, /SECRET|user|pass|secret|key=/)
  t.equal(bareUrl('not a url'), null)
  t.equal(bareUrl(`https://api.test/${'x'.repeat(payloadUrlCharsMax)}`), null)
})

t.test('a payload stays small, however many monitors an incident has', async (t) => {
  const long = { id: monitorA, name: '𝕏'.repeat(120), url: `https://api.test/${'x'.repeat(490)}` }
  const { data } = incidentPayload('incident.opened', makeIncident(), Array(500).fill(long), 0, '')
  t.equal(data.monitors.length, limits.payloadMonitorsMax)
  t.equal(data.monitorsTotal, 500)
  t.ok(JSON.stringify(data).length < 20 * 1024)
})

t.test('notices name who uses a certificate, and the domain that expires', async (t) => {
  const monitors = Array.from({ length: 12 }, (_, n) =>
    makeMonitor({ id: monitorNo(n + 1), name: `M${n + 1}`, url: 'https://u:p@shop.test/?token=x' }),
  )
  const [first, ...others] = monitors
  if (!first) throw new Error('there are twelve')
  const certificate = { expiresAtMs: 86_400_000, issuer: 'Test CA', fingerprint: 'ab' }
  const expiry = { daysLeft: 1, thresholdDays: 1 }
  const { data } = certificatePayload(
    { monitors: [first, ...others], total: 40 },
    { certificate, ...expiry },
    0,
  )
  t.match(data, { monitor: { name: 'M1' }, monitorsTotal: 40, certificate: { daysLeft: 1 } })
  t.equal(data.monitors?.length, 10)
  t.notMatch(JSON.stringify(data), /token|u:p|"ab"/)
  const registration = { name: 'shop.test', expiresAtMs: 86_400_000, registrar: null }
  t.same(domainPayload(first, { registration, ...expiry }, 0), {
    type: 'domain.expiring',
    timestamp: '1970-01-01T00:00:00.000Z',
    data: {
      orgId: first.orgId,
      monitor: { id: first.id, name: 'M1', url: 'https://shop.test/', runbookUrl: null },
      domain: {
        name: 'shop.test',
        expiresAt: '1970-01-02T00:00:00.000Z',
        registrar: null,
        daysLeft: 1,
      },
      thresholdDays: 1,
    },
  })
})
