// Ids of what comes from Better Stack, in the document that is made.
import { type ForeignFields, textOf } from '../foreign.ts'

/** Ids of monitors and of heartbeats are counted apart. */
export function documentIdOf({ type, id }: ForeignFields): string | undefined {
  const number = textOf(id)
  if (!/^\d{1,20}$/.test(number)) return undefined
  const mark = textOf(type) === 'heartbeat' ? '1' : '0'
  return `mon_${mark}${number.padStart(25, '0')}`
}
