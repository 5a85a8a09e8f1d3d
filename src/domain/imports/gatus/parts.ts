// What all parts of the converter of Gatus use: ids within the document, and notes on what is left.
import { isRecord } from '../../../base/schema/pick.ts'
import type { ForeignFields, Note } from '../foreign.ts'

/** A thing of Gatus that becomes a monitor, or more. */
export interface GatusItem {
  readonly item: ForeignFields
  readonly name: string
  readonly note: Note
  /** Its channels, thresholds, description and reminders. */
  readonly alerted: ForeignFields
}

const ulidChars = 26

/** By which items of the document name each other. */
export function documentId(prefix: 'chn' | 'mon', index: number): string {
  return `${prefix}_${String(index).padStart(ulidChars, '0')}`
}

/** Names every field that is set and is not among the known ones. */
export function noteOthers(
  item: ForeignFields,
  known: readonly string[],
  note: Note,
  of = 'its ',
): void {
  for (const [name, value] of Object.entries(item)) {
    if (known.includes(name) || value === null || value === undefined) continue
    const parts = name === 'client' && isRecord(value) ? Object.keys(value) : []
    if (parts.length === 0) note(`${of}${name}`)
    for (const part of parts) note(`${of}${name}.${part}`)
  }
}
