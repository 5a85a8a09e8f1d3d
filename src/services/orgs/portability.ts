// Portability: exports an organization's configuration as one document, and imports it.

import { required } from '../../base/assert.ts'
import { Fault, type FieldProblem, invalidField, refuseInvalid } from '../../base/fault.ts'
import {
  type Id,
  type IdKind,
  type ImportId,
  idPrefixes,
  newId,
  type OrgId,
} from '../../base/ids.ts'
import {
  type ExportedName,
  type ExportedNoun,
  exportedNames,
  nounOfList,
  recordOf,
} from '../../base/nouns.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { createSharedTurns } from '../../base/waiting/shared-turns.ts'
import { createYielder } from '../../base/yielding.ts'
import { type ImportStep, type PlanLine, planActions } from '../../domain/imports/import-record.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { FieldHash } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import { nounCounts } from '../../store/nouns.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { at, createProblems } from '../monitors/part-problems.ts'
import {
  type AwaitingImport,
  documentFormat,
  type ImportedDocument,
  type PausedImport,
  type Portable,
  type PortableDocument,
  type Portables,
  type References,
  type StoredObject,
  type ValuelessImport,
  type WithId,
} from '../portable.ts'
import {
  type FormerItems,
  type FormerOptions,
  type ItemDecision,
  readFormerItems,
} from './former-items.ts'
import { createImportRecords } from './imports/import-records.ts'
import { withoutRefused } from './imports/without-refused.ts'

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
  /** What was done with each item, in the order of the document, and what it has no more. */
  readonly plan: readonly PlanLine[]
  /** The record of the import; that of a trial is not there. */
  readonly importId: ImportId
}

export interface PortabilityDeps {
  /** The lists in the order of the document. */
  readonly portables: Partial<Portables>
  readonly mustBeApproved: (orgId: OrgId) => void
  readonly hashOf: FieldHash
  /** Returns the hashes of those that are new. */
  readonly keepPingKeys: (
    tx: Tx,
    orgId: OrgId,
    keys: readonly string[] | undefined,
  ) => readonly string[]
}

/** How a document is imported. */
export interface ImportOptions extends FormerOptions {
  /** Checks the shape, unless the document was validated before. */
  readonly shape?: DocumentShape | undefined
  /** Does without the items that are refused. */
  readonly leavesOut?: boolean | undefined
  /** Ends the examination: nothing is changed then. */
  readonly signal?: AbortSignal | undefined
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

/** An item with what is to be done with it. */
interface PreparedItem {
  readonly index: number
  readonly name: string
  readonly ref: string | null
  readonly decision: ItemDecision
  /** The new record, or the changed one; undefined if nothing is written. */
  readonly ready: unknown
  /** The object that it becomes; undefined if it was deleted. */
  readonly id: string | undefined
}

interface PreparedPart extends DocumentPart {
  readonly items: readonly PreparedItem[]
}

/** How often a document is tried: of some rules a refusal names one item, and leaving it out may bring others. */
const lessenedRoundsMax = 30

/** What items of other products became: of all imports of an organization. */
const importOriginsMax = 100_000

export function createPortability(core: Core, deps: PortabilityDeps) {
  const { store, clock, audit, quotas } = core
  const records = createImportRecords(core)
  const parts = partsOf(deps.portables)
  const running = new Map<OrgId, ImportProgress>()

  function mustHaveRoom(orgId: OrgId, lists: readonly RoomAsked[]) {
    deps.mustBeApproved(orgId)
    for (const { noun, more } of lists) {
      quotas.mustHaveRoom(orgId, noun, nounCounts[noun](store, orgId), more)
    }
  }

  function begun(orgId: OrgId, document: ImportedDocument) {
    const lengths = parts.map(({ name }) => document[name]?.length ?? 0)
    const progress = { doneItems: 0, totalItems: lengths.reduce((sum, one) => sum + one, 0) }
    running.set(orgId, progress)
    return progress
  }

  /** Validates every item like a creation. Throws one Fault with all problems found. */
  async function prepare(
    orgId: OrgId,
    document: ImportedDocument,
    { references, former }: ImportExamination,
    { shape, leavesOut, signal }: ImportOptions,
  ) {
    // What is left out is found in few rounds, each of which examines everything.
    const most = leavesOut ? limits.importMonitorsMax : limits.fieldProblemsMax
    const problems = createProblems(clock, shape?.problems, most)
    const progress = begun(orgId, document)
    const prepared: PreparedPart[] = []

    function preparedItem(
      { name, portable }: DocumentPart,
      item: object,
      index: number,
    ): PreparedItem {
      refuseInvalid(shape?.problemsOfItem(name, item) ?? [])
      const decision = former.decide(name, item)
      const { action, stored, origin } = decision
      const plain = references.plain(item, decision.plain)
      const { id: ref, name: named } = plain
      const own = { index, name: String(named ?? origin ?? ''), ref: ref ?? null, decision }
      if (action === 'deletedHere') return { ...own, ready: undefined, id: undefined }
      if (action === 'keep' && stored) {
        references.note(ref, stored)
        return { ...own, ready: undefined, id: stored.id }
      }
      const { ready, id } = references.with(stored?.id, (view) =>
        portable.prepare(plain, orgId, view),
      )
      return { ...own, ready, id }
    }

    // While nothing was refused, the prepared parts are the parts of the document, in its order.
    function linked({ portable }: DocumentPart, one: PreparedItem): PreparedItem {
      const { ready, decision } = one
      if (ready === undefined) return one
      const { plain, stored, differing } = decision
      const whole = portable.link ? portable.link(ready, plain, references) : ready
      if (!stored) return { ...one, ready: whole }
      return { ...one, ready: portable.again.merged(stored, whole, differing) }
    }

    for (const part of parts) {
      const { name } = part
      const indexed = (document[name] ?? []).map((item, index) => ({ item, index }))
      const make = ({ item, index }: { item: object; index: number }) => {
        progress.doneItems += 1
        try {
          return preparedItem(part, item, index)
        } catch (error) {
          references.refused(item)
          throw error
        }
      }
      const items = await problems.ofMany(`/${name}`, indexed, make, signal)
      const ready = problems.areNone()
        ? await problems.ofMany(`/${name}`, items, (one) => linked(part, one), signal)
        : items
      prepared.push({ ...part, items: ready })
    }
    problems.throwAny()
    return prepared
  }

  async function examined(
    orgId: OrgId,
    document: ImportedDocument,
    options: ImportOptions,
  ): Promise<Examined> {
    begun(orgId, document)
    const againOf = (list: ExportedName) => deps.portables[list]?.again
    const lists = parts.map(({ name }) => name)
    const formerDeps = { hashOf: deps.hashOf, againOf }
    const former = await readFormerItems(core, formerDeps, orgId, document, lists, options)
    const asked = parts.map(({ name, noun }) => {
      const items = document[name] ?? []
      return { noun, more: items.length - items.filter(former.isKnown).length }
    })
    // A document that exceeds the quota in any case is not examined further.
    const most = quotas.of(orgId)
    if (asked.some(({ noun, more }) => more > most[noun])) mustHaveRoom(orgId, asked)
    const references = createReferences(document, former.refs)
    const examination = { references, former }
    const prepared = await prepare(orgId, document, examination, options)
    return { ...examination, prepared, followUps: [] }
  }

  /** Changes an object. One that changed since it was examined is merged again. */
  function change(
    tx: Tx,
    scope: OrgScope,
    { name, portable: { again } }: DocumentPart,
    { index, ready, decision }: PreparedItem,
  ) {
    const { stored, differing } = decision
    const now = stored && again.find(scope.orgId, stored.id)
    if (!stored || !now) {
      throw new Fault('conflict', 'What the import changes was deleted meanwhile; import it again.')
    }
    const merged = now.revision === stored.revision ? ready : again.merged(now, ready, differing)
    const follow = at(`/${name}/${index}`, () =>
      again.replace(tx, scope, now, merged, [...differing].toSorted()),
    )
    return { before: { ...now }, follow }
  }

  /** Writes one list. Returns its part of the plan, and what follows once it is on disk. */
  function writePart(
    tx: Tx,
    scope: OrgScope,
    part: PreparedPart,
    { source, former, importId }: ImportWriting,
  ) {
    const { orgId } = scope
    const { name: list, portable, items } = part
    const { again } = portable
    const created = items.filter(({ decision }) => decision.action === 'create')
    // One that has the place of another, by its name, was there before.
    const isThere = new Set(
      created.filter(({ id }) => id !== undefined && again.find(orgId, id) !== undefined),
    )
    const ready = created.map((one) => one.ready)
    // Its own indices are those of the items that are created.
    const indexOf = (index: string) => String(created[Number(index)]?.index ?? index)
    withIndices(indexOf, () => portable.put(tx, orgId, ready, `/${list}`))
    const followUps: (() => void)[] = []
    const steps = items.map((one): ImportStep => {
      const { name, ref, decision, id = null } = one
      const { action, origin = null, differing, fields } = decision
      const changed = action === 'change' ? change(tx, scope, part, one) : undefined
      if (changed?.follow) followUps.push(changed.follow)
      const isWritten = action === 'create' || action === 'change'
      const place = source && origin !== null ? { orgId, source, list, origin } : undefined
      const former = place && store.importOrigins.get(place)
      if (place && id !== null && isWritten) {
        const by = { importId: (changed && former?.importId) ?? importId }
        store.importOrigins.put(tx, { ...place, name, id, ref, fields, ...by })
      }
      const done = isThere.has(one) ? 'keep' : action
      const line = { list, name, origin, action: done, id, fields: [...differing].toSorted() }
      if (!changed) return { line, ...(former && isWritten ? { former } : {}) }
      const { before } = changed
      return { line, before, revision: before.revision + 1, ...(former ? { former } : {}) }
    })
    const gone = former.goneThere(list).map(({ name, origin, id }): ImportStep => {
      return { line: { list, name, origin, action: 'goneThere', id, fields: [] } }
    })
    return { steps: [...steps, ...gone], followUps }
  }

  function write(
    tx: Tx,
    scope: OrgScope,
    { source, keptPingKeys }: ImportedDocument,
    { prepared, references, former, followUps }: Examined,
    leftOut: readonly PlanLine[],
  ): ImportResult {
    const { orgId } = scope
    const added = prepared.map(({ noun, portable, items }) => {
      const created = items.filter(({ decision }) => decision.action === 'create')
      const ready = created.map((one) => one.ready)
      return { noun, more: portable.countNew?.(orgId, ready) ?? ready.length }
    })
    mustHaveRoom(orgId, added)
    const importId = newId('import', clock.nowMs())
    const written = prepared.map((part) => writePart(tx, scope, part, { source, former, importId }))
    const mostOrigins = importOriginsMax + 1
    if (source && store.importOrigins.count(orgId, mostOrigins) === mostOrigins) {
      throw new Fault(
        'conflict',
        `An organization remembers at most ${importOriginsMax} imported items.`,
      )
    }
    const placeOf = ({ list, origin }: PlanLine) => `${list}/${origin}`
    const refused = new Set(leftOut.map(placeOf))
    const isThere = ({ line }: ImportStep) =>
      line.action !== 'goneThere' || !refused.has(placeOf(line))
    const steps = [
      ...written.flatMap((one) => one.steps).filter(isThere),
      ...leftOut.map((line) => ({ line })),
    ]
    const plan = steps.map(({ line }) => line)
    followUps.push(...written.flatMap((one) => one.followUps))
    const ofAction = (action: PlanLine['action']) => plan.filter((line) => line.action === action)
    const pingKeyHashes = deps.keepPingKeys(tx, orgId, keptPingKeys)
    const counts = recordOf(planActions, (action) => ofAction(action).length)
    const asked = added.map(({ noun, more }) => `${noun} ${more}`)
    const changed = counts.change > 0 ? [`changed ${counts.change}`] : []
    const detail = [...asked, ...changed].join(', ')
    audit.note(tx, scope, { action: 'organization.imported', objectId: null, detail })
    const brought = pingKeyHashes.length > 0 ? { pingKeyHashes } : {}
    const record = { id: importId, source: source ?? null, counts, ...brought }
    records.add(tx, scope, record, steps)
    return {
      ...recordOf(exportedNames, (name) => {
        const part = prepared.find((one) => one.name === name)
        return part?.items.filter(({ decision }) => decision.action === 'create').length ?? 0
      }),
      ids: Object.fromEntries(references.ids),
      paused: references.paused,
      awaitingSecrets: references.awaiting,
      awaitingValues: references.valueless,
      plan,
      importId,
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

  /** The work on the document, again without what is refused, if that is asked for. */
  async function lessening<Result>(
    whole: ImportedDocument,
    { leavesOut = false }: ImportOptions,
    work: (document: ImportedDocument, leftOut: readonly PlanLine[]) => Promise<Result>,
  ): Promise<Result> {
    let document = whole
    let leftOut: readonly PlanLine[] = []
    for (let rounds = 1; ; rounds += 1) {
      try {
        return await work(document, leftOut)
      } catch (error) {
        const mayBeLess = leavesOut && rounds < lessenedRoundsMax
        const lessened = mayBeLess ? withoutRefused(document, error) : undefined
        if (!lessened) throw withFewer(error)
        document = lessened.document
        leftOut = [...leftOut, ...lessened.lines]
      }
    }
  }

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
     * Creates everything, in addition to existing objects, and changes what former imports made of the same
     * items, or does nothing. Throws, with pointers into the document, validation_failed,
     * target_not_allowed, slug_taken, subdomain_taken, conflict (quota).
     */
    async import(
      scope: OrgScope,
      document: ImportedDocument,
      options: ImportOptions = {},
    ): Promise<ImportResult> {
      try {
        const [found, imported] = await lessening(document, options, async (less, leftOut) => {
          const found = await examined(scope.orgId, less, options)
          return [found, await store.write((tx) => write(tx, scope, less, found, leftOut))] as const
        })
        for (const { portable, items } of found.prepared) {
          const created = items.filter(({ decision }) => decision.action === 'create')
          await portable.start?.(created.map(({ ready }) => ready))
        }
        const yielder = createYielder(clock, limits.turnMs)
        for (const follow of found.followUps) {
          follow()
          if (yielder.isDue()) await yielder.pause()
        }
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
      options: ImportOptions = {},
    ): Promise<ImportResult> {
      let imported: ImportResult | undefined
      const rolledBack = new Error('a trial is rolled back')
      try {
        await lessening(document, options, async (less, leftOut) => {
          const found = await examined(scope.orgId, less, options)
          await store.write((tx) => {
            imported = write(tx, scope, less, found, leftOut)
            throw rolledBack
          })
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

/** A refusal names no more problems than others do. */
function withFewer(error: unknown): unknown {
  if (!(error instanceof Fault) || error.errors.length <= limits.fieldProblemsMax) return error
  const { code, message, headers } = error
  return new Fault(code, message, {
    headers,
    errors: error.errors.slice(0, limits.fieldProblemsMax),
  })
}

/** Runs the work; the pointers of a Fault from it get the index that an item has in the document. */
function withIndices(indexOf: (index: string) => string, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, message, headers } = error
    const errors = error.errors.map((one) => {
      const [root, list, index, ...rest] = one.pointer.split('/')
      return { ...one, pointer: [root, list, indexOf(index ?? ''), ...rest].join('/') }
    })
    throw new Fault(code, message, { errors, headers })
  }
}

interface ImportWriting {
  readonly source: ImportedDocument['source']
  readonly former: FormerItems
  readonly importId: ImportId
}

interface ImportExamination {
  readonly references: ReturnType<typeof createReferences>
  readonly former: FormerItems
}

interface Examined extends ImportExamination {
  readonly prepared: readonly PreparedPart[]
  /** What follows once everything is on disk. */
  readonly followUps: (() => void)[]
}

/** `refs`: what ids stand for that are in former documents only. */
function createReferences(document: ImportedDocument, refs: ReadonlyMap<string, StoredObject>) {
  const ids = new Map<string, string>()
  const records = new Map<string, object>()
  const paused: PausedImport[] = []
  const awaiting: AwaitingImport[] = []
  const valueless: ValuelessImport[] = []
  const omitted = omittedSecrets(document)
  const formerRecords = new Map([...refs.values()].map((one) => [one.id, one]))
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
    noted: (id) => records.get(id) ?? formerRecords.get(id),
    referred(kind, named, pointer) {
      const found = named.map((id) => ids.get(id) ?? refs.get(id)?.id)
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
    /** The secrets that the export of an item omitted are known of its plain form, too. */
    plain(item: object, plain: object): object & WithId & { readonly name?: unknown } {
      const secrets = omitted.get(item)
      if (secrets) omitted.set(plain, secrets)
      return plain
    },
    /** Runs `make`, whose record gets the id of an object that is there, and returns its id, too. */
    with<Made>(storedId: string | undefined, make: (view: References) => Made) {
      let noted: string | undefined
      const view: References = {
        ...references,
        note(id, record) {
          const own = storedId === undefined ? record : { ...record, id: storedId }
          noted = own.id
          return references.note(id, own)
        },
      }
      const ready = make(view)
      return { ready, id: noted }
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
