// Scans the bytes of a JSON body before it is parsed: counts its keys and values, because parsing costs up
// to a hundred times as much, and memory; and finds the lists whose items may be parsed in slices.
import { Fault } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'

/** A part of the bytes; `toAt` is the byte behind it. */
interface TextPart {
  readonly fromAt: number
  readonly toAt: number
}

/** The items of a list that is a field of the body, without its brackets. */
interface ScannedList extends TextPart {
  /** Whole items with the commas between them, each of about `limits.jsonSliceBytes`. */
  readonly slices: readonly TextPart[]
}

export interface JsonScan {
  readonly keys: number
  readonly lists: readonly ScannedList[]
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

export function malformed(detail: string): Fault {
  return new Fault('malformed_json', detail)
}

/** The scan of a whole text. Throws malformed_json as `createJsonScan` does. */
export function scanJson(body: Buffer, keysMax: number): JsonScan {
  const scan = createJsonScan(body, keysMax)
  scan.readTo(body.length)
  return scan.end()
}

/** Values of a JSON body, and how many of them are parsed in one piece: some 20 ms at most. */
const jsonValuesMax = 2_000_000
export const jsonValuesAtOnceMax = 200_000
/** Keys in such a piece, besides the keys of a slice: each costs as much as ten other values. */
export const jsonKeysAtOnceMax = 10_000
/** Lists in fields of a JSON body, and items of each. */
export const jsonListsMax = 1_000
const jsonItemsMax = 100_000

/**
 * A scan that can be interrupted. It throws malformed_json if the text has too many keys, is nested too
 * deeply, has too many lists in fields, or one that is too long, or too many values: in all, or in a part
 * that can only be parsed in one piece. Whether it is JSON is left to the parser.
 */
export function createJsonScan(body: Buffer, keysMax: number) {
  let nextAt = 0
  const lists: ScannedList[] = []
  let keys = 0
  let depth = 0
  let inString = false
  /** The list at depth 2 that is open: where it began, and its slices so far. */
  let list: { readonly fromAt: number; readonly slices: TextPart[] } | undefined
  let items = 0
  let sliceFromAt = 0
  let values = 0
  let valuesOutside = 0
  let valuesInSlice = 0
  let keysOutside = 0
  let keysInItem = 0

  function countKey(): void {
    keys += 1
    const atOnce = list ? ++keysInItem : ++keysOutside
    if (keys > keysMax) throw malformed(`The body has too many keys: at most ${keysMax}`)
    if (atOnce <= jsonKeysAtOnceMax) return
    throw malformed(`A part of the body has too many keys: at most ${jsonKeysAtOnceMax}`)
  }

  function countValue(): void {
    values += 1
    const atOnce = list ? ++valuesInSlice : ++valuesOutside
    if (values > jsonValuesMax) {
      throw malformed(`The body has too many values: at most ${jsonValuesMax}`)
    }
    if (atOnce <= jsonValuesAtOnceMax) return
    const where = 'outside of the lists in its fields, or in one item of such a list'
    throw malformed(`The body has too many values ${where}: at most ${jsonValuesAtOnceMax}`)
  }

  function open(at: number, isList: boolean): void {
    depth += 1
    if (depth > limits.jsonDepthMax) {
      throw malformed(`The body is nested deeper than ${limits.jsonDepthMax}`)
    }
    countValue()
    if (depth !== 2 || !isList) return
    list = { fromAt: at + 1, slices: [] }
    sliceFromAt = at + 1
    valuesInSlice = 0
    keysInItem = 0
    items = 1
  }

  function endItem(at: number): void {
    items += 1
    keysInItem = 0
    if (items > jsonItemsMax) {
      throw malformed(`A list of the body has too many items: at most ${jsonItemsMax}`)
    }
    if (at - sliceFromAt >= limits.jsonSliceBytes) endSlice(at)
  }

  function endSlice(at: number): void {
    list?.slices.push({ fromAt: sliceFromAt, toAt: at })
    sliceFromAt = at + 1
    valuesInSlice = 0
  }

  function close(at: number, isList: boolean): void {
    if (depth === 2 && list) {
      if (!isList) throw malformed('The body is not valid JSON')
      endSlice(at)
      lists.push({ ...list, toAt: at })
      if (lists.length > jsonListsMax) {
        throw malformed(`The body has too many lists: at most ${jsonListsMax}`)
      }
      list = undefined
    }
    depth -= 1
  }

  function readTo(endAt: number): void {
    let at = nextAt
    for (; at < endAt; at += 1) {
      const byte = body[at]
      if (inString) {
        if (byte === quote) inString = false
        else if (byte === backslash) at += 1
        continue
      }
      switch (byte) {
        case quote:
          inString = true
          break
        case colon:
          countKey()
          break
        case comma:
          countValue()
          if (depth === 2 && list) endItem(at)
          break
        case openBracket:
        case openBrace:
          open(at, byte === openBracket)
          break
        case closeBracket:
        case closeBrace:
          close(at, byte === closeBracket)
          break
      }
    }
    nextAt = at
  }

  return {
    /** Reads on up to a byte. */
    readTo,
    end(): JsonScan {
      if (list) throw malformed('The body is not valid JSON')
      return { keys, lists }
    },
  }
}
