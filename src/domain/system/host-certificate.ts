// The certificate of one host that the service serves: where it stands, and when it is due.
import type { OrgId } from '../../base/ids.ts'
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

/** An order that the authority accepted for a host that had no certificate yet. */
export interface FirstOrder {
  readonly atMs: number
  /** Whose host it was; null: the service's own. */
  readonly orgId: OrgId | null
  /** Whether organizations share the registered domain. */
  readonly isShared: boolean
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
  /** The end of the certificate about which the operator got a notice that it is not renewed. */
  readonly toldExpiryMs: number | null
  /** Since when the host is no longer served; null while it is. */
  readonly unwantedSinceMs: number | null
  /**
   * When the newest certificate was issued, also if its key is lost; absent before, and in earlier
   * versions.
   */
  readonly lastIssuedAtMs?: number
  /**
   * The first orders within `certificateBudgetMs`, the newest last; absent in records of earlier
   * versions.
   */
  readonly firstOrders?: readonly FirstOrder[]
  /**
   * The time until which the authority refused orders of the registered domain, by the newest order for
   * this host; 0 or absent: it did not.
   */
  readonly domainPausedUntilMs?: number
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

/** Whether one was issued for the host before, so that the next one is a renewal. */
export function hadCertificate({ issued, lastIssuedAtMs }: HostCertificate): boolean {
  return issued !== null || lastIssuedAtMs !== undefined
}

export const certificateBudgetMs = 7 * 24 * 60 * 60_000

/** The host with an order that the authority accepted. */
export function withOrder(
  before: HostCertificate,
  order: CertificateOrder,
  { atMs, orgId, isShared }: FirstOrder,
): HostCertificate {
  const recent = (before.firstOrders ?? []).filter((one) => one.atMs > atMs - certificateBudgetMs)
  const firstOrders = hadCertificate(before) ? recent : [...recent, { atMs, orgId, isShared }]
  return { ...before, order, lastOrderAtMs: atMs, nextAttemptAtMs: atMs, firstOrders }
}

/**
 * The host after its certificate was dropped, because no master key opens the key: another certificate is
 * obtained at once.
 */
export function withoutKey(before: HostCertificate, nowMs: number): HostCertificate {
  const lastIssuedAtMs = before.lastIssuedAtMs ?? before.issued?.fromMs ?? nowMs
  return { ...before, issued: null, lastIssuedAtMs, nextAttemptAtMs: nowMs }
}

/** How long a certificate is kept after its host went away, in case it comes back. */
const certificateKeptMs = 30 * 24 * 60 * 60_000

/**
 * How long the record of a host is kept that is no longer served: for its certificate, in case the host
 * comes back, and for the orders that count in budgets.
 */
export function keptUntilMs(
  { issued, firstOrders, domainPausedUntilMs = 0 }: HostCertificate,
  unwantedSinceMs: number,
): number {
  const orderedAtMs = firstOrders?.at(-1)?.atMs
  return Math.max(
    unwantedSinceMs + (issued === null ? 0 : certificateKeptMs),
    orderedAtMs === undefined ? 0 : orderedAtMs + certificateBudgetMs,
    domainPausedUntilMs,
  )
}

/** A failed renewal does not end a certificate: it is issued until it expires. */
export function certificateStateOf(
  { issued, failures }: HostCertificate,
  nowMs: number,
): CertificateState {
  if (issued && issued.expiresAtMs > nowMs) return 'issued'
  return failures > 0 ? 'failed' : 'pending'
}

/** A certificate is renewed once this share of its lifetime has passed. */
const certificateRenewShare = 2 / 3

export function withIssued(
  before: HostCertificate,
  issued: IssuedCertificate,
  nowMs: number,
): HostCertificate {
  const { fromMs, expiresAtMs } = issued
  const lifeMs = expiresAtMs - fromMs
  const renewAtMs = fromMs + lifeMs * certificateRenewShare
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
    lastIssuedAtMs: nowMs,
    domainPausedUntilMs: 0,
  }
}

export interface CertificateFailure {
  readonly reason: string
  /** The order can never end well: the next attempt begins another. */
  readonly endsOrder: boolean
  readonly retryAfterMs: number | undefined
  /** Whether the authority refused because it had too many orders. */
  readonly isRateLimited?: boolean
}

/** How long new hosts of a domain wait if an authority that refuses one names no time. */
const certificatePauseMs = 60 * 60_000

export function withFailure(
  before: HostCertificate,
  { reason, endsOrder, retryAfterMs, isRateLimited = false }: CertificateFailure,
  nowMs: number,
): HostCertificate {
  const failures = before.failures + 1
  // A renewal that was refused is not to blame: it is tried again as soon as the authority says.
  const isHeldUp = isRateLimited && hadCertificate(before) && retryAfterMs !== undefined
  const waitMs = Math.max(retryAfterMs ?? 0, retryMs(isHeldUp ? 1 : failures))
  return {
    ...before,
    order: endsOrder ? null : before.order,
    failures,
    reason: reason.slice(0, limits.certificateReasonCharsMax),
    nextAttemptAtMs: nowMs + waitMs,
    domainPausedUntilMs: isRateLimited ? nowMs + (retryAfterMs ?? certificatePauseMs) : 0,
  }
}

/**
 * The waits after the first, second, … failure in a row; the last holds for all that follow. Let's
 * Encrypt takes 5 failed authorizations of a host in an hour, and 5 certificates for the same host
 * in 7 days.
 */
const certificateRetryMs = [10 * 60_000, 60 * 60_000, 6 * 60 * 60_000, 24 * 60 * 60_000] as const

/** How long to wait after so many failures in a row. */
function retryMs(failures: number): number {
  const waits = certificateRetryMs
  return waits[Math.min(failures, waits.length) - 1] ?? 0
}

/** Whether the operator must get a notice now, because the certificate is about to end, or has ended. */
export function isNoticeDue({ issued, failures, toldExpiryMs }: HostCertificate, nowMs: number) {
  if (!issued || failures === 0 || toldExpiryMs === issued.expiresAtMs) return false
  return issued.expiresAtMs - nowMs <= limits.certificateNoticeMs
}

/** Whether a certificate authority can issue a certificate for the host: a name with a dot. */
export function isCertifiable(host: string): boolean {
  return certifiable.test(host)
}

const certifiable =
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
