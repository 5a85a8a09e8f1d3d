// Where a sign-in may lead afterwards: a path of this service, or an allowed origin.
import { limits } from '../limits/limits.ts'

export interface RedirectRules {
  /** The public origin of the service. */
  readonly baseOrigin: string
  /** The other origins, in the form of URL.origin. */
  readonly origins: readonly string[]
}

const lookalikes = /[\u2044\u2215\u2216\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u001f\u007f-\u009f]/
const printableAscii = /^[\x21-\x7e]*$/
const ownPath = /^\/(?![/\\])/
const absolute = /^https?:\/\/([^/?]+)(.*)$/i
const plainAuthority = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Why a sign-in may not lead there, as the rest of a sentence that begins with the field's name;
 * null if it may. Browsers, proxies and applications parse addresses differently, so everything
 * ambiguous is refused, at any level of encoding.
 */
export function redirectProblem(uri: string, rules: RedirectRules): string | null {
  if (uri.length > limits.urlCharsMax) return `must have at most ${limits.urlCharsMax} characters`
  if (!printableAscii.test(uri)) return 'must be printable ASCII; write other characters as %XX'
  if (uri.includes('\\')) return 'must not contain a backslash'
  if (uri.includes('#')) return 'must not have a fragment'
  if (ownPath.test(uri)) return readings(uri)
  const [, authority, rest = ''] = absolute.exec(uri) ?? []
  if (authority === undefined) {
    return 'must be a path that begins with one slash, or an http or https address'
  }
  if (authority.includes('@')) return 'must not contain a user name'
  if (!plainAuthority.test(authority) || !URL.canParse(uri)) return 'must name a host'
  return originProblem(new URL(uri), rules) ?? readings(rest)
}

/** The absolute address of a redirect without a problem. A path is one of this service. */
export function resolvedRedirect(uri: string, baseUrl: string): string {
  return new URL(uri.startsWith('/') ? baseUrl + uri : uri).href
}

/** Where people are after they signed in, unless they were on their way to another page. */
export const consolePath = '/app'

/** The path of this service that a form named as the next one; the console if it named none. */
export function nextPath(uri: string | undefined): string {
  const own = { baseOrigin: 'http://localhost', origins: [] }
  const isPath = uri !== undefined && ownPath.test(uri) && redirectProblem(uri, own) === null
  return isPath ? uri : consolePath
}

function originProblem(
  { origin, protocol, hostname }: URL,
  { baseOrigin, origins }: RedirectRules,
): string | null {
  if (origin === baseOrigin) return null
  if (!origins.includes(origin)) return 'must lead to this service or to an allowed origin'
  if (protocol === 'https:' || loopback.test(hostname)) return null
  return 'must be an https address'
}

/** Judges the part after the authority as it is, and after each further decoding. */
function readings(text: string): string | null {
  let reading = text
  for (;;) {
    const problem = ambiguity(reading)
    if (problem !== null) return problem
    const next = decoded(reading)
    if (next === reading) return null
    // A percent sign that was itself encoded may precede anything.
    if (next === undefined) return reading === text ? 'must not have a broken % escape' : null
    reading = next
  }
}

function ambiguity(reading: string): string | null {
  if (controls.test(reading)) return 'must not contain control characters, encoded or not'
  if (reading.includes('\\')) return 'must not contain a backslash, encoded or not'
  if (lookalikes.test(reading)) return 'must not contain characters that look like slashes'
  if (reading.includes('//')) return 'must not contain two slashes in a row, encoded or not'
  // Some servers cut a segment at its semicolon before they resolve the path.
  const walks = reading.split(/[/?&=]/).some((segment) => /^\.{1,2}(?:;.*)?$/.test(segment))
  return walks ? 'must not contain . or .. as a segment, encoded or not' : null
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
