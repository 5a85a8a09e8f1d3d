// The explanation of an incident in whole sentences.
import { unreachable } from '../../../base/assert.ts'
import { secondText } from '../../../base/time-text.ts'
import { type Refusal, refusals } from '../../../domain/alerts/route.ts'
import type { Telling, TellingReason } from '../../../domain/alerts/telling.ts'
import type { IncidentBasis } from '../../../domain/incidents/basis.ts'
import type { TimelineEntry } from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { ExplainedDecision } from '../../../services/incidents/explanations.ts'
import { refusalReason } from '../alerts/alert-paths.ts'

/** Why it came to an entry of the timeline. */
export function decisionSentence({ entry, basis }: ExplainedDecision): string {
  if (basis !== null) return `${happened(entry)}: ${groundsOf(basis)}`
  switch (entry.kind) {
    case 'opened':
    case 'reopened':
    case 'worsened':
    case 'flapping':
      return entry.by
        ? `${happened(entry)}: a person did it; nothing was measured.`
        : `${happened(entry)}: the grounds were not recorded.`
    default:
      return entry.by
        ? `${happened(entry)}: a person did it.`
        : `${happened(entry)}: ${entry.message}`
  }
}

const acts = {
  opened: 'Opened',
  reopened: 'Reopened',
  worsened: 'Became an outage',
  flapping: 'Called unstable',
  settled: 'Stable again',
  held: 'Held back',
  released: 'Released',
  closed: 'Closed by hand while the service was still failing',
  resolved: 'Resolved',
  recovered: 'Recovered after it had been closed by hand',
} as const satisfies Partial<Record<TimelineEntry['kind'], string>>

function happened({ kind }: TimelineEntry): string {
  return kind in acts ? acts[kind as keyof typeof acts] : 'Changed'
}

function groundsOf({ rule, needed, among, countedAtMs, slowAboveMs = 0 }: IncidentBasis): string {
  const first = secondText(countedAtMs[0] ?? 0)
  switch (rule) {
    case 'failures':
      return `${countedAtMs.length} of the newest ${among} results had failed, the first at ${first}; from ${needed} on it counted as down.`
    case 'slow':
      return `${needed} results in a row had taken more than ${slowAboveMs} ms, the first at ${first}; from ${needed} on it counted as degraded.`
    case 'degraded':
      return `${needed} results in a row had said that it works less than fully, the first at ${first}; from ${needed} on it counted as degraded.`
    case 'reported':
      return 'the sender reported an error, which needs no confirmation.'
    case 'set':
      return 'a person said so, which needs no confirmation.'
    case 'members':
      return 'its members were as bad as that, which needs no confirmation.'
    case 'missed':
      return 'an expected report did not come, which needs no confirmation.'
    case 'still_failing':
      return `${needed} bad ${needed === 1 ? 'result' : 'results'} had come since a person closed it.`
    case 'held_back':
      return `it was still failing after maintenance had ended, at ${first}.`
    case 'unstable':
      return `${needed} changes between down and up had come within ${limits.flappingWindowMs / 60_000} minutes; from then on it is announced as unstable, once.`
    case 'locations':
      return `${countedAtMs.length} of the ${among} places that were heard saw it, the first since ${first}; from ${needed} on it counted.`
    default:
      return unreachable(rule)
  }
}

const waits: Readonly<Record<Exclude<TellingReason, Refusal>, string>> = {
  delay: 'the channel waits some minutes, in case the outage ends',
  retry: 'the last attempt failed',
  turn: 'earlier messages to the channel come first',
  created_later: 'The channel did not exist yet.',
  not_informed:
    'The channel had not heard of the opening, so what follows on it makes no sense there.',
  monitor_gone: 'The monitor was paused or deleted, which is no recovery.',
  over_early: 'The incident ended or was acknowledged while the channel still waited.',
  no_record:
    'By its present settings it would have been: they have changed since, it already knew, or the message is older than what is kept.',
}

/** What became of a piece of news for one channel. */
export function tellingSentence({ kind, because, untilMs, known }: Telling): string {
  switch (kind) {
    case 'sent': {
      const atMs = known?.delivery.deliveredAtMs ?? null
      const attempts = known?.delivery.attempts ?? 1
      const tries = attempts > 1 ? `, at attempt ${attempts}` : ''
      return atMs === null ? 'Sent.' : `Sent at ${secondText(atMs)}${tries}.`
    }
    case 'waiting': {
      const error = known?.error ?? null
      const why =
        because === 'retry' && error !== null
          ? `${waits.retry}: ${error.replace(/\.$/, '')}`
          : because === null
            ? 'it is its turn'
            : waitOf(because)
      return untilMs === null ? `Waits: ${why}.` : `Waits until ${secondText(untilMs)}: ${why}.`
    }
    case 'merged':
      return 'Not sent by itself: a later message about the same incident said it as well.'
    case 'folded':
      return 'Folded into a digest, one message about many incidents.'
    case 'given_up':
      return `Given up: ${known?.delivery.lastError ?? 'no attempt succeeded.'}`
    case 'not_sent':
      return because === null ? 'Not sent.' : `Not sent. ${reasonSentence(because)}`
    default:
      return unreachable(kind)
  }
}

function waitOf(because: TellingReason): string {
  if (because === 'quiet_hours') return 'the channel has quiet hours'
  return isRefusal(because) ? refusalReason(because) : waits[because]
}

function reasonSentence(because: TellingReason): string {
  const words = isRefusal(because) ? refusalReason(because) : waits[because]
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function isRefusal(because: TellingReason): because is Refusal {
  return refusals.some((one) => one === because)
}
