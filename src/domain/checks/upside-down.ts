// Upside down: of a target that is expected to fail, a failure is good, and an answer is a failure.
import { clip } from '../../base/clip.ts'
import { limits } from '../limits/limits.ts'
import type { Reading } from './reading.ts'

/** What the target of a reading is expected to do. Absent: to work. */
interface ExpectedTarget {
  readonly isUpsideDown?: boolean
}

/**
 * The reading as it counts for the monitor. What could not be checked stays unknown, and what may not be
 * checked stays a failure: neither says anything about the target. Certificates and registrations of a target
 * that should not answer are nobody's concern.
 */
export function asExpected({ isUpsideDown = false }: ExpectedTarget, reading: Reading): Reading {
  const { result, error } = reading
  if (!isUpsideDown || result === 'unknown' || error?.kind === 'blocked') return reading
  const {
    evidence: _evidence,
    certificate: _certificate,
    registration: _registration,
    isDegraded: _isDegraded,
    doubt: _doubt,
    error: _error,
    message: _message,
    ...seen
  } = reading
  if (error) {
    const message = clip(`as expected: ${error.message}`, limits.errorMessageCharsMax)
    return { ...seen, result: 'good', message }
  }
  const { status } = seen
  return {
    ...seen,
    ...(status === undefined ? {} : { evidence: { status } }),
    result: 'failed',
    error: { kind: 'assertion', message: 'the target works, and is expected to fail' },
  }
}
