// A URL as it may be shown: with its destination, and without passwords and tokens.
import { secretMask as mask } from '../domain/secret-mask.ts'
import { isSecretPair, isToken } from './sent-secrets.ts'

/** The URL, even a relative one, without user, fragment and values that look secret. */
export function shownUrl(text: string): string {
  const [bare = ''] = text.split('#')
  const [, origin = '', path = '', query = ''] =
    /^([^/?]*\/\/[^/?]*)?([^?]*)(.*)$/s.exec(bare) ?? []
  return (
    origin.replace(/\/\/[^/]*@/, `//${mask}@`) +
    path.replace(/[^/;]+/g, shownPiece) +
    query.replace(/[^?&;]+/g, shownPiece)
  )
}

/** A part of a path, or `name=value`. */
function shownPiece(piece: string): string {
  if (!piece.includes('=')) return isToken(piece) ? mask : piece
  const [[name = '', value = ''] = []] = new URLSearchParams(piece)
  // The value may itself be a URL, such as the page to continue at.
  const nested = value.split(/[?&;#]/).flatMap((inner) => [...new URLSearchParams(inner)])
  const isSecret = [[name, value] as const, ...nested].some((pair) => isSecretPair(...pair))
  return isSecret ? `${piece.slice(0, piece.indexOf('='))}=${mask}` : piece
}
