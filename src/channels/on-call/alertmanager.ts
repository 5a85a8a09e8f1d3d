// Prometheus Alertmanager: alerts by its API v2, so that its routes, silences and receivers apply.
//
// The API: https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml
// What it expects of clients: https://prometheus.io/docs/alerting/latest/alerts_api/
// Names of labels: https://prometheus.io/docs/concepts/data_model/#metric-names-and-labels
// Members of a cluster do not share alerts: https://github.com/prometheus/alertmanager#high-availability
//
// The labels are the identity of an alert: only alerts with equal labels are the same, so nothing
// that may change during an incident is a label, such as the name of a monitor. The severity is one,
// because routes need it; see `endedBefore`.
//
// An alert without `endsAt` ends after Alertmanager's resolve_timeout (5 minutes), unless it is sent
// again and again. Messages are sent once, so an open alert names an end far away; the recovery
// brings the true one, which wins. Alertmanager keeps alerts in memory: after its restart, an open
// alert is back with the next message, such as a reminder.
import { type FieldProblem, pointerPart } from '../../base/fault.ts'
import { described, mapOf, object, optional, text, toIso } from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'
import { defineChannel } from '../model/definition.ts'
import { urlText } from '../model/hook.ts'
import { withoutEndSlashes } from '../model/json-api.ts'
import { type Message, payloadOf } from '../model/message.ts'
import { plainStyle, textOf } from '../model/text.ts'
import { tokenText } from '../model/token.ts'
import {
  type AlertAction,
  alertActionOf,
  incidentUrlOf,
  platformOutcome,
  type Urgency,
  urgencyOf,
} from './platform-alert.ts'

const dayMs = 86_400_000
/** When an open alert ends in Alertmanager if nothing more is heard. */
const openMs = 365 * dayMs
/** A notice has no end of its own, so it is shown for a day. */
const noticeMs = dayMs
const testMs = 5 * 60_000

const labelValueCharsMax = 200
const extraLabelsMax = 20
/** Alertmanager has no limit; notifications show this text whole. */
const descriptionCharsMax = 4_000

const ownLabels: ReadonlySet<string> = new Set([
  'alertname',
  'severity',
  'org',
  'incident',
  'monitor',
  'notice',
])

export const alertmanager = defineChannel({
  type: 'alertmanager',
  title: 'Prometheus Alertmanager',
  guide: 'https://prometheus.io/docs/alerting/latest/alertmanager/',
  example: { url: 'http://alertmanager.example.com:9093', labels: { team: 'shop' } },
  sendsEach: true,
  config: object({
    url: urlText(
      'where Alertmanager is reached, with its route prefix if it has one. Of a cluster, every ' +
        'member needs a channel of its own: members do not share alerts',
      'http://alertmanager.example.com:9093',
    ),
    username: optional(
      text({ charsMin: 1, charsMax: 200, description: 'for basic authentication', example: 'up' }),
    ),
    password: optional(
      text({
        charsMin: 1,
        charsMax: 200,
        description: 'for basic authentication',
        example: 'example-password',
      }),
    ),
    token: optional(
      tokenText({
        charsMax: limits.headerValueCharsMax,
        description: 'a bearer token, instead of `username` and `password`',
        example: 'example-token',
      }),
    ),
    labels: optional(
      described(
        mapOf(text({ charsMin: 1, charsMax: labelValueCharsMax }), extraLabelsMax),
        'added to every alert, for the routes of Alertmanager. A change does not reach open ' +
          'alerts: end their incidents first',
        { team: 'shop' },
      ),
    ),
  }),
  secrets: ['password', 'token'],
  urls: ['url'],
  problems: ({ username, password, token, labels = {} }) => [
    ...authProblems({ username, password, token }),
    ...Object.keys(labels).flatMap(labelProblems),
  ],

  render(message, { url, username, password, token, labels = {} }, { channel, nowMs }) {
    const authorization = token
      ? `Bearer ${token}`
      : username && `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`
    return {
      url: alertsUrl(url),
      method: 'POST',
      headers: {
        ...(authorization ? { authorization } : {}),
        'content-type': 'application/json',
        'user-agent': 'stillup',
      },
      body: JSON.stringify(alertsOf(message, { ...labels, org: channel.orgId }, nowMs)),
    }
  },

  outcome: (answer, nowMs) =>
    platformOutcome(answer, nowMs, { platform: 'Alertmanager', accepted: 200 }),
})

type Labels = Readonly<Record<string, string>>

interface Alert {
  readonly labels: Labels
  readonly annotations: Labels
  readonly startsAt: string
  readonly endsAt: string
  readonly generatorURL?: string
}

interface AlertSpan {
  readonly startMs: number
  readonly endMs: number
}

function alertsOf(message: Message, extra: Labels, nowMs: number): Alert[] {
  const action = alertActionOf(message)
  const { startMs, endMs } = spanOf(message, action, nowMs)
  const url = incidentUrlOf(message)
  const alert = (urgency: Urgency, endsAtMs: number): Alert => ({
    labels: { ...extra, ...labelsOf(message), severity: urgency },
    annotations: annotationsOf(message),
    startsAt: toIso(startMs),
    endsAt: toIso(endsAtMs),
    ...(url === undefined ? {} : { generatorURL: url }),
  })
  return [
    alert(urgencyOf(message), endMs),
    ...endedBefore(message).map((urgency) => alert(urgency, Math.max(startMs, endOf(message)))),
  ]
}

/**
 * An outage that began as a slow service was another alert, with another severity. It ends with every
 * later message, because the one that told of the change may not have arrived. Messages of earlier
 * versions do not say how it began; to end an alert that never was is harmless.
 */
function endedBefore(message: Message): Urgency[] {
  const { news, severity, payloadJson } = message
  if (news === 'opened') return []
  const payload = payloadOf(payloadJson)
  const { worsened, isDeclared } = 'incident' in payload.data ? payload.data.incident : {}
  // People may change the severity of what they declared, both ways.
  if (isDeclared) return [urgencyOf(message) === 'critical' ? 'warning' : 'critical']
  if (severity !== 'down') return []
  return worsened === false ? [] : ['warning']
}

function spanOf(message: Message, action: AlertAction, nowMs: number): AlertSpan {
  const { startedAtMs, atMs, news, event } = message
  const startMs = startedAtMs ?? atMs
  // Alertmanager refuses an end before the start.
  if (action === 'close') return { startMs, endMs: Math.max(startMs, endOf(message)) }
  if (news !== 'notice') return { startMs, endMs: Math.max(startMs, atMs) + openMs }
  // A notice that comes late is shown as long as any other.
  const shownMs = event === 'channel.test' ? testMs : noticeMs
  return { startMs, endMs: Math.max(startMs, nowMs) + shownMs }
}

function endOf({ endedAtMs, atMs }: Message): number {
  return endedAtMs ?? atMs
}

function labelsOf(message: Message): Labels {
  const { incidentId, monitors, severity, dedupKey, payloadJson } = message
  if (incidentId === null) return { alertname: 'StillupNotice', notice: dedupKey }
  const [monitor] = monitors
  const payload = payloadOf(payloadJson)
  // The monitors of a declared incident may be deleted while it lasts.
  const isDeclared = 'incident' in payload.data && payload.data.incident.isDeclared
  const isOfMonitor = !isDeclared && (severity === 'down' || severity === 'degraded')
  return {
    alertname: 'StillupIncident',
    incident: incidentId,
    ...(monitor && isOfMonitor ? { monitor: monitor.id } : {}),
  }
}

function annotationsOf(message: Message): Labels {
  const { title, links, monitors } = message
  const runbook = links.find(({ kind }) => kind === 'runbook')
  const names = monitors.map(({ name }) => name).join(', ')
  const bounds = { sizeMax: descriptionCharsMax, isUntitled: true, isUnlinked: true }
  return {
    summary: title,
    description: textOf(message, plainStyle, bounds),
    ...(names === '' ? {} : { monitors: names }),
    ...(runbook === undefined ? {} : { runbook_url: runbook.url }),
  }
}

/** The address of the API below the given one; that of the API itself is taken as well. */
function alertsUrl(text: string): string {
  const url = URL.parse(text)
  // Judged when the channel was made; the address that is called is judged again.
  if (url === null) return text
  const path = withoutEndSlashes(url.pathname).replace(/\/api\/v2(\/alerts)?$/, '')
  url.pathname = `${path}/api/v2/alerts`
  return url.href
}

interface AlertmanagerAuth {
  readonly username: string | undefined
  readonly password: string | undefined
  readonly token: string | undefined
}

/** A change names only some of the fields, so each field that contradicts another one is named. */
function authProblems({ username, password, token }: AlertmanagerAuth): FieldProblem[] {
  const problem = (field: string, keyword: string, message: string) => ({
    pointer: `/${field}`,
    keyword,
    message,
  })
  const problems: FieldProblem[] = []
  if (token !== undefined && username !== undefined) {
    problems.push(problem('token', 'conflict', 'cannot be combined with a username'))
    problems.push(problem('username', 'conflict', 'cannot be combined with a token'))
  }
  if (password !== undefined && username === undefined) {
    problems.push(problem('username', 'required', 'is required with a password'))
    problems.push(problem('password', 'conflict', 'needs a username'))
  }
  if (username?.includes(':')) {
    problems.push(problem('username', 'pattern', 'must not contain a colon'))
  }
  return problems
}

function labelProblems(name: string): FieldProblem[] {
  const problem = (keyword: string, message: string) => [
    { pointer: `/labels/${pointerPart(name)}`, keyword, message },
  ]
  if (ownLabels.has(name)) return problem('reserved', 'is a label that every alert has already')
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && name.length <= limits.headerNameCharsMax) return []
  const most = limits.headerNameCharsMax
  return problem(
    'pattern',
    `must have a name of 1 to ${most} letters, digits and _, no digit first`,
  )
}
