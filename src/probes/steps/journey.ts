// The way of one check through its steps: what each sends, where it is led, and what it takes along.
import { clip } from '../../base/clip.ts'
import { isSecretHeader } from '../../domain/checks/header-rules.ts'
import type { StepReport } from '../../domain/checks/reading.ts'
import { wholeDays } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { secretField, secretMask, withMaskedQuery } from '../../domain/secret-mask.ts'
import type { Step } from '../../domain/steps/step.ts'
import { originsOf, templateIn } from '../../domain/steps/step-rules.ts'
import { filledIn } from '../../domain/steps/template.ts'
import { isPublicAddress } from '../../net/address.ts'
import { roundMs } from '../../net/connection/connect.ts'
import { urlShapeProblem } from '../../net/egress-policy.ts'
import { failure } from '../../net/failure.ts'
import { offersHttp2 } from '../../net/http-client/exchange-h2.ts'
import { type Hop, hopFor } from '../../net/http-client/plan.ts'
import { request } from '../../net/http-client/request.ts'
import type { ResponseReader } from '../../net/http-client/response-reader.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { namedSecretsIn, tokensIn } from '../../redaction/sent-secrets.ts'
import { shownUrl } from '../../redaction/shown-url.ts'
import { redirectIn, withBody } from '../http/http.ts'
import { assertionFailure, contentTypeOf, headerValues } from '../run/probe-recorder.ts'
import { AnswerRefused, type ProbeRun } from '../run/probe-run.ts'
import { RedirectReport } from '../run/redirect-report.ts'
import { expectationOfStep, judgedAnswer, readsBodyOf } from './answer.ts'
import { createCookies } from './cookies.ts'
import { leavesPrivate, type Room, roomOfStep, StepValues } from './values.ts'

/** A step, and what became of it so far. */
export interface TakenStep {
  readonly step: Step
  outcome: StepReport['outcome']
  /** As it may be shown. */
  url?: string
  beganMs?: number
  durationMs?: number
  response?: ResponseReader
  /** Why the answer must not be shown. */
  hidden?: string | null
  /** Why it failed, or was not run. */
  message?: string
  captures?: Readonly<Record<string, string>>
  /** Whether its answer is here and is looked at. */
  isExamined?: boolean
}

interface Answered {
  readonly response: ResponseReader
  readonly redirects: RedirectReport | undefined
  readonly text: () => string
  readonly bytes: number | undefined
  /** The server that answered. */
  readonly hostname: string
}

/** A class because cookies and captures gather on the way. */
export class Journey {
  readonly #base: URL
  readonly #target: EndpointTarget
  readonly #nowMs: number
  readonly #origins: readonly string[]
  readonly #cookies = createCookies()
  readonly #values: StepValues

  /** `nowMs`: the wall clock at the beginning of the check. */
  constructor(base: URL, target: EndpointTarget, nowMs: number) {
    this.#base = base
    this.#target = target
    this.#nowMs = nowMs
    this.#origins = originsOf(base.href, target.steps ?? [])
    this.#values = new StepValues(target, nowMs)
  }

  /** The name of a value that a step needs and no step captured; undefined: it has all. */
  lackingFor(step: Step): string | undefined {
    return this.#values.lackingIn(sentTemplates(step))
  }

  /** Takes one step. Throws a RunError if it fails, an AnswerRefused if the answer is not as expected. */
  async take(taken: TakenStep, run: ProbeRun): Promise<void> {
    const { step } = taken
    const { clock, record } = run
    taken.beganMs = clock.monoMs()
    const room = roomOfStep()
    const hop = this.#hopOf(step, room, record)
    this.#noteSent(step, hop, run)
    taken.url = withMaskedQuery(hop.url.href)
    const answered = await this.#exchange(hop, taken, run)
    taken.durationMs = roundMs(clock.monoMs() - taken.beganMs)
    const expectation = expectationOfStep(step, this.#values, room, record.redact)
    const { response, redirects, text, bytes, hostname } = answered
    const { certificate } = record
    const judged = judgedAnswer(expectation, step.captures, {
      status: response.status,
      contentType: contentTypeOf(response),
      text,
      header: (name) => headerValues(response, name),
      responseTimeMs: taken.durationMs,
      certificateDays: certificate && wholeDays(certificate.expiresAtMs - this.#nowMs),
      address: record.address,
      size: bytes,
      redirects: redirects?.count ?? 0,
      tls: record.tls,
      redact: record.redact,
    })
    taken.isExamined = true
    const { failed, captured } = await record.examined(judged, bytes, run.signal)
    taken.isExamined = false
    const [first] = failed
    if (first !== undefined) {
      const found = assertionFailure(first)
      const isPrivate = taken.hidden !== null
      throw new AnswerRefused(redirects?.placed(found, isPrivate) ?? found, failed)
    }
    const onlyFor = taken.hidden === null ? undefined : hostname
    for (const [name, value] of captured) this.#values.capture(name, value, onlyFor)
    taken.captures = Object.fromEntries(captured)
  }

  #hopOf(step: Step, room: Room, record: ProbeRun['record']): Hop {
    const url = this.#urlOf(step, room, record)
    this.#values.permit([...sentTemplates(step), ...comparedTemplates(step)], url.hostname)
    const headers = Object.entries(step.headers).map(([name, template]) => {
      const value = this.#values.in(template, room)
      if (headerValue.test(value)) return [name, value]
      const message = `the value of the header ${name} has characters that headers cannot have`
      throw new RunError(failure('blocked', message))
    })
    const body = step.body === null ? null : this.#values.in(step.body, room)
    const { method } = step
    return hopFor({ ...this.#target, method, headers: Object.fromEntries(headers), body }, url)
  }

  /** Values may lead anywhere on the servers that the monitor names, and to no other one. */
  #urlOf(step: Step, room: Room, record: ProbeRun['record']): URL {
    const url = URL.parse(this.#values.in(step.url, room), this.#base.href)
    if (url === null) throw new RunError(failure('blocked', 'the values make no valid URL'))
    url.hash = ''
    const problem = urlShapeProblem(url.href)
    if (problem !== null) throw new RunError(failure('blocked', `the URL ${problem}`))
    if (this.#origins.includes(url.origin)) return url
    const host = this.#values.mayShow(step.url) ? record.redact(url.host) : secretMask
    const message = `the values lead to ${clip(host, limits.quotedCharsMax)}, a server that the monitor does not name`
    throw new RunError(failure('blocked', message))
  }

  /**
   * Notes what must not be shown where an answer repeats it. Variables and secrets are known, and captures are shown,
   * unless they are sent as a secret.
   */
  #noteSent(step: Step, { url, headers, body }: Hop, { record }: ProbeRun): void {
    for (const [name, value] of url.searchParams) {
      if (secretField.test(name)) record.sent.push(value)
    }
    const written = [filledIn(step.url, ' '), filledIn(step.body ?? '', ' ')]
    record.sent.push(...written.flatMap((text) => text.split('/')).flatMap(tokensIn))
    for (const [at, value] of headers.entries()) {
      if (at % 2 === 1 && isSecretHeader(headers[at - 1] ?? '')) record.sent.push(value)
    }
    if (body !== null) record.sent.push(...namedSecretsIn(body.toString()))
  }

  async #exchange(first: Hop, taken: TakenStep, run: ProbeRun): Promise<Answered> {
    const { step } = taken
    const { record } = run
    const wantsBody = readsBodyOf(step)
    const judged = { followRedirects: step.followRedirects, expect: step }
    let redirects: RedirectReport | undefined
    let hop = first
    if (this.#values.staysPrivate(sentTemplates(step))) await mustBePrivate(first, run)
    for (;;) {
      const report = redirects
      const response = await request(run, this.#withCookies(hop, run), {
        wantsBody,
        ...(record.keepsAnswer ? { bodyBytesKept: limits.trialBodyBytesKept } : {}),
        handshake: offersHttp2,
        onHead(head) {
          taken.response = head
          taken.hidden = record.hidden()
          return redirectIn(head, judged) === undefined
        },
        ...(report && { subject: 'a redirect', detail: () => report.clippedUrl() }),
      })
      this.#cookies.keep(hop.url, response.headers)
      const location = redirectIn(response, judged)
      if (location === undefined) {
        const kept = record.keepsAnswer ? limits.trialBodyBytesKept : limits.evidenceKeptBytes
        const { body, bodyBytes } = wantsBody ? await withBody(response, kept) : noBody
        return { response, redirects, text: body, bytes: bodyBytes, hostname: hop.url.hostname }
      }
      redirects ??= new RedirectReport(this.#target.maxRedirects, record.redact)
      const next = redirects.follow(hop, response.status, location, taken.hidden !== null)
      if (next.failure !== undefined) throw new RunError(next.failure)
      hop = next.hop
      const carried = hop.body === null ? [] : carriedTemplates(step)
      this.#values.permit([...carried, ...comparedTemplates(step)], hop.url.hostname)
      if (!redirects.hides(taken.hidden !== null)) taken.url = shownUrl(hop.url.href)
    }
  }

  #withCookies(hop: Hop, { record }: ProbeRun): Hop {
    const kept = this.#cookies.headerFor(hop.url)
    if (kept === '') return hop
    record.sent.push(...kept.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1)))
    const at = hop.headers.findIndex((name, i) => i % 2 === 0 && /^cookie$/i.test(name))
    if (at < 0) return { ...hop, headers: [...hop.headers, 'cookie', kept] }
    return { ...hop, headers: hop.headers.with(at + 1, `${hop.headers[at + 1]}; ${kept}`) }
  }
}

/**
 * What a private address answered, and nobody may be shown, goes to no other place: the name that led there may lead
 * elsewhere now.
 */
async function mustBePrivate(hop: Hop, run: ProbeRun): Promise<void> {
  const { host, port } = run.endOf(hop)
  const addresses = await run.resolve(host, port)
  if (addresses.some(isPublicAddress)) throw new RunError(leavesPrivate(host))
}

const noBody = { body: () => '', bodyBytes: undefined }

/** Latin-1 without control characters. */
const headerValue = /^[\t\x20-\x7e\xa0-\xff]*$/

/** What goes along to another server that a redirect leads to: the body, and what it is. */
function carriedTemplates({ headers, body }: Step): readonly string[] {
  const types = Object.entries(headers).filter(([name]) => /^content-type$/i.test(name))
  return [body ?? '', ...types.map(([, value]) => value)]
}

/** The values that an answer is compared with: the server could find them out. */
function comparedTemplates({ assertions }: Step): readonly string[] {
  return assertions.map(templateIn)
}

/** What of a step goes to its server. */
function sentTemplates({ url, headers, body }: Step): readonly string[] {
  return [url, ...Object.values(headers), body ?? '']
}
