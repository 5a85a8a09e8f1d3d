// What a cluster keeps in JetStream: the names, how each stream has to be, and what a member may do to them.

export interface ClusterObjects {
  /** Names the cluster within its NATS: letters, digits, `-` and `_`. */
  readonly cell: string
  readonly leaseMs: number
  /** The servers that keep each stream. One is for tests. */
  readonly replicas: number
}

/** The wanted configuration of a stream, in the words of JetStream; times are nanoseconds. */
export interface WantedStream {
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
}

const megabyte = 1024 * 1024
const nsPerMs = 1_000_000
const dayMs = 24 * 3_600_000
/** A repeated message is recognized for so long. */
const duplicateMsMax = 120_000
/** Entries of members live so long without being renewed. */
const memberTtlMs = 30_000
/** A record is cut into parts of at most this size, headers included. */
export const messageBytesMax = 4 * megabyte

export const logStream = (cell: string) => `STILLUP_${cell}`
export const logSubject = (cell: string) => `stillup.${cell}.log`
export const leaseStream = (cell: string) => `KV_STILLUP_${cell}_LEASE`
export const leaseSubject = (cell: string) => `$KV.STILLUP_${cell}_LEASE.leader`
export const membersStream = (cell: string) => `KV_STILLUP_${cell}_MEMBERS`
export const memberSubject = (cell: string, member: string) =>
  `$KV.STILLUP_${cell}_MEMBERS.${member}`
export const inboxOf = (cell: string, member: string) => `_INBOX.stillup.${cell}.${member}`

/** Whether a cell or a member may have this name, which becomes part of subjects. */
export const isClusterName = (name: string) => /^[A-Za-z0-9_-]{1,32}$/.test(name)

/** The log and the two buckets, as they have to be. */
export function wantedStreams({ cell, leaseMs, replicas }: ClusterObjects): WantedStream[] {
  const common = {
    retention: 'limits',
    storage: 'file',
    discard: 'old',
    num_replicas: replicas,
    max_msgs: -1,
    // What is in the log is changed by nobody, and read from the server that leads the stream.
    deny_delete: true,
    deny_purge: true,
    allow_direct: false,
    mirror_direct: false,
    allow_rollup_hdrs: false,
    allow_msg_ttl: false,
    no_ack: false,
    sealed: false,
  }
  const bucket = (name: string, subject: string, ttlMs: number) => ({
    name,
    config: {
      ...common,
      subjects: [subject],
      max_msgs_per_subject: 1,
      max_bytes: 16 * megabyte,
      max_msg_size: 64 * 1024,
      max_age: ttlMs * nsPerMs,
      duplicate_window: Math.min(ttlMs, duplicateMsMax) * nsPerMs,
    },
  })
  return [
    {
      name: logStream(cell),
      config: {
        ...common,
        subjects: [logSubject(cell)],
        max_msgs_per_subject: -1,
        max_bytes: 8 * 1024 * megabyte,
        max_msg_size: 2 * messageBytesMax,
        max_age: dayMs * nsPerMs,
        duplicate_window: duplicateMsMax * nsPerMs,
      },
    },
    bucket(leaseStream(cell), `$KV.STILLUP_${cell}_LEASE.>`, leaseMs),
    bucket(membersStream(cell), `$KV.STILLUP_${cell}_MEMBERS.>`, memberTtlMs),
  ]
}

export interface SubjectRights {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/** All that the NATS user of a member needs: it can append and read, but neither delete nor change. */
export function memberRights(cell: string, member: string): SubjectRights {
  const streams = [logStream(cell), leaseStream(cell), membersStream(cell)]
  return {
    publish: [
      logSubject(cell),
      leaseSubject(cell),
      memberSubject(cell, member),
      ...streams.flatMap((name) => [
        `$JS.API.STREAM.INFO.${name}`,
        `$JS.API.STREAM.MSG.GET.${name}`,
      ]),
    ],
    subscribe: [`${inboxOf(cell, member)}.>`],
  }
}
