// A sheet: a reading of a text, unit by unit, that knows where in the text each unit stands.

/** Stands between what does not belong together: a code that stands for no character. */
export const divider = 0xffff

const space = 0x20
const tab = 9
const equals = 0x3d

/** Characters beyond it need two units: a high and a low surrogate. */
const oneUnitMax = 0xffff
const highOf = (code: number): number => 0xd7c0 + (code >> 10)
const lowOf = (code: number): number => 0xdc00 + (code & 0x3ff)

/** What Windows-1252, which most call Latin-1, reads where UTF-8 has 0x80 and more. */
const windowsLetters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** A class because it fills up, and is used again for the next text: most are short. */
export class Sheet {
  length = 0
  units = new Uint16Array(0)
  /** Where each unit begins in the text, and where it ends. */
  starts = new Int32Array(0)
  ends = new Int32Array(0)
  #isBehindBreak = false
  #pieceAt = 0

  clear(capacity: number): void {
    this.length = 0
    this.#pieceAt = 0
    this.#isBehindBreak = false
    if (this.units.length >= capacity) return
    this.units = new Uint16Array(capacity)
    this.starts = new Int32Array(capacity)
    this.ends = new Int32Array(capacity)
  }

  /** Line breaks with what is indented behind them, and what nobody sees, are left out. */
  add(unit: number, start: number, end: number): void {
    // Nearly every unit is none of these.
    if (unit < space || this.#isBehindBreak || unit === 0xad || unit > 0x2000) {
      if (this.#isLeftOut(unit, end)) return
    }
    this.units[this.length] = unit
    this.starts[this.length] = start
    this.ends[this.length] = end
    this.length += 1
  }

  /** A character by its number in Unicode, which may need two units. */
  addCharacter(code: number, start: number, end: number): void {
    if (code <= oneUnitMax) {
      this.add(code, start, end)
      return
    }
    this.add(highOf(code), start, end)
    this.add(lowOf(code), start, end)
  }

  /** What came before and what follows are no neighbours; a piece of few units tells nothing. */
  divide(unitsMin: number): void {
    if (this.length - this.#pieceAt < unitsMin) {
      this.length = this.#pieceAt
      return
    }
    const end = this.ends[this.length - 1] ?? 0
    this.add(divider, end, end)
    this.#pieceAt = this.length
  }

  /** Bytes that make a character of UTF-8 become that character, also where they were misread. */
  heal(): void {
    const { units, starts, ends } = this
    let to = 0
    for (let at = 0; at < this.length; at += 1) {
      const unit = units[at] ?? 0
      // How many bytes follow the first of a character.
      const more = unit < 0xc2 || unit > 0xf4 ? 0 : unit < 0xe0 ? 1 : unit < 0xf0 ? 2 : 3
      const code = more === 0 ? -1 : this.#characterAt(at, more)
      const end = ends[at + (code < 0 ? 0 : more)] ?? 0
      const isUnseen = code >= 0 && isInvisible(code)
      if (isUnseen && to > 0) ends[to - 1] = end
      if (!isUnseen) {
        const isPair = code > oneUnitMax
        const first = code < 0 ? unit : code
        units[to] = isPair ? highOf(code) : first
        starts[to] = starts[at] ?? 0
        ends[to] = end
        to += 1
        if (isPair) {
          units[to] = lowOf(code)
          starts[to] = starts[to - 1] ?? 0
          ends[to] = end
          to += 1
        }
      }
      if (code >= 0) at += more
    }
    this.length = to
  }

  #characterAt(at: number, more: number): number {
    let code = (this.units[at] ?? 0) & (0x3f >> more)
    for (let i = at + 1; i <= at + more; i += 1) {
      const unit = i < this.length ? (this.units[i] ?? 0) : 0
      const letter = unit < 0x152 ? unit - 0x80 : windowsLetters.indexOf(String.fromCharCode(unit))
      if (letter < 0 || letter > 0x3f) return -1
      code = (code << 6) | letter
    }
    return code
  }

  #isLeftOut(unit: number, end: number): boolean {
    if (unit === 10 || unit === 13) {
      // Quoted-printable breaks its lines so.
      if (this.length > this.#pieceAt && this.units[this.length - 1] === equals) this.length -= 1
      this.#isBehindBreak = true
      return true
    }
    if (this.#isBehindBreak && (unit === space || unit === tab)) return true
    this.#isBehindBreak = false
    if (!isInvisible(unit)) return false
    if (this.length > 0) this.ends[this.length - 1] = end
    return true
  }
}

/** Also what stands for a control character: UTF-16 that is read as UTF-8 is full of them. */
function isInvisible(unit: number): boolean {
  if (unit < space) return unit !== tab && unit !== 10 && unit !== 13
  if (unit < 0x200b) return unit === 0xad
  return unit <= 0x200f || unit === 0x2060 || unit === 0xfeff || unit === 0xfffd
}
