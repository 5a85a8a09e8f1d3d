// Test messages: sent now, past the outbox, one at a time to each channel.
import type { Clock } from '../../base/clock.ts'
import { rateLimited } from '../../base/fault.ts'
import { newId } from '../../base/ids.ts'
import type { Limiter } from '../../base/limiter.ts'
import type { OpenedChannel } from '../../channels/model/config.ts'
import { testMessage } from '../../channels/model/message.ts'
import type { Sender } from '../../channels/sender.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { localeOf } from '../../domain/language.ts'
import type { Store } from '../../store/store.ts'
import { testSentence } from './test-words.ts'

export interface TestResult {
  readonly delivered: boolean
  readonly status: number | null
  readonly response: string | null
  readonly error: string | null
  readonly durationMs: number
  /** What happened, in words. */
  readonly message: string
}

export interface ChannelTestsDeps {
  readonly store: Store
  readonly clock: Clock
  readonly sender: Sender
  readonly testLimiter: Limiter
  /** The channel with its secrets. Throws conflict if they cannot be decrypted. */
  readonly open: (channel: Channel) => OpenedChannel
  /** A test arrived: the channel works. */
  readonly onDelivered: (channel: Channel) => Promise<void>
}

export type ChannelTests = ReturnType<typeof createChannelTests>

export function createChannelTests(deps: ChannelTestsDeps) {
  const { store, clock, sender, testLimiter, open } = deps
  return {
    /** Throws rate_limited. */
    mustBeRare(subject: string, words: string): void {
      const verdict = testLimiter.take(subject, clock.nowMs())
      if (!verdict.isAllowed) throw rateLimited(verdict.retryMs, () => words)
    },

    /** Whether a channel may be tested once more now. */
    mayTest: ({ id }: Channel): boolean => testLimiter.take(id, clock.nowMs()).isAllowed,

    /** Throws conflict if the secrets cannot be read. A failing receiver is a result. */
    async send(channel: Channel, signal?: AbortSignal): Promise<TestResult> {
      const nowMs = clock.nowMs()
      const opened = open(channel)
      const locale = localeOf(store.orgs.readable(channel.orgId))
      const message = testMessage(channel, newId('delivery', nowMs), { locale, nowMs })
      const startedMs = clock.monoMs()
      const outcome = await sender(message, opened, { clock, ...(signal ? { signal } : {}) })
      const durationMs = Math.round(clock.monoMs() - startedMs)
      if (outcome.ok) await deps.onDelivered(channel)
      return {
        delivered: outcome.ok,
        status: outcome.status ?? null,
        response: outcome.response ?? null,
        error: outcome.ok ? null : outcome.reason,
        durationMs,
        message: testSentence(outcome, durationMs),
      }
    },
  }
}
