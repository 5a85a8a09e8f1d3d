// Who belongs to a cluster: each member puts an entry that ends by itself. For people and metrics only.
import { randomUUID } from 'node:crypto'
import type { JetStream } from './jetstream.ts'
import { memberSubject, membersStream } from './objects.ts'

export interface ClusterMember {
  readonly member: string
  /** What it said of itself. */
  readonly value: string
}

/** An entry lives three times as long. */
const announceMs = 10_000

export function createMemberList(
  jetstream: JetStream,
  { cell, member }: { readonly cell: string; readonly member: string },
) {
  const { clock } = jetstream
  const stream = membersStream(cell)
  const prefix = memberSubject(cell, '')

  async function entryOf(subject: string, signal: AbortSignal): Promise<ClusterMember[]> {
    const entry = await jetstream.stored(stream, { last_by_subj: subject }, signal)
    if (!entry) return []
    return [
      { member: subject.slice(prefix.length), value: Buffer.from(entry.bytes).toString('utf8') },
    ]
  }

  /** Puts our own entry. */
  async function announce(value: string, signal: AbortSignal): Promise<void> {
    const subject = memberSubject(cell, member)
    const message = { stream, subject, bytes: Buffer.from(value), id: randomUUID() }
    await jetstream.publish(message, signal)
  }

  return {
    announce,
    /** The entries that have not ended. */
    async list(signal: AbortSignal): Promise<readonly ClusterMember[]> {
      const { state } = await jetstream.info(stream, signal, { subjects_filter: '>' })
      const subjects = Object.keys(state.subjects ?? {}).sort()
      return (await Promise.all(subjects.map((subject) => entryOf(subject, signal)))).flat()
    },
    /** Puts our own entry again and again, until the returned function is called. */
    keep(read: () => string, everyMs = announceMs): () => void {
      const stopping = new AbortController()
      const run = async () => {
        while (!stopping.signal.aborted) {
          const late = new AbortController()
          const timer = clock.setTimeout(() => late.abort(), everyMs)
          const signal = AbortSignal.any([stopping.signal, late.signal])
          // One that is missing is put with the next turn; who reads the list sees that it is.
          await announce(read(), signal).catch(() => {})
          clock.clearTimeout(timer)
          await jetstream.pause(everyMs, stopping.signal)
        }
      }
      void run()
      return () => stopping.abort()
    },
  }
}
