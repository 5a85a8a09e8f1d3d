// Spellings of bytes: Base64, hexadecimal and decimal digits, and bytes taken two at a time.
import { limits } from '../domain/limits/limits.ts'
import type { Sheet } from './sheet.ts'

/** Writes what a sheet may mean to another; false where it means nothing else. */
export type Undo = (from: Sheet, to: Sheet, isAscii: boolean) => boolean

/** Where the first group of a run begins is not known: a run may hold more than what is spelled. */
export const byteWays: readonly Undo[] = [
  ...[0, 1, 2, 3].map((skipped) => base64From(skipped)),
  ...[0, 1].map((skipped) => hexFrom(skipped)),
  decimals,
]

/** ASCII that was read as UTF-16 looks like Chinese. */
export const wideWays: readonly Undo[] = [0, 8].map((firstBit) => halvesFrom(firstBit))

/** The digit that a unit is, in a base of up to 16; -1 where it is none. */
export function digitOf(unit: number, base: number): number {
  return unit < 0x80 && (digits[unit] ?? -1) < base ? (digits[unit] ?? -1) : -1
}

const digits = valuesOf('0123456789abcdef')
for (const [i, capital] of [...'ABCDEF'].entries()) digits[capital.charCodeAt(0)] = 10 + i

const sixBits = valuesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
sixBits['-'.charCodeAt(0)] = 62
sixBits['_'.charCodeAt(0)] = 63

function valuesOf(letters: string): Int8Array {
  const values = new Int8Array(0x80).fill(-1)
  for (const [i, letter] of [...letters].entries()) values[letter.charCodeAt(0)] = i
  return values
}

/** What is no text ends a piece; a piece of few letters is noise, as most readings of a text are. */
function addByte(to: Sheet, byte: number, isAscii: boolean, start: number, end: number): void {
  const isText = byte < 0x7f ? byte > 0x1f || isBlank[byte] === 1 : !isAscii && byte > 0x7f
  if (isText) to.add(byte, start, end)
  else to.divide(limits.redactedCharsMin)
}

/** Zeros are half of what UTF-16 has for ASCII; the others are tabs and line breaks. */
const isBlank = Uint8Array.from({ length: 0x20 }, (_, byte) =>
  [0, 9, 10, 13].includes(byte) ? 1 : 0,
)

/** So many letters of Base64 are a piece; of most words nothing has to be undone. */
const base64CharsMin = Math.ceil((limits.redactedCharsMin * 8) / 6)

function base64From(skipped: number): Undo {
  return (from, to, isAscii) => {
    const { length } = from
    to.clear(length)
    let at = 0
    while (at < length) {
      const first = at
      while (at < length && sixBitsAt(from, at) >= 0) at += 1
      if (at - first - skipped >= base64CharsMin) {
        addRun(from, to, { isAscii, first: first + skipped, end: at })
        to.divide(limits.redactedCharsMin)
      }
      at += 1
    }
    return to.length > 0
  }
}

interface Run {
  readonly isAscii: boolean
  readonly first: number
  readonly end: number
}

function addRun(from: Sheet, to: Sheet, { isAscii, first, end }: Run): void {
  const { starts, ends } = from
  let bits = 0
  let bitCount = 0
  for (let at = first; at < end; at += 1) {
    bits = ((bits << 6) | sixBitsAt(from, at)) & 0xffff
    bitCount += 6
    if (bitCount < 8) continue
    bitCount -= 8
    addByte(to, (bits >> bitCount) & 0xff, isAscii, starts[at - 1] ?? 0, ends[at] ?? 0)
  }
}

function sixBitsAt({ units }: Sheet, at: number): number {
  const unit = units[at] ?? 0
  return unit < 0x80 ? (sixBits[unit] ?? -1) : -1
}

/** Between the pairs of digits there may be a sign or two, and `0x`. */
function hexFrom(skipped: number): Undo {
  return (from, to, isAscii) => {
    const { units, starts, ends, length } = from
    to.clear(length)
    let isBroken = true
    let at = 0
    while (at < length) {
      if (isBroken && skipped > 0 && digitOf(units[at] ?? 0, 16) >= 0) at += skipped
      const high = at < length ? digitOf(units[at] ?? 0, 16) : -1
      const low = at + 1 < length ? digitOf(units[at + 1] ?? 0, 16) : -1
      isBroken = high < 0 || low < 0
      if (isBroken) {
        to.divide(limits.redactedCharsMin)
        at += 1
        continue
      }
      addByte(to, high * 16 + low, isAscii, starts[at] ?? 0, ends[at + 1] ?? 0)
      at = pairAfter(from, at + 2)
    }
    to.divide(limits.redactedCharsMin)
    return to.length > 0
  }
}

function pairAfter({ units, length }: Sheet, from: number): number {
  let at = from
  while (at < length && at < from + 2 && isBetween(units[at] ?? 0)) at += 1
  const isPrefixed = at + 1 < length && units[at] === 0x30 && ((units[at + 1] ?? 0) | 0x20) === 0x78
  return isPrefixed ? at + 2 : at
}

/** A blank, or one of `,-.:`. */
function isBetween(unit: number): boolean {
  return unit === 0x20 || unit === 0x2c || unit === 0x2d || unit === 0x3a || unit === 0x2e
}

/** A list of numbers, as JSON has bytes. */
function decimals(from: Sheet, to: Sheet, isAscii: boolean): boolean {
  const { units, starts, ends, length } = from
  to.clear(length)
  let at = 0
  while (at < length) {
    const first = at
    let byte = 0
    for (; at < length && at < first + 4; at += 1) {
      const digit = digitOf(units[at] ?? 0, 10)
      if (digit < 0) break
      byte = byte * 10 + digit
    }
    if (at === first || byte > 0xff) to.divide(limits.redactedCharsMin)
    else addByte(to, byte, isAscii, starts[first] ?? 0, ends[at - 1] ?? 0)
    if (at === first) at += 1
    const behind = at
    while (at < length && at < behind + 2 && isBetween(units[at] ?? 0)) at += 1
  }
  to.divide(limits.redactedCharsMin)
  return to.length > 0
}

function halvesFrom(firstBit: number): Undo {
  return (from, to, isAscii) => {
    const { units, starts, ends, length } = from
    to.clear(2 * length + 2)
    let isWide = false
    for (let at = 0; at < length; at += 1) {
      const unit = units[at] ?? 0
      const [start = 0, end = 0] = [starts[at], ends[at]]
      const isOne = unit < 0x100
      isWide ||= !isOne
      addByte(to, isOne ? unit : (unit >> firstBit) & 0xff, isAscii, start, end)
      if (!isOne) addByte(to, (unit >> (8 - firstBit)) & 0xff, isAscii, start, end)
    }
    to.divide(limits.redactedCharsMin)
    return isWide
  }
}
