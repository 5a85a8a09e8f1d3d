// Where each monitor stands, by [org, monitor]: the one record that every routine result rewrites.
import { Packr } from 'msgpackr'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { Standing } from '../../domain/standing.ts'
import type { Env } from '../env.ts'
import { type Codec, openTable } from '../table.ts'
import type { Tx } from '../write.ts'

export type StandingsTable = ReturnType<typeof openStandings>

const packr = new Packr({ useRecords: false, copyBuffers: true })

/**
 * Fields by position: this record is written for every check, and names would be most of it. A new
 * field goes to the end of its list; anything else is a new version of the table.
 */
const healthFields = [
  'state',
  'held',
  'sinceMs',
  'streak',
  'streakSinceMs',
  'recentBits',
  'failedAtMs',
  'openIncidentId',
  'openSeverity',
  'lastIncidentId',
  'lastSeverity',
  'lastResolvedAtMs',
  'recoveredAtMs',
  'turnsAtMs',
  'flapping',
] as const satisfies readonly (keyof Standing['health'])[]

const tallyFields = [
  'dayStartMs',
  'upMs',
  'degradedMs',
  'downMs',
  'excludedMs',
  'checks',
  'failures',
] as const satisfies readonly (keyof Standing['tally'])[]

const standingFields = [
  'accountedToMs',
  'lastAtMs',
  'lastVerdict',
  'lastError',
  'responseTimeMs',
  'lastPhases',
  'address',
  'certificate',
  'lastReportAtMs',
  'deadlineAtMs',
  'recentRows',
  'recentRowCount',
  'recentFromMs',
  'recentLastMs',
] as const satisfies readonly (keyof Standing)[]

function pick(record: object, fields: readonly string[]): unknown[] {
  return fields.map((field) => (record as Record<string, unknown>)[field])
}

function unpick(values: unknown[], fields: readonly string[]): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const [index, field] of fields.entries()) record[field] = values[index] ?? null
  return record
}

const standingCodec: Codec<Standing> = {
  encode: (standing) =>
    packr.pack([
      pick(standing.health, healthFields),
      pick(standing.tally, tallyFields),
      pick(standing.hour, tallyFields),
      ...pick(standing, standingFields),
    ]),
  decode(bytes) {
    const [health = [], tally = [], hour = [], ...values] = packr.unpack(bytes) as unknown[][]
    // The table's own encoder wrote these very fields, and the checksum held.
    return {
      health: unpick(health, healthFields),
      tally: unpick(tally, tallyFields),
      hour: unpick(hour, tallyFields),
      ...unpick(values, standingFields),
    } as unknown as Standing
  },
}

export function openStandings(env: Env) {
  const table = openTable<Standing>(env, { name: 'standings', version: 1, codec: standingCodec })
  return {
    get: (orgId: OrgId, monitorId: MonitorId) => table.get([orgId, monitorId]),
    put: (tx: Tx, orgId: OrgId, monitorId: MonitorId, standing: Standing) =>
      table.put(tx, [orgId, monitorId], standing),
    remove: (tx: Tx, orgId: OrgId, monitorId: MonitorId) => table.remove(tx, [orgId, monitorId]),
  }
}
