// Decoders: undo one kind of encoding in a text, and keep for each character where its encoded form
// was.
import { limits } from '../domain/limits/limits.ts'

/** A decoded text. Bytes from percent-encoding or Base64 are characters from 0 to 255. */
export interface DecodedText {
  readonly text: string
  /** Where the encoded form of each character (UTF-16 unit) begins; it ends where the next does. */
  readonly starts: Int32Array
}

/**
 * Percent signs, JSON escapes, HTML entities and invisible characters. Also the replacement
 * character: evidence shows it for the zero bytes of UTF-16 that was read as UTF-8.
 */
const escapePattern =
  /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\["\\/bfnrt]|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos|nbsp);|[\u00ad\u200b-\u200f\u2060\ufeff\ufffd]/gi

const entities = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
)

function characterOf(sequence: string): string {
  if (sequence.startsWith('%')) return String.fromCharCode(Number.parseInt(sequence.slice(1), 16))
  if (sequence.startsWith('\\')) return String(JSON.parse(`"${sequence.toLowerCase()}"`))
  if (!sequence.startsWith('&')) return ''
  const name = sequence.slice(1, -1).toLowerCase()
  const code = Number(name.slice(1).replace('x', '0x'))
  return entities.get(name) ?? (code <= 0x10ffff ? String.fromCodePoint(code) : sequence)
}

/** The text as it is, and with the escapes and the Base64 in it decoded once. */
export function decodedTexts(source: string): readonly DecodedText[] {
  const escapes = [...source.matchAll(escapePattern)]
  const plain = withReplaced(source, [])
  const unescapedText = escapes.length > 0 ? [withReplaced(source, escapes)] : []
  // Base64 is decoded in groups of four letters. Other letters may precede it, as in
  // `/path/SGVsbG8`, so all four starting points are tried.
  const fromBase64 = [0, 1, 2, 3].map((skipped) => base64Decoded(source, skipped))
  return [plain, ...unescapedText, ...fromBase64.filter(({ text }) => text !== '')]
}

export function unescaped(source: string): string {
  return withReplaced(source, source.matchAll(escapePattern)).text
}

function withReplaced(source: string, escapes: Iterable<RegExpExecArray>): DecodedText {
  const starts = new Int32Array(source.length + 1)
  let text = ''
  let from = 0
  const copyUpTo = (end: number) => {
    for (let at = from; at < end; at += 1) starts[text.length + at - from] = at
    text += source.slice(from, end)
  }
  for (const { 0: sequence, index } of escapes) {
    copyUpTo(index)
    const character = characterOf(sequence)
    starts.fill(index, text.length, text.length + character.length)
    text += character
    from = index + sequence.length
  }
  copyUpTo(source.length)
  starts[text.length] = source.length
  return { text, starts }
}

const sixBits = new Int8Array(0x80).fill(-1)
const base64Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
for (const [i, letter] of [...base64Letters, '+', '/'].entries()) sixBits[letter.charCodeAt(0)] = i
for (const [i, letter] of ['-', '_'].entries()) sixBits[letter.charCodeAt(0)] = 62 + i

/**
 * Decodes each run of Base64 letters, starting at its letter number `skipped`. A zero byte
 * separates the results.
 */
function base64Decoded(source: string, skipped: number): DecodedText {
  const bytes = Buffer.alloc(source.length + 1)
  const starts = new Int32Array(source.length + 1)
  let length = 0
  let runStart = 0
  let bits = 0
  let bitCount = -6 * skipped
  for (let at = 0; at <= source.length; at += 1) {
    const unit = at < source.length ? source.charCodeAt(at) : 0
    const value = unit < 0x80 ? (sixBits[unit] ?? -1) : -1
    if (value >= 0) {
      bits = (bits << 6) | value
      bitCount += 6
      if (bitCount < 8) continue
      bitCount -= 8
      bytes[length] = bits >> bitCount
      starts[length] = at - 1
      length += 1
      continue
    }
    starts[length] = at
    // Most runs are words that are too short to hold a secret.
    if (length - runStart < limits.redactedCharsMin) length = runStart
    else length += 1
    runStart = length
    bitCount = -6 * skipped
  }
  starts[length] = source.length
  return { text: bytes.toString('latin1', 0, length), starts }
}
