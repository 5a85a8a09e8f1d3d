// The leader's side of a standby over HTTPS: holds the newest records until the standby has them, and lets
// nobody hear of a transaction before.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import type { Metrics } from '../../base/metrics.ts'
import { recordsBytesMax, recordsHoldMs, type SealedRecord } from '../../domain/standby/protocol.ts'
import type { LogSeal } from '../../seal/log-seal.ts'
import type { LogPosition, RedoEntry, RedoLog } from '../../store/engine/redo.ts'
import type { LeaderMark } from '../../store/engine/replica.ts'

export interface FollowersDeps {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly seal: LogSeal
}

/** A standby, as it was heard last. */
export interface Follower {
  readonly member: string
  readonly address: string
  readonly version: string
  /** Everything up to this record is on its disk. */
  readonly reached: number
  readonly heardAtMs: number
  /** It is waited for: whatever is acknowledged is on its disk, too. */
  readonly isInStep: boolean
  /** Since when it has not been in step; null if it is. */
  readonly behindSinceMs: number | null
}

/** What a standby asks for. */
export interface RecordsAsked extends Pick<Follower, 'member' | 'address' | 'version'> {
  /** The record that it has reached, and its hash. */
  readonly after: number
  readonly hash: string
  /** Whether it waits where there is nothing. */
  readonly isHeld: boolean
}

interface HeldRecord extends SealedRecord {
  readonly hash: string
}

interface KnownFollower {
  member: string
  address: string
  version: string
  reached: number
  heardAtMs: number
  heardMonoMs: number
  /** How many of its questions are held. */
  held: number
  /** It did not answer in time: it is not waited for until it has everything. Null: it is. */
  behindSinceMs: number | null
}

/** How long a transaction waits for a standby that was heard lately. */
const followerWaitMsMax = 2_000
/** A standby asks again at once; one that does not has gone. */
const heardMsMax = 2_000
/** Held records: a standby that is further behind begins with a new snapshot. */
const heldBytesMax = 64 * 1024 * 1024
/** What all standbys have is still held up to here, for one that has just begun. */
const reachedBytesMax = 8 * 1024 * 1024
const forgottenMs = 3_600_000
const followersMax = 10

export type Followers = ReturnType<typeof createFollowers>

export function createFollowers({ clock, log, metrics, seal }: FollowersDeps) {
  const followers = new Map<string, KnownFollower>()
  const waiting = new Set<() => void>()
  let records: HeldRecord[] = []
  let heldBytes = 0
  /** What comes before the first held record. */
  let floor: Pick<LogPosition, 'sequence' | 'hash'> = { sequence: -1, hash: '' }
  let newest = floor
  let acknowledged: { readonly sequence: number; readonly resolve: () => void } | undefined
  let isStopping = false

  metrics.gauge(
    { name: 'standby_behind_records', help: 'Records that no standby has yet; -1 without one.' },
    (gauge) => {
      const reached = [...followers.values()].filter(isHeard).map((one) => one.reached)
      gauge.set(reached.length === 0 ? -1 : newest.sequence - Math.max(...reached))
    },
  )
  const waits = metrics.histogram({
    name: 'standby_wait_seconds',
    help: 'How long transactions waited for the standby.',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
  })

  const isHeard = ({ held, heardMonoMs }: KnownFollower) =>
    held > 0 || clock.monoMs() - heardMonoMs < heardMsMax
  const isInStep = (follower: KnownFollower) => follower.behindSinceMs === null && isHeard(follower)

  /** Everybody who waits looks again. */
  function wake(): void {
    for (const run of [...waiting]) run()
  }

  /** Forgets the oldest records, as many as nobody needs. */
  function trim(): void {
    const heard = [...followers.values()].filter(isHeard).map(({ reached }) => reached)
    const reached = Math.min(newest.sequence, ...heard)
    let count = 0
    for (const { sequence, hash, sealed } of records) {
      const mostBytes = sequence <= reached ? reachedBytesMax : heldBytesMax
      if (heldBytes <= mostBytes) break
      heldBytes -= sealed.length
      floor = { sequence, hash }
      count += 1
    }
    if (count > 0) records = records.slice(count)
  }

  function noted({ member, address, version, after }: RecordsAsked): KnownFollower {
    const nowMs = clock.nowMs()
    for (const [name, { heardAtMs }] of followers) {
      if (nowMs - heardAtMs > forgottenMs) followers.delete(name)
    }
    let follower = followers.get(member)
    if (!follower) {
      const isFull = followers.size >= followersMax
      if (isFull) followers.delete([...followers.keys()][0] ?? '')
      follower = {
        ...{ member, address, version },
        reached: -1,
        heardAtMs: 0,
        heardMonoMs: 0,
        held: 0,
        behindSinceMs: nowMs,
      }
      followers.set(member, follower)
    }
    Object.assign(follower, {
      address,
      version,
      reached: after,
      heardAtMs: nowMs,
      heardMonoMs: clock.monoMs(),
    })
    if (follower.behindSinceMs !== null && after === newest.sequence) {
      follower.behindSinceMs = null
      log.info('a standby has everything: each transaction waits for it from now on', {
        member,
        address,
      })
    }
    if (acknowledged && after >= acknowledged.sequence) acknowledged.resolve()
    return follower
  }

  /** The records behind this one; undefined if it is not held, or is another one. */
  function behind({ after, hash }: RecordsAsked): HeldRecord[] | undefined {
    if (after === floor.sequence && hash === floor.hash) return records
    const at = records.findIndex(({ sequence }) => sequence === after)
    return records[at]?.hash === hash ? records.slice(at + 1) : undefined
  }

  /** Resolves when there are more records, after the time of a held question, or at the end. */
  function more(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        waiting.delete(done)
        clock.clearTimeout(timer)
        resolve()
      }
      const timer = clock.setTimeout(done, recordsHoldMs)
      waiting.add(done)
    })
  }

  /** From here on it is not waited for, until it has everything. */
  function leave(follower: KnownFollower): void {
    if (follower.behindSinceMs !== null) return
    follower.behindSinceMs = isHeard(follower) ? clock.nowMs() : follower.heardAtMs
    const { member, address } = follower
    log.warn('the standby does not answer: what is acknowledged from now on is here alone', {
      member,
      address,
    })
  }

  /** Resolves once a standby that is in step has the record, or does not answer. */
  function reachedBy(sequence: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        acknowledged = undefined
        clock.clearTimeout(timer)
        resolve()
      }
      const timer = clock.setTimeout(() => {
        for (const follower of followers.values()) leave(follower)
        done()
      }, followerWaitMsMax)
      acknowledged = { sequence, resolve: done }
    })
  }

  const redoLog: RedoLog = {
    sequenceAfter: (after) => after + 1,
    async append({ sequence, hash, bytes }: RedoEntry) {
      const sealed = seal.seal(bytes)
      records.push({ sequence, hash, sealed })
      heldBytes += sealed.length
      newest = { sequence, hash }
      trim()
      wake()
      for (const follower of followers.values()) if (!isHeard(follower)) leave(follower)
      if (![...followers.values()].some(isInStep)) return
      const sinceMs = clock.monoMs()
      await reachedBy(sequence)
      waits.of().observe((clock.monoMs() - sinceMs) / 1_000)
    },
  }

  return {
    redoLog,

    /** Where the data is when the daemon starts; `mark` led there. Before it, no standby is answered. */
    begin(position: LogPosition | undefined, mark: LeaderMark | undefined): void {
      newest = position ?? floor
      floor = newest
      if (!mark || mark.hash !== newest.hash) return
      floor = { sequence: mark.after, hash: mark.before }
      records = [{ sequence: mark.sequence, hash: mark.hash, sealed: seal.seal(mark.bytes) }]
    },

    /**
     * The records behind the one that a standby has reached, at most some mebibytes; held until there is
     * one, if asked to, and empty if there is none for long. Undefined: it must begin with a new snapshot.
     */
    async records(asked: RecordsAsked): Promise<readonly SealedRecord[] | undefined> {
      let found = behind(asked)
      if (!found) return undefined
      const follower = noted(asked)
      if (found.length === 0 && asked.isHeld && !isStopping) {
        follower.held += 1
        await more().finally(() => {
          follower.held -= 1
          follower.heardMonoMs = clock.monoMs()
        })
        found = behind(asked) ?? []
      }
      let bytes = 0
      const end = found.findIndex(({ sealed }, at) => {
        bytes += sealed.length
        return at > 0 && bytes > recordsBytesMax
      })
      return end < 0 ? found : found.slice(0, end)
    },

    /** Whether a standby at this record could go on from there. */
    holds: (sequence: number) => sequence >= floor.sequence,

    list: (): Follower[] =>
      [...followers.values()].map((follower) => ({
        member: follower.member,
        address: follower.address,
        version: follower.version,
        reached: follower.reached,
        heardAtMs: follower.heardAtMs,
        isInStep: isInStep(follower),
        behindSinceMs: isInStep(follower) ? null : (follower.behindSinceMs ?? follower.heardAtMs),
      })),

    newest: () => newest.sequence,

    /** Answers what is held, and holds nothing more. */
    stop(): void {
      isStopping = true
      wake()
    },
  }
}
