// A notice: news of a page on its way to the subscribers, slice by slice.
import type {
  IncidentId,
  MaintenanceId,
  NoticeId,
  OrgId,
  PageId,
  SubscriberId,
} from '../../base/ids.ts'
import type { FailedOutcome, Outcome } from '../alerts/attempt.ts'
import { retryAtMs } from '../alerts/delivery.ts'
import { limits } from '../limits/limits.ts'
import type { NewsKind } from './news.ts'

export interface Notice {
  readonly id: NoticeId
  readonly orgId: OrgId
  readonly pageId: PageId
  readonly subjectId: IncidentId | MaintenanceId
  readonly news: NewsKind
  /** What it says, fixed when it was made: all subscribers get the same. */
  readonly contentJson: string
  /** The sections that it concerns; null: the whole page. */
  readonly sectionNames: readonly string[] | null
  readonly createdAtMs: number
  /** The last subscriber that it was written for; null before the first slice. */
  readonly cursor: SubscriberId | null
}

/** A message to the URL of one subscriber that waits to be sent. */
export interface SubscriberMessage {
  /** The id of the notice; of a question whether to confirm, one of its own. */
  readonly id: NoticeId
  readonly orgId: OrgId
  readonly pageId: PageId
  readonly subscriberId: SubscriberId
  /** Null: asks to confirm the subscription. */
  readonly news: NewsKind | null
  readonly subjectId: string | null
  readonly contentJson: string | null
  readonly attempts: number
  readonly dueAtMs: number
  readonly createdAtMs: number
  readonly giveUpAtMs: number
}

/** The message after a failed attempt; undefined if it is given up. */
export function attemptedMessage(
  message: SubscriberMessage,
  outcome: FailedOutcome,
  nowMs: number,
  random: number,
): SubscriberMessage | undefined {
  const dueAtMs = retryAtMs(message, outcome, nowMs, random)
  if (dueAtMs === undefined) return undefined
  return { ...message, attempts: message.attempts + 1, dueAtMs }
}

/** Whether the other side says that nobody is there: a few of these end a subscription. */
export function findsNobody(outcome: Outcome): boolean {
  return !outcome.ok && (outcome.status === 404 || outcome.status === 410 || isGoneForGood(outcome))
}

export function isGoneForGood(outcome: Outcome): boolean {
  return !outcome.ok && outcome.disablesChannel === true
}

/** Too old to be news: its page could not be served for a day, or its receiver. */
export function isStale({ createdAtMs }: Pick<Notice, 'createdAtMs'>, nowMs: number): boolean {
  return nowMs - createdAtMs >= limits.deliveryAgeMsMax
}
