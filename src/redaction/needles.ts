// Needles: secrets made ready to be found in a sheet, in any case of letters, and parts of them.
import { limits } from '../domain/limits/limits.ts'
import type { Sheet } from './sheet.ts'

/** Whoever repeats so many characters of a secret in a row tells a part of it. */
const partChars = 8
/** What is too short for parts, or secret only as a whole, is looked up by so many characters. */
const headChars = limits.redactedCharsMin

/** Ends each needle: a code that stands for no character. */
const terminator = 0xfffe

/** What units are compared as, once that is known: without case, and a plus for blanks (forms). */
const folded = new Uint16Array(0x1_0000)
const plus = 0x2b
folded.set([plus], 9)
folded.set([plus], 0x20)
folded.set([plus], 0xa0)

function fold(unit: number): number {
  const known = folded[unit] ?? 0
  if (known !== 0) return known
  const lower = String.fromCharCode(unit).toLowerCase()
  const code = lower.length === 1 ? lower.charCodeAt(0) : unit
  folded[unit] = code
  return code
}

/** The sheet that is looked at, folded. One for all: each search ends before the next begins. */
let scratch = new Uint16Array(4_096)

function foldedUnits({ units, length }: Sheet): Uint16Array {
  if (scratch.length < length) scratch = new Uint16Array(length)
  for (let at = 0; at < length; at += 1) scratch[at] = fold(units[at] ?? 0)
  return scratch
}

// Rabin and Karp's rolling hash: that of the next few units follows from that of these.
const factor = 0x01000193

/** What the first of so many units counts for when the next one comes. */
function powerFor(count: number): number {
  let power = 1
  for (let i = 0; i < count; i += 1) power = Math.imul(power, factor)
  return power
}

const partPower = powerFor(partChars)
const headPower = powerFor(headChars)

function hashOf(units: Uint16Array, at: number, count: number): number {
  let hash = 0
  for (let i = at; i < at + count; i += 1) hash = (Math.imul(hash, factor) + (units[i] ?? 0)) | 0
  return hash
}

function rolled(hash: number, come: number, gone: number, power: number): number {
  return (Math.imul(hash, factor) + come - Math.imul(gone, power)) | 0
}

const slotOf = (hash: number, size: number): number => (hash ^ (hash >>> 15)) & (size - 1)

/** In a table that is at most half full hardly anything is further from its slot. */
const triesMax = 16

const slash = 0x2f
/** Plain words that are as long as a part, such as `HTTP/1.1` and `text/css`, have a slash there. */
const plainSlashAt = 4

interface Place {
  readonly at: number
  readonly length: number
}

/** A class because it fills up: first values, then their parts, then wholes. */
export class Needles {
  /** Nothing but ASCII is looked for. */
  isAscii = true
  readonly #plainWord: RegExp
  #codes = new Uint16Array(1_024)
  #length = 0
  readonly #values: Place[] = []
  readonly #heads = new Map<number, Place[]>()
  /** By the hash of a part: where it stands among the codes, plus one; zero is free. */
  #slots = new Int32Array(2)
  #hashes = new Int32Array(2)

  /** `plainWord`: what may be told although a secret holds it. */
  constructor(plainWord: RegExp) {
    this.#plainWord = plainWord
  }

  get isEmpty(): boolean {
    return this.#values.length === 0 && this.#heads.size === 0
  }

  /** Secret in part as well. */
  addValue(text: string): void {
    const place = this.#written(text)
    if (place.length >= partChars) this.#values.push(place)
    else this.#addHead(place)
  }

  /** Secret only as a whole: parts of it may be anything. */
  addWhole(text: string): void {
    this.#addHead(this.#written(text))
  }

  /** Each value has a share of the room, from its beginning; from there on it is followed. */
  indexParts(): void {
    let room: number = limits.redactedPartsMax
    const wanted = this.#values.reduce((sum, { length }) => sum + length, 0)
    const size = 2 ** Math.ceil(Math.log2(2 * Math.min(room, wanted) + this.#values.length + 2))
    this.#slots = new Int32Array(size)
    this.#hashes = new Int32Array(size)
    for (const [i, { at, length }] of this.#values.entries()) {
      const share = Math.ceil(room / (this.#values.length - i))
      const count = Math.max(1, Math.min(length - partChars + 1, share))
      room = Math.max(0, room - count)
      for (let from = at; from < at + count; from += 1) this.#addPart(from)
    }
  }

  /** Marks what is found, at its place in the text. */
  mark(sheet: Sheet, isSecret: Uint8Array): void {
    const units = foldedUnits(sheet)
    if (this.#heads.size > 0) this.#markHeads(units, sheet, isSecret)
    if (this.#values.length > 0) this.#markParts(units, sheet, isSecret)
  }

  #written(text: string): Place {
    const at = this.#length
    const needed = at + text.length + 1
    if (needed > this.#codes.length) {
      const longer = new Uint16Array(2 * needed)
      longer.set(this.#codes)
      this.#codes = longer
    }
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i)
      if (unit > 0x7f) this.isAscii = false
      this.#codes[at + i] = fold(unit)
    }
    this.#codes[at + text.length] = terminator
    this.#length = needed
    return { at, length: text.length }
  }

  #addHead(place: Place): void {
    if (place.length < headChars) return
    const hash = hashOf(this.#codes, place.at, headChars)
    const places = this.#heads.get(hash)
    if (places === undefined) this.#heads.set(hash, [place])
    else if (!places.some((other) => this.#isSame(other, place))) places.push(place)
  }

  #isSame(one: Place, { at, length }: Place): boolean {
    return one.length === length && this.#isAt(this.#codes, one.at, { at, length })
  }

  #addPart(from: number): void {
    const hash = hashOf(this.#codes, from, partChars)
    if (this.#codes[from + plainSlashAt] === slash && this.#isPlainWord(from)) return
    let slot = slotOf(hash, this.#slots.length)
    for (let tries = 0; tries < triesMax; tries += 1) {
      const place = this.#slots[slot] ?? 0
      if (place === 0) {
        this.#slots[slot] = from + 1
        this.#hashes[slot] = hash
        return
      }
      const length = partChars
      if (this.#hashes[slot] === hash && this.#isAt(this.#codes, from, { at: place - 1, length })) {
        return
      }
      slot = (slot + 1) & (this.#slots.length - 1)
    }
  }

  #isPlainWord(from: number): boolean {
    const part = this.#codes.subarray(from, from + partChars)
    return this.#plainWord.test(String.fromCharCode(...part))
  }

  /** Where the part that stands there in a sheet stands among the codes; -1 where it does not. */
  #partAt(units: Uint16Array, at: number, hash: number): number {
    let slot = slotOf(hash, this.#slots.length)
    for (let tries = 0; tries < triesMax; tries += 1) {
      const place = (this.#slots[slot] ?? 0) - 1
      if (place < 0) return -1
      const isIt = this.#hashes[slot] === hash
      if (isIt && this.#isAt(units, at, { at: place, length: partChars })) return place
      slot = (slot + 1) & (this.#slots.length - 1)
    }
    return -1
  }

  #isAt(units: Uint16Array, from: number, { at, length }: Place): boolean {
    for (let i = 0; i < length; i += 1) if (units[from + i] !== this.#codes[at + i]) return false
    return true
  }

  #markParts(units: Uint16Array, { length, starts, ends }: Sheet, isSecret: Uint8Array): void {
    if (length < partChars) return
    let hash = hashOf(units, 0, partChars)
    let next = 0
    for (let at = 0; ; at += 1) {
      const place = at < next ? -1 : this.#partAt(units, at, hash)
      if (place >= 0) {
        let end = at + partChars
        while (end < length && units[end] === this.#codes[place + end - at]) end += 1
        isSecret.fill(1, starts[at], ends[end - 1])
        // Another may begin in what is known already, and go on behind it.
        next = end - partChars + 1
      }
      if (at + partChars >= length) return
      hash = rolled(hash, units[at + partChars] ?? 0, units[at] ?? 0, partPower)
    }
  }

  #markHeads(units: Uint16Array, sheet: Sheet, isSecret: Uint8Array): void {
    const { length, starts, ends } = sheet
    let hash = hashOf(units, 0, headChars)
    for (let at = 0; at + headChars <= length; at += 1) {
      for (const place of this.#heads.get(hash) ?? []) {
        if (at + place.length > length || !this.#isAt(units, at, place)) continue
        const isShort = place.length < partChars
        // A few letters on either side of a line break are two words.
        if (isShort && !isUnbroken(sheet, at, place.length)) continue
        isSecret.fill(1, starts[at], ends[at + place.length - 1])
      }
      hash = rolled(hash, units[at + headChars] ?? 0, units[at] ?? 0, headPower)
    }
  }
}

/** Letters of Base64 share the places on which they stand. */
function isUnbroken({ starts, ends }: Sheet, at: number, length: number): boolean {
  for (let i = at; i < at + length - 1; i += 1) {
    if ((ends[i] ?? 0) < (starts[i + 1] ?? 0)) return false
  }
  return true
}
