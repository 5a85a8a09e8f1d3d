// Sends a message: rendered by its channel's type, sent through the guarded client, judged.
import { createHash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { limitMsOf } from '../base/timeout.ts'
import type { FailedOutcome, Outcome, PartDone } from '../domain/alerts/attempt.ts'
import { limits } from '../domain/limits/limits.ts'
import type { WebClient } from '../net/http-client/guarded-client.ts'
import { redactorOf } from '../redaction/redaction.ts'
import { type OpenedChannel, secretTexts } from './model/config.ts'
import type { ByHttp, ByMail, PlatformAnswer, RenderContext } from './model/definition.ts'
import { isWebPage, unexpected } from './model/json-api.ts'
import type { LetterResult, SendAlertLetter } from './model/letter.ts'
import type { Message } from './model/message.ts'
import { requestSummary, shownOutcome, unansweredOutcome } from './model/outcome.ts'
import { channelDefinitions } from './registry.ts'

export interface SendContext {
  readonly clock: Clock
  /** Aborted when nothing waits for the outcome any more. */
  readonly signal?: AbortSignal
  /** The parts that earlier attempts finished; they are left out. */
  readonly partsDone?: readonly PartDone[]
}

/** Sends once. Never rejects: a failure is an outcome, which says whether to try again. */
export type Sender = (
  message: Message,
  channel: OpenedChannel,
  context: SendContext,
) => Promise<Outcome>

export interface SenderDeps extends Pick<RenderContext, 'sign'> {
  readonly request: WebClient
  /** Absent if no mail server is set up. */
  readonly sendLetter?: SendAlertLetter | undefined
}

/** One sender for every channel, according to the channel's type. */
export function createSender({ request, sign, sendLetter = noMailServer }: SenderDeps): Sender {
  return async (message, { channel, config }, { clock, signal, partsDone = [] }) => {
    const { type, orgId } = channel
    const definition = channelDefinitions.find((one) => one.type === type)
    if (!definition) return refused(`There is no channel type ${type}.`)
    const { title, takesAnyAnswer } = definition
    // Receivers compare the time of a signature with their own clocks.
    const context = { nowMs: clock.wallMs(), sign, channel }
    const redact = redactorOf(secretTexts(definition, config))
    const parts = 'compose' in definition ? byMail(definition) : byHttp(definition)
    return sentParts(parts, partsDone)

    function byHttp({ render, outcome }: ByHttp): MessagePart[] {
      const requests = [render(message, config, context)].flat()
      return requests.map(({ recipient, ...rendered }, place) => ({
        number: recipient === undefined ? place : partOf(recipient),
        async send() {
          const timeoutMs = limits.deliveryTimeoutMs
          const answer = await request({
            ...rendered,
            timeoutMs,
            orgId,
            ...(signal ? { signal } : {}),
          })
          const wallMs = clock.wallMs()
          const judge = (given: PlatformAnswer) => {
            const judged = outcome(given, wallMs)
            const isNoAnswer = judged.ok && !takesAnyAnswer && isWebPage(given.body)
            return isNoAnswer ? unexpected(given, title) : judged
          }
          const isAnswered = answer.kind === 'answered'
          const judged = isAnswered
            ? shownOutcome(judge, answer, redact)
            : (tooLate(signal) ?? unansweredOutcome(answer, redact))
          const isReachable = isAnswered && answer.status !== 429
          return { outcome: { request: requestSummary(rendered), ...judged }, isReachable }
        },
      }))
    }

    function byMail({ compose }: ByMail): MessagePart[] {
      return compose(message, config, context).map((letter) => ({
        number: partOf(letter.to),
        send: () => sendLetter(letter, signal ?? new AbortController().signal),
      }))
    }
  }
}

/**
 * The number of the part for a recipient. It follows from the address, so that it stays the same when
 * another one is added or removed between two attempts.
 */
function partOf(recipient: string): number {
  const digest = createHash('sha256').update(recipient.toLowerCase()).digest('hex')
  return Number.parseInt(digest.slice(0, 12), 16)
}

/** A part of a message, such as the one for one of several recipients. */
export interface MessagePart {
  readonly number: number
  readonly send: () => Promise<LetterResult>
}

/**
 * Sends the parts that are not done, in order. One that is refused for good blocks no other, and the
 * rest is left for later once the other side cannot be reached.
 */
export async function sentParts(
  parts: readonly MessagePart[],
  partsDone: readonly PartDone[],
): Promise<Outcome> {
  const done = new Map(partsDone.map((one) => [one.part, one]))
  let delivered: Outcome | undefined
  let refusal: FailedOutcome | undefined
  let failure: FailedOutcome | undefined
  for (const { number: part, send } of parts) {
    if (done.has(part)) continue
    const { outcome, isReachable } = await send()
    if (outcome.ok) {
      delivered = outcome
      done.set(part, { part, isDelivered: true })
    } else if (outcome.disablesChannel) {
      return outcome
    } else if (outcome.mayRetry) {
      failure = outcome
      if (!isReachable) break
    } else {
      refusal = outcome
      done.set(part, { part, isDelivered: false, reason: outcome.reason })
    }
  }
  const all = [...done.values()]
  if (failure) return done.size === 0 ? failure : { ...failure, partsDone: all }
  if (!all.some(({ isDelivered }) => isDelivered)) {
    return refusal ?? refused('There is nothing to send.')
  }
  const refusals = new Set(all.flatMap(({ reason = [] }) => reason))
  return {
    ...(delivered ?? { ok: true }),
    ...(refusals.size > 0 ? { warning: [...refusals].join(' ') } : {}),
  }
}

/** Somebody may set one up while the message waits. */
export const noMailServer: SendAlertLetter = async () => ({
  outcome: {
    ok: false,
    mayRetry: true,
    class: 'not_sent',
    reason: 'No mail server is set up: mail.smtpUrl.',
  },
  isReachable: false,
})

/** A limit of time ended it that is shorter than that of one request. */
function tooLate(signal: AbortSignal | undefined): FailedOutcome | undefined {
  const limitMs = limitMsOf(signal)
  if (limitMs === undefined) return undefined
  const reason = `The receiver took longer than ${limitMs / 1_000} seconds.`
  return { ok: false, mayRetry: true, class: 'timeout', reason }
}

function refused(reason: string): FailedOutcome {
  return { ok: false, mayRetry: false, reason }
}
