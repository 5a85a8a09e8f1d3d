// Records a check in progress, and builds the final reading.
import { clip } from '../../base/clip.ts'
import type { Clock } from '../../base/clock.ts'
import { runSteps, type Steps } from '../../base/waiting/steps.ts'
import {
  expectationSteps,
  type FailedAssertion,
  needsBody,
} from '../../domain/assertions/assertion.ts'
import type { AnswerKind } from '../../domain/assertions/expectation.ts'
import type {
  Certificate,
  Evidence,
  LoadedRequest,
  Loose,
  PhaseName,
  Reading,
  Registration,
  StepReport,
  TracedHop,
  Traceroute,
} from '../../domain/checks/reading.ts'
import { wholeDays } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { roundMs } from '../../net/connection/connect.ts'
import { doubtOf, type Failure, failure } from '../../net/failure.ts'
import type { Hop } from '../../net/http-client/plan.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { RunRecord } from '../../net/run/run-record.ts'
import { type Redact, redactorFor } from '../../redaction/redaction.ts'
import { tokensIn } from '../../redaction/sent-secrets.ts'
import {
  answerOf,
  bodyForEvidence,
  type Discretion,
  evidenceSteps,
  type Findings,
  foundOf,
  hiddenAddress,
  hiddenNote,
  type ResponseHead,
} from './evidence.ts'
import type { ExaminationTurns } from './examination-turns.ts'
import { RedirectReport } from './redirect-report.ts'

/** What the target answered, if the recorded response is not all of it. */
export interface TargetAnswer {
  /** The output of a target that does not speak HTTP: for assertions, and shown to people. */
  readonly text?: string
  /** `application/json` makes assertions parse the text as JSON. */
  readonly contentType?: string
  /** The body of the recorded response, and its size. */
  readonly body?: () => string
  readonly bodyBytes?: number
  /** Why it works less than fully, by its own word; a sentence without anything that the target sent. */
  readonly degradedBy?: string
  /** The response time in milliseconds, if the check itself took longer. */
  readonly responseTimeMs?: number
}

export interface RecorderDeps extends Discretion {
  /** Shared by all checks; absent: everything is examined at once. */
  readonly turns?: ExaminationTurns
}

export interface RecorderOptions {
  /** What the kind of check answers with. */
  readonly kind?: AnswerKind | undefined
  readonly keepsAnswer?: boolean | undefined
  /** Ends the wait for a turn. */
  readonly signal?: AbortSignal | undefined
}

type ReadingDraft = { -readonly [Field in keyof Reading]: Reading[Field] }

/** A class because it collects data during the check. */
export class ProbeRecorder extends RunRecord {
  /** The last response, available from its head on. */
  response: ResponseHead | undefined
  /** Undefined until the target redirects. */
  redirects: RedirectReport | undefined
  /** The output of a target that does not speak HTTP. */
  text: string | undefined
  /** What became of the steps of the check, for evidence. `isWhole`: for a trial. */
  steps: ((isWhole: boolean) => Promise<readonly StepReport[]>) | undefined
  /** What the page looked like at the end: a JPEG in Base64. */
  picture: string | undefined
  /** What the page loaded in the browser. */
  requests: readonly LoadedRequest[] | undefined
  /** The way to a target that did not answer a ping. */
  traceroute: Traceroute | undefined
  /** The registration of the domain that was looked up, if the registry answered. */
  registration: Registration | undefined
  /** Data that the check sent besides headers and body; it is redacted from the output as well. */
  readonly sent: string[] = []
  /** Whether the reading shows the answer of the target, also a good one. */
  readonly keepsAnswer: boolean
  readonly #target: EndpointTarget
  readonly #kind: AnswerKind | undefined
  readonly #discretion: Discretion
  readonly #turns: ExaminationTurns | undefined
  readonly #signal: AbortSignal | undefined
  /** Removes what the check sent, so far, from what is shown. */
  readonly redact: Redact
  readonly #atMs: number
  readonly #startedMs: number
  #responseTimeMs: number | undefined

  constructor(
    target: EndpointTarget,
    clock: Clock,
    deps: RecorderDeps,
    { keepsAnswer = false, kind, signal }: RecorderOptions = {},
  ) {
    super(clock)
    this.keepsAnswer = keepsAnswer
    this.#turns = deps.turns
    this.#signal = signal
    this.#target = target
    this.#kind = kind
    this.#discretion = deps
    // What a query names is in its answer, so of its text only tokens are secret.
    const isQuery = kind?.message !== undefined && kind.message.is !== 'message'
    if (isQuery) this.sent.push(...tokensIn(target.body ?? ''))
    const { body } = target
    const sent = isQuery || body === null ? null : (kind?.message?.sentOf?.(body) ?? body)
    this.redact = renewed(this.sent, () =>
      redactorFor(sent === body ? target : { ...target, body: sent }, this.sent),
    )
    this.#atMs = clock.nowMs()
    this.#startedMs = clock.monoMs()
  }

  /** The next request of a redirect; throws a RunError if it is not followed. */
  redirected(from: Hop, status: number, location: string): Hop {
    this.redirects ??= new RedirectReport(this.#target.maxRedirects, this.redact)
    const next = this.redirects.follow(from, status, location, this.hidden() !== null)
    if (next.failure !== undefined) throw new RunError(next.failure)
    this.response = undefined
    return next.hop
  }

  /**
   * Tests whether the answer meets the monitor's expectations, in its organization's turn. Rejects
   * with a RunError if that does not come.
   */
  judged(answer: TargetAnswer): Reading | Promise<Reading> {
    // The answer is here: what follows is our own time.
    this.#responseTimeMs = answer.responseTimeMs ?? this.#durationMs()
    const { expect } = this.#target
    const steps = this.#judgement(answer)
    // Looking at the status alone costs less than counting it.
    const isMore = needsBody(expect, this.#kind) || expect.assertions.length > 0
    const failed = isMore ? this.examined(steps, answer.bodyBytes) : runSteps(steps)
    return failed instanceof Promise
      ? failed.then((late) => this.#settled(late, answer))
      : this.#settled(failed, answer)
  }

  /** Does work on what the target answered, at the expense of its organization. `signal`: ends the wait for it. */
  examined<Result>(
    steps: Steps<Result>,
    bytes = 0,
    signal = this.#signal,
  ): Result | Promise<Result> {
    const { orgId = '' } = this.#target
    const options = { signal, bytes }
    return this.#turns === undefined ? runSteps(steps) : this.#turns.run(orgId, steps, options)
  }

  /** The same for work that the check cannot wait for. */
  examinedNow<Result>(work: () => Result): Result {
    const { orgId = '' } = this.#target
    return this.#turns === undefined ? work() : this.#turns.runNow(orgId, work)
  }

  #judgement({ text, contentType = 'text/plain', body, bodyBytes }: TargetAnswer) {
    const { expect } = this.#target
    const { response, certificate, tls } = this
    this.text = text
    return expectationSteps(expect, {
      ...(this.#kind && { kind: this.#kind }),
      // Other protocols have no status, so the expected one is used as the actual one.
      status: response?.status ?? expect.expectedStatus,
      contentType: response ? contentTypeOf(response) : contentType,
      address: this.address,
      responseTimeMs: this.#durationMs(),
      certificateDays: certificate && wholeDays(certificate.expiresAtMs - this.#atMs),
      size: bodyBytes,
      redirects: this.redirects?.count ?? 0,
      tls,
      text: body ?? (() => text ?? ''),
      header: (name) => headerValues(response, name),
      redact: this.redact,
    })
  }

  #settled(
    failed: readonly FailedAssertion[],
    { degradedBy }: TargetAnswer,
  ): Reading | Promise<Reading> {
    const [first] = failed
    if (first !== undefined) return this.failed(assertionFailure(first), undefined, failed)
    const draft = this.#draft('good')
    if (degradedBy !== undefined) {
      draft.isDegraded = true
      draft.message = clip(degradedBy, limits.errorMessageCharsMax)
    }
    return this.keepsAnswer ? this.#withAnswer(draft) : this.#withFound(draft)
  }

  async failed(
    found: Failure,
    phase?: PhaseName,
    failedAssertions: readonly FailedAssertion[] = [],
  ): Promise<Reading> {
    // Notes the duration of the phase that did not finish: a timeout, or a failed handshake.
    if (found.kind === 'timeout' || this.phase === 'tls') this.end()
    const { redirects, response, text } = this
    const hidden = this.hidden()
    const isPrivate = hidden !== null
    const draft = this.#draft(found.result)
    const isAsserted = failedAssertions.length > 0
    const { message } = isAsserted && redirects ? redirects.placed(found, isPrivate) : found
    const isDetailShown = found.detail !== undefined && !(redirects?.hides(isPrivate) ?? isPrivate)
    const said = this.#withExpiry(message)
    const fullMessage = isDetailShown ? `${said}: ${this.redact(found.detail)}` : said
    const told = clip(this.#withoutAddresses(fullMessage), limits.errorMessageCharsMax)
    const error = { kind: found.kind, message: told }
    draft.error = phase === undefined ? error : { ...error, phase }
    const doubt = doubtOf(found, this.addresses)
    if (doubt !== undefined) draft.doubt = doubt
    if (found.result === 'unknown') return draft
    const findings = {
      response,
      text,
      failedAssertions,
      hidden,
      redirects: redirects?.shown(isPrivate),
    }
    const evidence = await this.#evidenceOf(findings)
    const steps = await this.steps?.(false)
    const picture = isPrivate ? undefined : this.picture
    const requests = isPrivate ? undefined : this.requests?.map((one) => this.#shownRequest(one))
    const traceroute = this.#shownTraceroute()
    if (evidence !== undefined || steps !== undefined || traceroute !== undefined) {
      draft.evidence = {
        ...evidence,
        ...(steps && { steps }),
        ...(picture && { picture }),
        ...(traceroute && { traceroute }),
        ...(requests && requests.length > 0 && { requests }),
      }
    }
    return this.keepsAnswer ? this.#withAnswer(draft) : this.#withFound(draft)
  }

  /** A server may refuse an expired client certificate by its own answer, as nginx does. */
  #withExpiry(message: string): string {
    const isNew = this.isIdentityExpired && !message.includes('client certificate')
    return isNew ? `${message}; the client certificate has expired` : message
  }

  /** A failure is reported also if its evidence could not be made. */
  async #evidenceOf(findings: Findings): Promise<Evidence | undefined> {
    const beginning = await bodyForEvidence(findings)
    try {
      return await this.examined(evidenceSteps(this.redact, findings, beginning))
    } catch (error) {
      if (error instanceof RunError) return { note: error.message }
      throw error
    }
  }

  async #withAnswer(draft: ReadingDraft): Promise<Reading> {
    const { response, steps, picture } = this
    if (picture !== undefined && this.hidden() === null) draft.picture = picture
    if (steps !== undefined) draft.steps = await steps(true)
    else if (response?.status) draft.answer = await answerOf(response, this.hidden(), this.redact)
    return this.#withFound(draft)
  }

  #draft(result: Reading['result']): ReadingDraft {
    const { response, address, certificate } = this
    // Created in one step and then filled in, because every check creates one and this is faster.
    const draft: ReadingDraft = {
      atMs: this.#atMs,
      durationMs: this.#durationMs(),
      result,
      phases: this.taken(),
    }
    if (response?.status) draft.status = response.status
    if (address !== undefined && !this.#isSecret(address)) draft.address = address
    if (certificate !== undefined) draft.certificate = this.#shownCertificate(certificate)
    if (this.registration !== undefined) draft.registration = this.registration
    return draft
  }

  /**
   * The certificate as it may be shown: the issuer could reveal the owner of a private address, the
   * expiry does not. Nobody is shown the fingerprint.
   */
  #shownCertificate(certificate: Certificate): Certificate {
    const hidden = hiddenNote([this.address ?? ''], this.#discretion)
    return hidden === null ? certificate : { ...certificate, issuer: `(${hidden})` }
  }

  /** Whether it is a private address that must not be shown. The URL may have it already. */
  #isSecret(address: string): boolean {
    const { url, connectTo } = this.#target
    const isNamed = url.includes(address) || connectTo?.includes(address) === true
    return !isNamed && hiddenNote([address], this.#discretion) !== null
  }

  #shownRequest({ url, errorText, ...rest }: LoadedRequest): LoadedRequest {
    const shown = { ...rest, url: this.redact(url) }
    return errorText === undefined ? shown : { ...shown, errorText: this.redact(errorText) }
  }

  /** Routers that checks may not address belong to the network of the operator, which others are not shown. */
  #shownTraceroute(): Traceroute | undefined {
    if (this.traceroute === undefined) return undefined
    const { ageMs, hops } = this.traceroute
    const { guard } = this.#discretion
    const shown = hops.map((hop): TracedHop => {
      const { address, ...rest } = hop
      if (address === undefined) return hop
      const isShown = guard?.judgeAddress(address).allowed !== false && !this.#isSecret(address)
      return isShown ? hop : { ...rest, isPrivate: true }
    })
    return { ageMs, hops: shown }
  }

  #withoutAddresses(message: string): string {
    const named = this.addresses.filter((one) => message.includes(one) && this.#isSecret(one))
    // The longest first: one address may be the beginning of another.
    return named
      .toSorted((a, b) => b.length - a.length)
      .reduce(
        (text, one) => text.replaceAll(`[${one}]`, one).replaceAll(one, hiddenAddress),
        message,
      )
  }

  #withFound(reading: Reading): Reading {
    const { text, redirects, addresses } = this
    if (redirects === undefined && text === undefined) return reading
    return withFound(reading, { text, redirects, addresses }, this.redact, this.#discretion)
  }

  /** Why what was answered must not be shown; null: it may. */
  hidden(): string | null {
    return hiddenNote(this.addresses, this.#discretion)
  }

  #durationMs(): number {
    return this.#responseTimeMs ?? roundMs(this.clock.monoMs() - this.#startedMs)
  }
}

/** A redactor that is made again when more was sent. */
function renewed(sent: readonly string[], make: () => Redact): Redact {
  let known: { readonly redact: Redact; readonly count: number } | undefined
  return (text) => {
    if (known?.count !== sent.length) known = { redact: make(), count: sent.length }
    return known.redact(text)
  }
}

/** Computes the findings only when they are read, which most never are. */
function withFound(
  reading: Reading,
  { text, redirects, addresses }: Pick<ProbeRecorder, 'text' | 'redirects' | 'addresses'>,
  redact: Redact,
  discretion: Discretion,
): Reading {
  const charsMax = 2 * limits.foundCharsShownMax
  // Copied, because a slice would keep the whole text in memory.
  const isLong = text !== undefined && text.length > charsMax
  const head = isLong ? Buffer.from(text.slice(0, charsMax)).toString() : (text ?? '')
  let found: Loose | undefined
  function make(): Loose {
    const hidden = hiddenNote(addresses, discretion)
    return redirects ? redirects.shown(hidden !== null) : foundOf(head, hidden, redact)
  }
  return {
    ...reading,
    get found() {
      found ??= make()
      return found
    },
  }
}

/** Node returns a list for a duplicate header, although its type says text. */
export function contentTypeOf({ headers }: ResponseHead): string {
  return String(headers['content-type'] ?? '')
}

export function headerValues(response: ResponseHead | undefined, name: string): readonly string[] {
  if (response === undefined || !Object.hasOwn(response.headers, name)) return []
  return [response.headers[name] ?? []].flat()
}

/** Converts a failed expectation into a failure of the check. */
export function assertionFailure({ kind, expected, found, mayTell }: FailedAssertion): Failure {
  // More people see messages than evidence, so the message omits the target's output.
  return failure(kind, `expected ${expected}${mayTell ? `, found ${found}` : ''}`)
}
