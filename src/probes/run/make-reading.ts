// The reading in which a look ends: what it measured, and of a failure what may be told of it.
import { clip } from '../../base/clip.ts'
import type { Certificate, PhaseName, Phases, Reading } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import { doubtOf, type Failure } from '../../net/failure.ts'
import { type Discretion, hiddenIssuer, isHidden } from './evidence.ts'

/** What a look measured until it ended. */
export interface Measured {
  readonly atMs: number
  readonly durationMs: number
  readonly phases: Phases
  /** Zero or undefined where no response came. */
  readonly status?: number | undefined
  readonly address: string | undefined
  readonly certificate: Certificate | undefined
}

export interface FailureContext {
  readonly phase: PhaseName | undefined
  /** Where it connected to, or may have. */
  readonly addresses: readonly string[]
  /** What the target itself shows of its failure is for nobody. */
  readonly isHidden: boolean
  readonly discretion: Discretion
}

type Filling = { -readonly [Field in keyof Reading]: Reading[Field] }

export function readingOf(
  measured: Measured,
  outcome: Reading['outcome'],
  discretion: Discretion,
): Reading {
  const { atMs, durationMs, phases, status, address, certificate } = measured
  // Made in one go and filled up: every check makes one.
  const reading: Filling = { atMs, durationMs, outcome, phases }
  if (status) reading.status = status
  if (address !== undefined) reading.address = address
  if (certificate !== undefined) reading.certificate = shownOf(certificate, address, discretion)
  return reading
}

/** When it expires says nothing of whose it is; who issued it may. */
function shownOf(
  certificate: Certificate,
  address: string | undefined,
  discretion: Discretion,
): Certificate {
  // Nobody is asked where the address is public, as most are.
  const isOthers = isHidden([address ?? ''], discretion)
  return isOthers ? { expiresAtMs: certificate.expiresAtMs, issuer: hiddenIssuer } : certificate
}

export function failedReading(
  measured: Measured,
  found: Failure,
  { phase, addresses, isHidden, discretion }: FailureContext,
): Reading {
  const { kind, message, detail } = found
  const told = detail === undefined || isHidden ? message : `${message}: ${detail}`
  const error = {
    kind,
    message: clip(told, limits.errorMessageCharsMax),
    ...(phase === undefined ? {} : { phase }),
  }
  const doubt = doubtOf(found, addresses)
  const doubted = doubt === undefined ? undefined : { doubt }
  return { ...readingOf(measured, found.outcome, discretion), error, ...doubted }
}
