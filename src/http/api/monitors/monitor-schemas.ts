// The shapes of a monitor and its results as they come back, and of the filters of their lists.
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
  tag: optional(text({ charsMax: limits.tagCharsMax, description: 'Those that have this tag.' })),
  q: optional(
    text({
      charsMax: limits.nameCharsMax,
      description: 'Those whose name or url contains this, in any case of letters.',
    }),
  ),
  isActive: optional(flag),
})

const stateOut = described(
  oneOf(monitorStates),
  'What is believed, once it is confirmed. `pending`: nothing is known yet. `unknown`: the ' +
    'newest check could not be made, for a reason of ours; it counts for nothing. `paused`: ' +
    'isActive is false.',
)
const stateSinceOut = described(
  isoTime,
  'Since when, dated back to the first result that spoke for it. With `unknown`: of the state ' +
    'that was there before.',
)
const incidentOut = described(nullable(idOf('incident')), 'The incident that is open; else null.')
const outcomeOut = described(
  oneOf(verdictKinds),
  'What this one check came to, confirmed or not. `degraded`: good, but slower than ' +
    'degradedThresholdMs. `unknown`: it could not be made, for a reason of ours.',
)
const lastOutcomeOut = described(
  nullable(oneOf(verdictKinds)),
  'What the newest check came to, confirmed or not; null before the first.',
)
const responseTimeWords =
  'Milliseconds of the whole check, redirects included; ping: the round trip; push: what the ' +
  'report says that the work took, else 0.'
const phasesWords =
  'Milliseconds of each phase; absent where it did not take place. Where the time ran out, the ' +
  'phase in which it did is there too. After redirects each is the sum over all requests.'

const ms = optional(anyNumber)
export const Phases = described(
  object({ dns: ms, connect: ms, tls: ms, firstByte: ms, download: ms }),
  phasesWords,
)
export const ErrorOut = object({
  kind: described(
    oneOf(errorKinds),
    'Why it failed, for programs. `blocked`: the target policy of this service forbids it. ' +
      '`reported`: a push report says so. `missed`: no report came in time.',
  ),
  message: described(anyText, 'The same for people, in a sentence.'),
  phase: optional(described(oneOf(phaseNames), 'Where it failed, where that is known.')),
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
    `Each value is \`${secretMask}\`; a change that sends that back keeps what is stored.`,
  ),
  body: described(nullable(anyText), 'Null for viewers, too.'),
  bodyContains: nullable(anyText),
  bodyNotContains: nullable(anyText),
  responseFormat: oneOf(responseFormats),
  responseAssertionType: nullable(oneOf(assertionTypes)),
  responseAssertionPath: nullable(anyText),
  responseAssertionValue: nullable(anyText),
  assertions: listOf(AssertionOut, limits.assertionsMax),
  intervalMinutes: described(anyNumber, 'intervalSeconds in minutes, rounded up.'),
  intervalSeconds: described(anyNumber, 'The interval that counts, however it was given.'),
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
    'The one that counts, also where none was given; null for push.',
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
    'When the newest check began, or a report came or was missed.',
  ),
  lastOutcome: lastOutcomeOut,
  lastError: described(nullable(ErrorOut), 'Of the newest check; null where it did not fail.'),
  responseTimeMs: described(nullable(anyNumber), `Of the newest check. ${responseTimeWords}`),
  nextCheckAt: described(
    nullable(isoTime),
    'push: when a report is missed, null before the first one. Null where it is paused.',
  ),
  openIncidentId: incidentOut,
  uptime: described(
    object({ '24h': ratio, '7d': ratio, '30d': ratio, '90d': ratio }),
    'Shares from 0 to 1 of the time that counts: not pending, unknown or paused. Degraded is up. ' +
      '24h: the current hour and the 24 before it; the others: whole days in UTC, with today so ' +
      'far. Null where no time counts.',
  ),
  certificate: described(nullable(CertificateOut), 'The one that a check saw last, if any.'),
  pushToken: described(nullable(anyText), 'push: who has it can report. Null for viewers.'),
  pushUrl: described(nullable(anyText), 'push: where reports go. Null for viewers.'),
  createdAt: isoTime,
  updatedAt: isoTime,
})

export const CheckFilter = object({
  from: optional(isoTime),
  to: optional(isoTime),
  outcome: optional(oneOf(verdictKinds)),
})

export const CheckOut = object({
  at: described(isoTime, 'When the check began, or the report came or was missed.'),
  outcome: outcomeOut,
  responseTimeMs: described(anyNumber, responseTimeWords),
  status: described(nullable(anyNumber), 'Of the HTTP answer; null where there was none.'),
  errorKind: described(nullable(oneOf(errorKinds)), 'Null where it did not fail.'),
  message: described(nullable(anyText), 'Why it failed, or what a push report said; else null.'),
  phases: nullable(Phases),
})

/** Of a response that was not as expected; secrets are masked. */
export const evidenceFields = {
  status: nullable(anyNumber),
  headers: described(
    listOf(object({ name: anyText, value: anyText }), limits.evidenceHeadersMax),
    'Of the answer. Long values are cut, and those that are likely secrets masked, also in the ' +
      'query of a URL.',
  ),
  url: described(
    nullable(anyText),
    'Where the last redirect led, reached or not: values with telling names and tokens are ' +
      'masked. Null where there was none.',
  ),
  redirects: described(nullable(anyNumber), 'How many there were; null where there was none.'),
  body: described(
    nullable(anyText),
    `What the target said: its first ${limits.evidenceBodyBytesMax / 1024} KiB as text.`,
  ),
  failedAssertions: described(
    listOf(object({ expected: anyText, found: anyText }), 100),
    'What did not hold, in words: what was expected, and what was found instead.',
  ),
  note: described(nullable(anyText), 'Why less than that was kept; else null.'),
}
export const EvidenceOut = object({
  at: isoTime,
  error: nullable(ErrorOut),
  ...evidenceFields,
})

/** An object where it is one in JSON, else text. */
export function looseOut(description: string) {
  return Type.Union([mapOf(anything, limits.jsonKeysMax), anyText, Type.Null()], { description })
}

/** What a check by hand comes to. */
export const seenFields = {
  at: isoTime,
  outcome: outcomeOut,
  responseTimeMs: described(anyNumber, responseTimeWords),
  status: described(nullable(anyNumber), 'Of the HTTP answer; null where there was none.'),
  error: described(nullable(ErrorOut), 'Null where it did not fail.'),
  message: described(
    nullable(anyText),
    'push: which reports came and when the next one is due. Null for other kinds.',
  ),
  phases: nullable(Phases),
  address: described(nullable(anyText), 'The address that was connected to.'),
  certificate: nullable(CertificateOut),
  failure: described(
    nullable(EvidenceOut),
    'What the target said; null where all was as expected.',
  ),
  found: looseOut(
    'What ssl, ping, tcp, dns, websocket, smtp and domain checks found, good or not: an object ' +
      'where it is one in JSON, else text; at most 16 KiB, secrets masked. ssl: `isTrusted` is ' +
      'of the chain alone, `isForHost` of the host name. `daysLeft` is in whole days, rounded ' +
      'down: 0 on the last day, -1 in the first 24 hours after it. Of other checks that were ' +
      'redirected: `redirects`, how many there were, and `url`, where the last one led',
  ),
}

export const LatestOut = object({
  at: nullable(isoTime),
  outcome: lastOutcomeOut,
  responseTimeMs: described(nullable(anyNumber), responseTimeWords),
  error: nullable(ErrorOut),
  phases: nullable(Phases),
  address: nullable(anyText),
  failure: { ...nullable(EvidenceOut), description: 'Of the newest failure; null for viewers' },
  report: {
    ...nullable(object({ at: isoTime, metadata: mapOf(anything, limits.jsonKeysMax) })),
    description: 'The newest push report with metadata; null for viewers',
  },
  found: looseOut(
    'What the newest check found, as a run by hand tells it; null for viewers. It is not stored: ' +
      'null also after a restart until the next check, and where about 1,000 other monitors were ' +
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
