// Counts the values of a parsed document before anything is made of them, and bounds its depth.
import { limits } from '../limits/limits.ts'
import { ForeignFileRefused } from './foreign.ts'

export interface ValueCount {
  readonly values: number
  /** Of all texts, names included. */
  readonly chars: number
}

/**
 * Counts values as they are read; throws ForeignFileRefused beyond a bound. `repeated` goes on with the
 * message: what counts more than once.
 */
export function createValueCount(repeated = '') {
  let values = 0
  let chars = 0
  return {
    add(more: ValueCount): void {
      values += more.values
      chars += more.chars
      if (values > limits.foreignValuesMax) {
        throw new ForeignFileRefused(
          `must have at most ${limits.foreignValuesMax} values${repeated}`,
        )
      }
      if (chars > limits.importBytesMax) {
        throw new ForeignFileRefused(
          `must have at most ${limits.importBytesMax} characters${repeated}`,
        )
      }
    },
    /** The depth of what is inside a value at this depth. */
    deeper(depth: number): number {
      if (depth < limits.foreignDepthMax) return depth + 1
      throw new ForeignFileRefused(`is nested too deeply: at most ${limits.foreignDepthMax} levels`)
    },
    sum: (): ValueCount => ({ values, chars }),
  }
}

/** Throws ForeignFileRefused if the document has too many values or characters, or nests too deeply. */
export function countValues(whole: unknown): void {
  const count = createValueCount()
  const look = (value: unknown, depth: number): void => {
    count.add({ values: 1, chars: typeof value === 'string' ? value.length : 0 })
    if (typeof value !== 'object' || value === null) return
    const inside = count.deeper(depth)
    if (Array.isArray(value)) for (const item of value) look(item, inside)
    else for (const item of Object.values(value)) look(item, inside)
  }
  look(whole, 0)
}
