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
  const known = secrets.known()
  return (text) => withoutSecrets(text, known)
}

/** What is looked for. */
interface Known {
  /** Looked for as they are. */
  readonly wholes: readonly string[]
  /** What is secret also in part, in every form. */
  readonly forms: readonly string[]
  /** Forms that are too short to have parts. */
  readonly shorts: ReadonlySet<string>
  /** Where in which form a part stands: the index of the form, and the character. */
  readonly parts: ReadonlyMap<string, number>
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

  known(): Known {
    // What is short comes first: passwords and tokens are, and of them there is room for all.
    const values = [...this.#values].sort((a, b) => a.length - b.length)
    const forms = new Set(values)
    let left: number = limits.redactedFormCharsMax
    for (const value of values) {
      if (left <= 0) break
      const head = value.slice(0, Math.min(left, limits.redactedValueCharsMax)).toWellFormed()
      left -= head.length
      for (const form of formsOf(head)) forms.add(form)
    }
    const wholes = new Set(this.#wholes)
    let wholeLeft: number = limits.redactedWholeCharsMax
    for (const whole of this.#wholes) {
      if (whole.length > wholeLeft) continue
      wholeLeft -= whole.length
      for (const form of formsOf(whole)) wholes.add(form)
    }
    return {
      wholes: [...wholes].filter((whole) => whole.length >= secretCharsMin),
      ...indexed([...forms], values.length),
    }
  }

  #addLine(line: string): void {
    const [first = '', ...rest] = line.split(/\s+/)
    this.#add(line)
    // What begins a line is a command, where more follows it.
    if (rest.length > 0 && !/^[a-z]+$/i.test(first)) this.#add(first)
    for (const word of rest) {
      if (this.#values.size >= limits.redactedValuesMax) return
      this.#add(word)
      for (const piece of word.split(/["'=:,;<>()[\]{}]+/)) this.#add(piece)
    }
  }

  #add(value: string): void {
    if (this.#values.size >= limits.redactedValuesMax || value.length < secretCharsMin) return
    if (!plainWord.test(value)) this.#values.add(value)
  }
}

/** The first `plain` forms are what was sent, as it was sent. */
function indexed(forms: readonly string[], plain: number): Omit<Known, 'wholes'> {
  const shorts = new Set<string>()
  const parts = new Map<string, number>()
  // As it was sent is how most of it comes back: a half of the room is for that.
  let room = limits.redactedPartsMax / 2
  forms.forEach((form, index) => {
    if (index === plain) room += limits.redactedPartsMax / 2
    if (form.length < partChars) {
      if (!plainWord.test(form)) shorts.add(form)
      return
    }
    // Each has a share, from its beginning, and one at least: from there on it is followed.
    const share = Math.ceil(room / ((index < plain ? plain : forms.length) - index))
    const count = Math.max(1, Math.min(form.length - partChars + 1, share))
    room = Math.max(0, room - count)
    for (let at = 0; at < count; at += 1) {
      const part = form.slice(at, at + partChars)
      if (parts.has(part) || (part.includes('/') && plainWord.test(part))) continue
      parts.set(part, index * formStride + at)
    }
  })
  return { forms, shorts, parts }
}

/** More than the characters of any form. */
const formStride = 2 ** 24

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

/** Blots out every secret, and whatever is so long a part of one: a target may repeat a piece. */
function withoutSecrets(text: string, known: Known): string {
  const isSecret = new Uint8Array(text.length)
  for (const whole of known.wholes) {
    for (let at = text.indexOf(whole); at >= 0; at = text.indexOf(whole, at + whole.length)) {
      isSecret.fill(1, at, at + whole.length)
    }
  }
  markValues(text, known, isSecret)
  let shown = ''
  let from = 0
  for (let at = isSecret.indexOf(1); at >= 0; at = isSecret.indexOf(1, from)) {
    const next = isSecret.indexOf(0, at)
    const end = next < 0 ? text.length : next
    // The space before a word and the one behind it are nobody's secret.
    const [, before = '', behind = ''] = /^(\s?).*?(\s?)$/s.exec(text.slice(at, end)) ?? []
    shown += text.slice(from, at) + before + mask + behind
    from = end
  }
  return shown + text.slice(from)
}

function markValues(text: string, { forms, shorts, parts }: Known, isSecret: Uint8Array): void {
  const lengths = [...new Set([...shorts].map((short) => short.length))]
  let at = 0
  while (at < text.length) {
    for (const length of lengths) {
      if (shorts.has(text.slice(at, at + length))) isSecret.fill(1, at, at + length)
    }
    const place = parts.get(text.slice(at, at + partChars))
    if (place === undefined) {
      at += 1
      continue
    }
    const form = forms[Math.floor(place / formStride)] ?? ''
    const ahead = (place % formStride) - at
    let end = at + partChars
    while (end < text.length && text.charCodeAt(end) === form.charCodeAt(end + ahead)) end += 1
    isSecret.fill(1, at, end)
    // Another may begin in what is known already, and go on behind it.
    at = Math.max(at + 1, end - partChars + 1)
  }
}
