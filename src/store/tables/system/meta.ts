// meta: ['schema'] → the version of all other data. Read before any other table is trusted.
import type { ChannelId, OrgId } from '../../../base/ids.ts'
import type { Gap } from '../../../domain/health/span.ts'
import type { SizeState } from '../../../domain/system/space-states.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface SchemaVersion {
  /** The version that all records have, or are being upgraded to. */
  readonly version: number
  /** The oldest daemon that can still read them, given by the version it writes. */
  readonly minReader: number
  /** The program that wrote this version first; absent in data of stillup 0.1.0 and before. */
  readonly program?: string
  /** The newest upgrade, for an operator who wants to go back. */
  readonly upgrade?: DataUpgrade
}

export interface DataUpgrade {
  readonly fromVersion: number
  /** The program that the data came from; null if it is not known. */
  readonly fromProgram: string | null
  readonly program: string
  readonly begunAtMs: number
  /** Null while it goes on. */
  readonly doneAtMs: number | null
  /** Where the backup from before it is; null if none was made. */
  readonly backup: string | null
}

interface AliveRecord {
  readonly atMs: number
  readonly gaps?: readonly Gap[]
}

/** A channel that gets news of the service itself. */
export interface NoticeChannel {
  readonly orgId: OrgId
  readonly channelId: ChannelId
}

export interface NoticesRecord {
  readonly channels: readonly NoticeChannel[]
  /** The state of the disk that was reported last. */
  readonly toldDisk: 'ok' | 'low' | 'full'
  /** The size of the data under its budget that was reported last. */
  readonly toldSize: SizeState
  /** What was reported last about the clock of this machine. */
  readonly toldClock: 'right' | 'behind' | 'unproven'
  /** What was seen or reported last about standbys; absent where none has ever had everything. */
  readonly toldStandby?: 'followed' | 'alone'
  /** Increases when the channels are chosen anew. */
  readonly revision: number
}

const nothingTold = { toldDisk: 'ok', toldSize: 'ok', toldClock: 'right' } as const
const noNotices: NoticesRecord = { channels: [], ...nothingTold, revision: 1 }

/** Before version 2 there was no budget, and before version 3 nothing was reported about the clock. */
function upgradedNotices(record: unknown): NoticesRecord {
  return { ...nothingTold, ...(record as Omit<NoticesRecord, keyof typeof nothingTold>) }
}

/** Times without the daemon that are remembered. */
const gapsKept = 100

export function openMeta(env: Env) {
  // A daemon that cannot read this takes the directory for a new one.
  const table = openTable<SchemaVersion>(env, { name: 'meta', isForEarlierVersions: true })
  const alive = openTable<AliveRecord>(env, { name: 'alive' })
  const sentinels = openTable<{ readonly proven: readonly string[] }>(env, {
    name: 'sentinels',
    // Another network lets others through: the silence of these can mute alerts there.
    isLocal: true,
  })
  const damageTold = openTable<{ readonly atMs: number }>(env, { name: 'damageTold' })
  const systemNotices = openTable<NoticesRecord>(env, {
    name: 'systemNotices',
    version: 3,
    upgrade: upgradedNotices,
  })
  const schemaKey = ['schema']
  const aliveKey = ['alive']
  const sentinelsKey = ['sentinels']
  const damageToldKey = ['damageTold']
  const noticesKey = ['notices']
  const notices = () => systemNotices.readable(noticesKey) ?? noNotices
  let gaps: readonly Gap[] | undefined
  const knownGaps = () => {
    gaps ??= alive.readable(aliveKey)?.gaps ?? []
    return gaps
  }
  return {
    schema: () => table.get(schemaKey),
    putSchema: (tx: Tx, schema: SchemaVersion) => table.put(tx, schemaKey, schema),
    /** When the daemon was last known to run. */
    lastAliveMs: () => alive.readable(aliveKey)?.atMs,
    /** Stores the gaps with it. */
    putLastAlive: (tx: Tx, atMs: number) => alive.put(tx, aliveKey, { atMs, gaps: knownGaps() }),
    /** The newest times in which the daemon did not run, oldest first. */
    gaps: knownGaps,
    /**
     * Notes one, which may contain the newest ones. Before it is stored, the last time alive is still
     * that before it.
     */
    addGap(gap: Gap): void {
      const before = knownGaps().filter(({ fromMs }) => fromMs < gap.fromMs)
      gaps = [...before, gap].slice(-gapsKept)
    },
    /** The sentinels that have ever answered. */
    sentinels: () => sentinels.readable(sentinelsKey)?.proven ?? [],
    putSentinels: (tx: Tx, proven: readonly string[]) =>
      sentinels.put(tx, sentinelsKey, { proven }),
    /** When damaged records were last reported to the administrators. */
    damageToldAtMs: () => damageTold.readable(damageToldKey)?.atMs,
    putDamageTold: (tx: Tx, atMs: number) => damageTold.put(tx, damageToldKey, { atMs }),
    /** Who gets news of the service itself, and what was reported. */
    notices,
    putNotices: (tx: Tx, record: NoticesRecord) => systemNotices.put(tx, noticesKey, record),
    /** Deleted channels get none. */
    forgetNoticeChannels(tx: Tx, isGone: (channel: NoticeChannel) => boolean): void {
      const before = notices()
      const channels = before.channels.filter((channel) => !isGone(channel))
      if (channels.length === before.channels.length) return
      systemNotices.put(tx, noticesKey, { ...before, channels, revision: before.revision + 1 })
    },
  }
}
