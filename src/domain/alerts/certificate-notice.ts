// Decides when to warn of an expiring certificate, once per threshold.

import type { Certificate, Reading } from '../checks/reading.ts'
import { wholeDays } from '../health/span.ts'
import { limits } from '../limits/limits.ts'

/** The notices sent about one certificate, which is identified by its expiry time. */
export interface AnnouncedCertificate {
  readonly expiresAtMs: number
  /** The smallest threshold announced; an equal or larger one is no news. */
  readonly thresholdDays: number
}

export interface CertificateNotice {
  readonly certificate: Certificate
  readonly daysLeft: number
  readonly thresholdDays: number
}

/**
 * The notice due after a reading, if any: the smallest threshold reached, unless it was announced.
 * An expired certificate causes none: its check fails, or certificate errors are ignored.
 */
export function dueNotice(
  thresholds: readonly number[],
  told: readonly AnnouncedCertificate[],
  { result, certificate, atMs }: Reading,
): CertificateNotice | null {
  if (result !== 'good' || certificate === undefined) return null
  const { expiresAtMs } = certificate
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
  return isNews ? { certificate, daysLeft, thresholdDays } : null
}

/** Adds a notice to the sent ones and removes certificates that have expired. */
export function withNotice(
  told: readonly AnnouncedCertificate[],
  { certificate, thresholdDays }: CertificateNotice,
  nowMs: number,
): readonly AnnouncedCertificate[] {
  const { expiresAtMs } = certificate
  const others = told.filter((one) => one.expiresAtMs !== expiresAtMs && one.expiresAtMs > nowMs)
  return [...others, { expiresAtMs, thresholdDays }].slice(-limits.certificatesToldMax)
}
