// Bytes in the body of a check, where they are no letters.
import type { ProbeRecorder } from './probe-recorder.ts'

/** Escapes for bytes in the body of a check, as capture groups for `split`. */
const byteEscape = /(\\x[0-9a-fA-F]{2}|\\[rnt\\])/

/** What is wrong with a body, as a sentence without its subject. */
export function escapeProblem(body: string): string | null {
  const pieces = body.split(byteEscape).filter((_, i) => i % 2 === 0)
  const [unknown] = /\\.?/su.exec(pieces.find((piece) => piece.includes('\\')) ?? '') ?? []
  if (unknown === undefined) return null
  return `must not contain ${unknown} (the escapes are \\r, \\n, \\t, \\\\ and \\xNN, a byte in hex)`
}

const escapes: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', '\\': '\\' }

/**
 * The bytes of a monitor's body. `\r`, `\n`, `\t`, `\\` and `\xNN` (one byte) are escapes. Any other backslash is literal; validation
 * refuses it, but old monitors may have one.
 */
export function bytesToSend(body: string): Buffer {
  const pieces = body.split(byteEscape)
  return Buffer.concat(
    pieces.map((piece, i) => {
      const isEscape = i % 2 === 1
      if (!isEscape) return Buffer.from(piece)
      const byte = piece.slice('\\x'.length)
      return byte === '' ? Buffer.from(escapes[piece.charAt(1)] ?? piece) : Buffer.from(byte, 'hex')
    }),
  )
}

/** The bytes to send, noted in the record: what they say is masked in evidence. */
export function sentBytes(body: string, { sent }: Pick<ProbeRecorder, 'sent'>): Buffer {
  const bytes = bytesToSend(body)
  const text = bytes.toString()
  if (text !== '') sent.push(...new Set([text, ...text.split('\n')].map((line) => line.trim())))
  return bytes
}
