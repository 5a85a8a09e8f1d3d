// What is noted in the course of a look, and the reading that it makes in the end.

import type { Clock } from '../../base/clock.ts'
import { checkExpectation, type FailedAssertion } from '../../domain/assertions/assertion.ts'
import type { Certificate, Loose, PhaseName, Reading } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { roundMs } from '../../net/connection/connect.ts'
import { PhaseTimes } from '../../net/connection/phase-times.ts'
import type { Failure } from '../../net/failure.ts'
import { type Redact, redactorFor } from '../../redaction/redaction.ts'
import {
  type Answered,
  type Discretion,
  foundOf,
  gatherEvidence,
  isHidden,
  textEvidence,
} from './evidence.ts'
import { daysLeft, unmetFailure } from './judge.ts'
import { failedReading, readingOf } from './make-reading.ts'

/** What a look found where the target answered. */
export interface Seen {
  /** What the target said, for the monitor's assertions and for evidence. */
  readonly text?: string
  /** `application/json` has assertions read the text as JSON. */
  readonly contentType?: string
  /** How long the target took, where the whole look says something else; milliseconds. */
  readonly responseTimeMs?: number
}

/** A class because it fills up while the look goes on. */
export class Notes {
  /** Those that were to be tried. */
  addresses: readonly string[] = []
  address: string | undefined
  certificate: Certificate | undefined
  /** What was sent beside headers and body: to be blotted out of what is shown. */
  readonly sent: string[] = []
  readonly times: PhaseTimes
  readonly #target: EndpointTarget
  readonly #clock: Clock
  readonly #discretion: Discretion
  readonly #redact: Redact
  readonly #atMs: number
  readonly #startedMs: number
  #responseTimeMs: number | undefined

  constructor(target: EndpointTarget, clock: Clock, discretion: Discretion) {
    this.#target = target
    this.#discretion = discretion
    this.#redact = redactorFor(target, this.sent)
    this.#clock = clock
    this.#atMs = clock.nowMs()
    this.#startedMs = clock.monoMs()
    this.times = new PhaseTimes(clock)
  }

  took(phase: PhaseName, ms: number): void {
    this.times.set(phase, ms)
  }

  /** The look came to its end: does what was seen hold what is expected of it? */
  judged({ text, contentType = 'text/plain', responseTimeMs }: Seen): Reading {
    const { expect } = this.#target
    this.#responseTimeMs = responseTimeMs
    const failed = checkExpectation(expect, {
      // There is no status here, so the one that is expected is as good as found.
      status: expect.expectedStatus,
      contentType,
      address: this.address,
      responseTimeMs: this.#durationMs(),
      certificateDays: daysLeft(this.certificate, this.#atMs),
      text: () => text ?? '',
      redact: this.#redact,
    })
    const [first] = failed
    if (first === undefined) {
      return this.#finding(readingOf(this.#measured(), 'good', this.#discretion), text)
    }
    return this.failed(unmetFailure(first), undefined, text, failed)
  }

  failed(
    found: Failure,
    phase?: PhaseName,
    text?: string,
    failedAssertions: readonly FailedAssertion[] = [],
  ): Reading {
    const reading = this.#failed(found, phase)
    if (found.outcome !== 'failed') return reading
    const findings = { failedAssertions, isHidden: this.#isHidden() }
    const evidence = textEvidence(text, findings, this.#redact)
    return this.#finding(evidence === undefined ? reading : { ...reading, evidence }, text)
  }

  /** The target answered with a whole response where it was asked for something else. */
  refused(found: Failure, phase: PhaseName | undefined, answered: Answered): Promise<Reading> {
    const { status } = answered
    const reading = { ...this.#failed(found, phase), status }
    const findings = { failedAssertions: [], isHidden: this.#isHidden() }
    return new Promise((resolve) => {
      gatherEvidence(answered, this.#redact, findings, (evidence) => {
        resolve(evidence === undefined ? reading : { ...reading, evidence })
      })
    })
  }

  #failed(found: Failure, phase: PhaseName | undefined): Reading {
    const addresses = this.#reached()
    const isHidden = found.detail !== undefined && this.#isHidden()
    const context = { phase, addresses, isHidden, discretion: this.#discretion }
    return failedReading(this.#measured(), found, context)
  }

  /** Nothing is made of the text yet: of most checks nobody asks what they found. */
  #finding(reading: Reading, text: string | undefined): Reading {
    if (text === undefined) return reading
    const most = 2 * limits.foundCharsShownMax
    // A copy: a slice would keep all of it in memory.
    const head = text.length <= most ? text : Buffer.from(text.slice(0, most)).toString()
    let found: Loose | undefined
    const tell = () => foundOf(head, this.#isHidden(), this.#redact)
    return {
      ...reading,
      get found() {
        found ??= tell()
        return found
      },
    }
  }

  #isHidden(): boolean {
    return isHidden(this.#reached(), this.#discretion)
  }

  #reached(): readonly string[] {
    return this.address === undefined ? this.addresses : [this.address]
  }

  #durationMs(): number {
    return this.#responseTimeMs ?? roundMs(this.#clock.monoMs() - this.#startedMs)
  }

  #measured() {
    const { address, certificate } = this
    const phases = this.times.taken()
    return { atMs: this.#atMs, durationMs: this.#durationMs(), phases, address, certificate }
  }
}
