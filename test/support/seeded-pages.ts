// Status pages as readers meet them: calm and on fire, small and large, always from the same dice.
import type { IncidentId, MaintenanceId } from '../../src/base/ids.ts'
import type { Tally } from '../../src/domain/health/span.ts'
import type { Incident, TimelineEntry } from '../../src/domain/incidents/incident.ts'
import type { MaintenanceWindow } from '../../src/domain/maintenance/window.ts'
import type { StatusPage } from '../../src/domain/pages/page.ts'
import type { PublicPage, PublicResponseTimes } from '../../src/pages/view/public-page.ts'
import { type MonitorSource, toPublicPage } from '../../src/pages/view/public-view.ts'
import {
  dayMs,
  makeDay,
  makePage,
  makePublicIncident,
  makeSource,
  monitorNo,
  noonMs,
} from './make-page.ts'
import { makeWindow } from './make-window.ts'
import { seededRandom } from './seeded-random.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export interface Seeded {
  readonly monitors: number
  /** Six incidents are open, four of them opened by the daemon. */
  readonly isOnFire?: boolean
  readonly hasSections?: boolean
  readonly names?: readonly string[]
  readonly page?: Partial<StatusPage>
}

const usualNames = [
  ...['Website', 'Checkout API', 'Payments', 'Customer dashboard', 'Webhooks', 'Search'],
  ...['Mail delivery', 'Image CDN', 'Authentication', 'Mobile push', 'Exports', 'Reporting'],
  ...['EU database', 'US database', 'Object storage', 'Nightly backup', 'DNS', 'Documentation'],
  ...['Support desk', 'Partner gateway'],
]
const sectionNames = ['Products', 'Platform', 'Regions', 'Back office']

/** The view of a page, the same at each call. */
export function seededPage({ monitors, isOnFire, hasSections, names, page }: Seeded): PublicPage {
  const dice = seededRandom(monitors)
  const down = isOnFire ? [1, 4, 7, 11] : []
  const degraded = isOnFire ? [2, 9] : []
  const nameOf = (at: number) => {
    const all = names ?? usualNames
    const round = Math.floor(at / all.length)
    return `${all[at % all.length]}${round > 0 ? ` ${round + 1}` : ''}`
  }
  const sources = Array.from({ length: monitors }, (_, at): MonitorSource => {
    const state = down.includes(at) ? 'down' : degraded.includes(at) ? 'degraded' : 'up'
    const days = daysOf(at, dice)
    if (state === 'down') days.push(makeDay(0, 12 * minuteMs))
    const source = makeSource({ id: monitorNo(at + 1), name: nameOf(at) }, state, days)
    return { ...source, isUnderMaintenance: at === 5, responseTimes: responseTimes(dice) }
  })
  const each = Math.ceil(monitors / sectionNames.length)
  const sections = sectionNames.map((name, at) => ({
    name,
    monitorIds: sources.slice(at * each, (at + 1) * each).map(({ monitor }) => monitor.id),
  }))
  const made = makePage({
    description: 'Current state and history of our services.',
    ...(hasSections ? { sections } : {}),
    ...page,
  })
  const incidents = [
    ...(isOnFire ? openIncidents(down, degraded, nameOf) : []),
    ...pastIncidents(nameOf),
  ]
  const view = toPublicPage(made, sources, incidents, noonMs, {
    windows: [plannedWork()],
    url: 'https://up.test/status/acme',
    serviceUrl: 'https://up.test',
  })
  if (!view) throw new Error('the page is enabled')
  return view
}

/** A quiet quarter with a few bad days; every seventh service is young. */
function daysOf(at: number, dice: () => number): Tally[] {
  const first = at % 7 === 6 ? 40 : 89
  return Array.from({ length: first + 1 }, (_, index) => {
    const ago = first - index
    const luck = dice()
    if (luck < 0.015) return makeDay(ago, Math.ceil(dice() ** 4 * 1_439) * minuteMs)
    if (luck < 0.025) return degradedDay(ago, Math.ceil(dice() * 300) * minuteMs)
    if (ago === 30 && at % 3 === 0) {
      return makeDay(ago, 0, {
        upMs: dayMs - 2 * hourMs,
        excludedMs: 2 * hourMs,
        maintenanceMs: 2 * hourMs,
      })
    }
    return makeDay(ago)
  })
}

function degradedDay(ago: number, degradedMs: number): Tally {
  return makeDay(ago, 0, { upMs: dayMs - degradedMs, degradedMs })
}

function responseTimes(dice: () => number): PublicResponseTimes {
  const usualMs = 40 + dice() * 200
  const hours = Array.from({ length: 24 }, (_, at) => {
    const p50Ms = Math.round(usualMs * (0.8 + dice() * 0.4))
    const startMs = noonMs - (24 - at) * hourMs
    return at === 9
      ? { startMs, p50Ms: null, p95Ms: null }
      : { startMs, p50Ms, p95Ms: Math.round(p50Ms * (1.4 + dice() * 1.6)) }
  })
  return { p50Ms: Math.round(usualMs), p95Ms: Math.round(usualMs * 2.2), hours }
}

type NameOf = (at: number) => string

const entry = (minutesAgo: number, more: Partial<TimelineEntry>): TimelineEntry => ({
  atMs: noonMs - minutesAgo * minuteMs,
  kind: 'update',
  message: '',
  isPublic: true,
  ...more,
})

function openIncidents(
  down: readonly number[],
  degraded: readonly number[],
  nameOf: NameOf,
): Incident[] {
  const automatic = [...down.slice(0, 3), ...degraded.slice(0, 1)].map((at, index) =>
    makePublicIncident({
      id: `inc_open${index}` as IncidentId,
      title: `${nameOf(at)} is ${index === 3 ? 'slow' : 'down'}`,
      severity: index === 3 ? 'degraded' : 'down',
      monitorIds: [monitorNo(at + 1)],
      startedAtMs: noonMs - (12 + index * 7) * minuteMs,
      timeline: [entry(12 + index * 7, { kind: 'opened', message: 'hidden' })],
    }),
  )
  const declared = [
    {
      title: 'Payments are delayed',
      updates: [
        entry(48, {
          kind: 'opened',
          id: 'upd_1',
          message: 'Card payments take up to ten minutes.',
        }),
        entry(30, {
          id: 'upd_2',
          status: 'identified',
          message:
            'A database of our payment provider lost its primary. They are failing over; payments \
that were begun are not lost and will be booked once it is back.',
        }),
      ],
    },
    {
      title: 'Sign-in fails for some customers in Europe',
      updates: [
        entry(25, {
          kind: 'opened',
          id: 'upd_3',
          message: 'We are looking into failing sign-ins.',
        }),
      ],
    },
  ].map(({ title, updates }, index) =>
    makePublicIncident({
      id: `inc_declared${index}` as IncidentId,
      title,
      isDeclared: true,
      severity: 'declared',
      monitorIds: index === 0 ? [monitorNo(3)] : [],
      startedAtMs: updates[0]?.atMs ?? noonMs,
      timeline: updates,
    }),
  )
  return [...declared, ...automatic]
}

function pastIncidents(nameOf: NameOf): Incident[] {
  return [1, 1, 6].map((daysAgo, index) => {
    const startedAtMs = noonMs - daysAgo * dayMs - index * 90 * minuteMs
    const resolvedAtMs = startedAtMs + (14 + index * 30) * minuteMs
    return makePublicIncident({
      id: `inc_past${index}` as IncidentId,
      title: `${nameOf(index)} is down`,
      monitorIds: [monitorNo(index + 1)],
      state: 'resolved',
      startedAtMs,
      resolvedAtMs,
      timeline: [
        { atMs: startedAtMs, kind: 'opened', message: 'hidden', isPublic: true },
        { atMs: resolvedAtMs, kind: 'recovered', message: 'hidden', isPublic: true },
      ],
    })
  })
}

function plannedWork(): MaintenanceWindow {
  return makeWindow({
    id: 'mnt_1' as MaintenanceId,
    name: 'Database upgrade',
    description: 'Dashboards are read-only for a few minutes.',
    isPublic: true,
    times: {
      kind: 'once',
      startsAtMs: noonMs + 34 * hourMs,
      endsAtMs: noonMs + 35 * hourMs,
    },
  })
}
