// The result of a test in a plain sentence: what the other side said, and what that means.
import { clip } from '../../base/clip.ts'
import type { FailedOutcome, Outcome } from '../../domain/alerts/attempt.ts'
import { limits } from '../../domain/limits/limits.ts'

/** What happened to a test message that took so long. */
export function testSentence(outcome: Outcome, durationMs: number): string {
  if (!outcome.ok) {
    return joined(`Test not delivered. ${outcome.reason}`, hintOf(outcome), quoteOf(outcome))
  }
  const { status, warning } = outcome
  const answer = status === undefined ? 'accepted it' : `answered ${status}`
  const taken = `Test delivered: the receiver ${answer} after ${durationMs} ms.`
  return joined(taken, warning === undefined ? '' : `Not for all: ${warning}`)
}

function joined(...sentences: readonly string[]): string {
  return sentences.filter((one) => one !== '').join(' ')
}

/** What a person can do about it; empty if the reason says it. */
function hintOf({ status, retryAfterMs, response, mayRetry, request }: FailedOutcome): string {
  if (status === undefined) return ''
  // Mail servers have other codes: 550 is no trouble of the server, as an HTTP 503 is.
  if (response === undefined || request?.startsWith('letter ')) return mailHintOf(mayRetry)
  // A status of success: the reason says what was wrong with the answer.
  if (status < 300) return 'Check the address in the config of the channel.'
  if (status < 400) {
    return 'Enter the address that it leads to in the config of the channel.'
  }
  switch (status) {
    case 400:
    case 422:
      return 'It does not understand the message: check the config of the channel.'
    case 401:
      return 'It does not accept the credentials: check the secrets of the channel.'
    case 403:
      return 'It does not permit this: check the secrets of the channel, and whether it may write there.'
    case 404:
      return 'There is nothing at this address: check the config of the channel.'
    case 405:
      return 'It does not accept this HTTP method at this address.'
    case 410:
      return 'Get a new address from it: a real alert with this answer switches the channel off.'
    case 413:
      return 'The message is too long for it.'
    case 429: {
      const waitS = Math.ceil((retryAfterMs ?? 0) / 1_000)
      return `It takes no more messages for now${waitS > 0 ? `; it asks to wait ${waitS} s` : ''}.`
    }
    default:
      return status >= 500 ? 'It is in trouble itself.' : ''
  }
}

function mailHintOf(mayRetry: boolean): string {
  return mayRetry
    ? 'Alerts are tried again for a day; the log of the mail server says more.'
    : 'Check the address; the log of the mail server says more.'
}

/** What the other side said, unless it is a page or already in the reason. */
function quoteOf({ reason, response = '' }: FailedOutcome): string {
  const said = response.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  if (said === '' || said.startsWith('<')) return ''
  const quoted = clip(said, limits.foundCharsMax)
  return reason.includes(quoted) ? '' : `It said: ${quoted}`
}
