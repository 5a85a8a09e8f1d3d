// Sends a message: rendered by its channel's type, sent through the guarded client, judged.
import type { Clock } from '../base/clock.ts'
import type { Failed, Outcome, PartDone } from '../domain/alerts/attempt.ts'
import { limits } from '../domain/limits/limits.ts'
import type { WebClient } from '../net/http-client/guarded-client.ts'
import type { OpenedChannel } from './model/config.ts'
import type { RenderContext } from './model/definition.ts'
import type { Message } from './model/message.ts'
import { requestSummary, unansweredOutcome } from './model/outcome.ts'
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
}

/** One sender for every channel, according to the channel's type. */
export function createSender({ request, sign }: SenderDeps): Sender {
  return async (message, { channel, config }, { clock, signal, partsDone = [] }) => {
    const { type, orgId } = channel
    const definition = channelDefinitions.find((one) => one.type === type)
    if (!definition) return refused(`There is no channel type ${type}.`)
    // Receivers compare the time of a signature with their own clocks.
    const context = { nowMs: clock.wallMs(), sign, channel }
    const parts = [definition.render(message, config, context)].flat().map((rendered) => {
      return async (): Promise<PartOutcome> => {
        const answer = await request({
          ...rendered,
          timeoutMs: limits.deliveryTimeoutMs,
          orgId,
          ...(signal ? { signal } : {}),
        })
        const outcome =
          answer.kind === 'answered'
            ? definition.outcome(answer, clock.wallMs())
            : unansweredOutcome(answer)
        const isReachable = answer.kind === 'answered' && answer.status !== 429
        return { outcome: { request: requestSummary(rendered), ...outcome }, isReachable }
      }
    })
    return sentParts(parts, partsDone)
  }
}

interface PartOutcome {
  readonly outcome: Outcome
  /** False: another part would fail in the same way now. */
  readonly isReachable: boolean
}

/** Sends the parts that are not done, in order. One that is refused for good blocks no other. */
async function sentParts(
  parts: readonly (() => Promise<PartOutcome>)[],
  partsDone: readonly PartDone[],
): Promise<Outcome> {
  const done = new Map(partsDone.map((one) => [one.part, one]))
  let delivered: Outcome | undefined
  let refusal: Failed | undefined
  let failure: Failed | undefined
  for (const [part, send] of parts.entries()) {
    if (done.has(part)) continue
    const { outcome, isReachable } = await send()
    if (outcome.ok) {
      delivered = outcome
      done.set(part, { part, isDelivered: true })
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

function refused(reason: string): Failed {
  return { ok: false, mayRetry: false, reason }
}
