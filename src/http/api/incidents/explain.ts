// The API of explanations: why an incident opened, and who was told of it.
import * as s from '../../../base/schema/schema.ts'
import { deliveryEvents } from '../../../domain/alerts/delivery.ts'
import { type Telling, tellingKinds, tellingReasons } from '../../../domain/alerts/telling.ts'
import { errorKinds } from '../../../domain/checks/reading.ts'
import { verdictKinds } from '../../../domain/checks/verdict.ts'
import { basisRules, type IncidentBasis, placesOf } from '../../../domain/incidents/basis.ts'
import { incidentStates, severities, timelineKinds } from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { placesIn } from '../../../domain/locations/shown-places.ts'
import type {
  ExplainedCheck,
  ExplainedDecision,
  IncidentExplanation,
} from '../../../services/incidents/explanations.ts'
import { namedChannel } from '../../output/channel-wire.ts'
import { PlacesOut } from '../../output/place-wire.ts'
import { get, resource } from '../../routing/route.ts'
import { routeOut, routeToWire } from '../alerts/alert-paths.ts'
import { decisionSentence, tellingSentence } from './explain-words.ts'

const BasisOut = s.object({
  rule: s.described(
    s.oneOf(basisRules),
    '`failures`: so many of the newest results failed; `slow`: so many in a row were slow; ' +
      '`degraded`: so many in a row said that the target works less than fully; `reported`: a sender reported an error; `set`: a person said so; ' +
      '`members`: those of a group were as bad; `missed`: a report did not come; `still_failing`: so ' +
      'many bad results since a person closed it; `held_back`: it was still bad after maintenance; ' +
      '`unstable`: so many changes within an hour; `locations`: so many of those that were heard saw it.',
  ),
  monitorId: s.idOf('monitor'),
  needed: s.described(s.anyNumber, 'How many results, or changes, had to count.'),
  among: s.described(s.anyNumber, 'Among how many of the newest ones.'),
  countedAt: s.described(
    s.listOf(s.isoTime, limits.recentResultsMax),
    'When those that counted began, oldest first; of `slow` and `degraded` the first and the last, of `held_back` ' +
      'the end of the maintenance.',
  ),
  slowAboveMs: s.nullable(s.anyNumber, 'The limit that slow results exceeded.'),
  locations: s.nullable(PlacesOut, 'What each location of the monitor saw; null without a vote.'),
})

const CheckOut = s.object({
  at: s.isoTime,
  outcome: s.oneOf(verdictKinds),
  responseTimeMs: s.anyNumber,
  status: s.nullable(s.anyNumber, 'The status of the HTTP response.'),
  errorKind: s.nullable(s.oneOf(errorKinds), 'What failed; null if nothing did.'),
  message: s.nullable(
    s.anyText,
    'Why it failed, or the message of a push report; null for viewers.',
  ),
  counted: s.described(s.flag, 'Whether it counted towards this decision.'),
})

const DecisionOut = s.object({
  at: s.isoTime,
  kind: s.described(s.oneOf(timelineKinds), 'As in the timeline of the incident.'),
  explanation: s.described(s.anyText, 'Why, as a sentence.'),
  seenFrom: s.nullable(
    s.anyText,
    'From where, as a sentence: `Fails from Frankfurt and Paris, works from Oslo.` Null without a vote.',
  ),
  basis: s.nullable(
    BasisOut,
    'The thresholds as they were then, and the results that counted; null if nothing was measured, ' +
      'or not recorded.',
  ),
  checks: s.described(
    s.listOf(CheckOut, limits.explainedChecksMax),
    'The results up to the decision, oldest first; empty if they are no longer kept.',
  ),
})

const TellingOut = s.object({
  event: s.oneOf(deliveryEvents),
  at: s.described(s.isoTime, 'When it happened.'),
  outcome: s.described(
    s.oneOf(tellingKinds),
    '`merged`: a later message said it as well; `folded`: a digest took its place.',
  ),
  reason: s.nullable(
    s.oneOf(tellingReasons),
    'Why it waits, or was not sent. Reasons that are settings are judged by the present ones.',
  ),
  explanation: s.described(s.anyText, 'The same as a sentence.'),
  waitsUntil: s.nullable(s.isoTime),
  deliveryId: s.nullable(s.idOf('delivery'), 'The message, if there is one.'),
  intoDeliveryId: s.nullable(
    s.idOf('delivery'),
    'The message that said it as well, or the digest.',
  ),
  attempts: s.described(s.anyNumber, 'How often it was sent so far.'),
  error: s.nullable(
    s.anyText,
    'Why its newest attempt failed or, while it waits behind another message, why that one did; null ' +
      'if nothing failed.',
  ),
  deliveredAt: s.nullable(s.isoTime),
})

const ExplanationOut = s.object({
  incidentId: s.idOf('incident'),
  title: s.anyText,
  severity: s.oneOf(severities),
  state: s.oneOf(incidentStates),
  isDeclared: s.flag,
  decisions: s.described(
    s.listOf(DecisionOut, limits.explainedDecisionsMax),
    'Why it opened, changed and ended, oldest first: the first and the newest ones.',
  ),
  channels: s.described(
    s.listOf(
      s.object({
        ...namedChannel,
        events: s.described(
          s.listOf(TellingOut, limits.explainedDeliveriesScanned),
          'What became of each piece of news for this channel, oldest first.',
        ),
        now: s.described(
          s.object(routeOut),
          'What the present settings would make of its opening, were it now.',
        ),
      }),
      limits.explainedChannelsMax,
    ),
    `The channels that it was announced to first; at most ${limits.explainedChannelsMax}.`,
  ),
  channelsTotal: s.described(s.anyNumber, 'How many channels there are, also those left out.'),
  isComplete: s.described(
    s.flag,
    'False if there were too many messages since the opening to look through all of them.',
  ),
})

function basisToWire(basis: IncidentBasis) {
  const { monitorId, rule, needed, among, countedAtMs, slowAboveMs = null } = basis
  const countedAt = countedAtMs.map(s.toIso)
  return { rule, monitorId, needed, among, countedAt, slowAboveMs, locations: placesOf(basis) }
}

function checkToWire({ row, counted }: ExplainedCheck, showsWords: boolean) {
  return {
    at: s.toIso(row.atMs),
    outcome: row.verdict,
    responseTimeMs: row.durationMs,
    status: row.status ?? null,
    errorKind: row.errorKind ?? null,
    message: showsWords ? (row.message ?? null) : null,
    counted,
  }
}

function decisionToWire(decision: ExplainedDecision, showsWords: boolean) {
  const { entry, basis, checks } = decision
  return {
    at: s.toIso(entry.atMs),
    kind: entry.kind,
    explanation: decisionSentence(decision),
    seenFrom: placesIn('en', placesOf(basis) ?? []),
    basis: basis && basisToWire(basis),
    checks: checks.map((check) => checkToWire(check, showsWords)),
  }
}

function tellingToWire(telling: Telling) {
  const { event, atMs, kind, because, untilMs, known } = telling
  const { id, mergedIntoId, attempts, deliveredAtMs } = known?.delivery ?? {}
  return {
    event,
    at: s.toIso(atMs),
    outcome: kind,
    reason: because,
    explanation: tellingSentence(telling),
    waitsUntil: s.toIsoOrNull(untilMs),
    deliveryId: id ?? null,
    intoDeliveryId: mergedIntoId ?? null,
    attempts: attempts ?? 0,
    error: known?.error ?? null,
    deliveredAt: s.toIsoOrNull(deliveredAtMs ?? null),
  }
}

function explanationToWire(explanation: IncidentExplanation) {
  const { incident, decisions, channels, channelsTotal, isComplete, showsWords, nowMs } =
    explanation
  const { id: incidentId, title, severity, state, isDeclared = false } = incident
  return {
    incidentId,
    title,
    severity,
    state,
    isDeclared,
    decisions: decisions.map((decision) => decisionToWire(decision, showsWords)),
    channels: channels.map(({ channel, tellings, now }) => ({
      channelId: channel.id,
      name: channel.name,
      type: channel.type,
      events: tellings.map(tellingToWire),
      now: routeToWire(now, nowMs),
    })),
    channelsTotal,
    isComplete,
  }
}

export const explain = resource('/orgs/:orgId/incidents', {
  explain: get('/:incidentId/explain', {
    who: { role: 'viewer' },
    summary: 'Why an incident opened, and who was told of it or not, and why',
    description:
      'Thresholds and the results that counted are those of the time of the decision, even if the ' +
      'monitor was changed since. Viewers do not see the words of results.',
    out: ExplanationOut,
  }).handledBy(({ scope, params }, { explanations }) =>
    explanationToWire(explanations.explain(scope, params.incidentId)),
  ),
})
