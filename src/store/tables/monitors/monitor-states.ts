// The state of each monitor, by [org, monitor]: the one record that every routine result rewrites.
import { Packr } from 'msgpackr'
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import type { Health } from '../../../domain/health/health.ts'
import type { Tally } from '../../../domain/health/span.ts'
import type { MonitorState } from '../../../domain/monitors/monitor-state.ts'
import type { Env } from '../../engine/env.ts'
import type { Signals } from '../../engine/signals.ts'
import { type Codec, openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

const packr = new Packr({ useRecords: false, copyBuffers: true })

// Values by position, because names would be most of this record, which every check writes. Written
// out instead of a loop, which makes it three times as fast. A new field goes to the end of its
// list; anything else needs a new version of the table.

type HealthValues = ReturnType<typeof packHealth>
type TallyValues = ReturnType<typeof packTally>
type MonitorStateValues = ReturnType<typeof packMonitorState>

function packHealth(h: Health) {
  return [
    h.state,
    h.held,
    h.sinceMs,
    h.streak,
    h.streakSinceMs,
    h.recentBits,
    h.failedAtMs,
    h.openIncidentId,
    h.openSeverity,
    h.lastIncidentId,
    h.lastSeverity,
    h.lastResolvedAtMs,
    h.recoveredAtMs,
    h.turnsAtMs,
    h.flapping,
    h.badSinceClosed,
  ] as const
}

function unpackHealth(values: HealthValues): Health {
  return {
    state: values[0],
    held: values[1],
    sinceMs: values[2],
    streak: values[3],
    streakSinceMs: values[4],
    recentBits: values[5],
    failedAtMs: values[6],
    openIncidentId: values[7],
    openSeverity: values[8],
    lastIncidentId: values[9],
    lastSeverity: values[10],
    lastResolvedAtMs: values[11],
    recoveredAtMs: values[12],
    turnsAtMs: values[13],
    flapping: values[14],
    badSinceClosed: values[15] ?? null,
  }
}

function packTally(t: Tally) {
  return [
    t.startMs,
    t.upMs,
    t.degradedMs,
    t.downMs,
    t.excludedMs,
    t.checks,
    t.failures,
    t.pausedMs,
    t.maintenanceMs,
  ] as const
}

function unpackTally(values: TallyValues): Tally {
  return {
    startMs: values[0],
    upMs: values[1],
    degradedMs: values[2],
    downMs: values[3],
    excludedMs: values[4],
    checks: values[5],
    failures: values[6],
    pausedMs: values[7] ?? 0,
    maintenanceMs: values[8] ?? 0,
  }
}

function packMonitorState(s: MonitorState) {
  return [
    packHealth(s.health),
    packTally(s.tally),
    packTally(s.hour),
    s.accountedToMs,
    s.lastAtMs,
    s.lastVerdict,
    s.lastError,
    s.responseTimeMs,
    s.lastPhases,
    s.address,
    s.certificate,
    s.lastReportAtMs,
    s.deadlineAtMs,
    s.recentRows,
    s.recentRowCount,
    s.recentFromMs,
    s.recentLastMs,
    s.isPaused,
    s.certificatesTold,
    s.excuses,
    s.domainsTold,
    s.openRuns,
    s.recoversAtMs,
    s.runCount,
    s.domainExpiresAtMs,
    s.lastSlot === null ? null : [s.lastSlot.dueAtMs, s.lastSlot.try],
    s.isUnsure,
  ] as const
}

function unpackMonitorState(values: MonitorStateValues): MonitorState {
  return {
    health: unpackHealth(values[0]),
    tally: unpackTally(values[1]),
    hour: unpackTally(values[2]),
    accountedToMs: values[3],
    lastAtMs: values[4],
    lastVerdict: values[5],
    lastError: values[6],
    responseTimeMs: values[7],
    lastPhases: values[8],
    address: values[9],
    certificate: values[10],
    lastReportAtMs: values[11],
    deadlineAtMs: values[12],
    recentRows: values[13],
    recentRowCount: values[14],
    recentFromMs: values[15],
    recentLastMs: values[16],
    isPaused: values[17] ?? false,
    certificatesTold: values[18] ?? [],
    excuses: values[19] ?? 0,
    domainsTold: values[20] ?? [],
    openRuns: values[21] ?? [],
    recoversAtMs: values[22] ?? null,
    runCount: values[23] ?? 0,
    domainExpiresAtMs: values[24] ?? null,
    lastSlot: values[25] ? { dueAtMs: values[25][0] ?? 0, try: values[25][1] ?? 0 } : null,
    isUnsure: values[26] ?? false,
  }
}

const monitorStateCodec: Codec<MonitorState> = {
  encode: (monitorState) => packr.pack(packMonitorState(monitorState)),
  // The table's own encoder wrote these values, and the checksum was right.
  decode: (bytes) => unpackMonitorState(packr.unpack(bytes) as MonitorStateValues),
}

/** `name`: also the states at locations are kept so, of which no signal tells. */
export function openMonitorStates(
  env: Env,
  { name = 'standings', signals }: { readonly name?: string; readonly signals?: Signals } = {},
) {
  const table = openTable<MonitorState>(env, {
    name,
    codec: monitorStateCodec,
  })
  return {
    get: (orgId: OrgId, monitorId: MonitorId) => table.readable([orgId, monitorId]),
    recall: (orgId: OrgId, monitorId: MonitorId) => table.recallReadable([orgId, monitorId]),
    isDamaged: (orgId: OrgId, monitorId: MonitorId) => table.isDamaged([orgId, monitorId]),
    put(tx: Tx, orgId: OrgId, monitorId: MonitorId, monitorState: MonitorState): void {
      table.put(tx, [orgId, monitorId], monitorState)
      signals?.monitorStored.raise(tx, { orgId, monitorId, monitorState })
    },
    remove: (tx: Tx, orgId: OrgId, monitorId: MonitorId) => table.remove(tx, [orgId, monitorId]),

    /** The ids between two, in their order; at most `limit`. */
    idsWithin: (orgId: OrgId, from: string, until: string, limit: number): MonitorId[] =>
      table.keys({ prefix: [orgId], from, until, limit }).map((key) => key[1] as MonitorId),

    /**
     * The states of an organization's monitors in slices, oldest monitor first; `after` ends the previous
     * slice.
     */
    slice: (orgId: OrgId, limit: number, after?: MonitorId) =>
      table
        .entries({ prefix: [orgId], limit, after })
        .map(({ key, record }) => ({ monitorId: key[1] as MonitorId, monitorState: record })),
  }
}
