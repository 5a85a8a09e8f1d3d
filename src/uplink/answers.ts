// What the daemon answers, checked: types and bounds. Unknown fields are ignored, as the daemon may be newer.
import * as s from '../base/schema/schema.ts'
import { createCheck } from '../base/schema/validate.ts'
import {
  assertionSources,
  assertionTypes,
  responseFormats,
} from '../domain/assertions/expectation.ts'
import { viewportNames } from '../domain/browser/action.ts'
import { methods } from '../domain/checks/check-type.ts'
import { limits } from '../domain/limits/limits.ts'
import type {
  Assignment,
  ProbePlan,
  ProbeResultsAnswer,
  ProbeWelcome,
} from '../domain/locations/protocol.ts'

/** Reads an answer; undefined if it is not what the protocol says. */
type Read<Answer> = (document: unknown) => Answer | undefined

/** Each `put` is read by `readAssignment`, so that one that is not understood spoils no other. */
export interface ReadPlan extends Omit<ProbePlan, 'put'> {
  readonly put: readonly unknown[]
}

const wordCharsMax = 100
const textCharsMax = 64 * 1024
/** JSON of a request, sealed. */
const sealedCharsMax = 512 * 1024
/** The monitors of one probe. */
const assignmentsMax = 100_000
const asksMax = 1_000

const word = s.text({ charsMin: 1, charsMax: wordCharsMax })
const longText = s.nullable(s.text({ charsMax: textCharsMax }))
const timeMs = s.fraction(0, Number.MAX_SAFE_INTEGER)
const whole = s.integer(0, Number.MAX_SAFE_INTEGER)
const intervalMs = s.integer(
  limits.retryIntervalSecondsMin * 1_000,
  limits.intervalSecondsMax * 1_000,
)
const threshold = s.integer(1, limits.thresholdMax)

const welcome = s.openObject({ session: word, probe: word, location: word, nowMs: timeMs })

const assignment = s.openObject({
  monitorId: s.idOf('monitor'),
  revision: whole,
  checkType: word,
  orgId: s.optional(s.idOf('org')),
  url: s.text({ charsMax: limits.urlCharsMax }),
  method: s.oneOf(methods),
  sealed: s.nullable(s.text({ charsMax: sealedCharsMax })),
  timeoutMs: s.integer(limits.timeoutMsMin, limits.timeoutMsMax),
  followRedirects: s.flag,
  maxRedirects: s.integer(0, limits.redirectsMax),
  ignoreTlsErrors: s.flag,
  caCertificates: s.optional(s.nullable(s.text({ charsMax: limits.caCertificatesBytesMax }))),
  clientCertificate: s.optional(s.nullable(s.text({ charsMax: limits.caCertificatesBytesMax }))),
  connectTo: s.optional(s.nullable(s.text({ charsMax: limits.connectToCharsMax }))),
  proxy: s.optional(s.nullable(word)),
  ipFamily: s.oneOf(['any', 'ipv4', 'ipv6']),
  viewport: s.optional(s.oneOf(viewportNames)),
  game: s.optional(s.nullable(word)),
  expect: s.openObject({
    expectedStatus: whole,
    acceptedStatuses: s.listOf(word, wordCharsMax),
    bodyContains: longText,
    bodyNotContains: longText,
    responseFormat: s.oneOf(responseFormats),
    responseAssertionType: s.nullable(s.oneOf(assertionTypes)),
    responseAssertionPath: longText,
    responseAssertionValue: longText,
    assertions: s.listOf(
      s.openObject({
        source: s.oneOf(assertionSources),
        path: longText,
        type: s.oneOf(assertionTypes),
        value: longText,
      }),
      limits.assertionsMax,
    ),
  }),
  intervalMs,
  retryMs: intervalMs,
  isNew: s.optional(s.flag),
  offsetMs: s.integer(0, limits.intervalSecondsMax * 1_000),
  failureThreshold: threshold,
  recoveryThreshold: threshold,
  degradedThreshold: threshold,
  degradedThresholdMs: s.nullable(s.integer(0, limits.degradedThresholdMsMax)),
})

const plan = s.openObject({
  revision: whole,
  nowMs: timeMs,
  isWhole: s.flag,
  put: s.listOf(s.anything, assignmentsMax),
  remove: s.listOf(s.idOf('monitor'), assignmentsMax),
  ask: s.listOf(s.openObject({ askId: whole, monitorId: s.idOf('monitor') }), asksMax),
})

const resultsAnswer = s.openObject({ planRevision: whole })

export const readWelcome: Read<ProbeWelcome> = readerOf(welcome)
export const readResultsAnswer: Read<Pick<ProbeResultsAnswer, 'planRevision'>> =
  readerOf(resultsAnswer)
export const readPlan: Read<ReadPlan> = readerOf(plan)
export const readAssignment: Read<Assignment> = readerOf(assignment)
/** Which monitor an assignment is of that is not understood otherwise. */
export const readAssigned: Read<Pick<Assignment, 'monitorId'>> = readerOf(
  s.openObject({ monitorId: s.idOf('monitor') }),
)

/** The document has the type that its schema was written for. */
function readerOf<Answer>(schema: Parameters<typeof createCheck>[0]): Read<Answer> {
  const check = createCheck(schema, 1)
  return (document) => (check(document).length === 0 ? (document as Answer) : undefined)
}
