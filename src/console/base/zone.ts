// Time zones by their IANA names.

/** The time zone of the person's browser. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The name that the browser has for a zone; undefined if it knows none of this name. */
export function knownZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
