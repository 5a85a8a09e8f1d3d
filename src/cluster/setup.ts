// Makes what a cluster keeps in JetStream, with the operator's credentials, and tells how what is there
// differs from what is needed. A daemon only compares.
import { ApiRefusal, apiCodes, type JetStream, type StreamInfo } from './jetstream.ts'
import { type ClusterObjects, logStream, type WantedStream, wantedStreams } from './objects.ts'

export interface ClusterDifference {
  /** The stream. */
  readonly stream: string
  /** The field of its configuration; `stream` if it does not exist at all. */
  readonly name: string
  readonly wanted: string
  readonly found: string
}

/** More of these is fine, too. */
const atLeast: readonly string[] = ['num_replicas', 'max_bytes', 'max_age', 'max_msg_size']

/** What would make a stream something else. It must be absent. */
const foreign: readonly string[] = [
  ...['mirror', 'sources', 'republish', 'subject_transform', 'discard_new_per_subject'],
  ...['persist_mode', 'allow_msg_counter', 'allow_msg_schedules'],
]

/** A server that has just been elected may not know every stream yet. */
const settleMsUsual = 2_000

export interface SetupOptions extends ClusterObjects {
  readonly signal: AbortSignal
  /** For so long servers must say that a stream does not exist. */
  readonly settleMs?: number
}

/** The names of streams. */
export interface ClusterSetup {
  readonly made: readonly string[]
  /** More servers keep them than before. */
  readonly widened: readonly string[]
}

/**
 * Makes the streams that are missing, and lets as many servers as needed keep those that fewer have kept. Nothing
 * else changes. Throws ApiRefusal if the servers cannot.
 */
export async function initialize(
  jetstream: JetStream,
  options: SetupOptions,
): Promise<ClusterSetup> {
  const { replicas, signal } = options
  const made: string[] = []
  const widened: string[] = []
  for (const wanted of wantedStreams(options)) {
    const { name } = wanted
    const info = await found(jetstream, name, options)
    if (!info) {
      await create(jetstream, wanted, signal)
      made.push(name)
    } else if (Number(info.config.num_replicas) < replicas) {
      const config = { ...info.config, num_replicas: replicas }
      await decided(jetstream, () => jetstream.asked(`STREAM.UPDATE.${name}`, config), signal)
      widened.push(name)
    }
  }
  return { made, widened }
}

/** How the streams differ from what a cluster needs; empty if they are right. Changes nothing. */
export async function differences(
  jetstream: JetStream,
  options: SetupOptions,
): Promise<readonly ClusterDifference[]> {
  const all: ClusterDifference[] = []
  for (const wanted of wantedStreams(options)) {
    const info = await found(jetstream, wanted.name, options)
    if (info) all.push(...differing(wanted, info.config))
    else all.push({ stream: wanted.name, name: 'stream', wanted: 'exists', found: 'missing' })
  }
  return all
}

/**
 * Begins a new generation: an empty log in place of the one that is there, if any. Its sequences go on behind
 * both that one and `after`, so that no position of an earlier generation can be taken for one of this.
 * Resolves with the sequence that the first record is appended behind.
 */
export async function recreateLog(
  jetstream: JetStream,
  options: SetupOptions & { readonly after: number },
): Promise<number> {
  const { cell, signal } = options
  const name = logStream(cell)
  const former = await found(jetstream, name, options)
  const after = Math.max(options.after, former?.state.last_seq ?? 0)
  if (former) await decided(jetstream, () => removed(jetstream, name), signal)
  const wanted = wantedStreams(options).filter((stream) => stream.name === name)
  for (const { config } of wanted) {
    await create(jetstream, { name, config: { ...config, first_seq: after + 1 } }, signal)
  }
  return after
}

/** Repeats what may have been done already: there is nothing left to delete then. */
async function removed(jetstream: JetStream, name: string): Promise<void> {
  await jetstream.asked(`STREAM.DELETE.${name}`, null).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}

async function create(
  jetstream: JetStream,
  { name, config }: WantedStream,
  signal: AbortSignal,
): Promise<void> {
  // Creating a stream that is there with the same configuration succeeds.
  const ask = () => jetstream.asked(`STREAM.CREATE.${name}`, { name, ...config })
  await decided(jetstream, ask, signal)
}

async function found(
  jetstream: JetStream,
  name: string,
  { signal, settleMs = settleMsUsual }: SetupOptions,
): Promise<StreamInfo | null> {
  const look = () =>
    jetstream.asked<StreamInfo>(`STREAM.INFO.${name}`, null).catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })
  return jetstream.settled(look, (info) => info === null, { settleMs, signal })
}

const isMissing = (error: unknown) =>
  error instanceof ApiRefusal && error.code === apiCodes.noStream

const isFinal = ({ code, status }: ApiRefusal) =>
  status < 500 || code === apiCodes.notClustered || code === apiCodes.noStorage

/** Throws ApiRefusal where asking again would not help. */
async function decided(
  jetstream: JetStream,
  ask: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const refusal = await jetstream.persist(
    () =>
      ask().then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ApiRefusal && isFinal(error)) return error
          throw error
        },
      ),
    signal,
  )
  if (refusal) throw refusal
}

function differing(
  { name: stream, config: wanted }: WantedStream,
  found: Readonly<Record<string, unknown>>,
): ClusterDifference[] {
  const wrong = Object.entries(wanted).flatMap(([name, value]) => {
    // What is not said is off.
    const there = found[name] ?? false
    return isFine(name, value, there) ? [] : [{ stream, name, ...said(value, there) }]
  })
  const more = foreign.flatMap((name) => {
    const there = found[name]
    const isAbsent = !there || there === 'default'
    return isAbsent ? [] : [{ stream, name, ...said(undefined, there) }]
  })
  return [...wrong, ...more]
}

function isFine(name: string, wanted: unknown, found: unknown): boolean {
  if (!atLeast.includes(name)) return JSON.stringify(found) === JSON.stringify(wanted)
  const isUnlimited = name !== 'num_replicas' && Number(found) <= 0
  return isUnlimited || Number(found) >= Number(wanted)
}

const said = (wanted: unknown, found: unknown) => ({
  wanted: wanted === undefined ? 'none' : JSON.stringify(wanted),
  found: JSON.stringify(found),
})
