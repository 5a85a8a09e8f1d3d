// The certificate of one host that the service serves: where it stands, and when it is due.
import { limits } from '../limits/limits.ts'

export const certificateStates = ['pending', 'issued', 'failed'] as const
export type CertificateState = (typeof certificateStates)[number]

/** A certificate that can be used. */
export interface IssuedCertificate {
  /** The chain in PEM, the host's own certificate first. */
  readonly chainPem: string
  /** The private key in PEM, sealed. */
  readonly keyBox: string
  readonly issuer: string
  readonly fromMs: number
  readonly expiresAtMs: number
}

/** An order in progress at the authority: a restart goes on with it. */
export interface CertificateOrder {
  readonly url: string
  /** The authority's directory; the order means nothing to another one. */
  readonly directoryUrl: string
  readonly keyBox: string
}

export interface HostCertificate {
  readonly host: string
  readonly issued: IssuedCertificate | null
  readonly order: CertificateOrder | null
  /** Failures in a row. */
  readonly failures: number
  /** Why the last attempt failed; null if it did not. */
  readonly reason: string | null
  readonly lastOrderAtMs: number | null
  readonly nextAttemptAtMs: number
  /** The end of the certificate of which the operator was told that it is not renewed. */
  readonly toldExpiryMs: number | null
  /** Since when the host is no longer served; null while it is. */
  readonly unwantedSinceMs: number | null
}

export function newHostCertificate(host: string, nowMs: number): HostCertificate {
  return {
    host,
    issued: null,
    order: null,
    failures: 0,
    reason: null,
    lastOrderAtMs: null,
    nextAttemptAtMs: nowMs,
    toldExpiryMs: null,
    unwantedSinceMs: null,
  }
}

/** A failed renewal does not end a certificate: it is issued until it expires. */
export function certificateStateOf(
  { issued, failures }: HostCertificate,
  nowMs: number,
): CertificateState {
  if (issued && issued.expiresAtMs > nowMs) return 'issued'
  return failures > 0 ? 'failed' : 'pending'
}

export function withIssued(
  before: HostCertificate,
  issued: IssuedCertificate,
  nowMs: number,
): HostCertificate {
  const { fromMs, expiresAtMs } = issued
  const lifeMs = expiresAtMs - fromMs
  const renewAtMs = fromMs + lifeMs * limits.certificateRenewShare
  // By a wrong clock every certificate looks old: the authority must not be asked in a loop.
  const soonestMs = nowMs + Math.max(retryMs(1), lifeMs / 10)
  return {
    ...before,
    issued,
    order: null,
    failures: 0,
    reason: null,
    nextAttemptAtMs: Math.round(Math.max(renewAtMs, soonestMs)),
    toldExpiryMs: null,
  }
}

export interface CertificateFailure {
  readonly reason: string
  /** The order can never end well: the next attempt begins another. */
  readonly endsOrder: boolean
  readonly retryAfterMs: number | undefined
}

export function withFailure(
  before: HostCertificate,
  { reason, endsOrder, retryAfterMs = 0 }: CertificateFailure,
  nowMs: number,
): HostCertificate {
  const failures = before.failures + 1
  return {
    ...before,
    order: endsOrder ? null : before.order,
    failures,
    reason: reason.slice(0, limits.certificateReasonCharsMax),
    nextAttemptAtMs: nowMs + Math.max(retryAfterMs, retryMs(failures)),
  }
}

/** How long to wait after so many failures in a row. */
function retryMs(failures: number): number {
  const waits = limits.certificateRetryMs
  return waits[Math.min(failures, waits.length) - 1] ?? 0
}

/** Whether the operator must be told now that it is about to end, or has ended. */
export function isNoticeDue({ issued, failures, toldExpiryMs }: HostCertificate, nowMs: number) {
  if (!issued || failures === 0 || toldExpiryMs === issued.expiresAtMs) return false
  return issued.expiresAtMs - nowMs <= limits.certificateNoticeMs
}

/** When the next new order may begin, so that authorities are not asked too often. */
export function nextOrderAtMs(
  certificates: readonly Pick<HostCertificate, 'lastOrderAtMs'>[],
  nowMs: number,
): number {
  const hourMs = 3_600_000
  const recent = certificates
    .flatMap(({ lastOrderAtMs }) => lastOrderAtMs ?? [])
    .filter((atMs) => atMs > nowMs - hourMs)
    .toSorted((a, b) => b - a)
  const oldest = recent[limits.certificateOrdersPerHour - 1]
  return oldest === undefined ? nowMs : oldest + hourMs
}

/** Whether a certificate authority can issue a certificate for the host: a name with a dot. */
export function isCertifiable(host: string): boolean {
  return certifiable.test(host)
}

const certifiable =
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
