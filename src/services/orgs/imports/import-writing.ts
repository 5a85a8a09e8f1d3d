// Writes what an import has prepared: in one transaction, or a large one in several, so that the checks of
// monitors need not wait for it. A large one that is refused on its way, or interrupted, is taken back.
import { Fault } from '../../../base/fault.ts'
import type { ImportId, OrgId } from '../../../base/ids.ts'
import { type ExportedName, type ExportedNoun, recordOf } from '../../../base/nouns.ts'
import { laterTurn } from '../../../base/yielding.ts'
import {
  type ImportRecord,
  type ImportStep,
  type PlanLine,
  planActions,
} from '../../../domain/imports/import-record.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { ShadowRun } from '../../../domain/monitors/shadow.ts'
import { type TagColor, withMoreColors } from '../../../domain/orgs/tag-colors.ts'
import type { TableKey } from '../../../store/engine/damage.ts'
import type { Tx } from '../../../store/engine/write.ts'
import { nounCounts } from '../../../store/nouns.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'
import { at } from '../../monitors/part-problems.ts'
import type { ImportedDocument, Portable } from '../../portable.ts'
import type { ItemDecision } from './former-items.ts'
import { createImportRecords } from './import-records.ts'
import { channelUses } from './without-refused.ts'

export interface DocumentPart {
  readonly name: ExportedName
  readonly noun: ExportedNoun
  readonly portable: Portable
}

/** An item with what is to be done with it. */
export interface PreparedItem {
  readonly index: number
  readonly name: string
  readonly ref: string | null
  readonly decision: ItemDecision
  /** The new record, or the changed one; undefined if nothing is written. */
  readonly ready: unknown
  /** The object that it becomes; undefined if it was deleted. */
  readonly id: string | undefined
  /** What it comes without, and why. */
  readonly reason: string | undefined
}

/** A list of a document, or some of its items. */
export interface PreparedPart extends DocumentPart {
  readonly items: readonly PreparedItem[]
}

/** How many more objects of a noun a document would bring. */
export interface RoomAsked {
  readonly noun: ExportedNoun
  readonly more: number
}

export interface ImportToWrite {
  readonly importId: ImportId
  /** The shadow run that its monitors begin; null: people hear of them at once. */
  readonly shadow: ShadowRun | null
  readonly document: ImportedDocument
  readonly prepared: readonly PreparedPart[]
  /** What is there, and was made of items that the document has no more. */
  readonly gone: readonly PlanLine[]
  /** What was refused of the document before. */
  readonly leftOut: readonly PlanLine[]
}

export interface WrittenImport {
  readonly importId: ImportId
  readonly plan: readonly PlanLine[]
}

export interface ImportWritingDeps {
  readonly mustBeApproved: (orgId: OrgId) => void
  /** Returns the hashes of those that are new. */
  readonly keepPingKeys: (
    tx: Tx,
    by: { readonly orgId: OrgId; readonly importId: ImportId },
    keys: readonly string[] | undefined,
  ) => readonly string[]
  /** Takes one back of which a part is written. */
  readonly takeBack: (scope: OrgScope, importId: ImportId) => Promise<void>
}

/** Items that are made or changed in one transaction, about 10 ms: an import of no more is whole at every moment. */
const itemsTogether = 200
/** Steps that are only written down, in one transaction. */
const linesTogether = 1_000
/** What items of other products became: of all imports of an organization. */
const importOriginsMax = 100_000

/** What was written of an import so far. */
interface WrittenSoFar {
  readonly lines: Map<PreparedItem, PlanLine>
  readonly followUps: (() => void)[]
  /** The number of its next part of steps. */
  nextPart: number
  stepsBytes: number
}

export function createImportWriting(core: Core, deps: ImportWritingDeps) {
  const { store, clock, audit, quotas } = core
  const records = createImportRecords(core)

  function mustHaveRoom(orgId: OrgId, lists: readonly RoomAsked[]): void {
    deps.mustBeApproved(orgId)
    for (const { noun, more } of lists) {
      quotas.mustHaveRoom(orgId, noun, nounCounts[noun](store, orgId), more)
    }
  }

  function roomAsked(orgId: OrgId, parts: readonly PreparedPart[]): readonly RoomAsked[] {
    return parts.map(({ noun, portable, items }) => {
      const ready = items.filter(isCreated).map((one) => one.ready)
      return { noun, more: portable.countNew?.(orgId, ready) ?? ready.length }
    })
  }

  /**
   * Throws conflict with a pointer to each item that is one too many: the channels that fewest monitors name, which are
   * not default ones, else the last items.
   */
  function refuseBeyondQuotas(orgId: OrgId, { document, prepared }: ImportToWrite): void {
    const most = quotas.of(orgId)
    const uses = channelUses(document)
    const usesOf = ({ ref, decision: { plain } }: PreparedItem) =>
      'isDefault' in plain && plain.isDefault === true ? Infinity : (uses.get(ref) ?? 0)
    const beyond = prepared.flatMap((part) => {
      const { name, noun, portable, items } = part
      const asked = roomAsked(orgId, [part]).reduce((sum, { more }) => sum + more, 0)
      const count = nounCounts[noun](store, orgId) + asked
      const over = count - most[noun]
      if (over <= 0) return []
      const message = `there is no room: quotas.${noun} allows ${most[noun]}, and there would be ${count}`
      // One that has the place of another, by its name, takes no room.
      const isThere = ({ ready }: PreparedItem) => portable.countNew?.(orgId, [ready]) === 0
      const created = items.filter((one) => isCreated(one) && !isThere(one))
      const byUse = created.toSorted((a, b) => usesOf(b) - usesOf(a))
      return byUse
        .slice(-over)
        .map(({ index }) => ({ pointer: `/${name}/${index}`, keyword: 'quota', message }))
    })
    if (beyond.length > 0) throw new Fault('conflict', undefined, { errors: beyond })
  }

  /** Throws conflict. Yields to other work. */
  async function mustHaveRoomForOrigins(orgId: OrgId, parts: readonly PreparedPart[]) {
    const isNew = ({ decision }: PreparedItem) => decision.origin !== undefined && !decision.former
    let count = parts.reduce((sum, { items }) => sum + items.filter(isNew).length, 0)
    if (count === 0) return
    let last: TableKey | undefined
    do {
      const slice = store.importOrigins.keys(orgId, limits.scanSlice, last)
      count += slice.length
      if (count > importOriginsMax) {
        const rule = `An organization remembers at most ${importOriginsMax} imported items.`
        throw new Fault('conflict', rule)
      }
      last = slice.length < limits.scanSlice ? undefined : slice.at(-1)
      if (last) await laterTurn()
    } while (last)
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

  /** Writes items of one list. Returns the steps, whose lines and followers it notes. */
  function writePart(
    tx: Tx,
    scope: OrgScope,
    part: PreparedPart,
    { source, importId, progress }: PartWriting,
  ): readonly ImportStep[] {
    const { orgId } = scope
    const { name: list, portable, items } = part
    const { again } = portable
    const created = items.filter(isCreated)
    // One that has the place of another, by its name, was there before.
    const mayBeThere = portable.countNew !== undefined
    const isThere = new Set(
      mayBeThere
        ? created.filter(({ id }) => id !== undefined && again.find(orgId, id) !== undefined)
        : [],
    )
    const ready = created.map((one) => one.ready)
    // Its own indices are those of the items that are created.
    const indexOf = (index: string) => String(created[Number(index)]?.index ?? index)
    withIndices(indexOf, () => portable.put(tx, orgId, ready, `/${list}`))
    return items.map((one): ImportStep => {
      const { name, ref, decision, id = null } = one
      const { action, origin = null, fields, former } = decision
      const changed = action === 'change' ? change(tx, scope, part, one) : undefined
      if (changed?.follow) progress.followUps.push(changed.follow)
      const revision = changed ? changed.before.revision + 1 : firstRevision
      if (source && origin !== null && id !== null) {
        const by = { importId: (changed && former?.importId) ?? importId, revision }
        store.importOrigins.put(tx, { orgId, source, list, origin, name, id, ref, fields, ...by })
      }
      const line = lineOf(list, one, isThere.has(one) ? 'keep' : action)
      progress.lines.set(one, line)
      const past = former ? { former } : {}
      return { line, revision, ...(changed && { before: changed.before }), ...past }
    })
  }

  /** Writes a slice of the items, and what is remembered of them. */
  function writeSlice(tx: Tx, scope: OrgScope, slice: Slice, writing: PartWriting): void {
    mustHaveRoom(scope.orgId, roomAsked(scope.orgId, slice))
    const steps = slice.flatMap((part) => writePart(tx, scope, part, writing))
    // What was left alone is counted.
    addSteps(
      tx,
      scope,
      writing,
      steps.filter(({ line }) => line.action !== 'keep'),
    )
  }

  function addSteps(
    tx: Tx,
    { orgId }: OrgScope,
    { importId, progress }: PartWriting,
    steps: readonly ImportStep[],
  ): void {
    progress.nextPart = store.imports.addSteps(
      tx,
      { orgId, id: importId },
      progress.nextPart,
      steps,
    )
    progress.stepsBytes += JSON.stringify(steps).length
  }

  /** The whole plan, in the order of the document. */
  function planOf({ prepared, gone, leftOut }: ImportToWrite, { progress }: PartWriting) {
    const refused = new Set(leftOut.map(placeOf))
    const goneThere = gone.filter((line) => !refused.has(placeOf(line)))
    const lines = prepared.flatMap(({ name, items }) => [
      ...items.map((one) => progress.lines.get(one) ?? lineOf(name, one, one.decision.action)),
      ...goneThere.filter(({ list }) => list === name),
    ])
    return [...lines, ...leftOut]
  }

  function beginWriting({ document: { source }, importId }: ImportToWrite): PartWriting {
    const progress = { lines: new Map(), followUps: [], nextPart: 0, stepsBytes: 0 }
    return { source, importId, progress }
  }

  /** The steps of what is not written; what is left alone is only counted. */
  function otherSteps(given: ImportToWrite): readonly ImportStep[] {
    const lines = planOf(given, beginWriting(given))
    return lines.flatMap((line) => (isOther(line) ? [{ line }] : []))
  }

  const recordOfWriting = (
    scope: OrgScope,
    { document: { source }, shadow }: ImportToWrite,
    { importId }: PartWriting,
  ) => {
    const run = shadow === null ? {} : { shadow: { sinceMs: shadow.sinceMs } }
    return records.made(scope, { id: importId, source: source ?? null, ...run })
  }

  function noteBegun(tx: Tx, scope: OrgScope, { prepared }: ImportToWrite): void {
    const asked = roomAsked(scope.orgId, prepared)
    mustHaveRoom(scope.orgId, asked)
    const ofAction = prepared.flatMap(({ items }) => items.filter(isChanged)).length
    const brought = asked.map(({ noun, more }) => `${noun} ${more}`)
    const changed = ofAction > 0 ? [`changed ${ofAction}`] : []
    const detail = [...brought, ...changed].join(', ')
    audit.note(tx, scope, { action: 'organization.imported', objectId: null, detail })
  }

  function end(
    tx: Tx,
    scope: OrgScope,
    given: ImportToWrite,
    writing: PartWriting,
    record: ImportRecord,
  ): WrittenImport {
    const { progress, importId } = writing
    const plan = planOf(given, writing)
    const counts = recordOf(
      planActions,
      (action) => plan.filter((line) => line.action === action).length,
    )
    const pingKeyHashes = deps.keepPingKeys(
      tx,
      { orgId: scope.orgId, importId },
      given.document.keptPingKeys,
    )
    takeTagColors(tx, scope.orgId, given.document.tagColors)
    const brought = pingKeyHashes.length > 0 ? { pingKeyHashes } : {}
    records.add(tx, { ...record, counts, stepsBytes: progress.stepsBytes, ...brought })
    return { importId, plan }
  }

  function takeTagColors(tx: Tx, orgId: OrgId, colors: readonly TagColor[] = []): void {
    const org = store.orgs.get(orgId)
    const own = org?.tagColors ?? []
    const tagColors = withMoreColors(own, colors)
    if (org === undefined || tagColors.length === own.length) return
    const updatedAtMs = clock.nowMs()
    store.orgs.put(tx, { ...org, tagColors, updatedAtMs, revision: org.revision + 1 })
  }

  async function writeInSlices<Answer>(
    scope: OrgScope,
    given: ImportToWrite,
    { slices, others, writing, answerOf }: WritingInSlices<Answer>,
  ): Promise<Answer> {
    const record = recordOfWriting(scope, given, writing)
    await store.apart(() =>
      store.write((tx) => {
        noteBegun(tx, scope, given)
        store.imports.putRunning(tx, record)
      }),
    )
    try {
      await store.apart(async () => {
        for (const slice of slices) {
          await store.write((tx) => writeSlice(tx, scope, slice, writing))
          await laterTurn()
        }
        for (let from = 0; from < others.length; from += linesTogether) {
          const some = others.slice(from, from + linesTogether)
          await store.write((tx) => addSteps(tx, scope, writing, some))
        }
      })
      return await store.write((tx) => answerOf(end(tx, scope, given, writing, record)))
    } catch (error) {
      await store.apart(() => deps.takeBack(scope, writing.importId))
      throw error
    }
  }

  return {
    mustHaveRoom,
    refuseBeyondQuotas,

    /**
     * Creates and changes everything, or nothing. The answer is made in the transaction that ends it; with it
     * comes what follows once everything is on disk. Yields to other work. Throws, with pointers into the document,
     * validation_failed, slug_taken, subdomain_taken, conflict.
     */
    async write<Answer>(
      scope: OrgScope,
      given: ImportToWrite,
      answerOf: (written: WrittenImport) => Answer,
    ): Promise<{ readonly answer: Answer; readonly followUps: readonly (() => void)[] }> {
      await mustHaveRoomForOrigins(scope.orgId, given.prepared)
      const slices = slicesOf(given.prepared)
      const others = otherSteps(given)
      const writing = beginWriting(given)
      const { followUps } = writing.progress
      if (slices.length > 1 || others.length > linesTogether) {
        const inSlices = { slices, others, writing, answerOf }
        return { answer: await writeInSlices(scope, given, inSlices), followUps }
      }
      const answer = await store.write((tx) => {
        noteBegun(tx, scope, given)
        for (const slice of slices) writeSlice(tx, scope, slice, writing)
        addSteps(tx, scope, writing, others)
        return answerOf(end(tx, scope, given, writing, recordOfWriting(scope, given, writing)))
      })
      return { answer, followUps }
    },

    /** What `write` would do or throw; the ids are not valid. */
    async tryWrite(scope: OrgScope, given: ImportToWrite): Promise<WrittenImport> {
      await mustHaveRoomForOrigins(scope.orgId, given.prepared)
      const writing = beginWriting(given)
      const rolledBack = new Error('a trial is rolled back')
      const attempt = async (body: (tx: Tx) => void) => {
        const trial = store.write((tx) => {
          body(tx)
          throw rolledBack
        })
        await trial.catch((error: unknown) => {
          if (error !== rolledBack) throw error
        })
        await laterTurn()
      }
      await attempt((tx) => {
        noteBegun(tx, scope, given)
        deps.keepPingKeys(
          tx,
          { orgId: scope.orgId, importId: given.importId },
          given.document.keptPingKeys,
        )
      })
      for (const slice of slicesOf(given.prepared)) {
        await attempt((tx) => writeSlice(tx, scope, slice, writing))
      }
      return { importId: writing.importId, plan: planOf(given, writing) }
    },
  }
}

interface PartWriting {
  readonly source: ImportedDocument['source']
  readonly importId: ImportId
  readonly progress: WrittenSoFar
}

type Slice = readonly PreparedPart[]

interface WritingInSlices<Answer> {
  readonly slices: readonly Slice[]
  readonly others: readonly ImportStep[]
  readonly writing: PartWriting
  readonly answerOf: (written: WrittenImport) => Answer
}

/** The revision of what was just made. */
const firstRevision = 1

const isCreated = ({ decision }: PreparedItem) => decision.action === 'create'
const isChanged = ({ decision }: PreparedItem) => decision.action === 'change'
const isOther = ({ action }: PlanLine) => !['create', 'change', 'keep'].includes(action)
const placeOf = ({ list, origin }: PlanLine) => `${list}/${origin}`

function lineOf(
  list: ExportedName,
  { name, id, decision, reason }: PreparedItem,
  action: PlanLine['action'],
): PlanLine {
  const { origin = null, differing } = decision
  const why = reason === undefined ? {} : { reason }
  return { list, name, origin, action, id: id ?? null, fields: [...differing].toSorted(), ...why }
}

/** The items that are written, in slices for a transaction each; they go on over the ends of lists. */
function slicesOf(prepared: readonly PreparedPart[]): readonly Slice[] {
  const slices: PreparedPart[][] = []
  let room = 0
  for (const part of prepared) {
    const items = part.items.filter((one) => isCreated(one) || isChanged(one))
    for (let from = 0; from < items.length; ) {
      if (room === 0) {
        slices.push([])
        room = itemsTogether
      }
      const some = items.slice(from, from + room)
      slices.at(-1)?.push({ ...part, items: some })
      room -= some.length
      from += some.length
    }
  }
  return slices
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
