// Everything that a dead daemon left in its store, read from a copy so that nothing is touched.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startClock } from '../../../src/base/clock.ts'
import type { ChannelId, IncidentId, MonitorId, OrgId } from '../../../src/base/ids.ts'
import type { Channel } from '../../../src/domain/alerts/channel.ts'
import type { Delivery } from '../../../src/domain/alerts/delivery.ts'
import { endedUnannounced, type Incident } from '../../../src/domain/incidents/incident.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import type { MonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import type { LogPosition } from '../../../src/store/engine/redo.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { storedRecords } from '../stored-records.ts'

export interface Snapshot {
  readonly monitors: ReadonlyMap<
    MonitorId,
    { monitor: Monitor; monitorState: MonitorState | undefined }
  >
  readonly incidents: ReadonlyMap<IncidentId, Incident>
  /** Ids of the incidents that the index calls open. */
  readonly openIds: ReadonlySet<IncidentId>
  readonly channels: ReadonlyMap<ChannelId, Channel>
  /** The deliveries of each channel, oldest first. */
  readonly deliveries: ReadonlyMap<ChannelId, readonly Delivery[]>
  /** Ids that the outbox will find. */
  readonly pendingIds: ReadonlySet<string>
  /** Where in the log of its cluster it is. */
  readonly position: LogPosition | undefined
}

// No test makes more of anything.
const all = 1_000_000

/** Copies the data of a daemon that does not run. */
export function copyData(dir: string, copyDir: string): void {
  mkdirSync(copyDir, { recursive: true })
  copyFileSync(join(dir, 'data.mdb'), join(copyDir, 'data.mdb'))
}

/** Reads the copy and removes it. */
export const readSnapshot = (copyDir: string, orgId: OrgId): Promise<Snapshot> =>
  readCopy(copyDir, (store) => read(store, orgId))

/** Every record that is not of one machine alone, and where in the log they are; removes the copy. */
export const readRecords = (copyDir: string) =>
  readCopy(copyDir, (store) => ({ position: store.logPosition(), records: storedRecords(store) }))

async function readCopy<Found>(copyDir: string, take: (store: Store) => Found): Promise<Found> {
  const clock = startClock()
  const onFatal = (error: unknown) => {
    throw error
  }
  const store = openStore({ dir: copyDir, clock, commitDelayMs: 0, onFatal, onError: onFatal })
  try {
    return take(store)
  } finally {
    await store.close()
    clock.stop()
    rmSync(copyDir, { recursive: true })
  }
}

function read(store: Store, orgId: OrgId): Snapshot {
  const monitors = store.monitors.list(orgId, all)
  const channels = store.channels.list(orgId, all)
  const open = store.incidents.listOpen(orgId, all)
  const rows = channels.map(({ id }) => store.deliveries.list(orgId, id, { limit: all }))
  const pending = channels.flatMap(({ id }) => store.deliveries.pending(orgId, id, all))
  return {
    monitors: new Map(
      monitors.map((monitor) => {
        return [monitor.id, { monitor, monitorState: store.monitorStates.get(orgId, monitor.id) }]
      }),
    ),
    incidents: new Map(store.incidents.list(orgId, { limit: all }).map((row) => [row.id, row])),
    openIds: new Set(open.map(({ id }) => id)),
    channels: new Map(channels.map((channel) => [channel.id, channel])),
    deliveries: new Map(channels.map(({ id }, at) => [id, (rows[at] ?? []).toReversed()])),
    pendingIds: new Set(pending.map(({ id }) => id)),
    position: store.logPosition(),
  }
}

/** News of an outage that ended with its monitor: what did not arrive before is of no use. */
export function isGivenUpRightly({ incidents }: Snapshot, row: Delivery): boolean {
  const incident = row.incidentId && incidents.get(row.incidentId)
  const isOfNoUse = incident ? endedUnannounced(incident) : false
  return row.state === 'dead' && row.event !== 'incident.resolved' && isOfNoUse
}
