// Error reports from clients, agents and the daemon itself: stored as kinds with a count.
import type { Clock } from '../../base/clock.ts'
import { invalidField, rateLimited } from '../../base/fault.ts'
import { type ErrorId, newId } from '../../base/ids.ts'
import { createLimiter } from '../../base/limiter.ts'
import { redacted } from '../../base/log/redact.ts'
import { actorOf } from '../../domain/audit/audit.ts'
import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import {
  type ErrorRecord,
  type ErrorReport,
  fingerprintOf,
  ownSource,
} from '../../domain/system/error-report.ts'
import type { Store } from '../../store/store.ts'
import type { Caller, PageOf, PageRequest } from '../context.ts'

export interface ErrorReportsDeps {
  readonly store: Pick<Store, 'errors' | 'writeSoon'>
  readonly clock: Clock
}

/** Reports from one address without a credential. */
const errorReportsOfStrangers = { quota: 10, windowSeconds: 60 } as const

export function createErrorReports(deps: ErrorReportsDeps) {
  const { clock } = deps
  const memory = createMemory(deps)
  const strangers = createLimiter(errorReportsOfStrangers, limits.rateKeysMax)

  function refuseFlood({ principal, address }: Caller): void {
    if (principal.kind !== 'anonymous') return
    const verdict = strangers.take(countedAddress(address), clock.nowMs())
    if (verdict.isAllowed) return
    throw rateLimited(
      verdict.retryMs,
      () => 'Too many reports without a credential; try again later.',
    )
  }

  return {
    /**
     * Removes secrets, and resolves once its kind is on disk. Throws rate_limited for too many
     * without a credential, validation_failed for the daemon's own source.
     */
    async report(caller: Caller, given: ErrorReport): Promise<ErrorRecord> {
      refuseFlood(caller)
      if (given.source === ownSource) {
        throw invalidField('/source', 'reserved', `must not be ${ownSource}, which is this service`)
      }
      const { kind, id } = actorOf(caller.principal)
      const { record, isNew } = memory.note(given, { kind, id })
      // A known error only increases a count, without waiting for the disk.
      if (isNew) await memory.flush()
      return record
    },
    /** Records an error of this daemon. Never throws, and does not wait for the disk. */
    own(given: Omit<ErrorReport, 'source'>): void {
      memory.note({ ...given, source: ownSource }, { kind: 'daemon', id: null })
    },
    /** Most recently seen first. */
    list({ limit, after }: PageRequest): PageOf<ErrorRecord> {
      const ordered = memory.newestFirst()
      const rest = after === undefined ? ordered : ordered.filter((one) => placeOf(one) < after)
      const items = rest.slice(0, limit)
      const last = items.at(-1)
      return rest.length > limit && last ? { items, nextAfter: placeOf(last) } : { items }
    },
    /** Writes the counts that are not on disk yet. */
    flush: memory.flush,
  }
}

/** Kinds of errors stored; a new one replaces the one least recently seen. */
export const errorKindsMax = 1_000
/** How long counts of known errors are collected before they are written. */
export const errorFlushMs = 5_000

/** Every kind in memory; changes are written together, now and then. */
function createMemory({ store, clock }: ErrorReportsDeps) {
  // Least recently seen first: a kind that occurs moves to the end.
  const kinds = new Map<string, ErrorRecord>()
  const unwritten = new Set<string>()
  let timer: unknown
  for (const record of store.errors.all(errorKindsMax).toSorted(byLastSeen)) {
    kinds.set(record.fingerprint, record)
  }

  async function flush(): Promise<void> {
    clock.clearTimeout(timer)
    timer = undefined
    const fingerprints = [...unwritten]
    unwritten.clear()
    if (fingerprints.length === 0) return
    await store.writeSoon((tx) => {
      for (const fingerprint of fingerprints) {
        const record = kinds.get(fingerprint)
        if (record) store.errors.put(tx, record)
        else store.errors.remove(tx, fingerprint)
      }
    })
  }

  function flushLater(): void {
    // A failed write has already ended the process, by the store's rule.
    timer ??= clock.setTimeout(() => void flush().catch(() => {}), errorFlushMs)
  }

  function makeRoom(): void {
    for (const fingerprint of kinds.keys()) {
      if (kinds.size < errorKindsMax) return
      kinds.delete(fingerprint)
      unwritten.add(fingerprint)
    }
  }

  function note(report: ErrorReport, reporter: ErrorRecord['reporter']) {
    const clean = cleanReport(report)
    const fingerprint = fingerprintOf(clean)
    const before = kinds.get(fingerprint)
    const nowMs = clock.nowMs()
    const record: ErrorRecord = {
      id: before?.id ?? newId('error', nowMs),
      fingerprint,
      reporter,
      source: clean.source,
      message: clean.message,
      stack: clean.stack ?? null,
      context: clean.context ?? {},
      count: (before?.count ?? 0) + 1,
      firstSeenAtMs: before?.firstSeenAtMs ?? nowMs,
      lastSeenAtMs: nowMs,
    }
    kinds.delete(fingerprint)
    if (!before) makeRoom()
    kinds.set(fingerprint, record)
    unwritten.add(fingerprint)
    flushLater()
    return { record, isNew: before === undefined }
  }

  return {
    note,
    flush,
    newestFirst: () => [...kinds.values()].toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1)),
  }
}

/** The report without secrets. Two that differ only in a secret are then of the same kind. */
function cleanReport({ source, message, stack, context }: ErrorReport): ErrorReport {
  const clean = redacted({ source, message, stack, context: context ?? {} })
  return {
    source: String(clean.source),
    message: String(clean.message),
    stack: stack === undefined ? undefined : String(clean.stack),
    // Redaction keeps the shape of a record.
    context: clean.context as NonNullable<ErrorReport['context']>,
  }
}

const byLastSeen = (a: ErrorRecord, b: ErrorRecord) => a.lastSeenAtMs - b.lastSeenAtMs

/** The position of a record in the order of last sight, as a text that sorts the same. */
function placeOf({ lastSeenAtMs, id }: { lastSeenAtMs: number; id: ErrorId }): string {
  return `${String(lastSeenAtMs).padStart(15, '0')} ${id}`
}
