// What a check records on its way, and the reading that it makes in the end.
import { clip } from '../../base/clip.ts'
import type { Clock } from '../../base/clock.ts'
import { checkExpectation, type FailedAssertion } from '../../domain/assertions/assertion.ts'
import type { Certificate, Loose, PhaseName, Reading } from '../../domain/checks/reading.ts'
import { wholeDays } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { roundMs } from '../../net/connection/connect.ts'
import { doubtOf, type Failure, failure } from '../../net/failure.ts'
import type { Hop } from '../../net/http/plan.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { RunRecord } from '../../net/run/run-record.ts'
import { type Redact, redactorFor } from '../../redaction/redaction.ts'
import {
  type Discretion,
  foundOf,
  gatherEvidence,
  hiddenIssuer,
  isHidden,
  type ResponseHead,
} from './evidence.ts'
import { RedirectReport } from './redirect-report.ts'

/** What the target answered, beside the response that was recorded. */
export interface TargetAnswer {
  /** What it said where it does not speak HTTP: for assertions, and shown to people. */
  readonly text?: string
  /** `application/json` has assertions read the text as JSON. */
  readonly contentType?: string
  /** The body of the recorded response. */
  readonly body?: () => string
  /** How long the target took, where the whole check took longer; milliseconds. */
  readonly responseTimeMs?: number
}

type ReadingDraft = { -readonly [Field in keyof Reading]: Reading[Field] }

/** A class because it fills up while the check goes on. */
export class ProbeRecorder extends RunRecord {
  /** The last response, from its head on. */
  response: ResponseHead | undefined
  /** Undefined until the target redirects. */
  redirects: RedirectReport | undefined
  /** What the target said where it does not speak HTTP. */
  text: string | undefined
  /** What was sent beside headers and body: it is redacted from what is shown. */
  readonly sent: string[] = []
  readonly #target: EndpointTarget
  readonly #discretion: Discretion
  readonly #redact: Redact
  readonly #atMs: number
  readonly #startedMs: number
  #responseTimeMs: number | undefined

  constructor(target: EndpointTarget, clock: Clock, discretion: Discretion) {
    super(clock)
    this.#target = target
    this.#discretion = discretion
    this.#redact = redactorFor(target, this.sent)
    this.#atMs = clock.nowMs()
    this.#startedMs = clock.monoMs()
  }

  /** The request that a redirect leads to; throws a RunError where it is not followed. */
  redirected(from: Hop, status: number, location: string): Hop {
    this.redirects ??= new RedirectReport(this.#target.maxRedirects, this.#redact)
    const next = this.redirects.follow(from, status, location, this.#isHidden())
    if (next.failure !== undefined) throw new RunError(next.failure)
    this.response = undefined
    return next.hop
  }

  /** The target answered: does the answer meet the monitor's expectations? */
  judged(answer: TargetAnswer): Reading | Promise<Reading> {
    const { text, contentType = 'text/plain', body, responseTimeMs } = answer
    const { expect } = this.#target
    const { response, certificate } = this
    this.text = text
    this.#responseTimeMs = responseTimeMs
    const failed = checkExpectation(expect, {
      // Without HTTP there is no status, so the expected one counts as found.
      status: response?.status ?? expect.expectedStatus,
      contentType: response ? contentTypeOf(response) : contentType,
      address: this.address,
      responseTimeMs: this.#durationMs(),
      certificateDays: certificate && wholeDays(certificate.expiresAtMs - this.#atMs),
      text: body ?? (() => text ?? ''),
      header: (name) => headerValues(response, name),
      redact: this.#redact,
    })
    const [first] = failed
    if (first !== undefined) return this.failed(unmetFailure(first), undefined, failed)
    return this.#withFound(this.#draft('good'))
  }

  async failed(
    found: Failure,
    phase?: PhaseName,
    failedAssertions: readonly FailedAssertion[] = [],
  ): Promise<Reading> {
    // The phase in which it hung, and how long a handshake that came to nothing went on.
    if (found.kind === 'timeout' || this.phase === 'tls') this.end()
    const { redirects, response, text } = this
    const isPrivate = this.#isHidden()
    const draft = this.#draft(found.result)
    const isAsserted = failedAssertions.length > 0
    const { message } = isAsserted && redirects ? redirects.placed(found, isPrivate) : found
    const isDetailShown = found.detail !== undefined && !(redirects?.hides(isPrivate) ?? isPrivate)
    const told = isDetailShown ? `${message}: ${found.detail}` : message
    const error = { kind: found.kind, message: clip(told, limits.errorMessageCharsMax) }
    draft.error = phase === undefined ? error : { ...error, phase }
    const doubt = doubtOf(found, this.addresses)
    if (doubt !== undefined) draft.doubt = doubt
    if (found.result === 'unknown') return draft
    const evidence = await gatherEvidence(this.#redact, {
      response,
      text,
      failedAssertions,
      isHidden: isPrivate,
      redirects: redirects?.shown(isPrivate),
    })
    if (evidence !== undefined) draft.evidence = evidence
    return this.#withFound(draft)
  }

  #draft(result: Reading['result']): ReadingDraft {
    const { response, address, certificate } = this
    // Made in one go and filled up: every check makes one.
    const draft: ReadingDraft = {
      atMs: this.#atMs,
      durationMs: this.#durationMs(),
      result,
      phases: this.taken(),
    }
    if (response?.status) draft.status = response.status
    if (address !== undefined) draft.address = address
    if (certificate !== undefined) draft.certificate = this.#shownCertificate(certificate)
    return draft
  }

  /** When it expires says nothing of whose it is; who issued it may. */
  #shownCertificate(certificate: Certificate): Certificate {
    if (!isHidden([this.address ?? ''], this.#discretion)) return certificate
    return { expiresAtMs: certificate.expiresAtMs, issuer: hiddenIssuer }
  }

  #withFound(reading: Reading): Reading {
    const { text, redirects, addresses } = this
    if (redirects === undefined && text === undefined) return reading
    return withFound(reading, { text, redirects, addresses }, this.#redact, this.#discretion)
  }

  #isHidden(): boolean {
    return isHidden(this.addresses, this.#discretion)
  }

  #durationMs(): number {
    return this.#responseTimeMs ?? roundMs(this.clock.monoMs() - this.#startedMs)
  }
}

/** Made when it is first read: of most checks nobody asks what they found. */
function withFound(
  reading: Reading,
  { text, redirects, addresses }: Pick<ProbeRecorder, 'text' | 'redirects' | 'addresses'>,
  redact: Redact,
  discretion: Discretion,
): Reading {
  const charsMax = 2 * limits.foundCharsShownMax
  // A copy: a slice would keep all of it in memory.
  const isLong = text !== undefined && text.length > charsMax
  const head = isLong ? Buffer.from(text.slice(0, charsMax)).toString() : (text ?? '')
  let found: Loose | undefined
  function make(): Loose {
    const isPrivate = isHidden(addresses, discretion)
    return redirects ? redirects.shown(isPrivate) : foundOf(head, isPrivate, redact)
  }
  return {
    ...reading,
    get found() {
      found ??= make()
      return found
    },
  }
}

/** A header that was sent twice is a list, whatever its type says. */
function contentTypeOf({ headers }: ResponseHead): string {
  return String(headers['content-type'] ?? '')
}

function headerValues(response: ResponseHead | undefined, name: string): readonly string[] {
  if (response === undefined || !Object.hasOwn(response.headers, name)) return []
  return [response.headers[name] ?? []].flat()
}

/** What a broken expectation means for the check. */
function unmetFailure({ kind, expected, found, mayTell }: FailedAssertion): Failure {
  // What the target wrote is evidence, for fewer eyes than a message.
  return failure(kind, `expected ${expected}${mayTell ? `, found ${found}` : ''}`)
}
