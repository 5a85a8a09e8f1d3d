// The path of a monitor's alerts: who hears what, when, why not; and a test of all its channels.
import { type BlockerDeps, blockerOf } from '../../actors/alerts/blockers.ts'
import { Fault, notFound } from '../../base/fault.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { reaches } from '../../domain/access.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import type { HealthReport } from '../../domain/alerts/channel-health.ts'
import { type ChannelRoute, pathOf, type RoutedNews } from '../../domain/alerts/route.ts'
import { isHeld } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import { isSilent } from '../../domain/monitors/shadow.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { isMaintained } from '../maintenance/covered.ts'
import type { ChannelTests, TestResult } from './channel-tests.ts'

/** The events about one monitor that a channel may hear first of, or be reminded of. */
export const pathEvents = [
  'incident.opened',
  'incident.reminder',
  'certificate.expiring',
  'domain.expiring',
  'slo.at_risk',
  'slo.exhausted',
] as const

export interface PathQuestion {
  readonly event: (typeof pathEvents)[number]
  readonly severity: 'down' | 'degraded'
  /** The time in question; absent: now, with the incident that is open now. */
  readonly atMs?: number
  /** Whether a test is sent to each channel on the path. */
  readonly send: boolean
}

export interface TestedRoute extends ChannelRoute {
  /** Null: no test was sent to it. */
  readonly test: TestResult | null
  /** Whether messages arrive there, also by that test. */
  readonly health: HealthReport
}

export interface AlertPath {
  readonly question: Required<PathQuestion>
  readonly routes: readonly TestedRoute[]
}

export interface AlertPathsDeps extends Pick<BlockerDeps, 'isSuspended'> {
  readonly tests: ChannelTests
  readonly healthOf: (channel: Channel) => HealthReport
  /** Whether the organization is deleted or switched off. */
  readonly isOff: (orgId: OrgId) => boolean
}

/** Channels that are tested at the same time. */
const pathTestsAtOnce = 25

export function createAlertPaths(core: Core, deps: AlertPathsDeps) {
  const { store, clock, audit } = core
  const { tests, isOff, isSuspended } = deps

  /**
   * Why people are spared news of the monitor at present: its incident is known, or flaps, or another
   * outage explains it.
   */
  function sparedBy(orgId: OrgId, monitorId: MonitorId): Partial<RoutedNews> {
    const incidentId = store.monitorStates.get(orgId, monitorId)?.health.openIncidentId
    const incident = incidentId ? store.incidents.readable(orgId, incidentId) : undefined
    if (incident?.state === 'acknowledged') return { sparedBy: 'acknowledged' }
    if (incident?.flapping) return { sparedBy: 'flapping' }
    // Channels heard of it, and go on hearing.
    if (incident && !isHeld(incident)) return {}
    const monitor = store.monitors.readable(orgId, monitorId)
    const blocker = monitor && blockerOf({ store, isSuspended }, monitor, clock.nowMs())
    return blocker ? { sparedBy: 'dependency', blockerName: blocker.name } : {}
  }

  function isUnderMaintenance(orgId: OrgId, monitorId: MonitorId, atMs: number): boolean {
    const monitor = store.monitors.readable(orgId, monitorId)
    return monitor !== undefined && isMaintained(store, monitor, atMs)
  }

  function newsOf(
    orgId: OrgId,
    monitorId: MonitorId,
    { atMs, ...asked }: PathQuestion,
  ): RoutedNews {
    const plain = plainNews(asked)
    const monitor = store.monitors.readable(orgId, monitorId)
    if (monitor && isSilent(monitor)) return { ...plain, sparedBy: 'shadow' }
    // The month's budget is no news of the moment.
    if (plain.event.startsWith('slo.')) return plain
    const spared = isUnderMaintenance(orgId, monitorId, atMs ?? clock.nowMs())
      ? { sparedBy: 'maintenance' as const }
      : {}
    if (!plain.event.startsWith('incident.')) return { ...plain, ...spared }
    const known = atMs === undefined ? sparedBy(orgId, monitorId) : {}
    return { ...plain, ...known, ...spared }
  }

  /** Several at once, because a receiver may hang. */
  async function testAll(
    scope: OrgScope,
    channels: readonly Channel[],
    signal: AbortSignal | undefined,
  ): Promise<Map<Channel, TestResult>> {
    await store.write((tx) => {
      for (const { id: objectId } of channels) {
        audit.note(tx, scope, { action: 'channel.tested', objectId })
      }
    })
    const results = new Map<Channel, TestResult>()
    const waiting = channels.values()
    const worker = async () => {
      for (const channel of waiting) results.set(channel, await tested(channel, signal))
    }
    await Promise.all(Array.from({ length: pathTestsAtOnce }, worker))
    return results
  }

  async function tested(channel: Channel, signal: AbortSignal | undefined): Promise<TestResult> {
    if (!tests.mayTest(channel)) return unsent('It was tested too often; try again later.')
    try {
      return await tests.send(channel, signal)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return unsent(error.message)
    }
  }

  return {
    /** Throws not_found, forbidden (a member may ask, an admin may send), rate_limited. */
    async show(
      scope: OrgScope,
      monitorId: MonitorId,
      question: PathQuestion,
      signal?: AbortSignal,
    ): Promise<AlertPath> {
      const { orgId } = scope
      const monitor = store.monitors.get(orgId, monitorId)
      if (!monitor) throw notFound('monitor')
      if (question.send && !reaches(scope.role, 'admin')) {
        const words = `Sending tests requires the role admin; yours is ${scope.role}. Send "send": false to see the path alone.`
        throw new Fault('forbidden', words)
      }
      const atMs = question.atMs ?? clock.nowMs()
      const request = {
        channels: store.channels.list(orgId, limits.quotaMax).toReversed(),
        monitors: [monitor],
        news: newsOf(orgId, monitorId, question),
        isOrgOff: isOff(orgId),
      }
      const routes = pathOf(request, atMs)
      const meant = routes.filter(isOnPath).slice(0, limits.pathTestsMax)
      let results = new Map<Channel, TestResult>()
      if (question.send && meant.length > 0) {
        tests.mustBeRare(monitorId, 'This path was tested too often; try again later.')
        const channels = meant.map(({ channel }) => channel)
        results = await testAll(scope, channels, signal)
      }
      const withTest = (one: ChannelRoute): TestedRoute => ({
        ...one,
        test: results.get(one.channel) ?? null,
        health: deps.healthOf(one.channel),
      })
      return { question: { ...question, atMs }, routes: routes.map(withTest) }
    },
  }
}

/** The news with the severity that it has. */
function plainNews({ event, severity }: Pick<PathQuestion, 'event' | 'severity'>): RoutedNews {
  switch (event) {
    case 'slo.at_risk':
    case 'slo.exhausted':
      return { event, severity: 'degraded' }
    case 'certificate.expiring':
      return { event, severity: 'certificate' }
    case 'domain.expiring':
      return { event, severity: 'domain' }
    default:
      return { event, severity }
  }
}

/** It gets the alert, or would at another time. */
function isOnPath({ route }: ChannelRoute): boolean {
  return route.kind !== 'none' || passing.has(route.because)
}

/** Reasons that are about the moment, not about the channel. */
const passing: ReadonlySet<string> = new Set([
  'flapping',
  'acknowledged',
  'dependency',
  'quiet_hours',
  'maintenance',
  'shadow',
])

function unsent(reason: string): TestResult {
  const error = reason.replace(/\.?$/, '.')
  const message = `Test not sent. ${error}`
  return { delivered: false, status: null, response: null, error, durationMs: 0, message }
}
