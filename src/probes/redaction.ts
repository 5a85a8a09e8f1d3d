// Redaction: what a check sent to its target is blotted out of what the target says.
import { limits } from '../domain/limits.ts'
import type { EndpointTarget } from '../domain/monitor.ts'
import { secretMask as mask } from '../domain/secret-mask.ts'

/** Headers that are sent with a check and are nobody's secret. */
const plainHeader = /^(accept(-.*)?|content-type|user-agent|cache-control|pragma|referer|origin)$/i
/** Names of fields whose values are secrets, however short. */
const secretField =
  /pass|pwd|token|secret|api.?key|credential|session|signature|cookie|jwt|auth(?!or)|(^|[-_])(key|sig|pin|otp|code)$/i
/** Words of protocols, which would be blotted out all over an answer. */
const plainWord = /^(HTTP\/[\d.]+|application\/\w+|text\/\w+)$/i
/** Shorter values are words that would be blotted out all over a page. */
const secretCharsMin = 4
/** Whoever repeats so many characters of a secret in a row tells a part of it. */
const partChars = 8
/** So long, and with a digit, a field of what was sent may be a secret by any name. */
const tellingCharsMin = 6
/** So long, and with letters and digits, a part of a path is no word. */
const tokenCharsMin = 20

/** Blots out, in a text of the target, every secret that this check sent to it. */
export type Redact = (text: string) => string

/** `also`: what was sent beside the headers and the body as they stand in the target. */
export function redactorFor(target: EndpointTarget, also: readonly string[] = []): Redact {
  const secrets = new Secrets()
  for (const [name, value] of Object.entries(target.headers)) {
    if (!plainHeader.test(name)) secrets.addHeader(name, value.trim())
  }
  secrets.addUrl(target.url)
  for (const text of also) secrets.addText(text)
  if (target.body !== null) secrets.addText(target.body)
  const { forms, parts } = secrets.known()
  return (text) =>
    withoutParts(
      forms.reduce((rest, one) => rest.replaceAll(one, mask), text),
      parts,
    )
}

/** A class because it fills up: what is a secret, in every form in which it may come back. */
class Secrets {
  /** Whole texts, which are looked for as they are: parts of them may be anything. */
  readonly #wholes = new Set<string>()
  /** What is secret also in part. */
  readonly #values = new Set<string>()

  addHeader(name: string, value: string): void {
    const [, scheme = '', rest = ''] = /^(\S+)\s+(\S.*)$/.exec(value) ?? []
    this.#add(value)
    this.#add(rest)
    for (const [, field = ''] of rest.matchAll(/=\s*"?([^",;\s]+)/g)) this.#add(field)
    if (scheme.toLowerCase() === 'basic') {
      const plain = Buffer.from(rest, 'base64').toString()
      this.#add(plain)
      this.#add(plain.slice(plain.indexOf(':') + 1))
    }
    if (!/cookie/i.test(name)) return
    for (const pair of value.split(';')) this.#add(pair.slice(pair.indexOf('=') + 1).trim())
  }

  /** The organization reads its own URL, but what opens a door in it is repeated to nobody. */
  addUrl(text: string): void {
    const url = /^(https?|wss?):/i.test(text) ? URL.parse(text) : null
    if (url === null) return
    for (const [name, value] of url.searchParams) {
      if (secretField.test(name) || isToken(value)) this.#add(value)
    }
    for (const part of url.pathname.split('/')) if (isToken(part)) this.#add(part)
  }

  /** Something that was sent: JSON, the fields of a form, or lines of words. */
  addText(text: string): void {
    this.#wholes.add(text.trim())
    const fields = fieldsOf(text)
    for (const [name, value] of fields ?? []) {
      if (isTelling(value) || secretField.test(name)) this.#add(value)
    }
    for (const line of fields === undefined ? text.split('\n') : []) this.#addLine(line.trim())
  }

  known(): { readonly forms: readonly string[]; readonly parts: ReadonlySet<string> } {
    const values = [...this.#values].slice(0, limits.redactedValuesMax)
    const wholes = [...this.#wholes].filter((whole) => whole.length >= secretCharsMin)
    const forms = values.flatMap(formsOf)
    const all = new Set([...forms, ...wholes.flatMap(formsOf)])
    const parts = new Set<string>()
    // As it was sent is how most of it comes back, and from its beginning: each has a share first.
    let left = limits.redactedPartsMax
    for (const value of values)
      left -= addParts(parts, value, limits.redactedPartsMax / values.length)
    for (const form of forms) left -= addParts(parts, form, left)
    return { forms: [...all].sort((a, b) => b.length - a.length), parts }
  }

  #addLine(line: string): void {
    const [first = '', ...rest] = line.split(/\s+/)
    this.#add(line)
    // What begins a line is a command, where more follows it.
    if (rest.length > 0 && !/^[a-z]+$/i.test(first)) this.#add(first)
    for (const word of rest) {
      this.#add(word)
      for (const piece of word.split(/["'=:,;<>()[\]{}]+/)) this.#add(piece)
    }
  }

  #add(value: string): void {
    if (value.length >= secretCharsMin && !plainWord.test(value)) this.#values.add(value)
  }
}

/** Adds the parts with which a text begins, at most `most`; tells how many there were. */
function addParts(parts: Set<string>, text: string, most: number): number {
  const count = Math.max(0, Math.min(text.length - partChars + 1, Math.floor(most)))
  for (let at = 0; at < count; at += 1) {
    const part = text.slice(at, at + partChars)
    if (!part.includes('/') || !plainWord.test(part)) parts.add(part)
  }
  return count
}

function isToken(value: string): boolean {
  return value.length >= tokenCharsMin && /\d/.test(value) && /[a-z]/i.test(value)
}

/** More than a word or a count, such as `login` or `1000`. */
function isTelling(value: string): boolean {
  return value.length >= partChars || (value.length >= tellingCharsMin && /\d/.test(value))
}

/** The fields of a JSON text or a form with their names; undefined where it is neither. */
function fieldsOf(text: string): readonly (readonly [string, string])[] | undefined {
  const bare = text.trim()
  if (/^[[{]/.test(bare)) {
    const found: (readonly [string, string])[] = []
    try {
      JSON.parse(bare, (name, value: unknown) => {
        if (typeof value === 'string' || typeof value === 'number') found.push([name, `${value}`])
        return value
      })
      return found
    } catch {
      return undefined
    }
  }
  return /^[^\s=&]+=[^\s&]*(&[^\s&]*)*$/.test(bare) ? [...new URLSearchParams(bare)] : undefined
}

/** As it is, and as it looks inside JSON, HTML, a URL, Base64 and hexadecimal digits. */
function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const urls = [
    URL.parse(`http://x/?${secret}`)?.search.slice(1) ?? secret,
    new URLSearchParams([['', secret]]).toString().slice(1),
    encodeURIComponent(secret.toWellFormed()),
  ]
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  return [
    ...[secret, json, json.replaceAll('/', '\\/')],
    ...[
      html,
      html.replaceAll('"', '&quot;'),
      html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    ],
    html.replaceAll('"', '&#34;').replaceAll("'", '&#x27;'),
    ...urls,
    ...urls.map((one) => one.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    ...base64Of(bytes),
    ...[hex, hex.toUpperCase()],
  ].filter((form) => form.length >= secretCharsMin)
}

/** In Base64 a text has three looks, by where in the whole it begins; its ends mix with others. */
function base64Of(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64').replace(/=+$/, '')
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const isMixed = (before + bytes.length) % 3 !== 0
    return text.replace(/=+$/, '').slice(Math.ceil((before * 8) / 6), isMixed ? -1 : undefined)
  })
  return [whole, ...inside.filter((text) => text.length >= partChars)].flatMap((text) => [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
  ])
}

/** Blots out whatever is so long a part of a secret: a target may repeat a piece of a line. */
function withoutParts(text: string, parts: ReadonlySet<string>): string {
  if (parts.size === 0) return text
  let shown = ''
  let at = 0
  while (at < text.length) {
    let end = at
    while (parts.has(text.slice(end, end + partChars))) end += 1
    if (end === at) {
      shown += text.charAt(at)
      at += 1
    } else {
      shown += mask
      at = end + partChars - 1
    }
  }
  return shown
}
