// What readers find of incidents and months that a status page no longer shows by itself.
import t, { type Test } from 'tap'
import { required } from '../../../src/base/assert.ts'
import { type IncidentId, newId } from '../../../src/base/ids.ts'
import type { Incident } from '../../../src/domain/incidents/incident.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import type { StatusPage } from '../../../src/domain/pages/page.ts'
import { toText } from '../../../src/pages/html.ts'
import { historyPage } from '../../../src/pages/status/history-page.ts'
import { incidentPage } from '../../../src/pages/status/incident-page.ts'
import { toPublicPage } from '../../../src/pages/view/public-view.ts'
import { publicReader } from '../../../src/services/pages/public-history.ts'
import { historyIncidentsScanned } from '../../../src/store/tables/incidents/incidents.ts'
import type { Language } from '../../../src/texts/languages.ts'
import { documentContext } from '../../support/document-context.ts'
import { makeOrg } from '../../support/make-org.ts'
import {
  dayMs,
  makeDay,
  makeMonitor,
  makePage,
  makePublicIncident,
  makeSource,
  monitorNo,
  noonMs,
  orgOne,
} from '../../support/make-page.ts'
import { makeWindow } from '../../support/make-window.ts'
import { openTempStore } from '../../support/temp-store.ts'
import { payloads } from '../../support/xss-payloads.ts'

const at = (text: string) => Date.parse(`${text}Z`)

async function open(t: Test, settings: Partial<StatusPage> = {}) {
  const { store } = openTempStore(t)
  const page = makePage(settings)
  await store.write((tx) => {
    store.orgs.put(tx, { ...makeOrg(), id: orgOne, createdAtMs: at('2025-01-20T00:00') })
    store.monitors.put(tx, makeMonitor())
    store.monitors.put(tx, makeMonitor({ id: monitorNo(2), name: 'Secret', isPublic: false }))
  })
  const timezone = page.timezone ?? 'UTC'
  const reader = publicReader(store, { page, timezone, nowMs: noonMs })
  const view = required(toPublicPage(page, [makeSource()], [], noonMs))
  const context = (language: Language = 'en') => documentContext(view, { reader, language })
  const add = (...incidents: Incident[]) =>
    store.write((tx) => {
      for (const incident of incidents) store.incidents.put(tx, incident)
    })
  return { store, reader, context, add }
}

/** One that lasted an hour; recorded a minute after it began, unless said otherwise. */
function past(startedAt: string, incident: Partial<Incident> = {}, recordedAt?: string): Incident {
  const startedAtMs = at(startedAt)
  const recordedAtMs = recordedAt === undefined ? startedAtMs + 60_000 : at(recordedAt)
  return makePublicIncident({
    id: newId('incident', recordedAtMs),
    startedAtMs,
    state: 'resolved',
    resolvedAtMs: startedAtMs + 3_600_000,
    title: `Of ${startedAt}`,
    hasOwnTitle: true,
    ...incident,
  })
}

t.test('an incident has a page however old, with all that was published of it', async (t) => {
  const { reader, context, add } = await open(t)
  const update = { kind: 'update', status: 'identified', by: 'usr_1', isPublic: true } as const
  const incident = past('2025-03-01T10:00', {
    title: 'Website was down',
    timeline: [
      { atMs: at('2025-03-01T10:01'), kind: 'opened', message: 'connect 10.0.0.1', isPublic: true },
      { ...update, id: 'upd_1', atMs: at('2025-03-01T10:20'), message: 'A **disk** is full.' },
      { ...update, id: 'upd_2', atMs: at('2025-03-01T10:30'), message: 'inside', isPublic: false },
      { atMs: at('2025-03-01T11:00'), kind: 'resolved', message: 'Recovered.', isPublic: true },
    ],
    postmortem: '# Cause\n\nSee [the report](https://acme.test/report).',
  })
  await add(incident)
  const found = required(reader.incident(incident.id))
  const page = toText(incidentPage(context(), found))
  t.match(page, '<title>Website was down – Acme status</title>')
  t.match(page, '<a href="/status/acme"><bdi>Acme status</bdi></a>')
  t.match(page, 'A <strong>disk</strong> is full.')
  t.match(page, '<meta name="description" content="Resolved">')
  t.match(page, '<dt>Duration</dt><dd><bdi>1 h</bdi></dd>')
  t.match(page, '<h3>Cause</h3>')
  t.match(page, '<a href="https://acme.test/report" rel="nofollow noopener noreferrer">')
  t.ok(page.indexOf('Resolved</strong>') < page.indexOf('Identified</strong>'), 'newest first')
  t.notMatch(page, /10\.0\.0\.1|inside/)
  const german = toText(incidentPage(context('de'), found))
  t.match(german, '<html lang="de">')
})

t.test('an incident that is not public, or of what the page does not show, has none', async (t) => {
  const { reader, add } = await open(t)
  const hidden = past('2025-03-01T10:00', { isPublic: false })
  const ofSecret = past('2025-03-02T10:00', { monitorIds: [monitorNo(2)] })
  const ofBoth = past('2025-03-03T10:00', { monitorIds: [monitorNo(1), monitorNo(2)] })
  const ofDeleted = past('2025-03-04T10:00', { monitorIds: [monitorNo(9)] })
  await add(hidden, ofSecret, ofBoth, ofDeleted)
  for (const { id } of [hidden, ofSecret, ofBoth, ofDeleted]) t.equal(reader.incident(id), null)
  t.equal(reader.incident('inc_01k0000000000000000000000z' as IncidentId), null)
  t.same(reader.month('2025-03')?.incidents, [])
  const other = await open(t, { showIncidents: false })
  const shown = past('2025-03-01T10:00')
  await other.add(shown)
  t.equal(other.reader.incident(shown.id), null)
  t.equal(other.reader.month(null), null)
})

t.test('a month lists what began in it on the clocks of the page, newest first', async (t) => {
  const { reader, context, add } = await open(t, { timezone: 'Europe/Berlin' })
  const titles = (month: string | null) => reader.month(month)?.incidents.map(({ title }) => title)
  await add(
    past('2025-02-28T22:59'),
    past('2025-02-28T23:00'),
    past('2025-03-15T12:00'),
    past('2025-03-31T21:59'),
    past('2025-03-31T22:00'),
  )
  t.same(titles('2025-02'), ['Of 2025-02-28T22:59'])
  t.same(titles('2025-03'), ['Of 2025-03-31T21:59', 'Of 2025-03-15T12:00', 'Of 2025-02-28T23:00'])
  t.same(titles('2025-04'), ['Of 2025-03-31T22:00'])
  const page = toText(historyPage(context(), required(reader.month('2025-03'))))
  t.match(page, '<title>Incidents in March 2025 – Acme status</title>')
  t.match(page, 'href="/status/acme/history?month=2025-02"')
  t.match(page, 'href="/status/acme/history?month=2025-04"')
  t.match(page, /href="\/status\/acme\/incidents\/inc_[0-9a-z]{26}"/)
  const empty = toText(historyPage(context(), required(reader.month('2025-05'))))
  t.match(empty, 'No incidents in this month.')
})

t.test('an incident that was recorded weeks later is in the month in which it began', async (t) => {
  const { store, reader, add } = await open(t)
  const late = past('2025-03-01T10:00', {}, '2025-06-20T00:00')
  const later = past('2025-03-02T10:00', {}, '2025-03-02T20:00')
  await add(late, later)
  const titles = (month: string) => reader.month(month)?.incidents.map(({ title }) => title)
  t.same(titles('2025-03'), ['Of 2025-03-02T10:00', 'Of 2025-03-01T10:00'])
  t.same(titles('2025-06'), [])
  await store.write((tx) => store.incidents.remove(tx, late))
  t.same(titles('2025-03'), ['Of 2025-03-02T10:00'])
})

t.test('only the months of the organization exist', async (t) => {
  const { reader } = await open(t)
  t.match(reader.month(null), { month: '2026-06', earlier: '2026-05', later: null })
  t.match(reader.month('2025-01'), { month: '2025-01', earlier: null, later: '2025-02' })
  for (const month of ['2024-12', '2026-07', '1970-01', '9999-12']) {
    t.equal(reader.month(month), null, month)
  }
})

t.test('a month with very many incidents says that it lists only the newest', async (t) => {
  const { reader, context, add } = await open(t)
  const many = Array.from({ length: historyIncidentsScanned + 20 }, (_, minute) => {
    const atMs = at('2026-05-01T00:00') + minute * 60_000
    return past(new Date(atMs).toISOString().slice(0, 16))
  })
  await add(...many)
  const month = required(reader.month('2026-05'))
  t.equal(month.incidents.length, historyIncidentsScanned)
  t.equal(month.incidents[0]?.title, many.at(-1)?.title)
  t.match(toText(historyPage(context(), month)), 'Only the newest 500 incidents are listed.')
})

t.test('maintenance that has taken place is in its month, with Markdown', async (t) => {
  const { store, reader, context } = await open(t)
  const startsAtMs = at('2026-05-10T10:00')
  const times = { kind: 'once', startsAtMs, endsAtMs: startsAtMs + 3_600_000 } as const
  const coming = { ...times, startsAtMs: noonMs + dayMs, endsAtMs: noonMs + 2 * dayMs }
  const description = 'We **move**.'
  await store.write((tx) => {
    store.windows.put(tx, makeWindow({ times, isPublic: true, description }))
    store.windows.put(tx, makeWindow({ times, name: 'Inside' }))
    store.windows.put(
      tx,
      makeWindow({ times, name: 'Other', isPublic: true, monitorIds: [monitorNo(2)] }),
    )
    store.windows.put(tx, makeWindow({ times: coming, name: 'Coming', isPublic: true }))
  })
  const names = (month: string) => reader.month(month)?.maintenance.map(({ name }) => name)
  t.same(names('2026-05'), ['Upgrade'])
  t.same(names('2026-06'), [])
  const page = toText(historyPage(context(), required(reader.month('2026-05'))))
  t.match(page, 'We <strong>move</strong>.')
  t.match(page, 'Completed')
})

t.test('nothing that an attacker writes becomes markup', async (t) => {
  const { reader, context, add } = await open(t)
  const plain = past('2025-03-01T10:00')
  const tagsOf = (text: string) =>
    text
      .replace(
        /<a href="(https?|mailto):[^"]*" rel="nofollow[^"]*">|<\/?(p|em|strong|code|pre|br|ul|ol|li|blockquote|h[3-6]|s|hr|a)>/g,
        '',
      )
      .match(/<[a-z]+[^>]*>/g)
      ?.map((tag) => tag.replace(/"[^"]*"/g, '""'))
      .join('')
  await add(plain)
  const own = tagsOf(toText(incidentPage(context(), required(reader.incident(plain.id)))))
  for (const text of payloads) {
    const nasty = { ...plain, title: text, cause: text, monitorNames: [text], postmortem: null }
    await add(nasty)
    t.equal(tagsOf(toText(incidentPage(context(), required(reader.incident(plain.id))))), own, text)
  }
})

t.test(
  'a year of a service begins with a month, and is only of services that the page shows',
  async (t) => {
    const { store, reader } = await open(t)
    await store.write((tx) => {
      store.monitorStates.put(tx, orgOne, monitorNo(1), initialMonitorState(noonMs))
      for (const ago of [1, 40, 300, 400]) {
        store.days.put(tx, orgOne, monitorNo(1), makeDay(ago, ago === 40 ? 3_600_000 : 0))
      }
    })
    const year = required(reader.year(monitorNo(1)))
    t.equal(new Date(year.days[0]?.startMs ?? 0).toISOString(), '2025-07-01T00:00:00.000Z')
    t.equal(year.days.at(-1)?.startMs, noonMs - dayMs / 2)
    t.equal(year.days.filter(({ upRatio }) => upRatio !== null).length, 3, 'not of the year before')
    t.equal(year.days.find(({ downMs }) => downMs > 0)?.downMs, 3_600_000)
    t.ok(year.uptime !== null && year.uptime > 0.98 && year.uptime < 0.99)
    t.equal(year.knownDays, 301)
    t.equal(reader.year(monitorNo(2)), null, 'a private one has none')
    t.equal(reader.year(monitorNo(9)), null)
  },
)

t.test('a page without services, uptime or history tells nothing of a year', async (t) => {
  const none = await open(t, { showMonitors: false })
  t.equal(none.reader.year(monitorNo(1)), null)
  const bare = await open(t, { showUptime: false, showHistory: false })
  t.match(bare.reader.year(monitorNo(1)), { days: [], uptime: null })
})
