// When a certificate is so near its end that people are told, once for each threshold.

import type { Certificate, Reading } from '../checks/reading.ts'
import { wholeDays } from '../health/span.ts'
import { limits } from '../limits/limits.ts'

/** What people were told of one certificate. Its end is what tells it from others. */
export interface ToldCertificate {
  readonly expiresAtMs: number
  /** The smallest threshold that they were told of: one that is as large is no news. */
  readonly thresholdDays: number
}

export interface CertificateNotice {
  readonly certificate: Certificate
  readonly daysLeft: number
  readonly thresholdDays: number
}

/**
 * What is to be told after a reading, if anything: the smallest threshold that was reached, where
 * that is news. A certificate that has expired is none: its check fails, or nobody minds.
 */
export function dueNotice(
  thresholds: readonly number[],
  told: readonly ToldCertificate[],
  { outcome, certificate, atMs }: Reading,
): CertificateNotice | null {
  if (outcome !== 'good' || certificate === undefined) return null
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

/** What was told, with a notice in it and without what has expired. */
export function withNotice(
  told: readonly ToldCertificate[],
  { certificate, thresholdDays }: CertificateNotice,
  nowMs: number,
): readonly ToldCertificate[] {
  const { expiresAtMs } = certificate
  const others = told.filter((one) => one.expiresAtMs !== expiresAtMs && one.expiresAtMs > nowMs)
  return [...others, { expiresAtMs, thresholdDays }].slice(-limits.certificatesToldMax)
}
