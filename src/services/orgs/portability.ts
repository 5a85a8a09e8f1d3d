// Portability: exports an organization's configuration as one document, and imports it.

import { Fault, type FieldProblem, invalidField, refuseInvalid } from '../../base/fault.ts'
import {
  type Id,
  type IdKind,
  type ImportId,
  idPrefixes,
  newId,
  type OrgId,
} from '../../base/ids.ts'
import { type ExportedName, exportedNames, nounOfList, recordOf } from '../../base/nouns.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { createSharedTurns } from '../../base/waiting/shared-turns.ts'
import { createYielder } from '../../base/yielding.ts'
import type { PlanLine } from '../../domain/imports/import-record.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { ShadowRun } from '../../domain/monitors/shadow.ts'
import { noSubscribers, type SubscribersOfImport } from '../../domain/subscribers/consented.ts'
import type { FieldHash } from '../../seal/tokens.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { createProblems } from '../monitors/part-problems.ts'
import {
  type AwaitingImport,
  documentFormat,
  type ImportedDocument,
  type OmittedWindow,
  type PausedImport,
  type Portable,
  type PortableDocument,
  type Portables,
  type References,
  type StoredObject,
  type ValuelessImport,
  type WithId,
} from '../portable.ts'
import { type FormerItems, type FormerOptions, readFormerItems } from './imports/former-items.ts'
import type { ImportTurns } from './imports/import-turns.ts'
import {
  createImportWriting,
  type DocumentPart,
  type ImportToWrite,
  type ImportWritingDeps,
  type PreparedItem,
  type PreparedPart,
  type WrittenImport,
} from './imports/import-writing.ts'
import { withKnownSource } from './imports/known-source.ts'
import { type Lessened, withoutRefused } from './imports/without-refused.ts'

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
  /** What became of the subscribers that pages carry. */
  readonly subscribers: SubscribersOfImport
}

export interface PortabilityDeps extends ImportWritingDeps {
  /** The lists in the order of the document. */
  readonly portables: Partial<Portables>
  readonly hashOf: FieldHash
  readonly turns: ImportTurns
}

/** How a document is imported. */
export interface ImportOptions extends FormerOptions {
  /** Checks the shape, unless the document was validated before. */
  readonly shape?: DocumentShape | undefined
  /** The monitors that it makes are watched, and tell nobody before they go live. */
  readonly isShadow?: boolean | undefined
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

/** How often a document is tried: of some rules a refusal names one item, and leaving it out may bring others. */
const lessenedRoundsMax = 30

export type Portability = ReturnType<typeof createPortability>

export function createPortability(core: Core, deps: PortabilityDeps) {
  const { store, clock, audit, quotas } = core
  const writing = createImportWriting(core, deps)
  const parts = partsOf(deps.portables)
  const running = new Map<OrgId, ImportProgress>()

  const itemsIn = (document: ImportedDocument) =>
    parts.reduce((sum, { name }) => sum + (document[name]?.length ?? 0), 0)

  /** Some documents are examined several times: it does not go back. */
  function noteProgress(orgId: OrgId, looked: number): void {
    const { doneItems = 0, totalItems = 0 } = running.get(orgId) ?? {}
    running.set(orgId, { doneItems: Math.max(doneItems, looked), totalItems })
  }

  /** Validates every item like a creation. Throws one Fault with all problems found. */
  async function prepare(
    orgId: OrgId,
    { document, leftOut, reasons }: Lessened,
    { references, former }: ImportExamination,
    { shape, leavesOut, signal }: ImportOptions,
  ) {
    // What is left out is found in few rounds, each of which examines everything.
    const most = leavesOut ? limits.importMonitorsMax : limits.fieldProblemsMax
    const problems = createProblems(clock, shape?.problems, most)
    const prepared: PreparedPart[] = []
    let looked = leftOut.length

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
      const called = String(named ?? origin ?? '')
      const own = { index, name: called, ref: ref ?? null, decision, reason: reasons.get(item) }
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
        looked += 1
        noteProgress(orgId, looked)
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

  async function examined(orgId: OrgId, less: Lessened, options: ImportOptions): Promise<Examined> {
    const { document, leftOut } = less
    const againOf = (list: ExportedName) => deps.portables[list]?.again
    const lists = parts.map(({ name }) => name)
    const formerDeps = { hashOf: deps.hashOf, againOf }
    const former = await readFormerItems(core, formerDeps, orgId, document, lists, options)
    const asked = parts.map(({ name, noun }) => {
      const items = document[name] ?? []
      return { noun, more: items.length - items.filter(former.isKnown).length }
    })
    // A document that exceeds the quota in any case is not examined further, unless what fits is taken.
    const most = quotas.of(orgId)
    const isBeyond = asked.some(({ noun, more }) => more > most[noun])
    if (isBeyond && !options.leavesOut) writing.mustHaveRoom(orgId, asked)
    const importId = newId('import', clock.nowMs())
    const run = { importId, sinceMs: clock.nowMs(), liveAtMs: null }
    const shadow = options.isShadow ? run : null
    const references = createReferences(document, former.refs, shadow)
    const examination = { references, former }
    const prepared = await prepare(orgId, less, examination, options)
    const gone = (await former.goneThere()).map(({ list, name, origin, id }): PlanLine => {
      return { list, name, origin, action: 'goneThere', id, fields: [] }
    })
    const found = { importId, shadow, document, references, prepared, gone, leftOut }
    if (options.leavesOut) writing.refuseBeyondQuotas(orgId, found)
    return found
  }

  async function documentOf(orgId: OrgId): Promise<PortableDocument> {
    const lists = new Map<ExportedName, readonly object[]>()
    const secretsOmitted: string[] = []
    const maybeSecret: string[] = []
    const picturesOmitted: string[] = []
    const windowsOmitted: OmittedWindow[] = []
    for (const { name, portable } of parts) {
      const exported = await portable.export(orgId)
      windowsOmitted.push(...(portable.omitted?.(orgId) ?? []))
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
      tagColors: org?.tagColors ?? [],
      exportedAtMs: clock.nowMs(),
      secretsOmitted,
      maybeSecret,
      picturesOmitted,
      windowsOmitted,
      ...recordOf(exportedNames, (name) => lists.get(name) ?? []),
    }
  }

  const takeTurn = createSharedTurns(documentOf)

  async function inTurn<Result>(
    { orgId }: OrgScope,
    given: ImportedDocument,
    work: (document: ImportedDocument) => Promise<Result>,
  ): Promise<Result> {
    return deps.turns.alone(orgId, async () => {
      const document = withKnownSource({ store }, deps.hashOf, { orgId }, given)
      running.set(orgId, { doneItems: 0, totalItems: itemsIn(document) })
      try {
        return await work(document)
      } finally {
        running.delete(orgId)
      }
    })
  }

  /** The work on the document, again without what is refused, if that is asked for. */
  async function lessening<Result>(
    whole: ImportedDocument,
    { leavesOut = false }: ImportOptions,
    work: (less: Lessened) => Promise<Result>,
  ): Promise<Result> {
    let less: Lessened = { document: whole, leftOut: [], reasons: new Map() }
    for (let rounds = 1; ; rounds += 1) {
      try {
        return await work(less)
      } catch (error) {
        const mayBeLess = leavesOut && rounds < lessenedRoundsMax
        const lessened = mayBeLess ? withoutRefused(less, error) : undefined
        if (!lessened) throw withFewer(error)
        less = lessened
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
      given: ImportedDocument,
      options: ImportOptions = {},
    ): Promise<ImportResult> {
      return inTurn(scope, given, async (document) => {
        const [found, written] = await lessening(document, options, async (less) => {
          const found = await examined(scope.orgId, less, options)
          const written = await writing.write(scope, found, (done) => resultOf(found, done))
          return [found, written] as const
        })
        for (const { portable, items } of found.prepared) {
          const created = items.filter(({ decision }) => decision.action === 'create')
          await portable.start?.(created.map(({ ready }) => ready))
        }
        const yielder = createYielder(clock, limits.turnMs)
        for (const follow of written.followUps) {
          follow()
          if (yielder.isDue()) await yielder.pause()
        }
        return written.answer
      })
    },

    /** How far the examination of the present import or trial is; null without one. */
    progress: ({ orgId }: OrgScope): ImportProgress | null => running.get(orgId) ?? null,

    /** What an import would do or throw. Nothing is kept: the new ids are not valid. */
    async tryImport(
      scope: OrgScope,
      given: ImportedDocument,
      options: ImportOptions = {},
    ): Promise<ImportResult> {
      return inTurn(scope, given, (document) =>
        lessening(document, options, async (less) => {
          const found = await examined(scope.orgId, less, options)
          return resultOf(found, await writing.tryWrite(scope, found))
        }),
      )
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

interface ImportExamination {
  readonly references: ReturnType<typeof createReferences>
  readonly former: FormerItems
}

type Examined = ImportToWrite & Pick<ImportExamination, 'references'>

function resultOf({ prepared, references }: Examined, written: WrittenImport): ImportResult {
  const { plan, importId } = written
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
    subscribers: noSubscribers,
  }
}

/** `refs`: what ids stand for that are in former documents only. */
function createReferences(
  document: ImportedDocument,
  refs: ReadonlyMap<string, StoredObject>,
  shadow: ShadowRun | null,
) {
  const ids = new Map<string, string>()
  const records = new Map<string, object>()
  const asked = new Set<string>()
  const paused: PausedImport[] = []
  const awaiting: AwaitingImport[] = []
  const valueless: ValuelessImport[] = []
  const omitted = omittedSecrets(document)
  const formerRecords = new Map([...refs.values()].map((one) => [one.id, one]))
  const references: References = {
    shadow,
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
    isFirst(what) {
      if (asked.has(what)) return false
      asked.add(what)
      return true
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
