// Cuts text to a bound and marks the cut with an ellipsis.

/** Returns the text, or its beginning and an ellipsis: at most `charsMax` characters. */
export function clip(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const cut = text.slice(0, charsMax - 1)
  // Half of a surrogate pair is not a character.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
