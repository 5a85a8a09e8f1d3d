// Counts the values of a parsed document before anything is made of them, and bounds its depth.
import { limits } from '../limits/limits.ts'
import { ForeignFileRefused } from './foreign.ts'

export interface ValueCount {
  readonly values: number
  /** The characters of all texts, names included. */
  readonly chars: number
}

/**
 * Values in a file of another product, and how deep they nest; what an alias stands for counts each
 * time.
 */
export const foreignValuesMax = 1_000_000
export const foreignDepthMax = 64

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
      if (values > foreignValuesMax) {
        throw new ForeignFileRefused(`must have at most ${foreignValuesMax} values${repeated}`)
      }
      if (chars > limits.importBytesMax) {
        throw new ForeignFileRefused(
          `must have at most ${limits.importBytesMax} characters${repeated}`,
        )
      }
    },
    /** The depth of what is inside a value at this depth. */
    deeper(depth: number): number {
      if (depth < foreignDepthMax) return depth + 1
      throw new ForeignFileRefused(`is nested too deeply: at most ${foreignDepthMax} levels`)
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
