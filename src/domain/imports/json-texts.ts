// JSON documents that follow each other in one text, as several answers of an API do that one file collects.
import { errorText } from '../../base/log/error-text.ts'
import { ForeignFileRefused } from './foreign.ts'

/** Each document. Throws ForeignFileRefused if one is not JSON. */
export function jsonTexts(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)]
  } catch (cause) {
    const pieces = piecesOf(text)
    if (pieces.length < 2 || pieces.length > textsMax) throw refused(cause)
    return pieces.map((piece) => {
      try {
        return JSON.parse(piece)
      } catch (cause) {
        throw refused(cause)
      }
    })
  }
}

function refused(cause: unknown): ForeignFileRefused {
  return new ForeignFileRefused(`is not JSON: ${errorText(cause)}`, { cause })
}

/** Documents in one text; more are read as none. */
const textsMax = 1_000

/** What each outermost bracket encloses; what is between them belongs to the next. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let depth = 0
  let fromAt = 0
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\]]/gs)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    if (depth !== 0 || token.startsWith('"')) continue
    pieces.push(text.slice(fromAt, index + 1))
    fromAt = index + 1
    if (pieces.length > textsMax) break
  }
  const rest = text.slice(fromAt).trim()
  return rest === '' ? pieces : [...pieces, rest]
}
