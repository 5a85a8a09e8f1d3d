// Spellings: the ways in which a text can be read, each undone on its own and within others.
import { limits } from '../domain/limits/limits.ts'
import { byteWays, digitOf, type Undo, wideWays } from './byte-spellings.ts'
import { Sheet } from './sheet.ts'

export interface Reader {
  /** The sheet is good until this returns. */
  readonly read: (sheet: Sheet) => void
  /** Nothing is looked for but ASCII, so bytes above it are noise. */
  readonly isAscii: boolean
}

/** One sheet for each spelling within another; used again, as readings never overlap. */
const sheets = Array.from({ length: limits.redactedSpellingsMax + 1 }, () => new Sheet())

/**
 * Tells every reading of a text: as it is, and with escapes, Base64, hexadecimal and decimal
 * digits undone, in each other as well. What is looked for need not be spelled in all those ways.
 */
export function readAll(text: string, { read, isAscii }: Reader): void {
  // So many units may be looked at in all: most of a text is noise, in which little is spelled.
  let left = Math.min(text.length * limits.redactedReadingsMax, limits.redactedReadCharsMax)
  const explore = (sheet: Sheet, depth: number): void => {
    read(sheet)
    const next = sheets[depth + 1]
    if (next === undefined) return
    for (const undo of depth === 0 ? rootWays : ways) {
      left -= sheet.length
      if (left < 0) return
      const hasMore = undo(sheet, next, isAscii)
      if (!hasMore || next.length < limits.redactedCharsMin) continue
      next.heal()
      explore(next, depth + 1)
    }
  }
  const root = sheets[0] ?? new Sheet()
  fill(root, text)
  explore(root, 0)
}

/** What is looked for, as readings show it: they undo the escapes in a secret itself as well. */
export function plainReadings(text: string): readonly string[] {
  const found = new Set<string>()
  let [sheet = new Sheet(), next = new Sheet()] = sheets
  fill(sheet, text)
  do {
    found.add(Buffer.from(sheet.units.buffer, 0, sheet.length * 2).toString('utf16le'))
    if (!unescaped(sheet, next)) break
    next.heal()
    ;[sheet, next] = [next, sheet]
  } while (found.size < limits.redactedSpellingsMax)
  // What is in another charset has lost these letters, or has a sign for each.
  for (const sign of ['', '?']) found.add(text.replace(unusual, sign))
  return [...found]
}

const unusual = /[^ -~]/gu

// The signs that escapes are made of.
const numberSign = 0x23
const percent = 0x25
const ampersand = 0x26
const semicolon = 0x3b
const equals = 0x3d
const backslash = 0x5c
const smallU = 0x75
const openingBrace = 0x7b
const closingBrace = 0x7d

function fill(sheet: Sheet, text: string): void {
  sheet.clear(text.length)
  for (let at = 0; at < text.length; at += 1) sheet.add(text.charCodeAt(at), at, at + 1)
  sheet.heal()
}

/** Undoes percent signs, backslashes, entities and quoted-printable, one level of each. */
function unescaped(from: Sheet, to: Sheet): boolean {
  const { units, starts, ends, length } = from
  to.clear(length)
  let isChanged = false
  let at = 0
  while (at < length) {
    const unit = units[at] ?? 0
    const isMark = unit === percent || unit === backslash || unit === ampersand || unit === equals
    const found = isMark ? escapeAt(from, at) : 0
    const count = found % escapeStride || 1
    const end = ends[at + count - 1] ?? 0
    if (found === 0) to.add(unit, starts[at] ?? 0, end)
    else to.addCharacter(Math.floor(found / escapeStride), starts[at] ?? 0, end)
    isChanged ||= found !== 0
    at += count
  }
  return isChanged
}

/** Escapes come last: of each level of them the bytes are read before the next level. */
const ways: readonly Undo[] = [...byteWays, unescaped]
const rootWays: readonly Undo[] = [...wideWays, ...ways]

/** An escape is told as one number: its character, and of how many units it is. */
const escapeStride = 32

function escapeAt(sheet: Sheet, at: number): number {
  switch (sheet.units[at]) {
    case percent: // %41 %u0041
      return sheet.units[at + 1] === smallU
        ? hexEscape(sheet, at, 2, 4)
        : hexEscape(sheet, at, 1, 2)
    case equals: {
      // =41, of which the digits are in capitals, as a name may stand before the sign
      const isCapital = (sheet.units[at + 1] ?? 0) < 0x5b && (sheet.units[at + 2] ?? 0) < 0x5b
      return isCapital ? hexEscape(sheet, at, 1, 2) : 0
    }
    case ampersand:
      return entityAt(sheet, at)
    default:
      return backslashAt(sheet, at)
  }
}

const letterEscapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12, v: 11 }

function backslashAt(sheet: Sheet, at: number): number {
  const unit = at + 1 < sheet.length ? (sheet.units[at + 1] ?? 0) : 0
  const letter = String.fromCharCode(unit)
  if (letter === 'u' && sheet.units[at + 2] === openingBrace) return bracedAt(sheet, at)
  if (letter === 'u') return hexEscape(sheet, at, 2, 4)
  if (letter === 'U') return hexEscape(sheet, at, 2, 8)
  if (letter === 'x') return hexEscape(sheet, at, 2, 2)
  if (digitOf(unit, 8) >= 0) return octalAt(sheet, at)
  const named = letterEscapes[letter]
  if (named !== undefined) return named * escapeStride + 2
  return /[!-/:-@[-`{-~ ]/.test(letter) ? unit * escapeStride + 2 : 0
}

function hexEscape(sheet: Sheet, at: number, before: number, digits: number): number {
  let code = 0
  for (let i = at + before; i < at + before + digits; i += 1) {
    const digit = i < sheet.length ? digitOf(sheet.units[i] ?? 0, 16) : -1
    if (digit < 0) return 0
    code = code * 16 + digit
  }
  return code > 0x10ffff ? 0 : code * escapeStride + before + digits
}

function octalAt(sheet: Sheet, at: number): number {
  let code = 0
  let count = 1
  for (; count <= 3 && at + count < sheet.length; count += 1) {
    const digit = digitOf(sheet.units[at + count] ?? 0, 8)
    if (digit < 0 || code * 8 + digit > 0xff) break
    code = code * 8 + digit
  }
  return code * escapeStride + count
}

function bracedAt(sheet: Sheet, at: number): number {
  const { code, count } = numberAt(sheet, at + 3, 16)
  const end = at + 3 + count
  const isClosed = end < sheet.length && sheet.units[end] === closingBrace
  return count > 0 && isClosed ? code * escapeStride + count + 4 : 0
}

/** Those that frameworks write for signs; letters they leave alone, or give their number. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '\u00ad',
  sol: '/',
  plus: '+',
  equals: '=',
  grave: '`',
  num: '#',
  percnt: '%',
  dollar: '$',
  excl: '!',
  ast: '*',
  comma: ',',
  period: '.',
  colon: ':',
  semi: ';',
  quest: '?',
  commat: '@',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  rsqb: ']',
  lbrack: '[',
  rbrack: ']',
  bsol: '\\',
  lcub: '{',
  rcub: '}',
  lowbar: '_',
  Hat: '^',
  verbar: '|',
  vert: '|',
  Tab: '\t',
}

function entityAt(sheet: Sheet, at: number): number {
  const { units, length } = sheet
  if (units[at + 1] !== numberSign) return namedAt(sheet, at)
  const isHex = at + 2 < length && ((units[at + 2] ?? 0) | 0x20) === 0x78
  const from = at + (isHex ? 3 : 2)
  const { code, count } = numberAt(sheet, from, isHex ? 16 : 10)
  if (count === 0) return 0
  const end = from + count
  const isClosed = end < length && units[end] === semicolon
  return code * escapeStride + (isClosed ? end + 1 : end) - at
}

function namedAt({ units, length }: Sheet, at: number): number {
  let end = at + 1
  // None of them has more than seven letters.
  while (end < length && end < at + 8 && ((units[end] ?? 0) | 0x20) > 0x60) end += 1
  if (end < at + 3 || end >= length || units[end] !== semicolon) return 0
  const name = String.fromCharCode(...units.subarray(at + 1, end))
  const named = Object.hasOwn(entities, name) ? entities[name] : undefined
  return named === undefined ? 0 : named.charCodeAt(0) * escapeStride + end + 1 - at
}

const noNumber = { code: 0, count: 0 } as const

/** The number of a character; none where it is beyond Unicode, or has very many zeros. */
function numberAt({ units, length }: Sheet, at: number, base: number) {
  let code = 0
  let count = 0
  for (; count < 10 && at + count < length; count += 1) {
    const digit = digitOf(units[at + count] ?? 0, base)
    if (digit < 0) break
    code = code * base + digit
    if (code > 0x10ffff) return noNumber
  }
  return count === 0 ? noNumber : { code, count }
}
