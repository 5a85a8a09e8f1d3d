// Decodes a body to text: finds its charset and applies it.
import { TextDecoder } from 'node:util'

/**
 * The text of a body. The charset comes from, in this order: the byte order mark, the content
 * type, the declaration in HTML or XML, else UTF-8. Invalid bytes become replacement characters.
 */
export function textOf(bytes: Buffer, contentType: string): string {
  const charset =
    markedCharset(bytes) ?? namedCharset(contentType) ?? ownCharset(bytes, contentType)
  return decoderFor(charset ?? 'utf-8').decode(bytes)
}

function markedCharset(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function namedCharset(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]?.toLowerCase()
}

/** How much of a document is searched for its charset. */
const charsetScanBytes = 1024

function ownCharset(bytes: Buffer, contentType: string): string | undefined {
  if (!/[/+](x?html|xml)\b|^\s*$/i.test(contentType)) return undefined
  const head = bytes.toString('latin1', 0, charsetScanBytes)
  const [, declared] = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/i.exec(head) ?? []
  const [, meta] = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ?? []
  const named = (declared ?? meta)?.toLowerCase()
  // A declaration that can be read byte by byte is not UTF-16, whatever it says.
  return named?.startsWith('utf-16') ? 'utf-8' : named
}

const utf8 = new TextDecoder()
const decoders = new Map<string, TextDecoder>([['utf-8', utf8]])

function decoderFor(charset: string): TextDecoder {
  const known = decoders.get(charset)
  if (known !== undefined) return known
  try {
    const decoder = new TextDecoder(charset)
    // Only about two hundred names are valid, so the map stays small.
    decoders.set(charset, decoder)
    return decoder
  } catch {
    return utf8
  }
}
