// A whole response held against what its monitor expects.

import { checkExpectation, type FailedAssertion } from '../../domain/assertions/assertion.ts'
import type { Certificate } from '../../domain/checks/reading.ts'
import { wholeDays } from '../../domain/health/span.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { type Failure, failure } from '../../net/failure.ts'
import { textOf } from '../../net/http/charset.ts'
import type { Intake } from '../../net/http/response-reader.ts'
import type { Redact } from '../../redaction/redaction.ts'

export interface Circumstances {
  readonly nowMs: number
  readonly responseTimeMs: number
  readonly address: string | undefined
  readonly certificate: Certificate | undefined
  readonly redact: Redact
}

/** Every expectation that the response breaks. `bytes`: the body, its coding undone. */
export function judgeResponse(
  target: EndpointTarget,
  { status, headers }: Intake,
  bytes: Buffer,
  { nowMs, responseTimeMs, address, certificate, redact }: Circumstances,
): readonly FailedAssertion[] {
  // A header that was sent twice is a list, whatever its type says.
  const contentType = String(headers['content-type'] ?? '')
  return checkExpectation(target.expect, {
    status,
    contentType,
    responseTimeMs,
    address,
    certificateDays: daysLeft(certificate, nowMs),
    text: () => textOf(bytes, contentType),
    header: (name) => (Object.hasOwn(headers, name) ? [headers[name] ?? []].flat() : []),
    redact,
  })
}

/** Whole days until the certificate expires, -1 in the first day after. */
export function daysLeft(certificate: Certificate | undefined, nowMs: number): number | undefined {
  return certificate && wholeDays(certificate.expiresAtMs - nowMs)
}

/** What a broken expectation means for the check. */
export function unmetFailure({ kind, expected, found, mayTell }: FailedAssertion): Failure {
  // What the target wrote is evidence, for fewer eyes than a message.
  return failure(kind, `expected ${expected}${mayTell ? `, found ${found}` : ''}`)
}
