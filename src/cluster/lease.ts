// The lease of a leader: an entry that lives for a while, and that only its holder can renew. Having it is
// permission to try: what a leader writes is fenced by the log.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { JetStream } from './jetstream.ts'
import { leaseStream, leaseSubject } from './objects.ts'

export interface LeaseOptions {
  readonly cell: string
  /** As the bucket was made. */
  readonly leaseMs: number
  readonly clock: Pick<Clock, 'monoMs'>
}

interface HeldLease {
  readonly revision: number
  readonly value: string
  /** When the lease was asked for: the server counts from some moment after it. */
  readonly askedMonoMs: number
}

export type Lease = ReturnType<typeof createLease>

export function createLease(jetstream: JetStream, { cell, leaseMs, clock }: LeaseOptions) {
  const stream = leaseStream(cell)
  const subject = leaseSubject(cell)
  let held: HeldLease | undefined

  const msLeft = () =>
    held === undefined ? 0 : Math.max(0, held.askedMonoMs + leaseMs - clock.monoMs())

  /** Whether the entry is ours now. The server compares the revision, so no look decides. */
  async function put(value: string, revision: number, signal: AbortSignal): Promise<boolean> {
    const askedMonoMs = clock.monoMs()
    const message = { stream, subject, bytes: Buffer.from(value), id: randomUUID() }
    const outcome = await jetstream.publish(
      { ...message, expect: { lastOfSubject: revision } },
      signal,
    )
    held = 'sequence' in outcome ? { revision: outcome.sequence, value, askedMonoMs } : undefined
    return msLeft() > 0
  }

  return {
    /**
     * Takes the lease if nobody has it, for a value that says who holds it. Throws LogUnanswered if the
     * signal came first; then nobody may have it until it has run out.
     */
    async take(value: string, signal: AbortSignal): Promise<boolean> {
      if (await put(value, 0, signal)) return true
      const entry = await jetstream.stored(stream, { last_by_subj: subject }, signal)
      return entry?.header(operationHeader) === deleted && put(value, entry.sequence, signal)
    },
    /**
     * Begins it anew, with another value if one is given. Resolves with false if it has run out or is
     * somebody else's: then it is lost. Throws LogUnanswered if the signal came first.
     */
    async renew(signal: AbortSignal, value?: string): Promise<boolean> {
      const before = held
      if (before === undefined || msLeft() === 0) return false
      return put(value ?? before.value, before.revision, signal)
    },
    /** Gives it back, so that another one can take it at once. It is over here in any case. */
    async release(signal: AbortSignal): Promise<void> {
      const before = held
      held = undefined
      if (before === undefined) return
      const message = { stream, subject, bytes: Buffer.alloc(0), id: randomUUID() }
      const expect = { lastOfSubject: before.revision }
      const headers = { [operationHeader]: deleted }
      await jetstream.publish({ ...message, expect, headers }, signal)
    },
    /** The value of whoever has it, for people to read: nothing may follow from it. Null if nobody has. */
    async holder(signal: AbortSignal): Promise<string | null> {
      const entry = await jetstream.stored(stream, { last_by_subj: subject }, signal)
      if (!entry || entry.header(operationHeader) === deleted) return null
      return Buffer.from(entry.bytes).toString('utf8')
    },
    /** How long it certainly lasts, by our own clock; 0 without it. */
    msLeft,
  }
}

/** How entries of a bucket are deleted: https://github.com/nats-io/nats-architecture-and-design, ADR-8. */
const operationHeader = 'KV-Operation'
const deleted = 'DEL'
