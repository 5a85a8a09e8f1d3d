// The API of a monitor's alert path: who hears what, when, why not; and a test of its channels.
import * as s from '../../../base/schema/schema.ts'
import { secondText } from '../../../base/time-text.ts'
import { canWork } from '../../../domain/alerts/channel-health.ts'
import { type AlertRoute, type Refusal, refusals } from '../../../domain/alerts/route.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { type AlertPath, pathEvents } from '../../../services/alerts/alert-paths.ts'
import { channelTestMsMax } from '../../../services/alerts/channel-tests.ts'
import { timeIn } from '../../input/times.ts'
import { namedChannel } from '../../output/channel-wire.ts'
import { answer, post, resource } from '../../routing/route.ts'
import { HealthOut, healthTimes, TestOut } from './alert-channels.ts'

const severityWords = ['down', 'degraded'] as const

const PathIn = s.object({
  event: s.preset(
    s.oneOf(pathEvents),
    'incident.opened',
    'What would be announced. `severity` matters only for incidents.',
  ),
  severity: s.preset(s.oneOf(severityWords), 'down', 'How bad it would be.'),
  at: s.optional(
    s.described(
      timeIn,
      'The time in question, for delays and quiet hours. Absent: now; then an incident that is ' +
        'acknowledged or flapping, and an outage of what the monitor depends on, count too.',
      '2026-03-29T02:30:00Z',
    ),
  ),
  send: s.preset(
    s.flag,
    true,
    'Whether to send a test to each channel on the path, which requires the role admin. Members ' +
      'may ask with false.',
  ),
})

const shownKinds = ['now', 'later', 'never'] as const

export const routeOut = {
  gets: s.described(s.oneOf(shownKinds), 'When the channel gets the alert.'),
  alertAt: s.nullable(s.isoTime, 'When it is sent; null if never.'),
  reason: s.nullable(
    s.oneOf(['delay', ...refusals]),
    'Why later, or why never; null if it gets it now.',
  ),
  explanation: s.described(s.anyText, 'The same as a sentence.'),
}

const PathOut = s.object({
  event: s.oneOf(pathEvents),
  severity: s.oneOf(severityWords),
  at: s.isoTime,
  channels: s.listOf(
    s.object({
      ...namedChannel,
      ...routeOut,
      health: HealthOut,
      test: s.nullable(
        s.object({ ...TestOut.properties, message: s.anyText }),
        'The result of its test; null if none was sent, because the channel is not on the path, or ' +
          `beyond the first ${limits.pathTestsMax}.`,
      ),
    }),
    limits.quotaMax,
  ),
})

const refusalWords: Readonly<Record<Refusal, string>> = {
  organization_off: 'Never: the organization is switched off.',
  other_channels_named: 'Never: the monitor names other channels.',
  not_default: 'Never: the monitor does not name it, and it is no default channel.',
  alerts_nobody: 'Never: the monitor alerts nobody.',
  group: 'Never: a group alerts only the channels that it names.',
  tags: 'Never: the monitor has none of the tags that it takes.',
  switched_off: 'Never: it is switched off.',
  switched_off_by_service: 'Never: this service has switched it off, because its receiver is gone.',
  event: 'Never: it does not take this kind of event.',
  severity: 'Never: this is below its least severity.',
  flapping: 'Not now: the monitor goes down and up again and again, which was announced once.',
  acknowledged: 'Not now: the incident is acknowledged.',
  dependency: 'Not now: a monitor that this one depends on is down, so its alerts are held.',
  quiet_hours: 'Not now: reminders are left out in its quiet hours.',
  maintenance: 'Not now: the monitor is in a maintenance window.',
  shadow: 'Not now: the monitor is in a shadow run, and tells nobody before it goes live.',
}

/** The reason without the time for which it holds. */
export function refusalReason(because: Refusal): string {
  return refusalWords[because].replace(/^(Never|Not now): /, '')
}

/** How a route is shown: when the channel gets the alert, and why then or not at all. */
export function routeToWire(route: AlertRoute, atMs: number) {
  return {
    gets: shownKind(route),
    alertAt: alertAt(route, atMs),
    reason: route.kind === 'now' ? null : route.because,
    explanation: explanationOf(route),
  }
}

function explanationOf(route: AlertRoute): string {
  switch (route.kind) {
    case 'now':
      return 'At once.'
    case 'later': {
      const at = secondText(route.atMs)
      return route.because === 'delay'
        ? `At ${at}, if the incident is then still open and not acknowledged.`
        : `At ${at}, when its quiet hours end.`
    }
    default:
      if (route.blockerName === undefined) return refusalWords[route.because]
      return `Not now: "${route.blockerName}" is down, and the monitor depends on it: its alerts are held.`
  }
}

function pathToWire({ question, routes }: AlertPath) {
  const { event, severity, atMs } = question
  return {
    event,
    severity,
    at: s.toIso(atMs),
    channels: routes.map(({ channel, route, test, health }) => ({
      channelId: channel.id,
      name: channel.name,
      type: channel.type,
      ...routeToWire(route, atMs),
      health: healthTimes(health),
      test,
    })),
  }
}

function shownKind({ kind }: AlertRoute): (typeof shownKinds)[number] {
  return kind === 'none' ? 'never' : kind
}

function alertAt(route: AlertRoute, atMs: number): string | null {
  if (route.kind === 'none') return null
  return s.toIso(route.kind === 'now' ? atMs : route.atMs)
}

/** Whether anybody would hear, which is what the caller wants to know. */
function pathSentence({ question, routes }: AlertPath): string {
  const onPath = routes.filter(({ route }) => route.kind !== 'none')
  const hearing = onPath.filter(({ health }) => canWork(health)).length
  const unreached = onPath.length - hearing
  const tested = routes.filter(({ test }) => test !== null)
  const reached = tested.filter(({ test }) => test?.delivered).length
  const others = unreached === 0 ? '' : `; ${unreached} more should, but cannot be reached`
  const heard =
    onPath.length === 0
      ? 'No channel would get this alert.'
      : `${hearing} of ${routes.length} channels would get this alert${others}.`
  if (!question.send || tested.length === 0) return heard
  return `${heard} ${reached} of ${tested.length} tests were delivered.`
}

/** The time of a test of a path: two rounds of tests that all time out, and a little more. */
const pathTestMsMax = 2 * channelTestMsMax + 5_000

export const alertPaths = resource('/orgs/:orgId/monitors', {
  testAlerts: post('/:monitorId/alerts/test', {
    who: { role: 'member' },
    summary: 'Show the path of an alert, and test every channel on it',
    description:
      'For each channel of the organization: whether it would get an alert of this monitor, when, ' +
      'and why not. Real alerts follow the same rules. Tests are sent at once, delays and quiet hours ' +
      `aside, to the channels on the path, at most ${limits.pathTestsMax}. At most ` +
      `${limits.channelTests.quota} times per minute for each monitor and each channel.`,
    example: { severity: 'down', at: '2026-03-29T02:30:00.000Z', send: false },
    body: PathIn,
    out: PathOut,
    deadlineMs: pathTestMsMax,
  }).handledBy(async ({ scope, params, body, signal }, { alertPaths }) => {
    const { at, ...question } = body
    const atMs = at === undefined ? {} : { atMs: Date.parse(at) }
    const path = await alertPaths.show(scope, params.monitorId, { ...question, ...atMs }, signal)
    return answer(pathToWire(path), { message: pathSentence(path) })
  }),
})
