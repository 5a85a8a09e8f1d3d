// Finds an address in a name that the public sees, because readers should not learn the addresses of an
// inner network.

/** A URL, an IP address, a host with a port or a path, a path, or a name of an inner network. */
const addresses: readonly RegExp[] = [
  /\b[a-z][a-z0-9+.-]*:\/\/\S+/i,
  /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.]\d)/,
  // IPv6 addresses that cannot be a time of day.
  /(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}(?![\w:])/i,
  /(?<![\w:])[0-9a-f:]*::[0-9a-f:]*[0-9a-f]|(?<![\w:])[0-9a-f]+::(?![\w:])/i,
  /\b[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*:\d{2,5}\b/i,
  /\b[a-z0-9-]+(?:\.[a-z0-9-]+)+\/\S+/i,
  /(?:^|\s)\/[a-z0-9_-]\S*/i,
  /\b(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:local|localdomain|internal|intranet|lan|corp|home|private|svc|home\.arpa))\b(?!\.[a-z])/i,
]

/** More than a name may have. What is longer is refused where it is typed. */
const charsRead = 500

/** The first address in a name, as it stands there; undefined if there is none. */
export function addressIn(name: string): string | undefined {
  const text = name.slice(0, charsRead)
  for (const address of addresses) {
    const found = address.exec(text)?.[0].trim()
    if (found) return found
  }
  return undefined
}
