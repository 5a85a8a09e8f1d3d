// The schemas of monitors and results in responses, and of list filters.
import Type from 'typebox'
import {
  anyNumber,
  anyText,
  anything,
  described,
  flag,
  idOf,
  isoTime,
  listOf,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  text,
} from '../../../base/schema/schema.ts'
import {
  assertionSources,
  assertionTypes,
  responseFormats,
} from '../../../domain/assertions/expectation.ts'
import { checkTypes, methods } from '../../../domain/checks/check-type.ts'
import { errorKinds, phaseNames } from '../../../domain/checks/reading.ts'
import { verdictKinds } from '../../../domain/checks/verdict.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { secretMask } from '../../../domain/secret-mask.ts'

const monitorStates = ['pending', 'up', 'degraded', 'down', 'unknown', 'paused'] as const

export const MonitorFilter = object({
  state: optional(oneOf(monitorStates)),
  checkType: optional(oneOf(checkTypes)),
  tag: optional(
    text({ charsMax: limits.tagCharsMax, description: 'Only monitors with this tag.' }),
  ),
  q: optional(
    text({
      charsMax: limits.nameCharsMax,
      description: 'Only monitors whose name or url contains this text, ignoring case.',
    }),
  ),
  isActive: optional(flag),
})

const stateOut = described(
  oneOf(monitorStates),
  'The confirmed state. `pending`: nothing is known yet. `unknown`: the newest check could not ' +
    'be made, for a reason on the side of this service; it does not count. `paused`: ' +
    'isActive is false.',
)
const stateSinceOut = described(
  isoTime,
  'When the state began, dated back to the first result that supports it. With `unknown`: when ' +
    'the previous state began.',
)
const incidentOut = described(nullable(idOf('incident')), 'The open incident, or null.')
const outcomeOut = described(
  oneOf(verdictKinds),
  'The result of this single check, confirmed or not. `degraded`: good, but slower than ' +
    'degradedThresholdMs. `unknown`: it could not be made, for a reason on the side of this service.',
)
const lastOutcomeOut = described(
  nullable(oneOf(verdictKinds)),
  'The result of the newest check, confirmed or not; null before the first.',
)
const responseTimeWords =
  'The duration of the whole check in milliseconds, redirects included; ping: the round trip; ' +
  'push: the duration that the report states, or 0.'
const phasesWords =
  'Milliseconds per phase. A phase that did not happen is absent; a phase that ran out of time ' +
  'is included. With redirects, each is the sum over all requests.'

const ms = optional(anyNumber)
export const Phases = described(
  object({ dns: ms, connect: ms, tls: ms, firstByte: ms, download: ms }),
  phasesWords,
)
export const ErrorOut = object({
  kind: described(
    oneOf(errorKinds),
    'Why the check failed, for programs. `blocked`: the target policy of this service forbids it. ' +
      '`reported`: a push report says so. `missed`: no report came in time.',
  ),
  message: described(anyText, 'Why the check failed, as a sentence for people.'),
  phase: optional(described(oneOf(phaseNames), 'The phase in which it failed, if known.')),
})
export const CertificateOut = object({ expiresAt: isoTime, issuer: anyText })
const ratio = nullable(anyNumber)

const AssertionOut = object({
  source: oneOf(assertionSources),
  path: nullable(anyText),
  type: oneOf(assertionTypes),
  value: nullable(anyText),
})

export const MonitorOut = object({
  id: idOf('monitor'),
  orgId: idOf('org'),
  name: anyText,
  url: nullable(anyText),
  checkType: oneOf(checkTypes),
  method: oneOf(methods),
  expectedStatus: anyNumber,
  acceptedStatuses: listOf(anyText, limits.acceptedStatusesMax),
  headers: described(
    mapOf(anyText, limits.headersMax),
    `Each value is \`${secretMask}\`; a change that sends the mask back keeps the stored value.`,
  ),
  body: described(nullable(anyText), 'Null for viewers.'),
  bodyContains: nullable(anyText),
  bodyNotContains: nullable(anyText),
  responseFormat: oneOf(responseFormats),
  responseAssertionType: nullable(oneOf(assertionTypes)),
  responseAssertionPath: nullable(anyText),
  responseAssertionValue: nullable(anyText),
  assertions: listOf(AssertionOut, limits.assertionsMax),
  intervalMinutes: described(anyNumber, 'intervalSeconds in minutes, rounded up.'),
  intervalSeconds: described(anyNumber, 'The effective interval, however it was set.'),
  timeoutMs: anyNumber,
  degradedThresholdMs: nullable(anyNumber),
  degradedThreshold: anyNumber,
  degradedOpensIncident: flag,
  isActive: flag,
  isPublic: flag,
  notifyChannelIds: listOf(idOf('channel'), limits.notifyChannelsMax),
  failureThreshold: anyNumber,
  recoveryThreshold: anyNumber,
  retryIntervalSeconds: described(
    nullable(anyNumber),
    'The effective value, also if none was set; null for push.',
  ),
  followRedirects: flag,
  maxRedirects: anyNumber,
  ignoreTlsErrors: flag,
  certificateWarnDays: listOf(anyNumber, limits.certificateWarningsMax),
  ipFamily: oneOf(['any', 'ipv4', 'ipv6']),
  tags: listOf(anyText, limits.tagsMax),
  description: nullable(anyText),
  runbookUrl: nullable(anyText),
  graceSeconds: anyNumber,
  state: stateOut,
  stateSince: stateSinceOut,
  lastCheckAt: described(
    nullable(isoTime),
    'When the newest check began, or when a report came or was missed.',
  ),
  lastOutcome: lastOutcomeOut,
  lastError: described(nullable(ErrorOut), 'Why the newest check failed; null if it did not.'),
  responseTimeMs: described(nullable(anyNumber), `For the newest check. ${responseTimeWords}`),
  nextCheckAt: described(
    nullable(isoTime),
    'push: when a report becomes overdue, null before the first one. Null while paused.',
  ),
  openIncidentId: incidentOut,
  uptime: described(
    object({ '24h': ratio, '7d': ratio, '30d': ratio, '90d': ratio }),
    'Shares from 0 to 1 of the counted time, which excludes pending, unknown and paused. Degraded ' +
      'counts as up. 24h: the current hour and the 24 before it; the others: whole UTC days, ' +
      'including today so far. Null if no time counts.',
  ),
  certificate: described(
    nullable(CertificateOut),
    'The last certificate that a check saw, if any.',
  ),
  pushToken: described(nullable(anyText), 'push: authorizes reports. Null for viewers.'),
  pushUrl: described(nullable(anyText), 'push: where to send reports. Null for viewers.'),
  createdAt: isoTime,
  updatedAt: isoTime,
})

export const CheckFilter = object({
  from: optional(isoTime),
  to: optional(isoTime),
  outcome: optional(oneOf(verdictKinds)),
})

export const CheckOut = object({
  at: described(isoTime, 'When the check began, or when the report came or was missed.'),
  outcome: outcomeOut,
  responseTimeMs: described(anyNumber, responseTimeWords),
  status: described(
    nullable(anyNumber),
    'The status of the HTTP response; null if there was none.',
  ),
  errorKind: described(nullable(oneOf(errorKinds)), 'Null if it did not fail.'),
  message: described(
    nullable(anyText),
    'Why it failed, or the message of a push report; else null.',
  ),
  phases: nullable(Phases),
})

/** Evidence of a failed response; secrets are masked. */
export const evidenceFields = {
  status: nullable(anyNumber),
  headers: described(
    listOf(object({ name: anyText, value: anyText }), limits.evidenceHeadersMax),
    'Response headers. Long values are cut, and likely secrets are masked, including those in the ' +
      'query of a URL.',
  ),
  url: described(
    nullable(anyText),
    'The target of the last redirect, whether reached or not; parameters with telling names and ' +
      'tokens are masked. Null if there was no redirect.',
  ),
  redirects: described(nullable(anyNumber), 'The number of redirects; null if there was none.'),
  body: described(
    nullable(anyText),
    `The response of the target: its first ${limits.evidenceBodyBytesMax / 1024} KiB as text.`,
  ),
  failedAssertions: described(
    listOf(object({ expected: anyText, found: anyText }), 100),
    'The assertions that failed, in words: what was expected, and what was found.',
  ),
  note: described(nullable(anyText), 'Why less than this was kept; else null.'),
}
export const EvidenceOut = object({
  at: isoTime,
  error: nullable(ErrorOut),
  ...evidenceFields,
})

/** An object if it is a JSON object, else text. */
export function looseOut(description: string) {
  return Type.Union([mapOf(anything, limits.jsonKeysMax), anyText, Type.Null()], { description })
}

/** The result of a manual check. */
export const seenFields = {
  at: isoTime,
  outcome: outcomeOut,
  responseTimeMs: described(anyNumber, responseTimeWords),
  status: described(
    nullable(anyNumber),
    'The status of the HTTP response; null if there was none.',
  ),
  error: described(nullable(ErrorOut), 'Null if it did not fail.'),
  message: described(
    nullable(anyText),
    'push: which reports came and when the next one is due. Null for other kinds.',
  ),
  phases: nullable(Phases),
  address: described(nullable(anyText), 'The address that the check connected to.'),
  certificate: nullable(CertificateOut),
  failure: described(
    nullable(EvidenceOut),
    'The response of the target; null if all was as expected.',
  ),
  found: looseOut(
    'The findings of ssl, ping, tcp, dns, websocket, smtp and domain checks, good or not: a JSON ' +
      'object, else text; at most 16 KiB, secrets masked. ssl: `isTrusted` is about the chain ' +
      'alone, `isForHost` about the host name. `daysLeft` is in whole days, rounded ' +
      'down: 0 on the last day, -1 in the first 24 hours after it. For other checks that were ' +
      'redirected: `redirects`, their number, and `url`, the target of the last one',
  ),
}

export const LatestOut = object({
  at: nullable(isoTime),
  outcome: lastOutcomeOut,
  responseTimeMs: described(nullable(anyNumber), responseTimeWords),
  error: nullable(ErrorOut),
  phases: nullable(Phases),
  address: nullable(anyText),
  failure: {
    ...nullable(EvidenceOut),
    description: 'Evidence of the newest failure; null for viewers',
  },
  report: {
    ...nullable(object({ at: isoTime, metadata: mapOf(anything, limits.jsonKeysMax) })),
    description: 'The newest push report with metadata; null for viewers',
  },
  found: looseOut(
    'The findings of the newest check, as in a manual run; null for viewers. They are not stored: ' +
      'null also after a restart until the next check, and once about 1,000 other monitors were ' +
      'checked since',
  ),
})

export const RunOut = object({
  monitorId: idOf('monitor'),
  ...seenFields,
  state: stateOut,
  stateSince: stateSinceOut,
  openIncidentId: incidentOut,
})
