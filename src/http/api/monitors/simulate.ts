// The API of simulations: the stored results of a monitor under other thresholds.

import * as s from '../../../base/schema/schema.ts'
import { isChecked, waitsForReports } from '../../../domain/checks/check-type.ts'
import { errorKinds } from '../../../domain/checks/reading.ts'
import type { SimulatedIncident } from '../../../domain/health/simulation.ts'
import type { Incident } from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { SimulatedOutcome, SimulationView } from '../../../services/checks/simulations.ts'
import { timeIn } from '../../input/times.ts'
import { namedChannel } from '../../output/channel-wire.ts'
import { post, resource } from '../../routing/route.ts'

const threshold = (description: string) =>
  s.optional(s.integer(1, limits.thresholdMax), description)

/** Named as in a monitor, with the same bounds; what is left out is as in the monitor. */
const thresholds = {
  failureThreshold: threshold('N of the newest N + 2 results must fail before it is down.'),
  recoveryThreshold: threshold('So many good results in a row end an outage.'),
  degradedThresholdMs: s.optionalOrNull(
    s.integer(1, limits.degradedThresholdMsMax),
    'A good result that took longer is slow. Null: none is.',
  ),
  degradedThreshold: threshold('So many slow results in a row make it degraded.'),
  degradedOpensIncident: s.optional(s.flag, 'Whether slowness opens an incident.'),
  graceSeconds: s.optional(
    s.integer(0, limits.graceSecondsMax),
    'Only for push: how late a report may be.',
  ),
  reminderMinutes: s.optional(
    s.integer(0, limits.reminderMinutesMax),
    'When channels are first reminded of an open incident. 0: never.',
  ),
}

const SimulateIn = s.object({
  from: s.optional(
    timeIn,
    `Default, and the earliest: ${limits.checksKeptDays} days ago, because older results are not ` +
      'kept.',
  ),
  to: s.optional(timeIn, 'Default, and the latest: now.'),
  ...thresholds,
})

const alertEvents = [
  'incident.opened',
  'incident.updated',
  'incident.resolved',
  'incident.reminder',
] as const

const secondsOut = s.described(
  s.object({
    up: s.anyNumber,
    degraded: s.anyNumber,
    down: s.anyNumber,
    excluded: s.described(s.anyNumber, 'Nothing is known of this time.'),
  }),
  'Seconds in each state.',
)

/** The newest incidents that an answer shows. */
const simulatedIncidentsShown = 200

const OutcomeOut = s.object({
  thresholds: s.object({
    failureThreshold: s.anyNumber,
    recoveryThreshold: s.anyNumber,
    degradedThresholdMs: s.nullable(s.anyNumber),
    degradedThreshold: s.anyNumber,
    degradedOpensIncident: s.flag,
    graceSeconds: s.anyNumber,
    reminderMinutes: s.anyNumber,
  }),
  seconds: secondsOut,
  incidentsTotal: s.anyNumber,
  alertsTotal: s.described(s.anyNumber, 'Messages to all channels together.'),
  incidents: s.described(
    s.listOf(
      s.object({
        severity: s.oneOf(['down', 'degraded']),
        startedAt: s.described(s.isoTime, 'The first bad result.'),
        confirmedAt: s.described(s.isoTime, 'When it would have opened.'),
        endedAt: s.nullable(s.isoTime, 'The first good result; null: it lasts.'),
        durationSeconds: s.described(s.anyNumber, 'Until its end, or that of the time asked for.'),
        cause: s.anyText,
        errorKind: s.nullable(s.oneOf(errorKinds), 'Null for slowness.'),
        reopenings: s.described(s.anyNumber, 'How often it began again within 5 minutes.'),
        flapping: s.described(s.flag, 'It was unstable at some time.'),
        alertsTotal: s.anyNumber,
        alerts: s.described(
          s.listOf(
            s.object({
              event: s.oneOf(alertEvents),
              channelId: s.idOf('channel'),
              at: s.described(s.isoTime, 'When it happened.'),
              sentAt: s.described(
                s.isoTime,
                'When the channel would have been told: later than `at` with a delay or quiet hours.',
              ),
            }),
            limits.simulatedAlertsShown,
          ),
          `The first ${limits.simulatedAlertsShown}.`,
        ),
      }),
      simulatedIncidentsShown,
    ),
    `The newest ${simulatedIncidentsShown}, newest first.`,
  ),
  channels: s.described(
    s.listOf(
      s.object({
        ...namedChannel,
        alerts: s.described(s.anyNumber, 'The messages that it would have got.'),
      }),
      limits.quotaMax,
    ),
    'The channels that the monitor alerts today.',
  ),
})

const SimulateOut = s.object({
  monitorId: s.idOf('monitor'),
  from: s.isoTime,
  to: s.isoTime,
  results: s.described(s.anyNumber, 'The number of stored results in that time.'),
  firstResultAt: s.nullable(s.isoTime),
  lastResultAt: s.nullable(s.isoTime),
  changed: s.described(OutcomeOut, 'With the thresholds of the request.'),
  current: s.described(OutcomeOut, 'With the thresholds that the monitor has today.'),
  real: s.described(
    s.object({
      incidentsTotal: s.anyNumber,
      incidents: s.listOf(
        s.object({
          id: s.idOf('incident'),
          title: s.anyText,
          severity: s.oneOf(['down', 'degraded']),
          startedAt: s.isoTime,
          confirmedAt: s.isoTime,
          resolvedAt: s.nullable(s.isoTime),
          flapping: s.flag,
        }),
        simulatedIncidentsShown,
      ),
    }),
    'What really happened, newest first.',
  ),
  notes: s.described(s.listOf(s.anyText, 20), 'What the simulation cannot know.'),
})

function outcomeToWire(outcome: SimulatedOutcome, { channels, toMs }: SimulationView) {
  const { alerts, incidents, time } = outcome
  return {
    thresholds: outcome.thresholds,
    seconds: {
      up: inSeconds(time.upMs),
      degraded: inSeconds(time.degradedMs),
      down: inSeconds(time.downMs),
      excluded: inSeconds(time.excludedMs),
    },
    incidentsTotal: incidents.length,
    alertsTotal: channels.reduce((sum, { id }) => sum + alerts.countOfChannel(id), 0),
    incidents: incidents
      .slice(-simulatedIncidentsShown)
      .reverse()
      .map((incident) => incidentToWire(incident, outcome, toMs)),
    channels: channels.map(({ id, name, type }) => ({
      channelId: id,
      name,
      type,
      alerts: alerts.countOfChannel(id),
    })),
  }
}

function incidentToWire(incident: SimulatedIncident, { alerts }: SimulatedOutcome, toMs: number) {
  const { number, severity, startedAtMs, confirmedAtMs, endedAtMs } = incident
  return {
    severity,
    startedAt: s.toIso(startedAtMs),
    confirmedAt: s.toIso(confirmedAtMs),
    endedAt: s.toIsoOrNull(endedAtMs),
    durationSeconds: inSeconds((endedAtMs ?? toMs) - startedAtMs),
    cause: incident.cause,
    errorKind: incident.errorKind,
    reopenings: incident.reopenings,
    flapping: incident.flapping,
    alertsTotal: alerts.countOfIncident(number),
    alerts: alerts.ofIncident(number).map(({ event, channelId, atMs, sentAtMs }) => ({
      event,
      channelId,
      at: s.toIso(atMs),
      sentAt: s.toIso(sentAtMs),
    })),
  }
}

function realToWire({ id, title, severity, ...incident }: Incident) {
  return {
    id,
    title,
    severity: severity === 'degraded' ? severity : ('down' as const),
    startedAt: s.toIso(incident.startedAtMs),
    confirmedAt: s.toIso(incident.confirmedAtMs),
    resolvedAt: s.toIsoOrNull(incident.resolvedAtMs),
    flapping: incident.flapping,
  }
}

function inSeconds(ms: number): number {
  return Math.round(ms / 1_000)
}

function simulationToWire(view: SimulationView) {
  const { monitor, realIncidents } = view
  return {
    monitorId: monitor.id,
    from: s.toIso(view.fromMs),
    to: s.toIso(view.toMs),
    results: view.results,
    firstResultAt: s.toIsoOrNull(view.firstAtMs),
    lastResultAt: s.toIsoOrNull(view.lastAtMs),
    changed: outcomeToWire(view.changed, view),
    current: outcomeToWire(view.current, view),
    real: {
      incidentsTotal: realIncidents.length,
      incidents: realIncidents.slice(0, simulatedIncidentsShown).map(realToWire),
    },
    notes: isChecked(monitor)
      ? [...checkNotes, ...notes]
      : [...notes, ...(waitsForReports(monitor) ? pushNotes : [])],
  }
}

const notes = [
  'The simulation begins without an earlier state: an outage that was going on at its beginning ' +
    'starts there.',
  'Channels, tags, quiet hours and delays are those of today. Nobody acknowledges or closes an ' +
    'incident, no digest is formed with other monitors, and no parent holds alerts back.',
  'Pauses leave no results, so they look like time without checks.',
]

const checkNotes = [
  'The results are those of checks that were made. Retries ran only while the monitor of that time ' +
    'confirmed a failure or a recovery, so other thresholds may confirm later here than they would ' +
    'have in reality.',
  'A result that failed stays failed; one that was good is judged anew by its response time. ' +
    'Results that say nothing about the target are left out.',
]

const pushNotes = [
  'With another grace, missed reports follow from the times of the reports that came; the period or ' +
    'schedule is that of today.',
]

const simulationMsMax = 60_000

export const simulate = resource('/orgs/:orgId/monitors', {
  simulate: post('/:monitorId/simulate', {
    who: { role: 'viewer' },
    summary: 'Simulate other thresholds with the stored results',
    description:
      'Replays the results of up to 30 days through the rules that decide about real ones, with ' +
      'the thresholds of the request and, for comparison, with those of today. Says which incidents ' +
      'and alerts there would have been. Nothing is changed and nothing is sent. An omitted ' +
      'threshold is that of the monitor. Of a monitor that several locations check: `conflict`; of one ' +
      'that they checked before, only the results since then. At most ' +
      `${limits.simulationsOfOrg.quota} per minute for an organization.`,
    example: { failureThreshold: 2, degradedThresholdMs: 800 },
    body: SimulateIn,
    out: SimulateOut,
    deadlineMs: simulationMsMax,
  }).handledBy(async ({ scope, params, body, signal }, { simulations }) => {
    const { from, to, ...changes } = body
    const request = {
      ...(from === undefined ? {} : { fromMs: Date.parse(from) }),
      ...(to === undefined ? {} : { toMs: Date.parse(to) }),
      changes,
    }
    return simulationToWire(await simulations.run(scope, params.monitorId, request, signal))
  }),
})
