// The secrets of a check: values that it sends and that must not be shown in a response.
import { limits } from '../domain/limits/limits.ts'
import type { EndpointTarget } from '../domain/monitors/monitor.ts'
import { secretField } from '../domain/secret-mask.ts'

/** Headers of a check that contain no secrets. */
const plainHeader =
  /^(accept(-.*)?|content-type|user-agent|cache-control|pragma|referer|origin|host|prefer|via|forwarded|(if|x-forwarded|sec)-.*)$/i
/** The scheme before the credentials in a header: the schemes on IANA's list, and other usual ones. */
const credentialScheme =
  /^(basic|bearer|digest|dpop|gnap|hoba|mutual|negotiate|ntlm|oauth|privatetoken|scram-.*|vapid|token|apikey|api-key|key|hmac|aws4-.*|signature)$/i
/** Words of protocols. They are not masked, because they occur everywhere in answers. */
const plainWord = /^(HTTP\/[\d.]+|application\/\w+|text\/\w+)$/i
/**
 * Numbers and common words, which any answer may contain. They are masked only if their field's
 * name says that they are secret.
 */
const commonWord =
  /^(\d{1,7}|true|false|null|none|undefined|json|html|text|xml|utf-?8|gzip|deflate|identity|close|keep-alive|no-cache|enabled|disabled|https?|localhost|websocket|XMLHttpRequest|production|staging|development)$/i
/**
 * A parameter of a header, such as `response="6629fae4"`. The match begins at the start of its
 * name.
 */
const parameter = /(?<![\w.-])([\w.-]*)=\s*"?([^",;\s]+)/g
/** A value of at least this length is treated as a secret. */
const fieldCharsMin = 8
/** A value with a digit is treated as a secret from this length on. */
const fieldWithDigitCharsMin = 6
/** A part of a path with letters and digits is treated as a token from this length on. */
const tokenCharsMin = 20

/** Values that a check sends and that are masked in evidence. */
export const redactedValuesMax = 200

/**
 * The secrets that a check sends. Parts of `values` are secret as well; short ones come first.
 * `wholes` are texts that are secret only as a whole. `also`: what was sent in addition to the
 * headers and the body of the target.
 */
export function secretsSent(target: EndpointTarget, also: readonly string[]) {
  const texts = [target.body ?? '', ...also].map((text) => text.trim())
  const values = new SecretValues()
  for (const [name, value] of Object.entries(target.headers)) {
    if (!plainHeader.test(name)) values.addHeader(name, value.trim())
  }
  values.addUrl(target.url)
  values.addPassword(target.password ?? '')
  values.addPassword(target.secret ?? '')
  for (const value of Object.values(target.variables ?? {})) values.addPassword(value)
  for (const { value } of Object.values(target.secrets ?? {})) values.addPassword(value)
  for (const text of texts) values.addText(text)
  return { values: values.shortestFirst(), wholes: texts.slice(0, redactedValuesMax) }
}

class SecretValues {
  readonly #values = new Set<string>()
  readonly #passwords = new Set<string>()

  /** Passwords before all others: what is found in texts must not use up their room. */
  shortestFirst(): readonly string[] {
    const byLength = [...this.#values].sort((a, b) => a.length - b.length)
    const isPassword = (value: string) => this.#passwords.has(value)
    return [...byLength.filter(isPassword), ...byLength.filter((value) => !isPassword(value))]
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

  addPassword(password: string): void {
    this.#passwords.add(password)
    this.#add(password, true)
  }

  /** The organization may read its own URL, but tokens and passwords in it are masked everywhere. */
  addUrl(text: string): void {
    const url = /^(https?|wss?):/i.test(text) ? URL.parse(text) : null
    for (const [name, value] of url?.searchParams ?? []) {
      if (isSecretPair(name, value)) this.#add(value, true)
    }
    for (const part of url?.pathname.split('/') ?? []) if (isToken(part)) this.#add(part)
  }

  /** Adds the values in a body: JSON, the fields of a form, or lines of words. */
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
      if (this.#values.size >= redactedValuesMax) return
      this.#add(word)
      for (const piece of word.split(/["'=:,;<>()[\]{}]+/)) this.#add(piece)
    }
  }

  /** `isSure`: the name of the field says that the value is a secret, so its form does not matter. */
  #add(value: string, isSure = false): void {
    const isShort = value.length < limits.redactedCharsMin
    if (isShort || this.#values.size >= redactedValuesMax) return
    if (!plainWord.test(value) && (isSure || !commonWord.test(value))) this.#values.add(value)
  }
}

/** Whether a query parameter gives access, judging by its name or by its value. */
export function isSecretPair(name: string, value: string): boolean {
  return secretField.test(name) || isToken(value)
}

/** The words of a text that give access, judging by their form. */
export function tokensIn(text: string): readonly string[] {
  return text.split(/[^\w.~+/=-]+/).filter(isToken)
}

export function isToken(value: string): boolean {
  return value.length >= tokenCharsMin && /\d/.test(value) && /[a-z]/i.test(value)
}

/** The values in a JSON text or a form whose names say that they are secret. */
export function namedSecretsIn(text: string): readonly string[] {
  return (fieldsOf(text.trim()) ?? []).flatMap(([name, value]) =>
    secretField.test(name) ? [value] : [],
  )
}

/** The fields of a JSON text or a form with their names; undefined if the text is neither. */
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
