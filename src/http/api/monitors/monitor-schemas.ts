// The schemas of monitors and results in responses, and of list filters.
import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import {
  errorKinds,
  hopOutcomes,
  hopsMax,
  loadedRequestsMax,
  phaseNames,
  stepOutcomes,
} from '../../../domain/checks/reading.ts'
import { verdictKinds } from '../../../domain/checks/verdict.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { keptAddressesMax, sharedAddressesMax } from '../../../domain/monitors/kept-address.ts'
import { secretMask } from '../../../domain/secret-mask.ts'
import { stepsMax } from '../../../domain/steps/step.ts'
import { checkTypes, kindsInWords } from '../../../probes/registry.ts'
import { timeIn } from '../../input/times.ts'
import { PlacesOut } from '../../output/place-wire.ts'
import { Place, shownSettings } from './monitor-input-schemas.ts'

export const monitorStates = [
  'pending',
  'up',
  'degraded',
  'down',
  'unknown',
  'paused',
  'maintenance',
] as const

export const MonitorFilter = s.object({
  state: s.optional(s.oneOf(monitorStates), 'Only monitors in this state.'),
  checkType: s.optional(s.oneOf(checkTypes), 'Only monitors of this kind.'),
  tag: s.optional(
    s.text({ charsMax: limits.tagCharsMax, description: 'Only monitors with this tag.' }),
  ),
  q: s.optional(
    s.text({
      charsMax: limits.nameCharsMax,
      description:
        'Only monitors whose name or url, as it is shown, contains this text in any case.',
    }),
  ),
  isActive: s.optional(s.flag, 'True: only those that are not paused. False: only paused ones.'),
  isShadow: s.optional(
    s.flag,
    'True: only those in a shadow run, of which nobody hears. False: only the others.',
  ),
})

const stateOut = s.described(
  s.oneOf(monitorStates),
  'The confirmed state. `pending`: nothing is known yet. `unknown`: the newest check could not ' +
    'be made, for a reason on the side of this service; it does not count. `paused`: ' +
    'isActive is false. `maintenance`: in a maintenance window; checks run, and lastOutcome tells ' +
    'what they find, but nothing opens.',
)
const stateSinceOut = s.described(
  s.isoTime,
  'When the state began, dated back to the first result that supports it. With `unknown`: when ' +
    'the previous state began. With `maintenance`: when that began.',
)
export const confirmingOut = s.nullable(
  s.object({ failed: s.anyNumber, needed: s.anyNumber }),
  'While failures are being confirmed, and the state does not show them yet: how many of the newest ' +
    'checks failed, and how many make an outage. Null otherwise, and while paused.',
)
const incidentOut = s.nullable(s.idOf('incident'), 'The open incident, or null.')
const outcomeOut = s.described(
  s.oneOf(verdictKinds),
  'The result of this single check, confirmed or not. `degraded`: good, but slower than ' +
    'degradedThresholdMs, or so by its own word. `unknown`: it could not be made, for a reason on the side of this service.',
)
const lastOutcomeOut = s.nullable(
  s.oneOf(verdictKinds),
  'The result of the newest check, confirmed or not; null before the first.',
)
const responseTimeWords =
  'The duration of the whole check in milliseconds, redirects included; ping: the round trip; ' +
  'push: the duration that the report states, or 0.'
const phasesWords =
  'Milliseconds per phase. A phase that did not happen is absent; a phase that ran out of time ' +
  'is included. With redirects, each is the sum over all requests.'

const ms = s.optional(s.anyNumber)
export const Phases = s.described(
  s.object({ dns: ms, connect: ms, tls: ms, firstByte: ms, download: ms }),
  phasesWords,
)
export const ErrorOut = s.object({
  kind: s.described(
    s.oneOf(errorKinds),
    'Why the check failed, for programs. `blocked`: the target policy of this service forbids it. ' +
      '`reported`: a push report, a status page, a person or the members of a group say so. `missed`: no report came in time.',
  ),
  message: s.described(s.anyText, 'Why the check failed, as a sentence for people.'),
  phase: s.optional(s.oneOf(phaseNames), 'The phase in which it failed, if known.'),
})
const CertificateOut = s.object({ expiresAt: s.isoTime, issuer: s.anyText })
const ratio = s.nullable(s.anyNumber)

/** The settings of which answers say more than the form of what callers send. */
const { url, checkType, ...otherSettings } = {
  ...shownSettings(),
  url: s.nullable(
    s.anyText,
    `Viewers see \`${secretMask}\` in place of each value of its query, except of ` +
      `${kindsInWords(({ ownsQuery }) => ownsQuery === true)}.`,
  ),
  checkType: s.described(
    s.oneOf(checkTypes),
    '`push`, `manual` and `group`: the fields that only a check has are absent.',
  ),
  headers: s.optional(
    s.mapOf(s.anyText, limits.headersMax),
    `Each value is \`${secretMask}\`; a change that sends the mask back keeps the stored value.`,
  ),
  body: s.optionalOrNull(s.anyText, 'Null for viewers.'),
  username: s.optionalOrNull(s.anyText, 'Null for viewers.'),
  password: s.optionalOrNull(s.anyText, `\`${secretMask}\` if there is one. Null for viewers.`),
  secret: s.optionalOrNull(s.anyText, 'As `password`.'),
  intervalMinutes: s.described(s.anyNumber, 'intervalSeconds in minutes, rounded up.'),
  intervalSeconds: s.described(s.anyNumber, 'The effective interval, however it was set.'),
  degradedThresholdMs: s.optionalOrNull(s.anyNumber),
  retryIntervalSeconds: s.optionalOrNull(s.anyNumber, 'The effective value, also if none was set.'),
}

export const uptimeOut = s.described(
  s.object({ '24h': ratio, '7d': ratio, '30d': ratio, '90d': ratio }),
  'Shares from 0 to 1 of the counted time, which excludes pending, unknown and paused. Degraded ' +
    'counts as up. 24h: the current hour and the 24 before it; the others: whole UTC days, ' +
    'including today so far. Null while less than an hour counts.',
)

export const failingFromOut = s.nullable(
  s.object({
    failing: s.described(s.anyNumber, 'How many see it down or slow.'),
    of: s.described(s.anyNumber, 'Of how many that were heard lately.'),
    places: PlacesOut,
  }),
  'While it is `up`, but some of its locations see it failing: fewer than `downWhen` asks for. Null otherwise.',
)

/** The shadow run of a monitor, in every answer about one. */
const shadowOut = s.nullable(
  s.object({ importId: s.idOf('import'), since: s.isoTime }),
  'While it is in the shadow run of this import: it is checked as always, and no channel, status page or subscriber ' +
    'hears of it. Null: people hear of it.',
)

export const MonitorOut = s.revised({
  id: s.idOf('monitor'),
  orgId: s.idOf('org'),
  name: s.anyText,
  url,
  checkType,
  ...otherSettings,
  state: stateOut,
  stateSince: stateSinceOut,
  confirming: confirmingOut,
  failingFrom: failingFromOut,
  lastCheckAt: s.nullable(
    s.isoTime,
    'When the newest check began, or when a report came or was missed.',
  ),
  lastOutcome: lastOutcomeOut,
  lastError: s.nullable(ErrorOut, 'Why the newest check failed; null if it did not.'),
  responseTimeMs: s.nullable(s.anyNumber, `For the newest check. ${responseTimeWords}`),
  nextCheckAt: s.nullable(
    s.isoTime,
    'push: when a report becomes overdue, null before the first one. Null while paused.',
  ),
  openIncidentId: incidentOut,
  uptime: uptimeOut,
  certificate: s.nullable(CertificateOut, 'The last certificate that a check saw, if any.'),
  pushToken: s.nullable(s.anyText, 'push: authorizes reports. Null for viewers.'),
  pushUrl: s.nullable(s.anyText, 'push: where to send reports. Null for viewers.'),
  keptAddresses: s.optional(
    s.listOf(s.anyText, keptAddressesMax + sharedAddressesMax),
    'push: paths at which its senders report as they did to the product that it was imported from, at any ' +
      'name of this service. Absent if there are none, and for viewers.',
  ),
  shadow: shadowOut,
  createdAt: s.isoTime,
  updatedAt: s.isoTime,
})

/** A parameter of everything that is kept of a monitor by place. */
export const ofPlace = {
  location: s.optional(
    Place,
    'Only what was seen from this place: the id of a location that checks the monitor or did so once, or ' +
      '`home`, for the time in which it is one of several. Default: all results together.',
  ),
}

export const CheckFilter = s.object({
  ...ofPlace,
  from: s.optional(timeIn, 'Only results at this time or later.'),
  to: s.optional(timeIn, 'Only results at this time or earlier.'),
  outcome: s.optional(s.oneOf(verdictKinds), 'Only results with this outcome.'),
  errorKind: s.optional(s.oneOf(errorKinds), 'Only results that failed like this.'),
  status: s.optional(s.integer(100, 999), 'Only results with this status of the HTTP response.'),
})

const messageOut = s.nullable(
  s.anyText,
  'The message of a push report that reported no error, of a person who set the state, why a target is ' +
    'degraded by its own word, or how one that is expected to fail did; else null.',
)

export const CheckOut = s.object({
  at: s.described(s.isoTime, 'When the check began, or when the report came or was missed.'),
  location: s.nullable(
    s.anyText,
    'From where: the id of a location, or `home`. Null where the service alone looks, if the place checks the monitor no more, and where more results than one looks through lie between those of the page.',
  ),
  outcome: outcomeOut,
  responseTimeMs: s.described(s.anyNumber, responseTimeWords),
  status: s.nullable(s.anyNumber, 'The status of the HTTP response; null if there was none.'),
  error: s.nullable(ErrorOut, 'Null if it did not fail; without the phase.'),
  message: messageOut,
  phases: s.nullable(Phases),
})

const headersOut = s.listOf(
  s.object({ name: s.anyText, value: s.anyText }),
  limits.evidenceHeadersMax,
)

/** What became of one step; secrets are masked. */
const stepOut = s.object({
  name: s.anyText,
  outcome: s.described(
    s.oneOf(stepOutcomes),
    '`notRun`: a step before it failed, or something that it names was not captured.',
  ),
  isCleanUp: s.flag,
  method: s.anyText,
  url: s.described(s.anyText, 'Where it went; as the monitor has it, if it was not run.'),
  status: s.nullable(s.anyNumber),
  responseTimeMs: s.nullable(s.anyNumber),
  message: s.nullable(s.anyText, 'Why it failed, or was not run.'),
  headers: headersOut,
  body: s.nullable(s.anyText, 'The beginning of the answer.'),
  captures: s.described(s.mapOf(s.anyText, stepsMax), 'What was taken from the answer, by name.'),
})

/** Evidence of a failed response; secrets are masked. */
export const evidenceFields = {
  status: s.nullable(s.anyNumber),
  headers: s.described(
    headersOut,
    'Response headers. Long values are cut, and likely secrets are masked, including those in the ' +
      'query of a URL.',
  ),
  url: s.nullable(
    s.anyText,
    'The target of the last redirect, whether reached or not; parameters with telling names and ' +
      'tokens are masked. Null if there was no redirect.',
  ),
  redirects: s.nullable(s.anyNumber, 'The number of redirects; null if there was none.'),
  body: s.nullable(
    s.anyText,
    `The response of the target: its first ${limits.evidenceBodyBytesMax / 1024} KiB as text.`,
  ),
  failedAssertions: s.described(
    s.listOf(
      s.object({
        expected: s.anyText,
        found: s.anyText,
        assertion: s.optional(
          s.anyNumber,
          'The index in assertions of one of type `unchanged`: `found` as its value accepts what is there now.',
        ),
      }),
      100,
    ),
    'The assertions that failed, in words: what was expected, and what was found.',
  ),
  steps: s.described(
    s.listOf(stepOut, stepsMax),
    'steps: each of them, in the order in which they were made; `headers` and `body` above are of the one that ' +
      'failed. Empty for other kinds.',
  ),
  traceroute: s.nullable(
    s.object({
      ageSeconds: s.described(
        s.anyNumber,
        'How many seconds before this failure it was made, at the first one in a row; 0: by this check.',
      ),
      hops: s.listOf(
        s.object({
          outcome: s.described(
            s.oneOf(hopOutcomes),
            '`passed`: a router on the way. `refused`: it reports that there is no way further. `reached`: the ' +
              'target. `silent`: nothing came back from there.',
          ),
          address: s.nullable(s.anyText, 'Null if it is silent, or private.'),
          isPrivate: s.described(
            s.flag,
            'It belongs to a private network, whose addresses are not shown here.',
          ),
          roundTripMs: s.nullable(s.anyNumber),
        }),
        hopsMax,
      ),
    }),
    'ping: the routers on the way to a target that gave no answer, the nearest first, up to the last one that ' +
      'answered. Null for other kinds, over TCP, and where it could not be made.',
  ),
  note: s.nullable(s.anyText, 'Why less than this was kept; else null.'),
}
const pictureOut = s.nullable(
  s.anyText,
  'browser: what the page looked like at the end, a JPEG in Base64. Null for other kinds, and where it may not be shown.',
)
const EvidenceOut = s.object({
  at: s.isoTime,
  error: s.nullable(ErrorOut),
  ...evidenceFields,
  picture: pictureOut,
  requests: s.described(
    s.listOf(
      s.object({
        method: s.anyText,
        url: s.anyText,
        type: s.described(s.anyText, 'In the words of the browser: `Document`, `Script`, `XHR`.'),
        startMs: s.described(s.anyNumber, 'After the first request of the page.'),
        durationMs: s.nullable(s.anyNumber, 'Null if it had not ended when the check did.'),
        status: s.nullable(s.anyNumber, 'Null if there was no answer.'),
        bytes: s.nullable(s.anyNumber, 'What came over the network; null if that is nothing.'),
        error: s.nullable(s.anyText, 'In the words of the browser: `net::ERR_CONNECTION_REFUSED`.'),
      }),
      loadedRequestsMax,
    ),
    `browser: what the page loaded, the first ${loadedRequestsMax} requests in the order in which they began. Empty ` +
      'for other kinds, and where it may not be shown.',
  ),
})

/** An object if it is a JSON object, else text. */
export function looseOut(description: string) {
  return Type.Union([s.mapOf(s.anything, limits.jsonKeysMax), s.anyText, Type.Null()], {
    description,
  })
}

/** The result of a manual check. */
const checkResultFields = {
  at: s.isoTime,
  outcome: outcomeOut,
  responseTimeMs: s.described(s.anyNumber, responseTimeWords),
  status: s.nullable(s.anyNumber, 'The status of the HTTP response; null if there was none.'),
  error: s.nullable(ErrorOut, 'Null if it did not fail.'),
  message: s.nullable(
    s.anyText,
    'push: which reports came and when the next one is due. Why a target is degraded by its own word. ' +
      'Else null.',
  ),
  phases: s.nullable(Phases),
  address: s.nullable(
    s.anyText,
    'The address that the check connected to. Null if none, and for a private one that `url` does ' +
      'not have, while several organizations share the service.',
  ),
  certificate: s.nullable(CertificateOut),
  failure: s.nullable(EvidenceOut, 'The response of the target; null if all was as expected.'),
  found: looseOut(
    `The findings of ${kindsInWords(({ finds }) => finds !== undefined)} checks, good or not: a JSON ` +
      'object, else text; at most 16 KiB, secrets masked. ssl: `isTrusted` is about the chain ' +
      'alone, `isForHost` about the host name. `daysLeft` is in whole days, rounded ' +
      'down: 0 on the last day, -1 in the first 24 hours after it. For other checks that were ' +
      'redirected: `redirects`, their number, and `url`, the target of the last one',
  ),
}

/** The result of a trial: that of a manual check, and what the target answered. */
export const trialResultFields = {
  ...checkResultFields,
  answer: s.nullable(
    s.object({
      status: s.anyNumber,
      headers: evidenceFields.headers,
      body: s.nullable(
        s.anyText,
        `The first ${limits.trialBodyCharsMax / 1024} Ki characters, secrets masked. Null if it ` +
          'cannot be decoded, or may not be shown.',
      ),
      isCut: s.described(s.flag, 'Whether the body is longer than this.'),
      note: s.nullable(s.anyText, 'Why less than this is shown; else null.'),
    }),
    'What the target answered over HTTP, good or not, to build assertions from. It is not stored. ' +
      'Null for other protocols, and without a response.',
  ),
  steps: s.nullable(
    s.listOf(stepOut, stepsMax),
    'steps: what became of each, good or not. Null for other kinds.',
  ),
  picture: pictureOut,
}

export const LatestOut = s.object({
  at: s.nullable(s.isoTime),
  outcome: lastOutcomeOut,
  responseTimeMs: s.nullable(s.anyNumber, responseTimeWords),
  error: s.nullable(ErrorOut),
  message: messageOut,
  phases: s.nullable(Phases),
  address: s.nullable(s.anyText),
  failure: {
    ...s.nullable(EvidenceOut),
    description: 'Evidence of the newest failure; null for viewers',
  },
  lastReportAt: s.nullable(
    s.isoTime,
    'push: when the newest report came; null before the first one.',
  ),
  report: {
    ...s.nullable(s.object({ at: s.isoTime, metadata: s.mapOf(s.anything, limits.jsonKeysMax) })),
    description: 'The newest push report with metadata; null for viewers',
  },
  found: looseOut(
    'The findings of the newest check, as in a manual run; null for viewers. They are not stored: ' +
      'null also after a restart until the next check, and once about 1,000 other monitors were ' +
      'checked since',
  ),
})

export const RunOut = s.object({
  monitorId: s.idOf('monitor'),
  ...checkResultFields,
  state: stateOut,
  stateSince: stateSinceOut,
  openIncidentId: incidentOut,
})
