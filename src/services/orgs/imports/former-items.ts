// What former imports made of the items of a document, and what is to be done with each of them now.
import { invalidField } from '../../../base/fault.ts'
import type { OrgId } from '../../../base/ids.ts'
import type { ExportedName } from '../../../base/nouns.ts'
import { isRecord } from '../../../base/schema/pick.ts'
import { createYielder, laterTurn } from '../../../base/yielding.ts'
import type { ImportOrigin, PlanAction } from '../../../domain/imports/import-record.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { FieldHash } from '../../../seal/tokens.ts'
import type { Core } from '../../core.ts'
import type { Again, ImportedDocument, StoredObject } from '../../portable.ts'

export interface FormerItemsDeps {
  readonly hashOf: FieldHash
  /** Undefined for lists whose items are always created. */
  readonly againOf: (list: ExportedName) => Again | undefined
}

export interface FormerOptions {
  /** Makes again what was deleted here. */
  readonly remakes?: boolean | undefined
}

/** What is to be done with an item. */
export interface ItemDecision {
  readonly action: Exclude<PlanAction, 'goneThere'>
  /** The item as services take it: without its origin, and without what was deleted here. */
  readonly plain: object
  readonly origin: string | undefined
  /** The object that it became; undefined if there is none. */
  readonly stored: StoredObject | undefined
  /** The fields that differ from those of the last import. */
  readonly differing: ReadonlySet<string>
  /** What is remembered of the item. */
  readonly former: ImportOrigin | undefined
  /** Hashes of the fields as they came. */
  readonly fields: Readonly<Record<string, string>>
}

type AnyItem = Readonly<Record<string, unknown>>

interface Known {
  readonly list: ExportedName
  readonly item: AnyItem
  readonly origin: string
  readonly former: ImportOrigin | undefined
  readonly stored: StoredObject | undefined
}

/** The fields that name other items, and mean everything or nothing if they are empty. */
const scopes = ['monitorIds', 'memberIds']

export type FormerItems = Awaited<ReturnType<typeof readFormerItems>>

/** Yields to other work. Items may have any shape: they are validated later. */
export async function readFormerItems(
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  { hashOf, againOf }: FormerItemsDeps,
  orgId: OrgId,
  document: ImportedDocument,
  lists: readonly ExportedName[],
  { remakes = false }: FormerOptions = {},
) {
  const { source, untoldFields = [] } = document
  const yielder = createYielder(clock, limits.turnMs)
  const formers = new Map<string, ImportOrigin>()
  const known = new Map<object, Known>()
  /** What an id in the document stands for: the same in each document of the source. */
  const labels = new Map<string, string>()
  /** The objects that ids of former documents stand for. */
  const refs = new Map<string, StoredObject>()
  const dropped = new Set<string>()
  const seen = new Set<string>()

  async function each(act: (list: ExportedName, item: AnyItem) => void): Promise<void> {
    for (const list of lists) {
      for (const item of document[list] ?? []) {
        if (isRecord(item)) act(list, item)
        if (yielder.isDue()) await yielder.pause()
      }
    }
  }

  async function readFormers(): Promise<void> {
    if (!source) return
    let last: ImportOrigin | undefined
    do {
      const slice = store.importOrigins.list(orgId, source, limits.scanSlice, last)
      for (const one of slice) formers.set(placeOf(one.list, one.origin), one)
      last = slice.length < limits.scanSlice ? undefined : slice.at(-1)
      if (last) await laterTurn()
    } while (last)
  }

  function find({ list, id }: ImportOrigin): StoredObject | undefined {
    return againOf(list)?.find(orgId, id)
  }

  function recognize(list: ExportedName, item: AnyItem): void {
    const { id, origin } = item
    if (!source || typeof origin !== 'string') return
    const place = placeOf(list, origin)
    const former = formers.get(place)
    const stored = former && find(former)
    known.set(item, { list, item, origin, former, stored })
    if (typeof id !== 'string') return
    labels.set(id, place)
    if (former && !stored && !remakes) dropped.add(id)
  }

  /** What an item names that is in former documents only. */
  async function recallRefs(): Promise<void> {
    for (const [place, former] of formers) {
      const { ref } = former
      if (ref !== null && !labels.has(ref)) {
        labels.set(ref, place)
        const stored = find(former)
        if (stored) refs.set(ref, stored)
        else dropped.add(ref)
      }
      if (yielder.isDue()) await yielder.pause()
    }
  }

  function fieldsOf({ list, item, former, stored }: Known): Record<string, string> {
    const { id: _, origin: _o, ...fields } = item
    const before = list === 'monitors' && former && stored ? Object.entries(former.fields) : []
    const untold = before.filter(
      ([name]) => untoldFields.includes(name) && !Object.hasOwn(fields, name),
    )
    const labelled = (_name: string, value: unknown) =>
      typeof value === 'string' ? (labels.get(value) ?? value) : value
    const hashes = Object.entries(fields).map(([name, value]) => [
      name,
      hashOf(hashedText(name, value, labelled)),
    ])
    return Object.fromEntries([...untold, ...hashes])
  }

  /** An item that was for deleted objects alone would be for all, or for none. */
  function losesScope(item: AnyItem): boolean {
    return scopesOf(item).some((named) =>
      named.every((id) => typeof id === 'string' && dropped.has(id)),
    )
  }

  /** Groups may be members of groups: each name is looked at once, however long their chain is. */
  async function dropEmptied(): Promise<void> {
    if (dropped.size === 0) return
    const naming = new Map<string, { readonly id: string; left: number }[]>()
    await each((_list, item) => {
      if (typeof item.id !== 'string') return
      for (const named of scopesOf(item)) {
        const scope = { id: item.id, left: named.length }
        for (const id of named) {
          if (typeof id !== 'string') continue
          const others = naming.get(id)
          if (others) others.push(scope)
          else naming.set(id, [scope])
        }
      }
    })
    // A set is walked with what is added to it meanwhile.
    for (const id of dropped) {
      for (const scope of naming.get(id) ?? []) {
        scope.left -= 1
        if (scope.left === 0) dropped.add(scope.id)
      }
      if (yielder.isDue()) await yielder.pause()
    }
  }

  await readFormers()
  await each(recognize)
  await recallRefs()
  await dropEmptied()

  function decisionOf(list: ExportedName, item: object): ItemDecision {
    const one = known.get(item)
    const plain = withoutIds(withoutOrigin(item), dropped)
    const fresh = {
      action: 'create',
      plain,
      stored: undefined,
      differing: new Set<string>(),
    } as const
    if (!one) return { ...fresh, origin: undefined, former: undefined, fields: {} }
    const { origin, former, stored } = one
    const fields = fieldsOf(one)
    const own = { plain, origin, former, fields }
    if (former && stored) {
      const names = new Set([...Object.keys(former.fields), ...Object.keys(fields)])
      const differing = new Set([...names].filter((name) => former.fields[name] !== fields[name]))
      const isOther = againOf(list)?.fixed?.some((name) => differing.has(name)) === true
      if (isOther) return { ...fresh, ...own }
      return { ...own, action: differing.size > 0 ? 'change' : 'keep', stored, differing }
    }
    if ((former && !remakes) || losesScope(one.item)) {
      return { ...fresh, ...own, action: 'deletedHere' }
    }
    return { ...fresh, ...own }
  }

  return {
    /**
     * What is to be done with an item. Throws validation_failed if another item of the list has its origin, or
     * if the document does not say of which installation it is.
     */
    decide(list: ExportedName, item: object): ItemDecision {
      const origin = isRecord(item) ? item.origin : undefined
      if (typeof origin === 'string') {
        if (!source) {
          throw invalidField('/origin', 'source', 'must come with the `source` of the document')
        }
        const place = placeOf(list, origin)
        if (seen.has(place)) throw invalidField('/origin', 'uniqueItems', 'is in the list twice')
        seen.add(place)
      }
      return decisionOf(list, item)
    },

    refs,

    /** Whether a former import made something of the item, or its object was deleted. */
    isKnown: (item: object): boolean => known.get(item)?.former !== undefined,

    /** What is there, and was made of items that the document, all of which was decided on, has no more. */
    async goneThere(): Promise<readonly ImportOrigin[]> {
      const gone: ImportOrigin[] = []
      for (const [place, one] of formers) {
        if (!seen.has(place) && find(one)) gone.push(one)
        if (yielder.isDue()) await yielder.pause()
      }
      return gone
    },
  }
}

/** The lists of an item that name what it is for; a window with tags is for more than it names. */
function scopesOf(item: AnyItem): readonly (readonly unknown[])[] {
  const hasTags = Array.isArray(item.tags) && item.tags.length > 0
  return scopes.flatMap((name) => {
    const named: unknown = item[name]
    const counts = Array.isArray(named) && named.length > 0 && (name === 'memberIds' || !hasTags)
    return counts ? [named] : []
  })
}

const placeOf = (list: ExportedName, origin: string) => `${list} ${origin}`

/** The text of a field whose hash is remembered; `labelled` replaces ids of the document. */
export function hashedText(
  name: string,
  value: unknown,
  labelled?: (name: string, value: unknown) => unknown,
): string {
  return `${name} ${JSON.stringify(value, labelled)}`
}

/** The item as services take it. */
export function withoutOrigin(item: object): object {
  if (!('origin' in item)) return item
  const { origin, ...plain } = item
  return plain
}

/** The value without these ids in its lists, at any depth. */
function withoutIds<Value>(value: Value, ids: ReadonlySet<string>): Value {
  if (ids.size === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const kept = value.filter((one) => typeof one !== 'string' || !ids.has(one))
    // A list of the same values without some is one of its type.
    return kept.map((one) => withoutIds(one, ids)) as Value
  }
  const entries = Object.entries(value).map(([name, one]) => [name, withoutIds(one, ids)])
  return Object.fromEntries(entries) as Value
}
