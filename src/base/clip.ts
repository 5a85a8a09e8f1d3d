// Cuts text to a bound so that one can see that it was cut.

/** The text, or its beginning and an ellipsis: never more than `charsMax` characters. */
export function clip(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const cut = text.slice(0, charsMax - 1)
  // Half of a surrogate pair is not a character.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
