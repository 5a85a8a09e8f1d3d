// Portability: exports an organization's configuration as one document, and imports it.

import { required } from '../../base/assert.ts'
import { type FieldProblem, invalidField, refuseInvalid } from '../../base/fault.ts'
import { type Id, type IdKind, idPrefixes, type OrgId } from '../../base/ids.ts'
import {
  type ExportedName,
  type ExportedNoun,
  exportedNames,
  nounOfList,
  recordOf,
} from '../../base/nouns.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { createSharedTurns } from '../../base/waiting/shared-turns.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import { nounCounts } from '../../store/nouns.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { createProblems } from '../monitors/part-problems.ts'
import {
  type AwaitingImport,
  documentFormat,
  type ImportedDocument,
  type PausedImport,
  type Portable,
  type PortableDocument,
  type Portables,
  type References,
  type ValuelessImport,
} from '../portable.ts'
import { createItemOrigins, withoutOrigin } from './item-origins.ts'

/** What the shape of a document was checked for, and with. */
export interface DocumentShape {
  /** Problems found outside the items. */
  readonly problems: readonly FieldProblem[]
  /** Validates the shape of one item, and fills in defaults. */
  readonly problemsOfItem: (name: ExportedName, item: object) => readonly FieldProblem[]
}

export type ImportResult = Readonly<Record<ExportedName, number>> & {
  /** The new id of each thing that had one in the document. */
  readonly ids: Readonly<Record<string, string>>
  /** What the document has as active, and was paused because secrets are missing. */
  readonly paused: readonly PausedImport[]
  /** Channels that are switched off because their secrets are missing. */
  readonly awaitingSecrets: readonly AwaitingImport[]
  /** Secrets that have no value yet. */
  readonly awaitingValues: readonly ValuelessImport[]
}

export interface PortabilityDeps {
  /** The lists in the order of the document. */
  readonly portables: Partial<Portables>
  readonly mustBeApproved: (orgId: OrgId) => void
}

/** How far an import is, or its trial. */
export interface ImportProgress {
  readonly doneItems: number
  readonly totalItems: number
}

interface DocumentPart {
  readonly name: ExportedName
  readonly noun: ExportedNoun
  readonly portable: Portable
}

/** How many more objects of a noun a document would bring. */
interface RoomAsked {
  readonly noun: ExportedNoun
  readonly more: number
}

interface PreparedPart extends DocumentPart {
  readonly items: readonly unknown[]
}

export function createPortability(core: Core, deps: PortabilityDeps) {
  const { store, clock, audit, quotas } = core
  const parts = partsOf(deps.portables)
  const running = new Map<OrgId, ImportProgress>()

  function mustHaveRoom(orgId: OrgId, lists: readonly RoomAsked[]) {
    deps.mustBeApproved(orgId)
    for (const { noun, more } of lists) {
      quotas.mustHaveRoom(orgId, noun, nounCounts[noun](store, orgId), more)
    }
  }

  /** Validates every item like a creation. Throws one Fault with all problems found. */
  async function prepare(
    orgId: OrgId,
    document: ImportedDocument,
    references: ReturnType<typeof createReferences>,
    shape: DocumentShape | undefined,
  ) {
    const problems = createProblems(clock, shape?.problems)
    const lengths = parts.map(({ name }) => document[name]?.length ?? 0)
    const progress = { doneItems: 0, totalItems: lengths.reduce((sum, one) => sum + one, 0) }
    running.set(orgId, progress)
    const origins = createItemOrigins(document.source)
    const prepared: PreparedPart[] = []
    // While nothing was refused, the prepared parts are the parts of the document, in its order.
    const linked = async ({ name, portable }: DocumentPart, ready: readonly unknown[]) => {
      const items = document[name] ?? []
      const { link } = portable
      if (!link) return ready
      const pairs = ready.map((one, index) => ({ one, item: items[index] ?? {} }))
      return problems.ofMany(`/${name}`, pairs, ({ one, item }) => link(one, item, references))
    }
    for (const part of parts) {
      const { name, portable } = part
      const items = await problems.ofMany(`/${name}`, document[name] ?? [], (item) => {
        progress.doneItems += 1
        try {
          refuseInvalid(shape?.problemsOfItem(name, item) ?? [])
          origins.of(name, item)
          return portable.prepare(references.plain(item), orgId, references)
        } catch (error) {
          references.refused(item)
          throw error
        }
      })
      prepared.push({ ...part, items: problems.areNone() ? await linked(part, items) : items })
    }
    problems.throwAny()
    return prepared
  }

  async function examined(
    orgId: OrgId,
    document: ImportedDocument,
    shape: DocumentShape | undefined,
  ) {
    const asked = parts.map(({ name, noun }) => ({ noun, more: document[name]?.length ?? 0 }))
    // A document that exceeds the quota in any case is not examined further.
    const most = quotas.of(orgId)
    if (asked.some(({ noun, more }) => more > most[noun])) mustHaveRoom(orgId, asked)
    const references = createReferences(document)
    return { references, prepared: await prepare(orgId, document, references, shape) }
  }

  type Examined = Awaited<ReturnType<typeof examined>>

  function write(
    tx: Tx,
    scope: OrgScope,
    document: ImportedDocument,
    { prepared, references }: Examined,
  ): ImportResult {
    const { orgId } = scope
    const added = prepared.map(({ noun, portable, items }) => ({
      noun,
      more: portable.countNew?.(orgId, items) ?? items.length,
    }))
    mustHaveRoom(orgId, added)
    for (const { name, portable, items } of prepared) {
      portable.put(tx, orgId, items, `/${name}`)
    }
    const detail = prepared.map(({ noun, items }) => `${noun} ${items.length}`).join(', ')
    audit.note(tx, scope, { action: 'organization.imported', objectId: null, detail })
    return {
      ...recordOf(exportedNames, (name) => document[name]?.length ?? 0),
      ids: Object.fromEntries(references.ids),
      paused: references.paused,
      awaitingSecrets: references.awaiting,
      awaitingValues: references.valueless,
    }
  }

  async function documentOf(orgId: OrgId): Promise<PortableDocument> {
    const lists = new Map<ExportedName, readonly object[]>()
    const secretsOmitted: string[] = []
    const maybeSecret: string[] = []
    const picturesOmitted: string[] = []
    for (const { name, portable } of parts) {
      const exported = await portable.export(orgId)
      lists.set(
        name,
        exported.map(({ item }) => item),
      )
      for (const [index, one] of exported.entries()) {
        const within = (pointer: string) => `/${name}/${index}${pointer}`
        secretsOmitted.push(...one.secrets.map(within))
        maybeSecret.push(...(one.maybeSecret ?? []).map(within))
        picturesOmitted.push(...(one.picturesOmitted ?? []).map(within))
      }
    }
    const org = store.orgs.get(orgId)
    return {
      format: documentFormat,
      organization: { name: org?.name ?? '', ...localeOf(org) },
      exportedAtMs: clock.nowMs(),
      secretsOmitted,
      maybeSecret,
      picturesOmitted,
      ...recordOf(exportedNames, (name) => lists.get(name) ?? []),
    }
  }

  const takeTurn = createSharedTurns(documentOf)

  return {
    /**
     * Everything except secrets, which the document lists, as it does what may hold some. Yields to other
     * work; callers who ask meanwhile share a document.
     */
    async export(scope: OrgScope): Promise<PortableDocument> {
      await store.write((tx) =>
        audit.note(tx, scope, { action: 'organization.exported', objectId: null }),
      )
      return takeTurn(scope.orgId)
    },

    /**
     * Creates everything, in addition to existing objects, or nothing. Throws, with pointers into
     * the document, validation_failed, target_not_allowed, slug_taken, subdomain_taken, conflict
     * (quota). `shape`: unless the document was validated before.
     */
    async import(
      scope: OrgScope,
      document: ImportedDocument,
      shape?: DocumentShape,
    ): Promise<ImportResult> {
      try {
        const found = await examined(scope.orgId, document, shape)
        const imported = await store.write((tx) => write(tx, scope, document, found))
        for (const { portable, items } of found.prepared) await portable.start?.(items)
        return imported
      } finally {
        running.delete(scope.orgId)
      }
    },

    /** How far the examination of the present import or trial is; null without one. */
    progress: ({ orgId }: OrgScope): ImportProgress | null => running.get(orgId) ?? null,

    /** What an import would do or throw. Nothing is kept: the new ids are not valid. */
    async tryImport(
      scope: OrgScope,
      document: ImportedDocument,
      shape?: DocumentShape,
    ): Promise<ImportResult> {
      let imported: ImportResult | undefined
      const rolledBack = new Error('a trial is rolled back')
      try {
        const found = await examined(scope.orgId, document, shape)
        await store.write((tx) => {
          imported = write(tx, scope, document, found)
          throw rolledBack
        })
      } catch (error) {
        if (error !== rolledBack) throw error
      } finally {
        running.delete(scope.orgId)
      }
      return required(imported, 'what the trial has imported')
    },
  }
}

function partsOf(portables: Partial<Portables>): readonly DocumentPart[] {
  // Object.entries loses the type of the names.
  const entries = Object.entries(portables) as [ExportedName, Portable][]
  return entries.map(([name, portable]) => ({ name, noun: nounOfList(name), portable }))
}

function createReferences(document: ImportedDocument) {
  const ids = new Map<string, string>()
  const records = new Map<string, object>()
  const paused: PausedImport[] = []
  const awaiting: AwaitingImport[] = []
  const valueless: ValuelessImport[] = []
  const omitted = omittedSecrets(document)
  const references: References = {
    omittedFrom: (item) => omitted.get(item) ?? [],
    notePaused: (one) => void paused.push(one),
    noteAwaiting: (one) => void awaiting.push(one),
    noteValueless: (one) => void valueless.push(one),
    note(id, record) {
      if (id === undefined) return record
      if (ids.has(id)) throw invalidField('/id', 'uniqueItems', 'is in the document twice')
      ids.set(id, record.id)
      records.set(record.id, record)
      return record
    },
    noteAgain(record) {
      records.set(record.id, record)
      return record
    },
    noted: (id) => records.get(id),
    referred(kind, named, pointer) {
      const found = named.map((id) => ids.get(id))
      const known = found.filter((id) => id !== undefined && isOfKind(kind, id))
      const missing = found.flatMap((id, index) => {
        if (id !== undefined && isOfKind(kind, id)) return []
        const message = 'is not in the document'
        return [{ pointer: `${pointer}/${index}`, keyword: 'reference', message }]
      })
      refuseInvalid(missing)
      return known
    },
  }
  return {
    ids,
    paused,
    awaiting,
    valueless,
    ...references,
    /** The item without its origin. */
    plain(item: object): object {
      const plain = withoutOrigin(item)
      const secrets = omitted.get(item)
      if (secrets) omitted.set(plain, secrets)
      return plain
    },
    /** Records the item's id although the item has a problem: references to it are right. */
    refused(item: unknown): void {
      const id = isRecord(item) ? item.id : undefined
      if (typeof id === 'string' && !ids.has(id)) ids.set(id, id)
    },
  }
}

/** The omitted secrets by item. A pointer to anything else is ignored: people edit documents. */
function omittedSecrets(document: ImportedDocument): Map<object, readonly string[]> {
  const found = new Map<object, Set<string>>()
  for (const pointer of document.secretsOmitted ?? []) {
    const [, name = '', index = '', ...rest] = pointer.split('/')
    const item = exportedNames.some((one) => one === name)
      ? document[name as ExportedName]?.[Number(index)]
      : undefined
    if (!item) continue
    const secrets = found.get(item) ?? new Set()
    if (secrets.size < limits.secretsOmittedOfItem) secrets.add(`/${rest.join('/')}`)
    found.set(item, secrets)
  }
  return new Map([...found].map(([item, secrets]) => [item, [...secrets]]))
}

function isOfKind<Kind extends IdKind>(kind: Kind, id: string): id is Id<Kind> {
  return id.startsWith(`${idPrefixes[kind]}_`)
}
