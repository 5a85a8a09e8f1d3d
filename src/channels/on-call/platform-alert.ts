// What platforms that keep alerts of their own have in common: what a message does to the alert
// with its dedup key, and what an answer means.
import { clip } from '../../base/clip.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import type { PlatformAnswer } from '../model/definition.ts'
import type { Message } from '../model/message.ts'
import { httpOutcome } from '../model/outcome.ts'
import { timeText } from '../model/text.ts'

/** What a message does to the alert with its dedup key. */
export type AlertAction = 'open' | 'update' | 'acknowledge' | 'close'

/**
 * A reminder opens, so that an alert that was closed on the platform rings again. A notice has an
 * alert of its own; good news closes it. Closing an unknown alert must be harmless: the opening may
 * never have been sent.
 */
export function alertActionOf({ news, tone }: Pick<Message, 'news' | 'tone'>): AlertAction {
  switch (news) {
    case 'updated':
      return 'update'
    case 'acknowledged':
      return 'acknowledge'
    case 'resolved':
      return 'close'
    case 'notice':
      return tone === 'good' ? 'close' : 'open'
    default:
      return 'open'
  }
}

export type Urgency = 'critical' | 'warning' | 'info'

/** The same for all news about one matter, except for an outage that becomes worse. */
export function urgencyOf({ severity, event, tone }: Message): Urgency {
  if (severity === 'down' || severity === 'declared') return 'critical'
  if (severity !== null) return 'warning'
  if (event === 'channel.test') return 'info'
  return event === 'incident.digest' && tone === 'bad' ? 'critical' : 'warning'
}

/** The facts as a map, for platforms that show a table. */
export function factTable({ facts, locale }: Message, charsMax: number): Record<string, string> {
  const rows = facts.map(({ label, value }): [string, string] => [
    clip(label, charsMax),
    typeof value === 'string' ? clip(value, charsMax) : timeText(value, locale),
  ])
  return Object.fromEntries(rows)
}

/** The page of the incident for people; undefined where there is none. */
export function incidentUrlOf({ links }: Message): string | undefined {
  return links.find(({ kind }) => kind === 'incident')?.url
}

export interface AnswerRules {
  /** The name for people. */
  readonly platform: string
  /** The status that means delivered. */
  readonly accepted: number
  /** The platform does not know the key, whatever the status: a person may repair it. */
  readonly isKeyUnknown?: (answer: PlatformAnswer) => boolean
}

/** Statuses with which a platform refuses the message itself; sent again, it is refused again. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422])
const lockedOut: ReadonlySet<number> = new Set([401, 403, 404])

/** The meaning of an answer. No reason contains what the platform said: that may quote the key. */
export function platformOutcome(
  answer: PlatformAnswer,
  nowMs: number,
  { platform, accepted, isKeyUnknown = () => false }: AnswerRules,
): Outcome {
  const { status, body: response } = answer
  const failed = { ok: false as const, mayRetry: true, status, response }
  if (lockedOut.has(status) || isKeyUnknown(answer)) {
    return { ...failed, reason: `${platform} does not accept the key or the address (${status}).` }
  }
  if (refusals.has(status)) {
    const reason = `${platform} refused the message (${status}).`
    return { ...failed, mayRetry: false, reason }
  }
  // A proxy or a page that asks for a sign-in may answer 200 as well.
  if (status >= 200 && status <= 299 && status !== accepted) {
    const reason = `The answer ${status} is not the ${accepted} of ${platform}; is the URL right?`
    return { ...failed, reason }
  }
  return httpOutcome(answer, nowMs)
}
