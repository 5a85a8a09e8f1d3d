// Incidents of Better Stack become the past of what they were about.
import t from 'tap'
import { pastOf } from '../../../../src/domain/imports/betterstack/past.ts'
import { createNotes } from '../../../../src/domain/imports/foreign.ts'

const dayMs = 86_400_000
const readAtMs = Date.UTC(2026, 10, 30)

const incident = (type: string, id: string, attributes: object) => ({
  type: 'incident',
  attributes: { cause: 'Status 500', status: 'Resolved', ...attributes },
  relationships: { [type]: { data: { id, type } } },
})

t.test('an incident is a time down, and all else a time up', async (t) => {
  const times = { started_at: '2026-11-20T00:00:00Z', resolved_at: '2026-11-20T06:00:00Z' }
  const notes = createNotes()
  const watched = [
    { there: 'monitor/1', fields: { created_at: '2026-11-10T00:00:00Z' } },
    { there: 'heartbeat/1', fields: {} },
  ]
  const incidents = [
    incident('monitor', '1', times),
    incident('heartbeat', '1', { started_at: '2026-11-29T12:00:00Z', resolved_at: null }),
    incident('monitor', '1', { ...times, status: 'Unconfirmed' }),
    incident('monitor', '1', { ...times, ssl_certificate_expires_at: '2026-12-20T00:00:00Z' }),
    incident('monitor', '404', times),
    { ...incident('monitor', '1', times), relationships: {} },
  ]
  const [site, job] = pastOf(incidents, watched, readAtMs, notes.of(null))
  const fromMs = Date.parse(times.started_at)
  t.match(site, {
    origin: 'monitor/1',
    days: { length: 20 },
    outages: [{ fromMs, toMs: fromMs + dayMs / 4, text: 'Status 500' }],
  })
  t.match(
    site?.days.find(({ startMs }) => startMs === fromMs),
    { downMs: dayMs / 4, upMs: (dayMs * 3) / 4 },
  )
  t.match(job, { origin: 'heartbeat/1', outages: [{ toMs: null }] })
  const lines = notes.all().map(({ text }) => text)
  t.match(lines.join('\n'), /2 incidents by certificates and domains/)
  t.match(lines.join('\n'), /2 incidents that are of no monitor here/)
})

t.test('without a time of reading or incidents there is no past', async (t) => {
  const notes = createNotes()
  const watched = [{ there: 'monitor/1', fields: {} }]
  t.same(pastOf([], watched, readAtMs, notes.of(null)), [])
  t.same(pastOf([incident('monitor', '1', {})], watched, 0, notes.of(null)), [])
  t.same(notes.all(), [])
})
