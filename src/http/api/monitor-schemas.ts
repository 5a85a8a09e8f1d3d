// The shapes of a monitor on the wire: what is sent, what comes back.
import {
  anyNumber,
  anyText,
  anything,
  flag,
  idOf,
  integer,
  isoTime,
  listOf,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  patchOf,
  text,
} from '../../base/schema.ts'
import { limits } from '../../domain/limits.ts'
import {
  assertionSources,
  assertionTypes,
  checkTypes,
  methods,
  responseFormats,
} from '../../domain/monitor.ts'
import { errorKinds, phaseNames } from '../../domain/reading.ts'
import { verdictKinds } from '../../domain/verdict.ts'

const name = text({ charsMin: 1, charsMax: limits.nameCharsMax, pattern: '\\S' })
const bodyText = text({ charsMax: limits.bodyContainsCharsMax })

const AssertionIn = object({
  source: oneOf(assertionSources),
  path: optional(nullable(text({ charsMax: limits.assertionPathCharsMax }))),
  type: oneOf(assertionTypes),
  value: optional(nullable(text({ charsMax: limits.assertionValueCharsMax }))),
})

// Null and '' mean "nothing said" in every optional field: examples and forms send them.
const fields = {
  url: optional(nullable(text({ charsMax: limits.urlCharsMax }))),
  checkType: optional(oneOf(checkTypes)),
  method: optional(oneOf(methods)),
  expectedStatus: optional(integer(100, 599)),
  acceptedStatuses: optional(
    listOf(
      text({
        charsMax: 7,
        pattern: '^[1-5][0-9]{2}(-[1-5][0-9]{2})?$',
        rule: 'must be a status such as 301 or a range such as 200-299',
      }),
      limits.acceptedStatusesMax,
    ),
  ),
  headers: optional(mapOf(text({ charsMax: limits.headerValueCharsMax }), limits.headersMax)),
  body: optional(nullable(text({ charsMax: limits.requestBodyCharsMax }))),
  bodyContains: optional(nullable(bodyText)),
  bodyNotContains: optional(nullable(bodyText)),
  responseFormat: optional(nullable(oneOf([...responseFormats, '']))),
  responseAssertionType: optional(nullable(oneOf([...assertionTypes, '']))),
  responseAssertionPath: optional(nullable(text({ charsMax: limits.assertionPathCharsMax }))),
  responseAssertionValue: optional(nullable(text({ charsMax: limits.assertionValueCharsMax }))),
  assertions: optional(listOf(AssertionIn, limits.assertionsMax)),
  intervalMinutes: optional(integer(1, limits.intervalMinutesMax)),
  intervalSeconds: optional(
    nullable(integer(limits.intervalSecondsMin, limits.intervalSecondsMax)),
  ),
  timeoutMs: optional(integer(limits.timeoutMsMin, limits.timeoutMsMax)),
  degradedThresholdMs: optional(nullable(integer(1, limits.degradedThresholdMsMax))),
  degradedThreshold: optional(integer(1, limits.thresholdMax)),
  degradedOpensIncident: optional(flag),
  isActive: optional(flag),
  isPublic: optional(flag),
  notifyChannelIds: optional(listOf(idOf('channel'), limits.notifyChannelsMax)),
  failureThreshold: optional(integer(1, limits.thresholdMax)),
  recoveryThreshold: optional(integer(1, limits.thresholdMax)),
  retryIntervalSeconds: optional(
    nullable(integer(limits.retryIntervalSecondsMin, limits.intervalSecondsMax)),
  ),
  followRedirects: optional(flag),
  maxRedirects: optional(integer(0, limits.redirectsMax)),
  ignoreTlsErrors: optional(flag),
  ipFamily: optional(oneOf(['any', 'ipv4', 'ipv6'])),
  tags: optional(listOf(text({ charsMin: 1, charsMax: limits.tagCharsMax }), limits.tagsMax)),
  description: optional(nullable(text({ charsMax: limits.descriptionCharsMax }))),
  runbookUrl: optional(nullable(text({ charsMax: limits.urlCharsMax }))),
  graceSeconds: optional(integer(0, limits.graceSecondsMax)),
}

export const MonitorIn = object({ name, ...fields })
export const MonitorPatch = patchOf(MonitorIn)

const monitorStates = ['pending', 'up', 'degraded', 'down', 'paused'] as const

export const MonitorFilter = object({
  state: optional(oneOf(monitorStates)),
  checkType: optional(oneOf(checkTypes)),
  tag: optional(text({ charsMax: limits.tagCharsMax })),
  q: optional(text({ charsMax: limits.nameCharsMax })),
  isActive: optional(flag),
})

const ms = optional(anyNumber)
export const Phases = object({ dns: ms, connect: ms, tls: ms, firstByte: ms, download: ms })
export const ErrorOut = object({
  kind: oneOf(errorKinds),
  message: anyText,
  phase: optional(oneOf(phaseNames)),
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
  headers: mapOf(anyText, limits.headersMax),
  body: nullable(anyText),
  bodyContains: nullable(anyText),
  bodyNotContains: nullable(anyText),
  responseFormat: oneOf(responseFormats),
  responseAssertionType: nullable(oneOf(assertionTypes)),
  responseAssertionPath: nullable(anyText),
  responseAssertionValue: nullable(anyText),
  assertions: listOf(AssertionOut, limits.assertionsMax),
  intervalMinutes: anyNumber,
  intervalSeconds: anyNumber,
  timeoutMs: anyNumber,
  degradedThresholdMs: nullable(anyNumber),
  degradedThreshold: anyNumber,
  degradedOpensIncident: flag,
  isActive: flag,
  isPublic: flag,
  notifyChannelIds: listOf(idOf('channel'), limits.notifyChannelsMax),
  failureThreshold: anyNumber,
  recoveryThreshold: anyNumber,
  retryIntervalSeconds: anyNumber,
  followRedirects: flag,
  maxRedirects: anyNumber,
  ignoreTlsErrors: flag,
  ipFamily: oneOf(['any', 'ipv4', 'ipv6']),
  tags: listOf(anyText, limits.tagsMax),
  description: nullable(anyText),
  runbookUrl: nullable(anyText),
  graceSeconds: anyNumber,
  state: oneOf(monitorStates),
  stateSince: isoTime,
  lastCheckAt: nullable(isoTime),
  lastOutcome: nullable(oneOf(verdictKinds)),
  lastError: nullable(ErrorOut),
  responseTimeMs: nullable(anyNumber),
  nextCheckAt: nullable(isoTime),
  openIncidentId: nullable(idOf('incident')),
  uptime: object({ '24h': ratio, '7d': ratio, '30d': ratio, '90d': ratio }),
  certificate: nullable(CertificateOut),
  pushToken: nullable(anyText),
  pushUrl: nullable(anyText),
  createdAt: isoTime,
  updatedAt: isoTime,
})

export const CheckFilter = object({
  from: optional(isoTime),
  to: optional(isoTime),
  outcome: optional(oneOf(verdictKinds)),
})

export const CheckOut = object({
  at: isoTime,
  outcome: oneOf(verdictKinds),
  responseTimeMs: anyNumber,
  status: nullable(anyNumber),
  errorKind: nullable(oneOf(errorKinds)),
  message: nullable(anyText),
  phases: nullable(Phases),
})

export const EvidenceOut = object({
  at: isoTime,
  error: nullable(ErrorOut),
  status: nullable(anyNumber),
  headers: listOf(object({ name: anyText, value: anyText }), limits.evidenceHeadersMax),
  body: nullable(anyText),
  failedAssertions: listOf(object({ expected: anyText, found: anyText }), 100),
})

export const LatestOut = object({
  at: nullable(isoTime),
  outcome: nullable(oneOf(verdictKinds)),
  responseTimeMs: nullable(anyNumber),
  error: nullable(ErrorOut),
  phases: nullable(Phases),
  address: nullable(anyText),
  failure: nullable(EvidenceOut),
  report: nullable(object({ at: isoTime, metadata: mapOf(anything, limits.jsonKeysMax) })),
})

export const RunOut = object({
  monitorId: idOf('monitor'),
  at: isoTime,
  outcome: oneOf(verdictKinds),
  responseTimeMs: anyNumber,
  status: nullable(anyNumber),
  error: nullable(ErrorOut),
  phases: nullable(Phases),
  address: nullable(anyText),
  state: oneOf(monitorStates),
  stateSince: isoTime,
  openIncidentId: nullable(idOf('incident')),
})
