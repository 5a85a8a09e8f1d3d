// Leaves out of a document what an import refuses: one item that another product allows, and this one does
// not, must not hinder all others.

import { Fault, type FieldProblem } from '../../../base/fault.ts'
import { type ExportedName, exportedNames, recordOf } from '../../../base/nouns.ts'
import { isRecord } from '../../../base/schema/pick.ts'
import type { PlanLine } from '../../../domain/imports/import-record.ts'
import type { ImportedDocument } from '../../portable.ts'

export interface Lessened {
  readonly document: ImportedDocument
  /** What was left out, with the reason. */
  readonly lines: readonly PlanLine[]
}

/**
 * The document without the items that the problems of a refusal lead into, and without what names them. An
 * item that named others, and would name none, goes with them: a maintenance window without monitors would be
 * for all of them. Undefined if the refusal is about more than items.
 */
export function withoutRefused(document: ImportedDocument, refusal: unknown): Lessened | undefined {
  if (!(refusal instanceof Fault) || refusal.errors.length === 0) return undefined
  const reasons = new Map<object, string>()
  for (const problem of refusal.errors) {
    const item = itemAt(document, problem)
    if (item === undefined) return undefined
    if (!reasons.has(item)) reasons.set(item, reasonOf(problem))
  }
  addEmptied(document, reasons)
  const named = idsOf(reasons.keys())
  const lines = exportedNames.flatMap((list) =>
    (document[list] ?? []).flatMap((item) => {
      const reason = reasons.get(item)
      return reason === undefined ? [] : [lineOf(list, item, reason)]
    }),
  )
  return {
    document: {
      ...document,
      ...moved(document, reasons),
      ...recordOf(exportedNames, (list) =>
        (document[list] ?? []).filter((one) => !reasons.has(one)).map((one) => without(one, named)),
      ),
    },
    lines,
  }
}

function itemAt(document: ImportedDocument, { pointer }: FieldProblem): object | undefined {
  const [, name, index] = pointer.split('/')
  const list = exportedNames.find((one) => one === name)
  return list && document[list]?.[Number(index)]
}

function reasonOf({ pointer, message }: FieldProblem): string {
  const field = pointer.split('/').slice(3).join('.')
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
