// The mask: what answers show in place of a secret.

/** What stands for a secret in answers; sent back in a change, it keeps the secret. */
export const secretMask = '••••'

/** A cut through a secret may leave so many characters of it, of too few letters to be known. */
const edgeCharsMax = 64

/**
 * The end of a text that was cut before its secrets were masked: masks are shorter than secrets, so
 * that what stood at the cut may be shown after all.
 */
export function withoutCutEnd(masked: string): string {
  const at = masked.lastIndexOf(secretMask)
  const behind = at < 0 ? 0 : at + secretMask.length
  return masked.slice(0, Math.max(behind, masked.length - edgeCharsMax)).toWellFormed()
}

/** Where to cut so that a text that is wanted from there on can be had of `withoutCutStart`. */
export function earlierCut(fromAt: number): number {
  return Math.max(0, fromAt - edgeCharsMax)
}

/** `chars`: how much earlier it was cut than it is wanted. */
export function withoutCutStart(masked: string, chars: number): string {
  const at = masked.indexOf(secretMask)
  return masked.slice(at < 0 ? chars : Math.min(at, chars)).toWellFormed()
}
