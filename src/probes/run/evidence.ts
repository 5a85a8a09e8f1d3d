// Evidence: the parts of a failed exchange that show why it failed, without our secrets.
import type { IncomingHttpHeaders } from 'node:http'
import { clip } from '../../base/clip.ts'
import type { Steps } from '../../base/waiting/steps.ts'
import type { FailedAssertion } from '../../domain/assertions/assertion.ts'
import { looseJson } from '../../domain/assertions/json-value.ts'
import { isSecretHeader } from '../../domain/checks/header-rules.ts'
import type { Evidence, Loose, TargetResponse } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import { secretMask, withMaskedQuery, withoutCutEnd } from '../../domain/secret-mask.ts'
import { isPublicAddress } from '../../net/address.ts'
import type { Guard } from '../../net/egress-policy.ts'
import { codingsOf, decodeBody } from '../../net/http-client/body.ts'
import { textOf } from '../../net/http-client/charset.ts'
import type { ResponseReader } from '../../net/http-client/response-reader.ts'
import type { Redact } from '../../redaction/redaction.ts'

/**
 * Whether to hide private addresses and what targets there answer, because these may belong to
 * another organization or the operator.
 */
export interface Discretion {
  /** Is asked for each failure; if absent, nothing is hidden. */
  readonly hidesPrivate?: () => boolean
  /** Who checks, and which addresses it may; absent: the daemon, and all. */
  readonly guard?: Pick<Guard, 'isProbe' | 'judgeAddress'>
}

/** The notes in place of the answer of a target at a private address. */
const notStoredNote = 'not kept: a private address on a shared service'
const notSentNote =
  'not sent: checks.keepPrivateAnswers of the probe hides what private addresses answer'
export const hiddenAddress = '(a private address)'

/** Why the answer is hidden, or null. `addresses`: where the check connected, or may have. */
export function hiddenNote(
  addresses: readonly string[],
  { hidesPrivate, guard }: Discretion,
): string | null {
  if (addresses.every(isPublicAddress) || hidesPrivate?.() !== true) return null
  return guard?.isProbe() ? notSentNote : notStoredNote
}

/** The parts of a response that evidence reads. */
export type ResponseHead = Pick<ResponseReader, 'status' | 'headers' | 'chunks'>

/** The findings of a failed check. */
export interface Findings {
  readonly response: ResponseHead | undefined
  /** The output of a target that does not speak HTTP. */
  readonly text: string | undefined
  readonly failedAssertions: readonly FailedAssertion[]
  /**
   * Why the output of the target is hidden, so that the evidence has only expectations and numbers; null:
   * it is not.
   */
  readonly hidden: string | null
  /** Where redirects led, without secrets. */
  readonly redirects: Pick<Evidence, 'url' | 'redirects'> | undefined
}

/** The beginning of the body that evidence shows; undefined if there is none. */
export async function bodyForEvidence({ response, hidden }: Findings) {
  return response === undefined || hidden !== null
    ? undefined
    : beginningOf(response, limits.evidenceKeptBytes)
}

export type BodyBeginning = Awaited<ReturnType<typeof beginningOf>>

/** The evidence of a failed check; undefined if nothing was received. */
export function* evidenceSteps(
  redact: Redact,
  { response, text, redirects, ...findings }: Findings,
  beginning: BodyBeginning,
): Steps<Evidence | undefined> {
  const { failedAssertions, hidden } = findings
  if (response === undefined) {
    if (text === undefined && failedAssertions.length === 0) return redirects
    const shownEvidence = assertionFailures(findings)
    return text === undefined || hidden !== null
      ? shownEvidence
      : { ...shownEvidence, body: shown(text, redact) }
  }
  const shownEvidence = { status: response.status, ...redirects, ...assertionFailures(findings) }
  if (hidden !== null) return shownEvidence
  const headers = evidenceHeaders(response.headers, redact)
  yield
  if (beginning === undefined) return { ...shownEvidence, headers }
  return { ...shownEvidence, headers, body: shown(beginning.text, redact, beginning) }
}

/** The text of the first bytes of a body; undefined if they cannot be decoded. */
export async function beginningOf({ headers, chunks }: ResponseHead, bytesMax: number) {
  const head = Buffer.concat(chunks).subarray(0, bytesMax)
  const isCut = head.length === bytesMax
  const { bytes } = await decodeBody(head, codingsOf(headers['content-encoding']), {
    isPartial: true,
  })
  // The beginning of an encoded body may decode to nothing. Then the body is omitted, because an
  // empty one would be wrong.
  if (bytes === undefined || (bytes.length === 0 && head.length > 0)) return undefined
  return { text: textOf(bytes, String(headers['content-type'] ?? '')), isCut }
}

/** What the target answered to a trial: more of it than evidence has, with the same discretion. */
export async function answerOf(
  response: ResponseHead,
  hidden: string | null,
  redact: Redact,
): Promise<TargetResponse> {
  const { status } = response
  if (hidden !== null) return { status, headers: [], body: null, isCut: false, note: hidden }
  const headers = evidenceHeaders(response.headers, redact)
  const beginning = await beginningOf(response, limits.trialBodyBytesKept)
  return { status, headers, ...shownBeginning(beginning, redact), note: null }
}

/** The body as far as it was decoded; null if it could not be. */
export function shownBeginning(
  beginning: BodyBeginning,
  redact: Redact,
): Pick<TargetResponse, 'body' | 'isCut'> {
  if (beginning === undefined) return { body: null, isCut: false }
  // More is redacted than shown: half a secret would not be recognized.
  const head = beginning.text.slice(0, limits.redactedTextCharsMax)
  const isHeadCut = beginning.isCut || head.length < beginning.text.length
  const masked = redact(readable(head))
  const whole = isHeadCut ? withoutCutEnd(masked) : masked
  const body = whole.slice(0, limits.trialBodyCharsMax).toWellFormed()
  return { body, isCut: isHeadCut || body.length < whole.length }
}

/**
 * The findings of a check as they may be shown. `text` is longer than the result, because secrets
 * are redacted before it is cut: half a secret would not be recognized.
 */
export function foundOf(text: string, hidden: string | null, redact: Redact): Loose {
  if (hidden !== null) return `(${hidden})`
  const most: number = limits.foundCharsShownMax
  const masked = redact(readable(text))
  const shownEvidence = text.length < limits.redactedTextCharsMax ? masked : withoutCutEnd(masked)
  const whole = shownEvidence.length <= most ? looseJson(shownEvidence) : shownEvidence
  return typeof whole === 'string' ? whole.slice(0, most).toWellFormed() : whole
}

/**
 * Excerpts in assertions were redacted when they were cut, because half a secret would not be
 * recognized.
 */
function assertionFailures({
  failedAssertions,
  hidden,
}: Pick<Findings, 'failedAssertions' | 'hidden'>): Evidence {
  const failed = failedAssertions.map(({ expected, found, mayTell, assertion }) => {
    if (hidden !== null && !mayTell) return { expected, found: `(${hidden})` }
    return { expected, found, ...(assertion === undefined ? {} : { assertion }) }
  })
  return {
    ...(failed.length === 0 ? {} : { failedAssertions: failed }),
    ...(hidden === null ? {} : { note: hidden }),
  }
}

export function evidenceHeaders(
  headers: IncomingHttpHeaders,
  redact: Redact,
): readonly (readonly [string, string])[] {
  return Object.entries(headers)
    .filter(([name]) => !/^set-cookie2?$/.test(name))
    .slice(0, limits.evidenceHeadersMax)
    .map(([name, value]) => {
      const text = isSecretHeader(name) ? secretMask : withMaskedQuery(redact(String(value)))
      return [
        clip(redact(name), limits.headerNameCharsMax),
        clip(text, limits.evidenceHeaderValueCharsMax),
      ]
    })
}

/**
 * The beginning of a target's output. More than that is redacted before the cut. `isCut`: the
 * output itself was already cut.
 */
function shown(text: string, redact: Redact, { isCut = false } = {}): string {
  const head = text.slice(0, limits.evidenceKeptBytes)
  const masked = redact(readable(head))
  return bounded(isCut || head.length < text.length ? withoutCutEnd(masked) : masked)
}

/** Control characters of a binary body would only hide the readable text. */
function readable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '\ufffd')
}

function bounded(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limits.evidenceBodyBytesMax) return text
  // Cut at the boundary of a character, because half of one would be shown as a replacement
  // character.
  return bytes
    .subarray(0, limits.evidenceBodyBytesMax)
    .toString()
    .replace(/\ufffd+$/, '')
}
