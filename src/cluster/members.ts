// Who belongs to a cluster: each member puts an entry that ends by itself. For people and metrics only.
import { randomUUID } from 'node:crypto'
import { pause } from '../base/timeout.ts'
import { idHeader, type JetStream } from './jetstream.ts'
import { memberSubject, membersStream } from './objects.ts'

export interface ClusterMember {
  readonly member: string
  /** What it said of itself. */
  readonly value: string
  /** When it said so, by the clock of a server. */
  readonly saidAtMs: number
}

/** Our own entry of the list. */
export interface KeptEntry {
  /** Puts it again, because it says something else now. */
  soon(): void
  /** Takes it away. */
  end(): Promise<void>
}

/** An entry lives three times as long. */
const announceMs = 10_000
/** A member that ends waits so long for the servers, to be in the list no more. */
const farewellMsMax = 1_000

export function createMemberList(
  jetstream: JetStream,
  { cell, member }: { readonly cell: string; readonly member: string },
) {
  const { clock } = jetstream
  const stream = membersStream(cell)
  const prefix = memberSubject(cell, '')

  async function entryOf(subject: string, signal: AbortSignal): Promise<ClusterMember[]> {
    const entry = await jetstream.stored(stream, { last_by_subj: subject }, signal)
    if (!entry || entry.bytes.length === 0) return []
    const value = Buffer.from(entry.bytes).toString('utf8')
    return [{ member: subject.slice(prefix.length), value, saidAtMs: entry.atMs }]
  }

  const own = memberSubject(cell, member)
  const process = randomUUID()
  let hasAnnounced = false

  /** Puts our own entry. Resolves with whether another process has put one since we did. */
  async function announce(value: string, signal: AbortSignal): Promise<boolean> {
    const former = await jetstream.stored(stream, { last_by_subj: own }, signal)
    const isOthers = former !== null && !former.header(idHeader)?.startsWith(process)
    const id = `${process} ${randomUUID()}`
    await jetstream.publish({ stream, subject: own, bytes: Buffer.from(value), id }, signal)
    // The first time, it is that of the process before.
    const isTwin = isOthers && hasAnnounced
    hasAnnounced = true
    return isTwin
  }

  return {
    announce,
    /** The entries that have not ended. */
    async list(signal: AbortSignal): Promise<readonly ClusterMember[]> {
      const { state } = await jetstream.info(stream, signal, { subjects_filter: '>' })
      const subjects = Object.keys(state.subjects ?? {}).sort()
      return (await Promise.all(subjects.map((subject) => entryOf(subject, signal)))).flat()
    },
    /**
     * Puts our own entry again and again, until it is ended. `onTwin` is called once, where another process has the
     * same name.
     */
    keep(read: () => string, onTwin: () => void, everyMs = announceMs): KeptEntry {
      const stopping = new AbortController()
      let news = new AbortController()
      let hasTwin = false
      const run = async () => {
        while (!stopping.signal.aborted) {
          news = new AbortController()
          const late = new AbortController()
          const timer = clock.setTimeout(() => late.abort(), everyMs)
          const signal = AbortSignal.any([stopping.signal, late.signal])
          // One that is missing is put with the next turn; who reads the list sees that it is.
          const isTwin = await announce(read(), signal).catch(() => false)
          clock.clearTimeout(timer)
          if (isTwin && !hasTwin) onTwin()
          hasTwin ||= isTwin
          await pause(clock, everyMs, AbortSignal.any([stopping.signal, news.signal]))
        }
      }
      const running = run()
      return {
        soon: () => news.abort(),
        async end() {
          stopping.abort()
          await running
          // Else it would seem to stand by for as long as the entry lives, also while it starts again.
          await announce('', AbortSignal.timeout(farewellMsMax)).catch(() => false)
        },
      }
    },
  }
}
