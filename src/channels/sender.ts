// Sends a message: rendered by its channel's type, sent through the guarded client, judged.
import type { Clock } from '../base/clock.ts'
import type { Outcome } from '../domain/alerts/delivery.ts'
import { limits } from '../domain/limits/limits.ts'
import type { WebClient } from '../net/http-client/guarded-client.ts'
import type { OpenedChannel } from './model/config.ts'
import type { ChannelDefinition, RenderContext } from './model/definition.ts'
import type { Message } from './model/message.ts'
import { channelDefinitions } from './registry.ts'

export interface SendContext {
  readonly clock: Clock
  /** Aborted when nothing waits for the outcome any more. */
  readonly signal?: AbortSignal
}

/** Sends once. Never rejects: a failure is an outcome, which says whether to try again. */
export type Sender = (
  message: Message,
  channel: OpenedChannel,
  context: SendContext,
) => Promise<Outcome>

export interface SenderDeps extends Pick<RenderContext, 'sign'> {
  readonly request: WebClient
}

/** One sender for every channel, according to the channel's type. */
export function createSender({ request, sign }: SenderDeps): Sender {
  return async (message, { channel, config }, { clock, signal }) => {
    const { type, orgId } = channel
    const definition = channelDefinitions.find((one) => one.type === type)
    if (!definition) return refused(`There is no channel type ${type}.`)
    // Receivers compare the time of a signature with their own clocks.
    const nowMs = clock.wallMs()
    const requests = [definition.render(message, config, { nowMs, sign })].flat()
    let outcome = refused('There is nothing to send.')
    for (const rendered of requests) {
      const answer = await request({
        ...rendered,
        timeoutMs: limits.deliveryTimeoutMs,
        orgId,
        ...(signal ? { signal } : {}),
      })
      outcome = judged(definition, answer, clock.wallMs())
      if (!outcome.ok) return outcome
    }
    return outcome
  }
}

function judged(
  definition: ChannelDefinition,
  answer: Awaited<ReturnType<WebClient>>,
  nowMs: number,
): Outcome {
  if (answer.kind === 'answered') return definition.outcome(answer, nowMs)
  if (answer.kind === 'refused') return refused(answer.reason)
  return { ok: false, mayRetry: true, reason: answer.reason }
}

function refused(reason: string): Outcome {
  return { ok: false, mayRetry: false, reason }
}
