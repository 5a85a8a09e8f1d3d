// The constructors of pages, monitors and their days in tests.
import type { MonitorId, OrgId, PageId } from '../../src/base/ids.ts'
import { type Health, initialHealth } from '../../src/domain/health/health.ts'
import type { Tally } from '../../src/domain/health/span.ts'
import type { Incident } from '../../src/domain/incidents/incident.ts'
import type { Monitor } from '../../src/domain/monitors/monitor.ts'
import { monitorDefaults } from '../../src/domain/monitors/monitor-fields.ts'
import { defaultTheme, noPictures, type StatusPage } from '../../src/domain/pages/page.ts'
import type { MonitorSource } from '../../src/pages/view/public-view.ts'
import { makeIncident, orgA } from './make-incident.ts'

export const dayMs = 86_400_000
export const noonMs = Date.UTC(2026, 5, 15, 12)
export const todayMs = noonMs - dayMs / 2
export const orgOne: OrgId = orgA
export const orgTwo = 'org_01k0000000000000000000000b' as OrgId

/** The n-th monitor's id. */
export function monitorNo(number: number): MonitorId {
  return `mon_01k${String(number).padStart(23, '0')}` as MonitorId
}

const { headers, body, intervalMinutes, ...usualMonitor } = monitorDefaults

export function makeMonitor(monitor: Partial<Monitor> = {}): Monitor {
  return {
    ...usualMonitor,
    id: monitorNo(1),
    orgId: orgOne,
    name: 'Website',
    url: 'https://inside.test/health',
    headerNames: [],
    requestBox: null,
    intervalSeconds: 300,
    isPublic: true,
    pushTokenHash: null,
    pushTokenBox: null,
    createdAtMs: 0,
    updatedAtMs: 0,
    revision: 1,
    ...monitor,
  }
}

export function makePage(page: Partial<StatusPage> = {}): StatusPage {
  return {
    id: 'pag_01k0000000000000000000000a' as PageId,
    orgId: orgOne,
    name: 'Acme',
    slug: 'acme',
    subdomain: null,
    isEnabled: true,
    isDefault: false,
    isListed: false,
    title: 'Acme status',
    description: '',
    logoUrl: null,
    pictures: noPictures,
    headLinks: [],
    announcement: '',
    footer: '',
    layout: 'rows',
    look: 'plain',
    css: '',
    visibility: 'everyone',
    showHistory: true,
    showUptime: true,
    showIncidents: true,
    showMonitors: true,
    showResponseTimes: false,
    showLocations: false,
    showMonitoredBy: true,
    publicMonitorIds: null,
    sections: [],
    theme: defaultTheme,
    language: 'en',
    timezone: 'UTC',
    noindex: false,
    allowsSubscribers: false,
    passwordHash: null,
    createdAtMs: 0,
    updatedAtMs: 0,
    revision: 1,
    ...page,
  }
}

export function makeHealth(state: Health['state'], sinceMs = noonMs): Health {
  return { ...initialHealth(sinceMs), state }
}

/** A whole day of which so much was downtime. */
export function makeDay(daysAgo: number, downMs = 0, more: Partial<Tally> = {}): Tally {
  const startMs = todayMs - daysAgo * dayMs
  return {
    startMs,
    upMs: dayMs - downMs,
    degradedMs: 0,
    downMs,
    excludedMs: 0,
    pausedMs: 0,
    maintenanceMs: 0,
    checks: 288,
    failures: 0,
    ...more,
  }
}

export function makeSource(
  monitor: Partial<Monitor> = {},
  state: Health['state'] = 'up',
  tallies: readonly Tally[] = [makeDay(1), makeDay(0)],
): MonitorSource {
  const monitorState = { health: makeHealth(state), lastVerdict: 'up' } as const
  return { monitor: makeMonitor(monitor), monitorState, tallies, isUnderMaintenance: false }
}

/** A public, open incident of monitor 1, an hour old. */
export function makePublicIncident(incident: Partial<Incident> = {}): Incident {
  const startedAtMs = noonMs - 3_600_000
  return {
    ...makeIncident(),
    orgId: orgOne,
    monitorIds: [monitorNo(1)],
    title: 'Website is down',
    isPublic: true,
    startedAtMs,
    confirmedAtMs: startedAtMs + 60_000,
    timeline: [],
    ...incident,
  }
}
