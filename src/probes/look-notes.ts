// What is noted in the course of a look, and the reading that it makes in the end.

import { clip } from '../base/clip.ts'
import type { Clock } from '../base/clock.ts'
import { checkExpectation, type FailedAssertion } from '../domain/assertion.ts'
import { limits } from '../domain/limits.ts'
import type { EndpointTarget } from '../domain/monitor.ts'
import type { Certificate, PhaseName, Reading } from '../domain/reading.ts'
import { roundMs } from './connect.ts'
import { redactorFor, textEvidence } from './evidence.ts'
import type { Failure } from './failure.ts'
import { daysLeft, unmetFailure } from './judge.ts'

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
  address: string | undefined
  certificate: Certificate | undefined
  /** What was sent beside headers and body: to be blotted out of what is shown. */
  readonly sent: string[] = []
  readonly #phases: { -readonly [Phase in PhaseName]?: number } = {}
  readonly #target: EndpointTarget
  readonly #clock: Clock
  readonly #atMs: number
  readonly #startedMs: number
  #responseTimeMs: number | undefined

  constructor(target: EndpointTarget, clock: Clock) {
    this.#target = target
    this.#clock = clock
    this.#atMs = clock.nowMs()
    this.#startedMs = clock.monoMs()
  }

  took(phase: PhaseName, ms: number): void {
    this.#phases[phase] = roundMs(ms)
  }

  /** The look came to its end: does what was seen hold what is expected of it? */
  judged({ text, contentType = 'text/plain', responseTimeMs }: Seen): Reading {
    const { expect } = this.#target
    this.#responseTimeMs = responseTimeMs
    const failed = checkExpectation(expect, {
      // There is no status here, so the one that is expected is as good as found.
      ...{ status: expect.expectedStatus, contentType, address: this.address },
      responseTimeMs: this.#durationMs(),
      certificateDays: daysLeft(this.certificate, this.#atMs),
      text: () => text ?? '',
      redact: (quoted) => this.#redactor()(quoted),
    })
    const [first] = failed
    if (first === undefined) return this.#reading('good')
    return this.failed(unmetFailure(first), undefined, text, failed)
  }

  failed(
    found: Failure,
    phase?: PhaseName,
    text?: string,
    failedAssertions: readonly FailedAssertion[] = [],
  ): Reading {
    const error = {
      kind: found.kind,
      message: clip(found.message, limits.errorMessageCharsMax),
      ...(phase === undefined ? {} : { phase }),
    }
    const reading = { ...this.#reading(found.outcome), error }
    if (found.outcome !== 'failed') return reading
    const evidence = textEvidence(text, failedAssertions, this.#redactor())
    return evidence === undefined ? reading : { ...reading, evidence }
  }

  #durationMs(): number {
    return this.#responseTimeMs ?? roundMs(this.#clock.monoMs() - this.#startedMs)
  }

  #redactor(): (text: string) => string {
    return redactorFor(this.#target, this.sent)
  }

  #reading(outcome: Reading['outcome']): Reading {
    const { address, certificate } = this
    return {
      // A copy, since a step that ends late still notes how long it took.
      ...{ atMs: this.#atMs, outcome, phases: { ...this.#phases } },
      durationMs: this.#durationMs(),
      ...(address === undefined ? {} : { address }),
      ...(certificate === undefined ? {} : { certificate }),
    }
  }
}
