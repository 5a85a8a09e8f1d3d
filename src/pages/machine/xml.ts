// The escaping template tag of XML documents: what is interpolated is text, in content and in quoted
// attributes.

import { escapedMarkup } from '../../base/formats/markup.ts'

const markup = Symbol('XML')

/** Made by `xml` only. */
export interface Xml {
  readonly [markup]: string
}

export type XmlPiece = Xml | string | number | false | null | readonly XmlPiece[]

// XML 1.0 has no form for them, not even an escape.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

function written(piece: XmlPiece): string {
  if (piece === null || piece === false) return ''
  if (typeof piece === 'number') return String(piece)
  if (typeof piece === 'string') {
    return escapedMarkup(piece.toWellFormed().replace(impossible, '\ufffd'))
  }
  if (markup in piece) return piece[markup]
  return piece.map(written).join('')
}

export function xml(strings: TemplateStringsArray, ...pieces: readonly XmlPiece[]): Xml {
  let text = strings[0] ?? ''
  for (const [index, piece] of pieces.entries()) text += written(piece) + strings[index + 1]
  return { [markup]: text }
}

/** The text of a document. */
export function xmlText(root: Xml): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${root[markup]}\n`
}
