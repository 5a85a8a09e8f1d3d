// Whether two URLs lead to the same server: a secret that was given for one of them may go there.

/**
 * Scheme, host and port decide, as parsed: letter case, punycode and a default port make no difference; a
 * trailing dot does. Outside the web the query decides as well: it says whether TLS protects the secret, and
 * which key the server has. A value that is no URL, such as a missing server, is equal only to the same value.
 */
export function isSameServer(one: unknown, other: unknown): boolean {
  return serverOf(one) === serverOf(other)
}

/** Not the origin of a URL, which is `null` for every scheme that browsers do not know. */
function serverOf(url: unknown): string | null {
  const parsed = typeof url === 'string' ? URL.parse(url) : null
  if (!parsed) return null
  const isWeb = /^(https?|wss?):$/.test(parsed.protocol)
  return `${parsed.protocol}//${parsed.host}${isWeb ? '' : parsed.search}`
}

/**
 * The rule for secrets if the server changes: a member who may change a URL could otherwise send its
 * secrets to a server of their own.
 */
export function givenAgainRule(what: 'the messages go' | 'the requests go'): string {
  return `must be given again, because ${what} to another server than before`
}
