// Sends a message: rendered by its channel's type, sent through the guarded client, judged.
import type { Clock } from '../base/clock.ts'
import type { Outcome, PartDone } from '../domain/alerts/delivery.ts'
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
        const outcome = judged(definition, answer, clock.wallMs())
        return { outcome, isReachable: answer.kind === 'answered' }
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

type Failure = Extract<Outcome, { ok: false }>

/** Sends the parts that are not done, in order. One that is refused for good blocks no other. */
async function sentParts(
  parts: readonly (() => Promise<PartOutcome>)[],
  partsDone: readonly PartDone[],
): Promise<Outcome> {
  const done = new Map(partsDone.map((one) => [one.part, one]))
  let delivered: Outcome | undefined
  let refusal: Failure | undefined
  let failure: Failure | undefined
  for (const [part, send] of parts.entries()) {
    if (done.has(part)) continue
    const { outcome, isReachable } = await send()
    if (outcome.ok) delivered = outcome
    else if (outcome.mayRetry) failure = outcome
    else refusal = outcome
    if (outcome.ok || !outcome.mayRetry) done.set(part, { part, isDelivered: outcome.ok })
    if (failure && !isReachable) break
  }
  if (failure) return done.size === 0 ? failure : { ...failure, partsDone: [...done.values()] }
  const isAnyDelivered = [...done.values()].some(({ isDelivered }) => isDelivered)
  if (!isAnyDelivered) return refusal ?? refused('There is nothing to send.')
  return { ...(delivered ?? { ok: true }), ...(refusal ? { warning: refusal.reason } : {}) }
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

function refused(reason: string): Failure {
  return { ok: false, mayRetry: false, reason }
}
