// What the items of a document are in the product that it comes from.
import { invalidField } from '../../base/fault.ts'
import type { ExportedName } from '../../base/nouns.ts'
import { isRecord } from '../../base/schema/pick.ts'
import type { ForeignSource } from '../../domain/imports/foreign.ts'

export function createItemOrigins(source: ForeignSource | undefined) {
  const known = new Set<string>()
  return {
    /**
     * The origin of an item; undefined without one. Throws validation_failed if another item of the list has
     * it, or if the document does not say of which installation it is.
     */
    of(list: ExportedName, item: object): string | undefined {
      const origin = isRecord(item) ? item.origin : undefined
      if (typeof origin !== 'string') return undefined
      if (!source) {
        throw invalidField('/origin', 'source', 'must come with the `source` of the document')
      }
      const place = `${list} ${origin}`
      if (known.has(place)) throw invalidField('/origin', 'uniqueItems', 'is in the list twice')
      known.add(place)
      return origin
    },
  }
}

/** The item as services take it. */
export function withoutOrigin(item: object): object {
  if (!('origin' in item)) return item
  const { origin, ...plain } = item
  return plain
}
