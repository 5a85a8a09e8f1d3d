// Requests with a JSON body, and answers that say in JSON what became of the message.
import { clip } from '../../base/clip.ts'
import type { FailedOutcome, Outcome } from '../../domain/alerts/attempt.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { ChannelRequest, PlatformAnswer } from './definition.ts'
import { httpOutcome } from './outcome.ts'

/** A POST of JSON; header names are lower-case. */
export function jsonPost(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): ChannelRequest {
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'stillup', ...headers },
    body: JSON.stringify(body),
  }
}

/** The value of an `authorization` header (RFC 7617). */
export function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** A base URL of a config and a path below it. */
export function below(baseUrl: string, path: string): string {
  return `${withoutEndSlashes(baseUrl)}/${path}`
}

export function withoutEndSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

/** The fields of a JSON object; none if the text is something else. */
export function jsonFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The fields of a value; none if it is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

interface FailureWords {
  /** The name of the platform for people. */
  readonly platform: string
  /** The platform's own code; the status if absent. */
  readonly code?: unknown
  /** The platform's own words. */
  readonly words?: unknown
  readonly mayRetry: boolean
  /** The wait that the platform asks for in its own form, in seconds. */
  readonly waitSeconds?: unknown
  /** The platform says that the receiver will never take a message again. */
  readonly isGone?: boolean
}

const wordCharsMax = 160

/** A failure that quotes the platform: "Telegram refused the message (400: chat not found)." */
export function failure(
  { status, body: response }: PlatformAnswer,
  given: FailureWords,
): FailedOutcome {
  const { platform, code, words, isGone = false } = given
  const shownCode = typeof code === 'number' || typeof code === 'string' ? code : status
  const shownWords = quotable(words)
  const detail = shownWords === '' ? shownCode : `${shownCode}: ${shownWords}`
  const reason = isGone
    ? `The receiver at ${platform} is gone (${detail}).`
    : `${platform} refused the message (${detail}).`
  const failed = { ok: false as const, status, response, reason }
  if (isGone) return { ...failed, mayRetry: false, disablesChannel: true }
  const { mayRetry } = given
  const retryAfterMs = waitMsOf(given.waitSeconds)
  if (retryAfterMs !== undefined)
    return { ...failed, class: 'rate_limited', mayRetry, retryAfterMs }
  if (!mayRetry) return { ...failed, class: 'refused', mayRetry }
  // A status of success says nothing of a failure.
  return status < 300 ? { ...failed, class: 'client_error', mayRetry } : { ...failed, mayRetry }
}

/** Judges like `httpOutcome`, but quotes failures, and judges 4xx, by the platform's own words. */
export function quotedOutcome(answer: PlatformAnswer, nowMs: number, given: FailureWords): Outcome {
  const usual = httpOutcome(answer, nowMs)
  const { status } = answer
  if (usual.ok || status < 400) return usual
  const mayRetry = given.mayRetry || status === 429 || status >= 500
  const isGone = given.isGone || status === 410
  const { retryAfterMs } = usual
  const quoted = failure(answer, { ...given, mayRetry, isGone })
  return retryAfterMs === undefined ? quoted : { ...quoted, retryAfterMs }
}

/**
 * Judges platforms that answer 200 to nearly everything: the code in the body decides, and 0 means
 * accepted. What else may pass is judged by the status.
 */
export function codedOutcome(answer: PlatformAnswer, nowMs: number, given: FailureWords): Outcome {
  const { status } = answer
  const { platform, code, mayRetry } = given
  if (typeof code !== 'number') {
    if (status >= 200 && status <= 299) return unexpected(answer, platform)
    return quotedOutcome(answer, nowMs, { platform, mayRetry: [401, 403, 404].includes(status) })
  }
  if (code === 0) return httpOutcome(answer, nowMs)
  return failure(answer, { ...given, mayRetry: mayRetry || status === 429 || status >= 500 })
}

function waitMsOf(seconds: unknown): number | undefined {
  if (typeof seconds !== 'number' || !(seconds >= 0)) return undefined
  return Math.min(Math.ceil(seconds * 1_000), limits.deliveryAgeMsMax)
}

/** An answer of success that lacks what the platform says on success, such as a proxy's page. */
export function unexpected({ status, body: response }: PlatformAnswer, platform: string): Outcome {
  const reason = `${platform} answered ${status} but did not say that it accepted the message.`
  return { ok: false, class: 'client_error', mayRetry: true, status, response, reason }
}

/**
 * Whether an answer is a web page, such as the sign-in page in front of a server, or that of another
 * path. No platform confirms a message with one. The content type does not tell: Slack's `ok` is sent
 * as text/html.
 */
export function isWebPage(body: string): boolean {
  return /^\s*<(!doctype|html)\b/i.test(body)
}

/** Words for one sentence: on one line, short, and without URLs, which may have secrets. */
function quotable(words: unknown): string {
  if (typeof words !== 'string') return ''
  const line = words.replaceAll(/\bhttps?:\S*/gi, '…').replaceAll(/\s+/g, ' ')
  return clip(line.trim().replace(/\.$/, ''), wordCharsMax)
}
