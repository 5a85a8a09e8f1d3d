// The mask: what answers show in place of a secret, and how texts are cut that secrets stood in.

/** What stands for a secret in answers; sent back in a change, it keeps the secret. */
export const secretMask = '••••'

/** A cut through a secret may leave so many characters of it, of too few letters to be known. */
const edgeCharsMax = 64

/**
 * A text that was cut before its secrets were masked, without what stood at the cut: that may be
 * the beginning of a secret. To cut much further behind than is shown would not do, since masks are
 * shorter than secrets.
 */
export function withoutCutEnd(masked: string): string {
  const at = masked.lastIndexOf(secretMask)
  const behind = at < 0 ? 0 : at + secretMask.length
  return masked.slice(0, Math.max(behind, masked.length - edgeCharsMax)).toWellFormed()
}

/** Where to cut a text that is wanted from `start` on, so that `withoutCutStart` can spare some. */
export function earlierCut(start: number): number {
  return Math.max(0, start - edgeCharsMax)
}

/** The same at its other end. `spareChars`: how much earlier it was cut than it is wanted. */
export function withoutCutStart(masked: string, spareChars: number): string {
  const at = masked.indexOf(secretMask)
  return masked.slice(at < 0 ? spareChars : Math.min(at, spareChars)).toWellFormed()
}

/** Names of fields whose values are secrets, however short. */
export const secretField =
  /pass|pwd|token|secret|api.?key|credential|session|signature|cookie|jwt|auth(?!or)|(^|[-_])(key|sig|pin|otp|code)$/i

const queryField = /([?&#])([^?&#=\s"'<>]+)=([^&#\s"'<>]+)/g

/** A text that is a URL or holds some, their query's values masked where a name tells of a secret. */
export function withMaskedQuery(text: string): string {
  return text.replace(queryField, (whole: string, mark: string, name: string) =>
    secretField.test(unescaped(name)) ? `${mark}${name}=${secretMask}` : whole,
  )
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
