// The export document, and the contract for exporting and importing each of its nouns.

import type { ChannelId, Id, IdKind, MonitorId, OrgId, SecretId } from '../base/ids.ts'
import type { ExportedName } from '../base/nouns.ts'
import type { ForeignSource } from '../domain/imports/foreign.ts'
import type { ShadowRun } from '../domain/monitors/shadow.ts'
import type { LocaleChoice } from '../domain/orgs/org.ts'
import type { TagColor } from '../domain/orgs/tag-colors.ts'
import type { Tx } from '../store/engine/write.ts'
import type { OrgScope } from './context.ts'

/** Changes when an older daemon could misread the document. */
export const documentFormat = 'stillup/1'

/** Items refer to each other by their ids in the document; an import assigns new ones. */
export type PortableDocument = DocumentHead & DocumentLists

/** A document to import, in which lists may be missing. */
export type ImportedDocument = DocumentHead & Partial<DocumentLists>

type DocumentLists = Readonly<Record<ExportedName, readonly object[]>>

interface DocumentHead {
  readonly format: typeof documentFormat
  readonly exportedAtMs?: number | undefined
  readonly organization?: ({ readonly name: string } & LocaleChoice) | undefined
  /** Where a document of another product comes from: the `origin` of an item is one there. */
  readonly source?: ForeignSource | undefined
  /** Fields that its monitors lack because it cannot tell them: what is there stays. */
  readonly untoldFields?: readonly string[] | undefined
  /** Ping keys of Healthchecks, with which reports make monitors; only in what is imported. */
  readonly keptPingKeys?: readonly string[] | undefined
  /** How tags are shown; those that have a colour here keep it. */
  readonly tagColors?: readonly TagColor[] | undefined
  /** Pointers to the omitted secrets. */
  readonly secretsOmitted?: readonly string[] | undefined
  /** Pointers to what is there and may hold secrets. */
  readonly maybeSecret?: readonly string[] | undefined
  /** Pointers to the pictures that had no room in it. */
  readonly picturesOmitted?: readonly string[] | undefined
  readonly windowsOmitted?: readonly OmittedWindow[] | undefined
}

/** Why a maintenance window is not exported: it is over, or is for deleted monitors only. */
export const windowOmissions = ['ended', 'no_monitors'] as const

/** A maintenance window that is not in the document. */
export interface OmittedWindow {
  readonly name: string
  readonly reason: (typeof windowOmissions)[number]
}

export interface WithId {
  readonly id?: string | undefined
}

export interface Exported<Item> {
  readonly item: Item
  /** Pointers, relative to the item, to the omitted secrets. */
  readonly secrets: readonly string[]
  /** The same, to what is there and may hold secrets. */
  readonly maybeSecret?: readonly string[]
  /** The same, to the pictures that had no room. */
  readonly picturesOmitted?: readonly string[]
}

/** One noun's part of a document. The API validated its items with the noun's own schema. */
export interface Portable<
  Item extends object = object,
  Ready = unknown,
  Rec extends StoredObject = Ready extends StoredObject ? Ready : StoredObject,
> {
  /** All of an organization, oldest first. */
  export(orgId: OrgId): Promise<readonly Exported<Item>[]>
  /** What of it is not exported; it is all of the same noun. */
  omitted?(orgId: OrgId): readonly OmittedWindow[]
  /** A record ready to be written. Throws Fault, with pointers relative to the item. */
  prepare(item: Item, orgId: OrgId, references: References): Ready
  /**
   * Follows what the items of one list say of each other, once all of them are prepared. Throws
   * Fault, with pointers relative to the item.
   */
  link?(ready: Ready, item: Item, references: References): Ready
  /** How many of them are not there yet. Default: all. */
  countNew?(orgId: OrgId, ready: readonly Ready[]): number
  /** Writes the prepared records. Throws Fault, with pointers below `pointer`, that of the list. */
  put(tx: Tx, orgId: OrgId, ready: readonly Ready[], pointer: string): void
  /** Work that begins once everything is on disk. */
  start?(ready: readonly Ready[]): Promise<void>
  /** How an import changes what a former one made. */
  readonly again: Again<Ready, Rec>
}

/** An object that an import made, or found. */
export interface StoredObject {
  readonly id: string
  readonly name: string
  readonly revision: number
}

export interface Again<Ready = unknown, Rec extends StoredObject = StoredObject> {
  /** The object; undefined if it is gone or damaged. */
  find(orgId: OrgId, id: string): Rec | undefined
  /** Fields that cannot be changed: an item that differs in one is another thing, and created anew. */
  readonly fixed?: readonly string[]
  /**
   * What the object becomes: `ready`, the prepared item, has its id. The fields are those of the item
   * that changed there; the others stay as they are here. Throws Fault.
   */
  merged(stored: Rec, ready: Ready, fields: ReadonlySet<string>): Ready
  /** The prepared form of a stored record, where it has another one. */
  former?(record: object): Ready
  /** Writes it, with its audit entry. Returns what follows once it is on disk. Throws Fault. */
  replace(
    tx: Tx,
    scope: OrgScope,
    stored: Rec,
    merged: Ready,
    fields: readonly string[],
  ): (() => void) | undefined
}

/** The record with what another one has for these fields of an item. `names`: where they are called otherwise. */
export function withFields<Rec extends object>(
  stored: Rec,
  other: Rec,
  fields: ReadonlySet<string>,
  names: Readonly<Record<string, readonly string[]>> = {},
): Rec {
  const taken = new Set([...fields].flatMap((field) => names[field] ?? [field]))
  const values = Object.entries(other).filter(([name]) => taken.has(name))
  return { ...stored, ...Object.fromEntries(values) }
}

/** In the order of the document: an item refers to items of the lists before its own, or by `link`. */
export type Portables = Readonly<Record<ExportedName, Portable>>

/** Maps the ids of the document to those of the new records. */
export interface References {
  /** The shadow run that new monitors begin; null: people hear of them at once. */
  readonly shadow: ShadowRun | null
  /** Returns the record. Throws if the document uses the id twice. */
  note<Rec extends { readonly id: string }>(id: string | undefined, record: Rec): Rec
  /** The same record with more in it. */
  noteAgain<Rec extends { readonly id: string }>(record: Rec): Rec
  /** The record with this new id; undefined if its item was refused. */
  noted(id: string): object | undefined
  /** Whether no item of the document has asked for this before: some things only one can have. */
  isFirst(what: string): boolean
  /** The new ids of what a field refers to. Throws with every one that the document lacks. */
  referred<Kind extends IdKind>(kind: Kind, ids: readonly string[], pointer: string): Id<Kind>[]
  /** Pointers, relative to the item, to the secrets that its export omitted. */
  omittedFrom(item: object): readonly string[]
  /** Notes that a monitor is paused until its secrets are set. */
  notePaused(paused: PausedImport): void
  /** Notes that a channel is switched off until its secrets are entered. */
  noteAwaiting(awaiting: AwaitingImport): void
  /** Notes that a secret has no value until somebody gives it. */
  noteValueless(secret: ValuelessImport): void
}

/** A monitor that was active and cannot be without its secrets. */
export interface PausedImport {
  readonly id: MonitorId
  /** Pointers, relative to the item. */
  readonly secrets: readonly string[]
}

/** A secret of which checks have nothing to send. */
export interface ValuelessImport {
  readonly id: SecretId
  readonly name: string
}

/** A channel that is switched off until its secrets are entered. */
export interface AwaitingImport {
  readonly id: ChannelId
  readonly name: string
  /** Pointers, relative to the item. */
  readonly secrets: readonly string[]
}
