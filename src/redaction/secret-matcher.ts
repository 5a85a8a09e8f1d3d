// Finds secrets in decoded texts: in upper and lower case, and long ones also in part.
import { limits } from '../domain/limits/limits.ts'
import type { DecodedText } from './decoded-text.ts'

/** A text that repeats this many characters of a value in a row reveals a part of it. */
const partChars = 8
/** A whole text is recognized by its first characters, this many, and masked as far as it continues. */
const headChars = 200
const hashMask = 0xffff

/**
 * Adds a character to the hash of the last eight: after eight shifts a character has no effect any
 * more.
 */
function nextHash(hash: number, unit: number): number {
  return ((hash << 2) ^ unit) & hashMask
}

export class SecretMatcher {
  readonly #wholes = new Set<string>()
  readonly #parts = new Set<string>()
  /** 1 at the hash of each part: a quick test, so that few positions of a text need a look-up. */
  readonly #isPartHash = new Uint8Array(hashMask + 1)

  get isEmpty(): boolean {
    return this.#wholes.size + this.#parts.size === 0
  }

  /** Adds a secret of which parts are secret as well. */
  addValue(value: string): void {
    if (value.length < partChars) {
      this.addWhole(value)
      return
    }
    for (const form of formsOf(value)) {
      let hash = 0
      for (let end = 1; end <= form.length; end += 1) {
        hash = nextHash(hash, form.charCodeAt(end - 1))
        if (end < partChars) continue
        this.#parts.add(form.slice(end - partChars, end))
        this.#isPartHash[hash] = 1
      }
    }
  }

  /** Adds a text that is secret only as a whole, because its parts may be anything. */
  addWhole(text: string): void {
    if (text.length < limits.redactedCharsMin) return
    for (const form of formsOf(text)) this.#wholes.add(form)
  }

  /** Sets `isSecret` to 1 wherever the encoded form of a secret is. */
  mark({ text, starts }: DecodedText, isSecret: Uint8Array): void {
    const searched = folded(text)
    for (const whole of this.#wholes) {
      const head = whole.slice(0, headChars)
      let end = 0
      for (let at = searched.indexOf(head); at >= 0; at = searched.indexOf(head, end)) {
        end = at + head.length
        while (end - at < whole.length && searched[end] === whole[end - at]) end += 1
        isSecret.fill(1, starts[at], starts[end])
      }
    }
    let hash = 0
    for (let end = 1; end <= searched.length; end += 1) {
      hash = nextHash(hash, searched.charCodeAt(end - 1))
      if (this.#isPartHash[hash] === 0 || end < partChars) continue
      const at = end - partChars
      if (this.#parts.has(searched.slice(at, end))) isSecret.fill(1, starts[at], starts[end])
    }
  }
}

/**
 * The text itself, and as characters from 0 to 255 for its UTF-8 bytes, which percent signs and
 * Base64 encode.
 */
function formsOf(text: string): ReadonlySet<string> {
  return new Set([folded(text), folded(Buffer.from(text).toString('latin1'))])
}

/** Normalizes for comparison without case; a plus becomes a space, as in forms. Keeps the length. */
function folded(text: string): string {
  return text
    .replaceAll('İ', 'i')
    .toLowerCase()
    .replace(/[+\u00a0]/g, ' ')
}
