// Test messages: sent now, past the outbox, and kept among the deliveries of their channel.
import { LRUCache } from 'lru-cache'
import { rateLimited } from '../../base/fault.ts'
import { newId } from '../../base/ids.ts'
import type { Limiter } from '../../base/limiter.ts'
import { atMostEntries } from '../../base/memory/bounds.ts'
import { TooLate } from '../../base/timeout.ts'
import type { OpenedChannel } from '../../channels/model/config.ts'
import { testMessage } from '../../channels/model/message.ts'
import type { Sender } from '../../channels/sender.ts'
import type { Tried } from '../../domain/alerts/attempt.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { afterFailedTest } from '../../domain/alerts/channel-health.ts'
import { newDelivery, tested } from '../../domain/alerts/delivery.ts'
import { localeOf } from '../../domain/language.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Core } from '../core.ts'
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
  readonly sender: Sender
  readonly testLimiter: Limiter
  /** The channel with its secrets. Throws conflict if they cannot be decrypted. */
  readonly open: (channel: Channel) => OpenedChannel
  /** A test arrived: the channel works. */
  readonly onArrived: (tx: Tx, channel: Channel) => void
}

export type ChannelTests = ReturnType<typeof createChannelTests>

/** A config that is not stored, or not yet. */
export interface DraftConfig {
  readonly fingerprint: string
}

/** A test that was sent; its texts and its outcome. */
interface SentTest {
  readonly payloadJson: string
  readonly tried: Tried
}

/** A test ends before the request that waits for it, also one that several recipients get one by one. */
export const channelTestMsMax = 25_000

/** Results of tests of configs that are not stored yet: their number, and how long they count. */
const testsRemembered = 200
const testRememberedMs = 15 * 60_000

export function createChannelTests(core: Core, deps: ChannelTestsDeps) {
  const { store, clock, box } = core
  const { sender, testLimiter, open } = deps
  /** The tests that were sent, so that a channel that is stored as it was tested need not be tested again. */
  const remembered = new LRUCache<string, SentTest>(atMostEntries(testsRemembered))

  const keyOf = ({ orgId }: Channel, { fingerprint }: DraftConfig) => `${orgId} ${fingerprint}`

  async function sent(channel: Channel, calledOff: AbortSignal | undefined) {
    const startedAtMs = clock.nowMs()
    const opened = open(channel)
    const locale = localeOf(store.orgs.readable(channel.orgId))
    const id = newId('delivery', startedAtMs)
    const message = testMessage(channel, id, { locale, nowMs: startedAtMs })
    const startedMs = clock.monoMs()
    const late = new AbortController()
    const timer = clock.setTimeout(
      () => late.abort(new TooLate(channelTestMsMax)),
      channelTestMsMax,
    )
    const signal = AbortSignal.any([late.signal, ...(calledOff ? [calledOff] : [])])
    const outcome = await sender(message, opened, { clock, signal })
    clock.clearTimeout(timer)
    const durationMs = Math.round(clock.monoMs() - startedMs)
    const { response } = outcome
    const answer = response ? { answerBox: box.seal(response) } : {}
    const tried = { outcome, startedAtMs, nowMs: clock.nowMs(), ...answer }
    const result: TestResult = {
      delivered: outcome.ok,
      status: outcome.status ?? null,
      response: response ?? null,
      error: outcome.ok ? null : outcome.reason,
      durationMs,
      message: testSentence(outcome, durationMs),
    }
    return { id, result, test: { payloadJson: message.payloadJson, tried } }
  }

  function putDelivery(
    tx: Tx,
    channel: Channel,
    { payloadJson, tried }: SentTest,
    id = newId('delivery', tried.startedAtMs),
  ): void {
    const { orgId, id: channelId } = channel
    const owed = {
      id,
      orgId,
      channelId,
      incidentId: null,
      event: 'channel.test',
      payloadJson,
    } as const
    const delivery = newDelivery({ ...owed, nowMs: tried.startedAtMs, sequence: 0 })
    store.deliveries.put(tx, tested(delivery, tried))
  }

  function noteOutcome(tx: Tx, channel: Channel, { outcome, nowMs }: Tried): void {
    if (outcome.ok) {
      deps.onArrived(tx, channel)
      return
    }
    const { orgId, id } = channel
    const before = store.channelHealth.get(orgId, id)
    store.channelHealth.put(tx, orgId, id, afterFailedTest(before, outcome.reason, nowMs))
  }

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
      const { id, result, test } = await sent(channel, signal)
      if (isCalledOff(result, signal)) return result
      await store.write((tx) => {
        const stored = store.channels.readable(channel.orgId, channel.id)
        if (!stored) return
        putDelivery(tx, channel, test, id)
        // The config was changed meanwhile: the result says nothing about the new one.
        if (stored.secretsBox === channel.secretsBox) noteOutcome(tx, stored, test.tried)
      })
      return result
    },

    /** Sends with a config that is not stored; the result counts once it is. */
    async sendDraft(
      channel: Channel,
      draft: DraftConfig,
      signal?: AbortSignal,
    ): Promise<TestResult> {
      const { result, test } = await sent(channel, signal)
      if (!isCalledOff(result, signal)) remembered.set(keyOf(channel, draft), test)
      return result
    },

    /** A config was stored. If it was tested a short time ago, the result is that of the channel. */
    recall(tx: Tx, channel: Channel, draft: DraftConfig): void {
      const test = remembered.get(keyOf(channel, draft))
      if (!test || clock.nowMs() - test.tried.nowMs > testRememberedMs) return
      tx.afterCommit(() => remembered.delete(keyOf(channel, draft)))
      putDelivery(tx, channel, test)
      noteOutcome(tx, channel, test.tried)
    },
  }
}

/** Whether the caller went away before the test was over, which says nothing about the receiver. */
function isCalledOff({ delivered }: TestResult, signal: AbortSignal | undefined): boolean {
  return !delivered && signal?.aborted === true
}
