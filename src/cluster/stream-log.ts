// The log of a cluster on a JetStream stream. Reads ask for one sequence after the other, several at a time:
// a consumer would have to be made anew in every election.
import { assert } from '../base/assert.ts'
import { pause } from '../base/timeout.ts'
import type { JetStream, StoredMessage } from './jetstream.ts'
import {
  type LogAppend,
  LogGap,
  type LoggedRecord,
  type LogRange,
  LogRefused,
  type ReplicatedLog,
} from './log.ts'
import { logStream, logSubject, messageBytesMax } from './objects.ts'

export interface StreamLogOptions {
  readonly cell: string
  /** How often a reader at the end looks for more. */
  readonly pollMs?: number
  /**
   * For so long a server must say that a sequence is beyond the end: one that lost its majority answers
   * from what it has, for up to ten seconds.
   */
  readonly settleMs?: number
}

/** Room for the headers of a message. */
const headerBytesMax = 1_024
/** Messages that are asked for at the same time. */
const inFlightMax = 8
const partHeader = 'Stillup-Part'

export function createStreamLog(
  jetstream: JetStream,
  { cell, pollMs = 200, settleMs = 15_000 }: StreamLogOptions,
): ReplicatedLog {
  const stream = logStream(cell)
  const subject = logSubject(cell)
  const partBytesMax = Math.min(messageBytesMax, jetstream.payloadBytesMax) - headerBytesMax
  const partsOf = (bytes: number) => Math.max(1, Math.ceil(bytes / partBytesMax))

  /**
   * One part after the other. Were they sent in one go, somebody else's message could take the place of the
   * first, and the second would be let in behind it, because it expects just that sequence.
   */
  async function append({ after, bytes, id }: LogAppend, signal: AbortSignal): Promise<number> {
    const parts = partsOf(bytes.length)
    for (let part = 0; part < parts; part += 1) {
      const message = {
        ...{ stream, subject },
        bytes: bytes.subarray(part * partBytesMax, (part + 1) * partBytesMax),
        id: `${id}.${part + 1}`,
        expect: { last: after + part },
        headers: { [partHeader]: `${part + 1}/${parts}` },
      }
      const outcome = await jetstream.publish(message, signal)
      if ('refusedAt' in outcome) throw new LogRefused(after + part, outcome.refusedAt)
      assert(outcome.sequence === after + part + 1, 'the id of a record has other bytes in the log')
    }
    return after + parts
  }

  async function bounds(signal: AbortSignal): Promise<{ first: number; last: number }> {
    const { state } = await jetstream.info(stream, signal)
    return { first: state.first_seq, last: state.last_seq }
  }

  /** A message by its sequence; null if the log has certainly none there. */
  function certain(sequence: number, signal: AbortSignal): Promise<StoredMessage | null> {
    const look = async () => {
      const message = await jetstream.storedNow(stream, { seq: sequence })
      return { message, isPast: !message && (await bounds(signal)).first > sequence }
    }
    const isDoubtful = ({ message, isPast }: Awaited<ReturnType<typeof look>>) =>
      message === null && !isPast
    return jetstream.settled(look, isDoubtful, { settleMs, signal }).then(({ message }) => message)
  }

  async function get(sequence: number, signal: AbortSignal): Promise<LoggedRecord | null> {
    if (sequence < 1) return null
    const end = await certain(sequence, signal)
    if (!end || partOf(end).part !== partOf(end).of) return null
    const before = Array.from({ length: partOf(end).of - 1 }, (_, index) => sequence - 1 - index)
    const messages = [end]
    for (const at of before) {
      const message = await certain(at, signal)
      if (!message) return null
      messages.unshift(message)
    }
    return recordOf(messages)
  }

  async function* read({
    from,
    until = Number.POSITIVE_INFINITY,
    signal,
  }: LogRange): AsyncGenerator<LoggedRecord, void, undefined> {
    let next = from
    let width = 1
    let parts: StoredMessage[] = []
    while (next <= until) {
      const wanted = Array.from({ length: Math.min(width, until - next + 1) }, (_, at) => next + at)
      const look = () => Promise.all(wanted.map((seq) => jetstream.storedNow(stream, { seq })))
      const found = await jetstream.persist(look, signal)
      const end = found.indexOf(null)
      for (const message of found.slice(0, end < 0 ? found.length : end)) {
        if (!message) break
        parts = withPart(parts, message)
        next = message.sequence + 1
        if (parts.length < partOf(message).of) continue
        yield recordOf(parts)
        parts = []
      }
      width = end < 0 ? Math.min(2 * width, inFlightMax) : 1
      if (end === 0) await awaitMore(next, signal)
    }
  }

  /** Throws LogGap if the next sequence cannot come any more. */
  async function awaitMore(next: number, signal: AbortSignal): Promise<void> {
    const isBehind = ({ last }: { last: number }) => last + 1 < next
    const { first, last } = await jetstream.settled(() => bounds(signal), isBehind, {
      settleMs,
      signal,
    })
    if (first > next) throw new LogGap(`The log begins at ${first}, and ${next} comes next`)
    if (last + 1 < next) throw new LogGap(`The log ends at ${last}, and ${next} comes next`)
    if (last < next) await pause(jetstream.clock, pollMs, signal)
  }

  return {
    partsOf,
    append,
    get,
    read,
    last: async (signal) => (await bounds(signal)).last,
  }
}

function partOf(message: StoredMessage): { readonly part: number; readonly of: number } {
  const [part = 1, of = 1] = (message.header(partHeader) ?? '1/1').split('/').map(Number)
  return { part, of }
}

/** The parts of a record so far. The first part of another one takes the place of what is unfinished. */
function withPart(parts: readonly StoredMessage[], message: StoredMessage): StoredMessage[] {
  const { part, of } = partOf(message)
  if (part === 1) return [message]
  const [first] = parts
  if (first && partOf(first).of === of && parts.length === part - 1) return [...parts, message]
  throw new LogGap(
    `The log has part ${part} of ${of} at ${message.sequence}, without its beginning`,
  )
}

function recordOf(parts: readonly StoredMessage[]): LoggedRecord {
  const bytes = parts.map((part) => part.bytes)
  return { sequence: parts.at(-1)?.sequence ?? 0, bytes: joined(bytes) }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  return parts.length === 1 && only ? only : Buffer.concat(parts)
}
