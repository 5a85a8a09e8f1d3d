// Rows of the history that people were told of: incidents with their timelines, and deliveries.
import type { ChannelId, OrgId } from '../../../base/ids.ts'
import { dwellMs } from '../../../domain/alerts/delivery.ts'
import type { TimeWindow } from '../../../domain/health/time-window.ts'
import { durationMs, errorOf, type Incident } from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { HistoryRow } from '../../../domain/orgs/history-tables.ts'
import type { Store } from '../../../store/store.ts'
import type { MonitorColumns } from './monitor-rows.ts'

/** What rows say of the monitor with an id, which may be deleted; undefined: of none. */
export type ColumnsOf = (monitorId: string | undefined) => MonitorColumns

const isWithin = (atMs: number, { fromMs, toMs }: TimeWindow) => atMs >= fromMs && atMs < toMs

/** Rows of the incidents that began in the window, the newest first; none for each of the others. */
export function* incidentRows<Row>(
  { incidents }: Pick<Store, 'incidents'>,
  orgId: OrgId,
  window: TimeWindow,
  rowsOf: (incident: Incident) => readonly Row[],
): Generator<readonly Row[]> {
  for (const incident of incidents.newestFirst(orgId, { limit: limits.pageItemsMax })) {
    yield isWithin(incident.startedAtMs, window) ? rowsOf(incident) : []
  }
}

export function incidentRow(incident: Incident, columnsOf: ColumnsOf): HistoryRow<'incidents'> {
  const { id, monitorIds, title, cause, severity, state, resolution, resolvedAtMs } = incident
  const error = errorOf(incident)
  return {
    id,
    ...columnsOf(monitorIds[0]),
    monitorIds,
    title,
    cause,
    severity,
    isDeclared: incident.isDeclared ?? false,
    state,
    startedAt: incident.startedAtMs,
    confirmedAt: incident.confirmedAtMs,
    acknowledgedAt: incident.acknowledgedAtMs,
    acknowledgedBy: incident.acknowledgedBy,
    resolvedAt: resolvedAtMs,
    resolution,
    durationMs: resolvedAtMs === null ? null : durationMs(incident, resolvedAtMs),
    flapping: incident.flapping,
    isPublic: incident.isPublic,
    importId: incident.importId ?? null,
    errorKind: error?.kind ?? null,
    errorMessage: error?.message ?? null,
    evidence: incident.evidence,
    postmortem: incident.postmortem,
  }
}

export function timelineRows(incident: Incident, columnsOf: ColumnsOf): HistoryRow<'timeline'>[] {
  const { id, monitorIds, timeline } = incident
  const ofMonitor = columnsOf(monitorIds[0])
  return timeline.map(({ atMs, kind, status, by, isPublic, message }) => ({
    incidentId: id,
    ...ofMonitor,
    at: atMs,
    kind,
    status: status ?? null,
    by: by ?? null,
    isPublic,
    message,
  }))
}

/** The deliveries of a channel that were made in the window, oldest first; none for each of the others. */
export function* deliveryRows(
  { channels, deliveries, incidents }: Pick<Store, 'channels' | 'deliveries' | 'incidents'>,
  orgId: OrgId,
  channelId: ChannelId,
  columnsOf: ColumnsOf,
  window: TimeWindow,
): Generator<readonly HistoryRow<'deliveries'>[]> {
  const channel = channels.readable(orgId, channelId)
  for (const delivery of deliveries.madeSince(orgId, channelId, Math.max(0, window.fromMs))) {
    if (!isWithin(delivery.createdAtMs, window)) {
      yield []
      continue
    }
    const { incidentId } = delivery
    const incident = incidentId === null ? undefined : incidents.readable(orgId, incidentId)
    yield [
      {
        id: delivery.id,
        ...columnsOf(incident?.monitorIds[0]),
        incidentId,
        channelId,
        channelName: channel?.name ?? null,
        channelType: channel?.type ?? null,
        event: delivery.event,
        webhookId: delivery.webhookId,
        state: delivery.state,
        attempts: delivery.attempts,
        createdAt: delivery.createdAtMs,
        lastAttemptAt: delivery.lastAtMs,
        lastStatus: delivery.lastStatus,
        lastError: delivery.lastError,
        deliveredAt: delivery.deliveredAtMs,
        dwellMs: dwellMs(delivery),
        mergedIntoId: delivery.mergedIntoId,
      },
    ]
  }
}
