// A made-up company's status pages, for the pictures of the documents and for tests in a browser. The
// same at every call: nothing here is random, and the time is noon of one day.
import type { IncidentId, MaintenanceId, MonitorId, PageId } from '../../src/base/ids.ts'
import type { CheckRow } from '../../src/domain/checks/check-row.ts'
import { createLatencySum } from '../../src/domain/checks/latencies.ts'
import { hourMs, tallyOf } from '../../src/domain/health/span.ts'
import type { Incident, TimelineEntry } from '../../src/domain/incidents/incident.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { initialMonitorState } from '../../src/domain/monitors/monitor-state.ts'
import type { StatusPage } from '../../src/domain/pages/page.ts'
import type { Store } from '../../src/store/store.ts'
import { makeOrg } from './make-org.ts'
import {
  dayMs,
  makeDay,
  makeHealth,
  makeMonitor,
  makePage,
  makePublicIncident,
  monitorNo,
  noonMs,
  orgOne,
  todayMs,
} from './make-page.ts'
import { makeWindow } from './make-window.ts'

const minuteMs = 60_000

/** Who writes what people say of incidents. */
const person = 'usr_01k0000000000000000000000a'

/** Each service with its usual response time, in the order of the page. */
const services = [
  ['Public API', 84],
  ['Dashboard', 142],
  ['Sign-in', 61],
  ['Webhooks', 38],
  ['Frankfurt', 47],
  ['Virginia', 96],
  ['Singapore', 171],
  ['Website', 118],
  ['Documentation', 73],
  ['Support desk', 205],
] as const

const idOf = (name: (typeof services)[number][0]): MonitorId =>
  monitorNo(services.findIndex(([one]) => one === name) + 1)

const sections = [
  {
    name: 'Platform',
    monitorIds: (['Public API', 'Dashboard', 'Sign-in', 'Webhooks'] as const).map(idOf),
  },
  { name: 'Regions', monitorIds: (['Frankfurt', 'Virginia', 'Singapore'] as const).map(idOf) },
]

/** Downtime in minutes by service, and days ago. */
const outages: Partial<Record<MonitorId, Readonly<Record<number, number>>>> = {
  [idOf('Public API')]: { 11: 34, 52: 6 },
  [idOf('Dashboard')]: { 11: 41, 67: 190 },
  [idOf('Webhooks')]: { 4: 9, 38: 1_440, 39: 610 },
  [idOf('Singapore')]: { 23: 27 },
  [idOf('Support desk')]: { 71: 75 },
}
const slowDays: Partial<Record<MonitorId, Readonly<Record<number, number>>>> = {
  [idOf('Dashboard')]: { 12: 55, 30: 140 },
  [idOf('Virginia')]: { 8: 260 },
}
const maintained: Partial<Record<MonitorId, Readonly<Record<number, number>>>> = {
  [idOf('Frankfurt')]: { 19: 120 },
  [idOf('Sign-in')]: { 45: 60 },
}

/** `fire`: six incidents are open. */
export type Scene = 'calm' | 'fire'

/** The slug of the page. */
export const shownSlug = 'acme'
export const shownIncidentId = incidentNo(1)

function incidentNo(number: number): IncidentId {
  return `inc_01k${String(number).padStart(23, '0')}` as IncidentId
}

function day(monitorId: MonitorId, daysAgo: number) {
  const downMs = (outages[monitorId]?.[daysAgo] ?? 0) * minuteMs
  const degradedMs = (slowDays[monitorId]?.[daysAgo] ?? 0) * minuteMs
  const maintenanceMs = (maintained[monitorId]?.[daysAgo] ?? 0) * minuteMs
  const upMs = dayMs - downMs - degradedMs - maintenanceMs
  return makeDay(daysAgo, downMs, { upMs, degradedMs, maintenanceMs, excludedMs: maintenanceMs })
}

/** A quiet wave through the day, so that the charts have a shape. */
function latenciesOf(usualMs: number, hour: number) {
  const sum = createLatencySum('endpoint')
  for (let number = 0; number < 12; number += 1) {
    const wave = 1 + 0.18 * Math.sin((hour / 24) * 2 * Math.PI) + 0.07 * ((number * 7 + hour) % 5)
    const durationMs = Math.round(usualMs * (number === 11 ? 1.9 : 1) * wave)
    const row: CheckRow = { atMs: 0, verdict: 'up', durationMs, status: 200, phases: {} }
    sum.addRow(row)
  }
  return sum.sum()
}

function update(atMs: number, status: TimelineEntry['status'], message: string): TimelineEntry {
  return {
    atMs,
    kind: 'update',
    message,
    isPublic: true,
    by: person,
    ...(status ? { status } : {}),
  }
}

function pastIncidents(): Incident[] {
  const startedAtMs = todayMs - 11 * dayMs + 9 * hourMs
  const minutes = (count: number) => startedAtMs + count * minuteMs
  return [
    makePublicIncident({
      id: incidentNo(1),
      monitorIds: [idOf('Public API'), idOf('Dashboard')],
      title: 'API and dashboard answered with errors',
      isDeclared: true,
      state: 'resolved',
      startedAtMs,
      confirmedAtMs: startedAtMs,
      resolvedAtMs: minutes(41),
      resolution: 'manual',
      postmortem:
        'A deployment doubled the number of database connections, and the pool ran out.\n\n' +
        '- The deployment was **rolled back** after 34 minutes.\n' +
        '- Connections are now limited for each service.\n' +
        '- An alert tells us when 80 % of them are in use.',
      timeline: [
        {
          atMs: startedAtMs,
          kind: 'opened',
          message: 'Some requests fail with status 503. We are looking into it.',
          isPublic: true,
          by: person,
        },
        update(minutes(12), 'identified', 'The database refuses new connections.'),
        update(minutes(34), 'monitoring', 'The last deployment was rolled back.'),
        {
          atMs: minutes(41),
          kind: 'resolved',
          message: 'Everything works again. A post-mortem will follow.',
          isPublic: true,
          by: person,
        },
      ],
    }),
    makePublicIncident({
      id: incidentNo(2),
      monitorIds: [idOf('Webhooks')],
      title: 'Webhooks is down',
      state: 'resolved',
      startedAtMs: todayMs - 4 * dayMs + 14 * hourMs,
      confirmedAtMs: todayMs - 4 * dayMs + 14 * hourMs + minuteMs,
      resolvedAtMs: todayMs - 4 * dayMs + 14 * hourMs + 9 * minuteMs,
      resolution: 'recovered',
    }),
  ]
}

function openIncidents(): Incident[] {
  const down = ['Public API', 'Dashboard', 'Webhooks', 'Virginia', 'Singapore'] as const
  const startedAtMs = noonMs - 26 * minuteMs
  return [
    makePublicIncident({
      id: incidentNo(10),
      monitorIds: down.map(idOf),
      title: 'Large parts of the platform cannot be reached',
      isDeclared: true,
      startedAtMs,
      confirmedAtMs: startedAtMs,
      timeline: [
        {
          atMs: startedAtMs,
          kind: 'opened',
          message: 'We see failures in two regions and are looking into them.',
          isPublic: true,
          by: person,
        },
        update(
          noonMs - 8 * minuteMs,
          'identified',
          'A network provider has lost a route between our regions. Traffic is being moved.',
        ),
      ],
    }),
    ...down.map((name, index) =>
      makePublicIncident({
        id: incidentNo(11 + index),
        monitorIds: [idOf(name)],
        title: `${name} is down`,
        startedAtMs: startedAtMs + index * 40_000,
        confirmedAtMs: startedAtMs + index * 40_000 + minuteMs,
      }),
    ),
  ]
}

/** Fills a store with the page and all that it shows. */
export async function seedShownPage(
  store: Store,
  scene: Scene,
  page: Partial<StatusPage> = {},
): Promise<void> {
  const down = new Set(scene === 'fire' ? openIncidents().flatMap((one) => one.monitorIds) : [])
  await store.write((tx) => {
    store.orgs.put(tx, makeOrg({ id: orgOne, name: 'Acme' }))
    for (const [index, [name, usualMs]] of services.entries()) {
      const id = monitorNo(index + 1)
      store.monitors.put(tx, makeMonitor({ id, name }))
      const state = down.has(id) ? 'down' : 'up'
      const sinceMs = down.has(id) ? noonMs - 26 * minuteMs : todayMs
      store.monitorStates.put(tx, orgOne, id, {
        ...initialMonitorState(noonMs),
        tally: { ...tallyOf(todayMs), upMs: dayMs / 2, checks: 144 },
        health: makeHealth(state, sinceMs),
      })
      for (let ago = limits.historyDays - 1; ago >= 1; ago -= 1) {
        store.days.put(tx, orgOne, id, day(id, ago), latenciesOf(usualMs, ago))
      }
      for (let ago = 72; ago >= 1; ago -= 1) {
        const startMs = noonMs - ago * hourMs
        const hour = { ...tallyOf(startMs, hourMs), upMs: hourMs, checks: 12 }
        store.hours.put(tx, orgOne, id, hour, latenciesOf(usualMs, ago))
      }
    }
    for (const incident of [...pastIncidents(), ...(scene === 'fire' ? openIncidents() : [])]) {
      store.incidents.put(tx, incident)
    }
    store.windows.put(
      tx,
      makeWindow({
        id: `mnt_01k${'0'.repeat(22)}1` as MaintenanceId,
        orgId: orgOne,
        name: 'Database upgrade in Frankfurt',
        description: 'Writes may be slow for a few minutes.',
        monitorIds: [idOf('Frankfurt')],
        isPublic: true,
        times: {
          kind: 'once',
          startsAtMs: noonMs + 2 * dayMs + 14 * hourMs,
          endsAtMs: noonMs + 2 * dayMs + 15 * hourMs,
        },
      }),
    )
    store.pages.put(
      tx,
      makePage({
        id: `pag_01k${'0'.repeat(22)}1` as PageId,
        name: 'Acme',
        slug: shownSlug,
        title: 'Acme Cloud status',
        description: 'The state of the services of Acme Cloud, checked every minute.',
        sections,
        showResponseTimes: true,
        allowsSubscribers: true,
        ...page,
      }),
      noonMs,
    )
  })
}
