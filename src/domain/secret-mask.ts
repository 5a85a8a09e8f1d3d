// The mask that replaces secrets in responses, and safe cuts of texts that contained secrets.

/** Replaces a secret in responses; a change that sends it back keeps the secret. */
export const secretMask = '••••'

/** The rule for a mask that stands for nothing. */
export const maskRule = 'is the mask, but no value is stored for it: send the value itself'

/** A cut through a secret may leave up to this many characters, too few to recognize it. */
const edgeCharsMax = 64

/**
 * Removes the end of a text that was cut before its secrets were masked, because a secret may begin
 * there. A margin behind the shown part does not help: masks are shorter than secrets, so masking
 * moves the margin into view.
 */
export function withoutCutEnd(masked: string): string {
  const at = masked.lastIndexOf(secretMask)
  const behind = at < 0 ? 0 : at + secretMask.length
  return masked.slice(0, Math.max(behind, masked.length - edgeCharsMax)).toWellFormed()
}

/** Where to cut a text whose shown part begins at `start`, leaving room for `withoutCutStart`. */
export function earlierCut(start: number): number {
  return Math.max(0, start - edgeCharsMax)
}

/** The same for the beginning. `spareChars`: how much earlier than the shown part it was cut. */
export function withoutCutStart(masked: string, spareChars: number): string {
  const at = masked.indexOf(secretMask)
  return masked.slice(at < 0 ? spareChars : Math.min(at, spareChars)).toWellFormed()
}

/** Names of fields whose values are always secrets, however short. */
export const secretField =
  /pass|pwd|token|secret|api.?key|credential|session|signature|cookie|jwt|auth(?!or)|(^|[-_])(key|sig|pin|otp|code)$/i

/** A URL for those who may know only where it leads: no user, and no values behind the path. */
export function withHiddenQuery(url: string): string {
  const [, address = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  return (
    address.replace(/\/\/[^/]*@/, `//${secretMask}@`) +
    query.replace(/(?<=^\?|[&;])[^&;]+/g, withHiddenValue) +
    (fragment.length > 1 ? `#${secretMask}` : fragment)
  )
}

function withHiddenValue(pair: string): string {
  const valueAt = pair.indexOf('=') + 1
  return valueAt === pair.length ? pair : pair.slice(0, valueAt) + secretMask
}

const queryField = /([?&#])([^?&#=\s"'<>]+)=([^&#\s"'<>]+)/g

/** Masks query values with telling names in a text that is, or contains, URLs. */
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
