// The secrets of a check: values that it sends and that must not be shown in a response.
import { limits } from '../domain/limits/limits.ts'
import type { EndpointTarget } from '../domain/monitors/monitor.ts'
import { secretField } from '../domain/secret-mask.ts'

/** Headers that are sent with a check and hold no secret. */
const plainHeader =
  /^(accept(-.*)?|content-type|user-agent|cache-control|pragma|referer|origin|host|prefer|via|forwarded|(if|x-forwarded|sec)-.*)$/i
/** Before credentials in a header of any name (the schemes of IANA's list, and usual ones). */
const credentialScheme =
  /^(basic|bearer|digest|dpop|gnap|hoba|mutual|negotiate|ntlm|oauth|privatetoken|scram-.*|vapid|token|apikey|api-key|key|hmac|aws4-.*|signature)$/i
/** Words of protocols, which would be masked all over an answer. */
const plainWord = /^(HTTP\/[\d.]+|application\/\w+|text\/\w+)$/i
/** Counts, and values that any header and any answer may hold; under a secret name a password. */
const commonWord =
  /^(\d{1,7}|true|false|null|none|undefined|json|html|text|xml|utf-?8|gzip|deflate|identity|close|keep-alive|no-cache|enabled|disabled|https?|localhost|websocket|XMLHttpRequest|production|staging|development)$/i
/** A parameter of a header, such as `response="6629fae4"`, from the beginning of its name. */
const parameter = /(?<![\w.-])([\w.-]*)=\s*"?([^",;\s]+)/g
/** A field of this length that was sent is more than a word or a count. */
const fieldCharsMin = 8
/** The same if it has a digit. */
const fieldWithDigitCharsMin = 6
/** A part of a path of this length, with letters and digits, is no word. */
const tokenCharsMin = 20

/**
 * `values` are secret in part as well; the short ones come first, as most passwords and tokens are
 * short. `wholes` are texts of which parts may be anything. `also`: what was sent in addition to the
 * headers and the body of the target.
 */
export function secretsSent(target: EndpointTarget, also: readonly string[]) {
  const texts = [target.body ?? '', ...also].map((text) => text.trim())
  const values = new SecretValues()
  for (const [name, value] of Object.entries(target.headers)) {
    if (!plainHeader.test(name)) values.addHeader(name, value.trim())
  }
  values.addUrl(target.url)
  for (const text of texts) values.addText(text)
  return { values: values.shortestFirst(), wholes: texts.slice(0, limits.redactedValuesMax) }
}

class SecretValues {
  readonly #values = new Set<string>()

  shortestFirst(): readonly string[] {
    return [...this.#values].sort((a, b) => a.length - b.length)
  }

  addHeader(name: string, value: string): void {
    const [, scheme = '', credentials = ''] = /^(\S+)\s+(\S.*)$/.exec(value) ?? []
    const isSure = secretField.test(name)
    this.#add(value, isSure)
    if (isSure || credentialScheme.test(scheme)) this.#add(credentials, true)
    const fields = /cookie/i.test(name) ? value : credentials
    for (const [, field = '', found = ''] of fields.matchAll(parameter)) {
      this.#add(found, secretField.test(field))
    }
    for (const charset of ['utf8', 'latin1'] as const) {
      if (!/^basic$/i.test(scheme)) break
      const login = Buffer.from(credentials, 'base64').toString(charset)
      this.#add(login, true)
      this.#add(login.slice(login.indexOf(':') + 1), true)
    }
  }

  /** The organization may read its own URL, but what gives access in it is masked everywhere. */
  addUrl(text: string): void {
    const url = /^(https?|wss?):/i.test(text) ? URL.parse(text) : null
    for (const [name, value] of url?.searchParams ?? []) {
      if (isSecretPair(name, value)) this.#add(value, true)
    }
    for (const part of url?.pathname.split('/') ?? []) if (isToken(part)) this.#add(part)
  }

  /** JSON, the fields of a form, or lines of words. */
  addText(text: string): void {
    const fields = fieldsOf(text)
    for (const [name, value] of fields ?? []) {
      const isLong = value.length >= fieldCharsMin
      const isTelling = isLong || (value.length >= fieldWithDigitCharsMin && /\d/.test(value))
      if (isTelling || secretField.test(name)) this.#add(value, true)
    }
    for (const line of fields === undefined ? text.split('\n') : []) this.#addLine(line.trim())
  }

  #addLine(line: string): void {
    const [first = '', ...rest] = line.split(/\s+/)
    // The first word of several is a command.
    if (rest.length === 0 || !/^[a-z]+$/i.test(first)) this.#add(first)
    for (const word of rest) {
      if (this.#values.size >= limits.redactedValuesMax) return
      this.#add(word)
      for (const piece of word.split(/["'=:,;<>()[\]{}]+/)) this.#add(piece)
    }
  }

  /** `isSure`: its name says that it is a secret, whatever it looks like. */
  #add(value: string, isSure = false): void {
    const isShort = value.length < limits.redactedCharsMin
    if (isShort || this.#values.size >= limits.redactedValuesMax) return
    if (!plainWord.test(value) && (isSure || !commonWord.test(value))) this.#values.add(value)
  }
}

/** Whether the value of a query gives access, by its name or by its looks. */
export function isSecretPair(name: string, value: string): boolean {
  return secretField.test(name) || isToken(value)
}

export function isToken(value: string): boolean {
  return value.length >= tokenCharsMin && /\d/.test(value) && /[a-z]/i.test(value)
}

/** The fields of a JSON text or a form with their names; undefined where it is neither. */
function fieldsOf(text: string): readonly (readonly [string, string])[] | undefined {
  if (!/^[[{]/.test(text)) {
    const isForm = /^[^\s=&]+=[^\s&]*(&[^\s&]*)*$/.test(text)
    return isForm ? [...new URLSearchParams(text)] : undefined
  }
  const found: (readonly [string, string])[] = []
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (typeof value === 'string' || typeof value === 'number') found.push([name, `${value}`])
      return value
    })
    return found
  } catch {
    return undefined
  }
}
