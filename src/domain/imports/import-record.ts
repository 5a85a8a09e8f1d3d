// What is kept of imports: what each did, and which object each item of another product became.
import type { ImportId, MonitorId, OrgId, PageId, RequestId } from '../../base/ids.ts'
import type { ExportedName } from '../../base/nouns.ts'
import type { AuditActor } from '../audit/audit.ts'
import type { ForeignSource } from './foreign.ts'

/** The object that an item of another product became here. It stays when the object is deleted. */
export interface ImportOrigin {
  readonly orgId: OrgId
  readonly source: ForeignSource
  readonly list: ExportedName
  /** What the item is there. */
  readonly origin: string
  readonly name: string
  /** The object here. */
  readonly id: string
  /** The id of the item in its document; null if it had none. */
  readonly ref: string | null
  /** Hashes of the fields of the item as it came last. */
  readonly fields: Readonly<Record<string, string>>
  /** The import that made the object. */
  readonly importId: ImportId
  /** The revision that an import, or an undo, gave the object last; earlier ones did not note it. */
  readonly revision?: number
}

/**
 * `keep`: the item came as the last time, or there was an object already. `deletedHere`: what the item became
 * was deleted, and stays so. `goneThere`: it is not in the document any more; the object stays. `leftOut`: it
 * breaks a rule, which `reason` says.
 */
export const planActions = [
  'create',
  'change',
  'keep',
  'deletedHere',
  'goneThere',
  'leftOut',
] as const
export type PlanAction = (typeof planActions)[number]

export interface PlanLine {
  readonly list: ExportedName
  readonly name: string
  readonly origin: string | null
  readonly action: PlanAction
  /** The object here; null if it was deleted. */
  readonly id: string | null
  /** The fields that changed there. */
  readonly fields: readonly string[]
  /** Why it was left out, or comes without something: the field and the rule. */
  readonly reason?: string
}

export const importStates = ['applied', 'undone'] as const

/** An import as it was done. */
export interface ImportRecord {
  readonly id: ImportId
  readonly orgId: OrgId
  readonly atMs: number
  readonly by: AuditActor
  /** Null: the document did not say where it comes from. */
  readonly source: ForeignSource | null
  readonly counts: Readonly<Record<PlanAction, number>>
  readonly state: (typeof importStates)[number]
  readonly undoneAtMs: number | null
  /** Monitors that were here before, and of whose past it brought all. */
  readonly pastIds: readonly MonitorId[]
  /** When the first part of a past came; absent: none did. */
  readonly pastAtMs?: number
  /** Monitors that were here before, and to whose past it added outages. */
  readonly outageIds?: readonly MonitorId[]
  /** Outages of the past that it brought. */
  readonly outages?: number
  /** Outages of the past that imports brought whose records are gone. */
  readonly formerOutages?: number
  /** About how much its steps take. */
  readonly stepsBytes?: number
  /** What was changed since, and stays; absent before an undo has begun. */
  readonly keptIds?: readonly string[]
  /** Status pages that were here before, and to which it brought subscribers; absent: none. */
  readonly subscriberPageIds?: readonly PageId[]
  /** The ping keys that it brought, by their hashes; absent: none. */
  readonly pingKeyHashes?: readonly string[]
  /** That its monitors began as shadows of those in the other product; absent: people heard of them at once. */
  readonly shadow?: ImportShadow
}

/** What is known of a shadow run as a whole. */
export interface ImportShadow {
  readonly sinceMs: number
  /** When the other product told us of one of its alerts for the first time, and last; absent: it has not. */
  readonly toldFromMs?: number
  readonly toldAtMs?: number
  /** What tells the address for its alerts from the one that it replaced; absent: it is the first. */
  readonly addressId?: RequestId
  /** When administrators were last sent its figures; absent: they were not. */
  readonly letterAtMs?: number
  /** When its last monitor went live; absent: some are silent, or may be made so. */
  readonly liveAtMs?: number
}

/** What a conversion said of an item, or of all: what somebody may have to do. */
export interface ImportNote {
  readonly name: string | null
  readonly origin: string | null
  readonly text: string
  /** Somebody has dealt with it. */
  readonly isDone: boolean
}

/** A line of the plan with what leads back. */
export interface ImportStep {
  readonly line: PlanLine
  /** What a changed object was before. */
  readonly before?: FormerRecord
  /** The revision that the import gave it: another one means that it was changed since. Earlier imports noted none of what they made. */
  readonly revision?: number
  /** What was remembered of the item before. */
  readonly former?: ImportOrigin
}

/** A record of a noun, with its secrets sealed as it is stored. */
type FormerRecord = Readonly<Record<string, unknown>>

/**
 * What an undo does with what the import made or changed. `changedSince`: it was changed after the import, or cannot
 * be as it was, and stays. `inUse`: something else needs it, and it stays. `gone`: it was deleted.
 */
export const undoActions = ['delete', 'restore', 'changedSince', 'inUse', 'gone'] as const

export interface UndoLine {
  readonly list: ExportedName
  readonly name: string
  readonly id: string
  readonly action: (typeof undoActions)[number]
}
