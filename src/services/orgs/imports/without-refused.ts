// Leaves out of a document what an import refuses: one item that another product allows, and this one does
// not, must not hinder all others.

import { Fault, type FieldProblem } from '../../../base/fault.ts'
import { type ExportedName, exportedNames, recordOf } from '../../../base/nouns.ts'
import { isRecord } from '../../../base/schema/pick.ts'
import type { PlanLine } from '../../../domain/imports/import-record.ts'
import { pingKeyHint } from '../../../domain/monitors/kept-address.ts'
import type { ImportedDocument } from '../../portable.ts'

export interface Lessened {
  readonly document: ImportedDocument
  /** What was left out, with the reason. */
  readonly leftOut: readonly PlanLine[]
  /** The items that come without something, with the reason. */
  readonly reasons: ReadonlyMap<object, string>
}

/**
 * The document without the items that the problems of a refusal lead into, and without what names them. An
 * item that named others, and would name none, goes with them: a maintenance window without monitors would be
 * for all of them. An item that only wants what another one has, such as the address of a page, comes without that.
 * Undefined if the refusal is about more than items.
 */
export function withoutRefused(before: Lessened, refusal: unknown): Lessened | undefined {
  if (!(refusal instanceof Fault) || refusal.errors.length === 0) return undefined
  const { document } = before
  const refused = new Map<object, string>()
  const taken = new Map<object, FieldProblem[]>()
  const keys = new Map<string, PlanLine>()
  for (const problem of refusal.errors) {
    const key = pingKeyAt(document, problem)
    if (key !== undefined) {
      keys.set(key, pingKeyLine(key, problem))
      continue
    }
    const item = itemAt(document, problem)
    if (item === undefined) return undefined
    if (isTaken(problem)) taken.set(item, [...(taken.get(item) ?? []), problem])
    else if (!refused.has(item)) refused.set(item, reasonOf(problem))
  }
  addEmptied(document, refused)
  const named = idsOf(refused.keys())
  const uses = channelUses(document)
  const lines = exportedNames.flatMap((list) =>
    (document[list] ?? []).flatMap((item) => {
      const reason = refused.get(item)
      if (reason === undefined) return []
      const count = list === 'channels' && 'id' in item ? (uses.get(item.id) ?? 0) : 0
      const users =
        count === 0 ? '' : `; it alerted for ${count === 1 ? '1 monitor' : `${count} monitors`}`
      return [lineOf(list, item, `${reason}${users}`)]
    }),
  )
  const reasons = new Map<object, string>()
  const lessened = (item: object): object => {
    const problems = taken.get(item) ?? []
    const less = without(withoutTaken(item, problems), named)
    const said = [before.reasons.get(item) ?? [], problems.map(reasonOf)].flat(2)
    if (said.length > 0) reasons.set(less, [...new Set(said)].join('; '))
    return less
  }
  return {
    document: {
      ...document,
      ...moved(document, refused),
      ...(keys.size > 0 && {
        keptPingKeys: document.keptPingKeys?.filter((key) => !keys.has(key)),
      }),
      ...recordOf(exportedNames, (list) =>
        (document[list] ?? []).filter((one) => !refused.has(one)).map(lessened),
      ),
    },
    leftOut: [...before.leftOut, ...lines, ...keys.values()],
    reasons,
  }
}

/** How many monitors name each channel, by its id in the document. */
export function channelUses({ monitors = [] }: ImportedDocument): ReadonlyMap<unknown, number> {
  const uses = new Map<unknown, number>()
  const named = monitors.map((one) => ('notifyChannelIds' in one ? one.notifyChannelIds : []))
  for (const id of named.flat()) uses.set(id, (uses.get(id) ?? 0) + 1)
  return uses
}

const takenAddress = /^\/monitors\/\d+\/(keptAddresses|sharedAddresses)\/(\d+)$/
const addressLists: ReadonlySet<string> = new Set(['keptAddresses', 'sharedAddresses'])
const takenPlace = /^\/statusPages\/\d+\/(slug|subdomain)$/

/** Whether the item wants only what another one has. */
function isTaken({ pointer, keyword }: FieldProblem): boolean {
  if (keyword === 'uniqueItems') return takenAddress.test(pointer)
  return ['slug_taken', 'subdomain_taken'].includes(keyword) && takenPlace.test(pointer)
}

function withoutTaken(item: object, problems: readonly FieldProblem[]): object {
  if (problems.length === 0) return item
  const places = problems.map(({ pointer }) => takenPlace.exec(pointer)?.[1])
  const gone = new Set(
    problems.map(({ pointer }) => takenAddress.exec(pointer)?.slice(1).join('/')),
  )
  const entries = Object.entries(item).filter(([name]) => !places.includes(name))
  const left = (name: string, value: unknown) =>
    addressLists.has(name) && Array.isArray(value)
      ? value.filter((_, index) => !gone.has(`${name}/${index}`))
      : value
  return Object.fromEntries(entries.map(([name, value]) => [name, left(name, value)]))
}

function pingKeyAt(document: ImportedDocument, { pointer }: FieldProblem): string | undefined {
  const [, index] = /^\/keptPingKeys\/(\d+)$/.exec(pointer) ?? []
  return document.keptPingKeys?.[Number(index)]
}

/** A ping key stands among the monitors, which it would make. */
function pingKeyLine(key: string, { message }: FieldProblem): PlanLine {
  return lineOf('monitors', { name: `ping key ${pingKeyHint(key)}…` }, message)
}

function itemAt(document: ImportedDocument, { pointer }: FieldProblem): object | undefined {
  const [, name, index] = pointer.split('/')
  const list = exportedNames.find((one) => one === name)
  return list && document[list]?.[Number(index)]
}

function reasonOf(problem: FieldProblem): string {
  const { pointer, message } = problem
  const field = pointer.split('/').slice(3).join('.')
  // The detail of a refusal is a whole sentence.
  if (takenPlace.test(pointer) && isTaken(problem)) return `comes without its ${field}: ${message}`
  if (isTaken(problem)) return 'comes without an address that another monitor has'
  return field === '' ? message : `${field} ${message}`
}

function lineOf(list: ExportedName, item: object, reason: string): PlanLine {
  const { name, origin } = item as { readonly name?: unknown; readonly origin?: unknown }
  const source = typeof origin === 'string' ? origin : null
  return {
    list,
    name: typeof name === 'string' ? name : (source ?? ''),
    origin: source,
    action: 'leftOut',
    id: null,
    fields: [],
    reason,
  }
}

function idsOf(items: Iterable<object>): ReadonlySet<unknown> {
  const ids = [...items].map((item) => (item as { readonly id?: unknown }).id)
  return new Set(ids.filter((id) => typeof id === 'string'))
}

/** Adds the windows of which all monitors are left out. */
function addEmptied({ maintenance = [] }: ImportedDocument, reasons: Map<object, string>): void {
  const named = idsOf(reasons.keys())
  for (const window of maintenance) {
    const { monitorIds, tags } = window as {
      readonly monitorIds?: unknown
      readonly tags?: unknown
    }
    if (reasons.has(window) || !Array.isArray(monitorIds) || monitorIds.length === 0) continue
    const hasTags = Array.isArray(tags) && tags.length > 0
    if (hasTags || !monitorIds.every((id) => named.has(id))) continue
    reasons.set(window, 'is for monitors that are left out')
  }
}

/** The value without texts that are ids of what is left out, and without the parts that are about it. */
function without<Value>(value: Value, named: ReadonlySet<unknown>): Value {
  const isAbout = (one: unknown): boolean =>
    named.has(one) || (isRecord(one) && Object.values(one).some((field) => named.has(field)))
  if (Array.isArray(value)) {
    return value.filter((one) => !isAbout(one)).map((one) => without(one, named)) as Value
  }
  if (!isRecord(value)) return value
  const entries = Object.entries(value).filter(([, one]) => !named.has(one))
  return Object.fromEntries(entries.map(([name, one]) => [name, without(one, named)])) as Value
}

/** The pointers to what the document lacks, at the places that the items have then. */
function moved(
  document: ImportedDocument,
  reasons: ReadonlyMap<object, string>,
): Pick<ImportedDocument, 'secretsOmitted'> {
  const { secretsOmitted } = document
  if (!secretsOmitted) return {}
  const places = new Map<string, number>()
  for (const list of exportedNames) {
    let next = 0
    for (const [index, item] of (document[list] ?? []).entries()) {
      if (!reasons.has(item)) places.set(`${list}/${index}`, next++)
    }
  }
  const pointers = secretsOmitted.flatMap((pointer) => {
    const [root, list, index, ...rest] = pointer.split('/')
    const place = places.get(`${list}/${index}`)
    return place === undefined ? [] : [[root, list, place, ...rest].join('/')]
  })
  return { secretsOmitted: pointers }
}
