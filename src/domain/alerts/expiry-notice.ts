// Decides when to warn that a certificate or a domain expires, once per threshold.
import type { Certificate, Reading, Registration } from '../checks/reading.ts'
import { dayMs, wholeDays } from '../health/span.ts'

/** The notices sent about one certificate or registration, which is identified by its expiry time. */
export interface AnnouncedExpiry {
  readonly expiresAtMs: number
  /** The smallest threshold announced; an equal or larger one is no news. */
  readonly thresholdDays: number
}

interface ExpiryNotice {
  readonly daysLeft: number
  readonly thresholdDays: number
}

export interface CertificateNotice extends ExpiryNotice {
  readonly certificate: Certificate
}

export interface DomainNotice extends ExpiryNotice {
  readonly registration: Registration & { readonly expiresAtMs: number }
}

/** The certificate notice due after a reading, if any. */
export function dueNotice(
  thresholds: readonly number[],
  told: readonly AnnouncedExpiry[],
  { result, certificate, atMs }: Reading,
): CertificateNotice | null {
  if (result !== 'good' || certificate === undefined) return null
  const due = dueThreshold(thresholds, told, certificate.expiresAtMs, atMs)
  return due && { certificate, ...due }
}

/** The domain notice due after a reading, if any. */
export function dueDomainNotice(
  thresholds: readonly number[],
  told: readonly AnnouncedExpiry[],
  { result, registration, atMs }: Reading,
): DomainNotice | null {
  if (result !== 'good' || !registration || registration.expiresAtMs === null) return null
  const { expiresAtMs } = registration
  const due = dueThreshold(thresholds, told, expiresAtMs, atMs)
  return due && { registration: { ...registration, expiresAtMs }, ...due }
}

/**
 * The smallest threshold reached, unless it was announced. What has expired causes no notice: its
 * check fails, or certificate errors are ignored.
 */
function dueThreshold(
  thresholds: readonly number[],
  told: readonly AnnouncedExpiry[],
  expiresAtMs: number,
  atMs: number,
): ExpiryNotice | null {
  const daysLeft = wholeDays(expiresAtMs - atMs)
  if (daysLeft < 0) return null
  const known = told.find((one) => one.expiresAtMs === expiresAtMs)
  let thresholdDays = known?.thresholdDays ?? Number.POSITIVE_INFINITY
  let isNews = false
  for (const days of thresholds) {
    if (days < daysLeft || days >= thresholdDays) continue
    thresholdDays = days
    isNews = true
  }
  return isNews ? { daysLeft, thresholdDays } : null
}

/** When the newest warning about what ends at `expiresAtMs` became due; null if none holds at `nowMs`. */
export function warnedAtMs(
  thresholds: readonly number[],
  expiresAtMs: number,
  nowMs: number,
): number | null {
  const due = dueThreshold(thresholds, [], expiresAtMs, nowMs)
  // The days that are left are whole ones.
  return due && expiresAtMs - (due.thresholdDays + 1) * dayMs
}

/**
 * Announced certificates, or expiry dates of a domain, per monitor: a host may show several in
 * turn.
 */
export const expiriesToldMax = 8

/** Adds a notice to the sent ones and removes what has expired. */
export function withNotice(
  told: readonly AnnouncedExpiry[],
  { expiresAtMs, thresholdDays }: AnnouncedExpiry,
  nowMs: number,
): readonly AnnouncedExpiry[] {
  const others = told.filter((one) => one.expiresAtMs !== expiresAtMs && one.expiresAtMs > nowMs)
  return [...others, { expiresAtMs, thresholdDays }].slice(-expiriesToldMax)
}
